//! Prints a table: a hash of each width by const-poseidon and by its peers, in nanoseconds.
//!
//! All in one process and one thread, a batch of each in turn, medians over the batches, every answer checked before it
//! is timed. `cargo run --release --manifest-path benches/compare/Cargo.toml`; with `-- --test`, once, for the answers alone.

use ark_bn254::Fr as ArkFr;
use ark_ff::{BigInteger, Field, PrimeField};
use const_poseidon::{Arity, Fr, Poseidon, Poseidon2, Width};
use light_poseidon::{Poseidon as LightPoseidon, PoseidonBytesHasher, PoseidonHasher};
use std::hint::black_box;
use std::time::Instant;

const BATCHES: usize = 41;

/// States on which a permutation is compared before it is timed.
const STATES: usize = 200;

/// Whether to check the answers and time nothing: `cargo run .. -- --test`.
fn only_test() -> bool {
    std::env::args().any(|argument| argument == "--test")
}

/// Nanoseconds a call, of each function: its median over batches taken in turn.
fn medians(functions: &mut [(usize, &mut dyn FnMut())]) -> Vec<f64> {
    let mut times = vec![Vec::with_capacity(BATCHES); functions.len()];
    for _ in 0..if only_test() { 1 } else { BATCHES } {
        for ((calls, function), times) in functions.iter_mut().zip(&mut times) {
            let start = Instant::now();
            for _ in 0..if only_test() { 1 } else { *calls } {
                function();
            }
            times.push(start.elapsed().as_nanos() as f64 / *calls as f64);
        }
    }
    times.into_iter().map(median).collect()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Nanoseconds a 64-bit multiplication with a 128-bit product takes where nothing waits for it.
#[cfg(target_arch = "x86_64")]
fn multiplication() -> f64 {
    let mut run = || {
        // SAFETY: rax, rdx and the flags alone, each multiplication with a factor of its own.
        unsafe {
            std::arch::asm!(
                ".rept 256", "mov eax, 12345", "mul {factor}", ".endr",
                factor = in(reg) 0xd1b5_4a32_d192_ed03u64, out("rax") _, out("rdx") _, options(nomem, nostack),
            );
        }
    };
    medians(&mut [(1000, &mut run)])[0] / 256.0
}

/// As above, in Rust: with what the compiler adds.
#[cfg(not(target_arch = "x86_64"))]
fn multiplication() -> f64 {
    let mut words = [1u64, 2, 3, 5, 7, 11, 13, 17].map(|word| word * 0x9e37_79b9_7f4a_7c15);
    let factor = black_box(0xd1b5_4a32_d192_ed03u64);
    let mut run = || {
        for _ in 0..128 {
            for word in &mut words {
                let product = u128::from(*word) * u128::from(factor);
                *word = product as u64 ^ (product >> 64) as u64;
            }
        }
        black_box(&words);
    };
    medians(&mut [(100, &mut run)])[0] / (128.0 * 8.0)
}

/// The 64-bit multiplications of one hash in this crate's scalar algorithm: 16 a product, 10 a square, 18 a reduction. The vector
/// back end does most of them otherwise, so that its times may be below this floor.
fn multiplications(t: usize, partial_rounds: usize) -> usize {
    let n = t - 1;
    let s_boxes = 8 * t - 1 + partial_rounds;
    let matrix = t * t.div_ceil(2) + t / 2;
    let round = if n == 1 { 2 } else { n + 1 };
    let products = s_boxes + 7 * matrix + t + partial_rounds * round + 1 + n * n;
    let reductions = 3 * s_boxes + 7 * t + 1 + partial_rounds + 1 + n;
    16 * products + 10 * 2 * s_boxes + 18 * reductions
}

fn width<const T: usize, const N: usize>(multiplication: f64)
where
    Poseidon<T>: Width<T> + Arity<N>,
{
    let ours = std::array::from_fn::<Fr, N, _>(|i| Fr::from_u64(i as u64 + 1));
    let theirs = ours.map(ArkFr::from);
    let digest = Poseidon::<T>::hash(&ours).to_bytes_be();
    let mut light = LightPoseidon::<ArkFr>::new_circom(N).expect("a supported width");
    assert_eq!(light.hash(&theirs).expect("N inputs").into_bigint().to_bytes_be(), digest, "light-poseidon, t = {T}");

    let calls = 1000 / T;
    let times = medians(&mut [
        (4 * calls, &mut || {
            black_box(Poseidon::<T>::hash(black_box(&ours)));
        }),
        (calls, &mut || {
            black_box(light.hash(black_box(&theirs)).expect("N inputs"));
        }),
    ]);
    let floor = multiplications(T, Poseidon::<T>::PARTIAL_ROUNDS) as f64 * multiplication;
    println!(
        "| {T} | {:.0} | {:.0} | {:.2}x | {floor:.0} | {:.2} |",
        times[0],
        times[1],
        times[1] / times[0],
        times[0] / floor
    );
}

/// Two 32-byte inputs, with whatever must be constructed first.
fn bytes() {
    let inputs = [[1; 32], [2; 32]];
    let slices = [&inputs[0][..], &inputs[1][..]];
    let construct_and_hash = || LightPoseidon::<ArkFr>::new_circom(2)?.hash_bytes_be(black_box(&slices));
    assert_eq!(construct_and_hash().expect("two inputs"), Poseidon::<3>::hash_bytes_be(&inputs).expect("below p"));
    let times = medians(&mut [
        (1000, &mut || {
            black_box(Poseidon::<3>::hash_bytes_be(black_box(&inputs)).expect("below p"));
        }),
        (200, &mut || {
            black_box(construct_and_hash().expect("two inputs"));
        }),
    ]);
    println!(
        "construct and hash two 32-byte inputs: {:.0} ns, light-poseidon {:.0} ns, {:.2}x",
        times[0],
        times[1],
        times[1] / times[0]
    );
}

/// zkhash's optimised permutation, on circomlib's constants: its own instance has others.
fn zkhash_permutation() {
    use std::sync::Arc;
    use zkhash::ark_ff::{BigInteger as _, PrimeField as _};
    use zkhash::fields::bn256::FpBN256;
    use zkhash::poseidon::{poseidon::Poseidon as ZkPoseidon, poseidon_params::PoseidonParams};

    let rows = |rows: &[[Fr; 3]]| -> Vec<Vec<FpBN256>> {
        rows.iter().map(|row| row.map(|x| FpBN256::from_be_bytes_mod_order(&x.to_bytes_be())).to_vec()).collect()
    };
    let (matrix, constants) = (rows(Poseidon::<3>::mds_matrix()), rows(Poseidon::<3>::round_constants()));
    let (full, partial) = (Poseidon::<3>::FULL_ROUNDS, Poseidon::<3>::PARTIAL_ROUNDS);
    let peer = ZkPoseidon::new(&Arc::new(PoseidonParams::new(3, 5, full, partial, &matrix, &constants)));
    let state = [1u64, 2, 3];
    let theirs = state.map(FpBN256::from);
    let mut ours = state.map(Fr::from_u64);
    Poseidon::<3>::permute(&mut ours);
    let answers: Vec<Vec<u8>> = peer.permutation(&theirs).iter().map(|lane| lane.into_bigint().to_bytes_be()).collect();
    assert_eq!(answers, ours.map(|lane| lane.to_bytes_be().to_vec()), "zkhash");
    let times = medians(&mut [
        (1000, &mut || Poseidon::<3>::permute(black_box(&mut ours))),
        (200, &mut || {
            black_box(peer.permutation(black_box(&theirs)));
        }),
    ]);
    println!(
        "permute, t = 3: {:.0} ns, zkhash 0.2 (optimised) {:.0} ns, {:.2}x",
        times[0],
        times[1],
        times[1] / times[0]
    );
}

/// zkhash's Poseidon2 over BN254, which has t = 3 alone.
fn poseidon2_zkhash_bn254() {
    use zkhash::ark_ff::{BigInteger as _, PrimeField as _};
    use zkhash::fields::bn256::FpBN256;
    use zkhash::poseidon2::poseidon2::Poseidon2 as ZkPoseidon2;
    use zkhash::poseidon2::poseidon2_instance_bn256::POSEIDON2_BN256_PARAMS;

    let peer = ZkPoseidon2::new(&POSEIDON2_BN256_PARAMS);
    let mut ours = [5u64, 6, 7].map(Fr::from_u64);
    let mut theirs = [5u64, 6, 7].map(FpBN256::from).to_vec();
    for _ in 0..STATES {
        Poseidon2::<Fr, 3>::permute(&mut ours);
        theirs = peer.permutation(&theirs);
        let answers: Vec<Vec<u8>> = theirs.iter().map(|lane| lane.into_bigint().to_bytes_be()).collect();
        assert_eq!(answers, ours.map(|lane| lane.to_bytes_be().to_vec()), "zkhash, BN254");
    }
    let times = medians(&mut [
        (1000, &mut || Poseidon2::<Fr, 3>::permute(black_box(&mut ours))),
        (500, &mut || {
            black_box(peer.permutation(black_box(&theirs)));
        }),
    ]);
    row("BN254", 3, "zkhash 0.2", &times);
}

/// Poseidon2 over BN254, against taceo-poseidon2.
fn poseidon2_bn254() {
    macro_rules! rows {
        ($($module:ident $t:literal)*) => {$({
            let mut ours = std::array::from_fn::<Fr, $t, _>(|i| Fr::from_u64(i as u64 + 1));
            let mut theirs = ours.map(ArkFr::from);
            // Each answer is as good as random for the next.
            for _ in 0..STATES {
                Poseidon2::<Fr, $t>::permute(&mut ours);
                taceo_poseidon2::bn254::$module::permutation_in_place(&mut theirs);
                assert_eq!(ours.map(ArkFr::from), theirs, "taceo-poseidon2, t = {}", $t);
            }
            let times = medians(&mut [
                (1000, &mut || Poseidon2::<Fr, $t>::permute(black_box(&mut ours))),
                (500, &mut || {
                    theirs = taceo_poseidon2::bn254::$module::permutation(black_box(&theirs));
                }),
            ]);
            row("BN254", $t, "taceo-poseidon2 0.3", &times);
        })*};
    }
    rows!(t2 2 t3 3 t4 4 t8 8 t12 12 t16 16);
}

/// Poseidon2 over BLS12-381, against zkhash.
fn poseidon2_bls12_381() {
    use const_poseidon::bls12_381::Fr as BlsFr;
    use zkhash::ark_ff::{BigInteger as _, PrimeField as _};
    use zkhash::fields::bls12::FpBLS12;
    use zkhash::poseidon2::poseidon2::Poseidon2 as ZkPoseidon2;
    use zkhash::poseidon2::poseidon2_instance_bls12::{
        POSEIDON2_BLS_2_PARAMS, POSEIDON2_BLS_3_PARAMS, POSEIDON2_BLS_4_PARAMS,
    };

    macro_rules! rows {
        ($($t:literal $parameters:ident)*) => {$({
            let mut ours = std::array::from_fn::<BlsFr, $t, _>(|i| BlsFr::from_u64(i as u64 + 1));
            let mut theirs = std::array::from_fn::<FpBLS12, $t, _>(|i| FpBLS12::from(i as u64 + 1)).to_vec();
            let peer = ZkPoseidon2::new(&$parameters);
            for _ in 0..STATES {
                Poseidon2::<BlsFr, $t>::permute(&mut ours);
                theirs = peer.permutation(&theirs);
                let answers: Vec<Vec<u8>> = theirs.iter().map(|lane| lane.into_bigint().to_bytes_be()).collect();
                assert_eq!(answers, ours.map(|lane| lane.to_bytes_be().to_vec()), "zkhash, BLS12-381, t = {}", $t);
            }
            let times = medians(&mut [
                (1000, &mut || Poseidon2::<BlsFr, $t>::permute(black_box(&mut ours))),
                (500, &mut || {
                    black_box(peer.permutation(black_box(&theirs)));
                }),
            ]);
            row("BLS12-381", $t, "zkhash 0.2", &times);
        })*};
    }
    rows!(2 POSEIDON2_BLS_2_PARAMS 3 POSEIDON2_BLS_3_PARAMS 4 POSEIDON2_BLS_4_PARAMS);
}

fn row(field: &str, t: usize, peer: &str, times: &[f64]) {
    println!("| {field} | {t} | {:.0} | {peer} | {:.0} | {:.2}x |", times[0], times[1], times[1] / times[0]);
}

/// x^5, each waiting for the one before.
fn s_box() {
    let (mut ours, mut theirs) = (Fr::from_u64(3), ArkFr::from(3u64));
    assert_eq!(ArkFr::from(ours.pow5()), theirs.square().square() * theirs);
    let times = medians(&mut [
        (10_000, &mut || ours = ours.pow5()),
        (10_000, &mut || theirs = theirs.square().square() * theirs),
    ]);
    black_box((ours, theirs));
    println!(
        "Fr::pow5, one after the other: {:.1} ns, ark-ff {:.1} ns, {:.2}x",
        times[0],
        times[1],
        times[1] / times[0]
    );
}

fn main() {
    let multiplication = multiplication();
    println!("back end: {}; a 64-bit multiplication: {multiplication:.3} ns\n", const_poseidon::backend());
    println!("| t | const-poseidon, ns | light-poseidon 0.5, ns | ratio | floor, ns | multiple of the floor |");
    println!("|---|---|---|---|---|---|");
    macro_rules! widths {
        ($($t:literal)*) => { $(width::<$t, { $t - 1 }>(multiplication);)* };
    }
    widths!(2 3 4 5 6 7 8 9 10 11 12 13);
    println!();
    bytes();
    zkhash_permutation();
    s_box();
    println!("\n| Poseidon2 over | t | const-poseidon, ns | peer | ns | ratio |");
    println!("|---|---|---|---|---|---|");
    poseidon2_bn254();
    poseidon2_zkhash_bn254();
    poseidon2_bls12_381();
}
