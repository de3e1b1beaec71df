//! Every width's hash against light-poseidon 0.5, whose answers are checked before anything is timed.
//!
//! `cargo bench --bench poseidon`

#![allow(clippy::expect_used, reason = "a failure must stop the run")]

use ark_bn254::Fr as ArkFr;
use ark_ff::{BigInteger, PrimeField};
use const_poseidon::{Fr, Poseidon, Poseidon2};
use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion};
use light_poseidon::{Poseidon as LightPoseidon, PoseidonBytesHasher, PoseidonHasher};
use std::hint::black_box;

/// Inputs 1, 2, .. as bytes, most significant first.
fn inputs<const N: usize>() -> [[u8; 32]; N] {
    core::array::from_fn(|i| Fr::from_u64(i as u64 + 1).to_bytes_be())
}

/// One width: ours over field elements and over bytes, beside light-poseidon's where it has the width.
fn width<const T: usize, const N: usize>(criterion: &mut Criterion)
where
    Poseidon<T>: const_poseidon::Width<T> + const_poseidon::Arity<N>,
{
    let bytes = inputs::<N>();
    let elements = bytes.map(|bytes| Fr::from_bytes_be(&bytes).expect("small"));
    let digest = Poseidon::<T>::hash(&elements);
    assert_eq!(Poseidon::<T>::hash_bytes_be(&bytes), Ok(digest.to_bytes_be()));

    let mut group = criterion.benchmark_group("hash");
    group.bench_function(BenchmarkId::new("const-poseidon", T), |bencher| {
        bencher.iter(|| Poseidon::<T>::hash(black_box(&elements)));
    });
    let ark_elements = elements.map(ArkFr::from);
    assert_eq!(Poseidon::<T>::hash(&ark_elements), digest.into());
    group.bench_function(BenchmarkId::new("const-poseidon, ark's Fr", T), |bencher| {
        bencher.iter(|| Poseidon::<T>::hash(black_box(&ark_elements)));
    });
    if let Ok(mut peer) = LightPoseidon::<ArkFr>::new_circom(N) {
        let elements = bytes.map(|bytes| ArkFr::from_be_bytes_mod_order(&bytes));
        let answer = peer.hash(&elements).expect("the right number of inputs");
        assert_eq!(answer.into_bigint().to_bytes_be(), digest.to_bytes_be());
        group.bench_function(BenchmarkId::new("light-poseidon", T), |bencher| {
            bencher.iter(|| peer.hash(black_box(&elements)));
        });
    }
    group.finish();

    let mut group = criterion.benchmark_group("construct and hash bytes");
    group.bench_function(BenchmarkId::new("const-poseidon", T), |bencher| {
        bencher.iter(|| Poseidon::<T>::hash_bytes_be(black_box(&bytes)));
    });
    let slices = bytes.each_ref().map(|bytes| &bytes[..]);
    let construct_and_hash = |slices: &[&[u8]]| LightPoseidon::<ArkFr>::new_circom(N)?.hash_bytes_be(slices);
    if let Ok(answer) = construct_and_hash(&slices) {
        assert_eq!(answer, digest.to_bytes_be());
        group.bench_function(BenchmarkId::new("light-poseidon", T), |bencher| {
            bencher.iter(|| construct_and_hash(black_box(&slices)));
        });
    }
    group.finish();
}

fn every_width(criterion: &mut Criterion) {
    macro_rules! widths {
        ($($t:literal)*) => { $(width::<$t, { $t - 1 }>(criterion);)* };
    }
    widths!(2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17);
}

/// Poseidon2's permutations over BN254, after an answer of HorizenLabs' or taceo-poseidon2's; `benches/compare` has them beside ours.
fn poseidon2(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("Poseidon2, permute");
    macro_rules! widths {
        ($($t:literal $lane_0:literal)*) => {$(
            let mut state = std::array::from_fn::<Fr, $t, _>(|lane| Fr::from_u64(lane as u64));
            Poseidon2::<Fr, $t>::permute(&mut state);
            assert_eq!(format!("{:?}", state[0]), $lane_0);
            group.bench_function(BenchmarkId::new("const-poseidon", $t), |bencher| {
                bencher.iter(|| Poseidon2::<Fr, $t>::permute(black_box(&mut state)));
            });
        )*};
    }
    widths!(
        2 "0x1d01e56f49579cec72319e145f06f6177f6c5253206e78c2689781452a31878b"
        3 "0x0bb61d24daca55eebcb1929a82650f328134334da98ea4f847f760054f4a3033"
        4 "0x01bd538c2ee014ed5141b29e9ae240bf8db3fe5b9a38629a9647cf8d76c01737"
        8 "0x1d1a50bcde871247856df135d56a4ca61af575f1140ed9b1503c77528cf345df"
    );
    group.finish();
}

criterion_group!(benches, every_width, poseidon2);
criterion_main!(benches);
