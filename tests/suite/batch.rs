//! Many at once equal one by one.

use crate::samples::extremes;
use const_poseidon::{Arity, Error, Fr, Poseidon, Poseidon2, Width};

/// A few random elements and all extremes, again and again, so that neighbouring slots of a vector differ.
fn elements() -> impl Iterator<Item = Fr> {
    let mut random = Fr::from_u64(5);
    extremes().into_iter().cycle().flat_map(move |extreme| {
        random = random.pow5() + Fr::ONE;
        [extreme, random]
    })
}

fn width<const T: usize, const N: usize>(counts: impl Iterator<Item = usize>)
where
    Poseidon<T>: Width<T> + Arity<N>,
{
    let mut elements = elements();
    for count in counts {
        let inputs: Vec<[Fr; N]> =
            (0..count).map(|_| std::array::from_fn(|_| elements.next().expect("endless"))).collect();
        let expected: Vec<Fr> = inputs.iter().map(Poseidon::<T>::hash).collect();
        let mut digests = vec![Fr::ONE; count];
        assert_eq!(Poseidon::<T>::hash_many(&inputs, &mut digests), Ok(()));
        assert_eq!(digests, expected, "t = {T}, {count} hashes");

        let mut states: Vec<[Fr; T]> =
            (0..count).map(|_| std::array::from_fn(|_| elements.next().expect("endless"))).collect();
        let mut expected = states.clone();
        expected.iter_mut().for_each(Poseidon::<T>::permute);
        Poseidon::<T>::permute_many(&mut states);
        assert!(states == expected, "t = {T}, {count} permutations");
    }
}

#[test]
fn every_width() {
    macro_rules! widths {
        ($($t:literal)*) => { $(width::<$t, { $t - 1 }>([1, 7, 8, 9].into_iter());)* };
    }
    widths!(2 4 5 6 7 8 9 10 11 12 13 14 15 16 17);
    width::<3, 2>(0..=33);
}

#[test]
fn every_poseidon2() {
    macro_rules! widths {
        ($($field:ty: $($t:literal)*),*) => {$($(
            for count in [0, 1, 7, 8, 9, 17] {
                let mut next = <$field>::from_u64(3);
                let mut states: Vec<[$field; $t]> = (0..count)
                    .map(|_| {
                        std::array::from_fn(|lane| {
                            next = next.pow5() + <$field>::ONE;
                            if lane == count % 3 { -<$field>::ONE } else { next }
                        })
                    })
                    .collect();
                let mut expected = states.clone();
                expected.iter_mut().for_each(Poseidon2::permute);
                Poseidon2::permute_many(&mut states);
                assert!(states == expected, "t = {}, {count} permutations", $t);
            }
        )*)*};
    }
    widths!(Fr: 2 3 4 8 12 16);
    #[cfg(feature = "bls12-381")]
    widths!(const_poseidon::bls12_381::Fr: 2 3 4);
}

#[test]
fn other_lengths_are_refused_and_nothing_is_written() {
    let mut digests = [Fr::from_u64(9); 3];
    let error = Poseidon::<3>::hash_many(&[[Fr::ONE; 2]; 2], &mut digests);
    assert_eq!(error, Err(Error::BatchLength { inputs: 2, outputs: 3 }));
    assert_eq!(digests, [Fr::from_u64(9); 3]);
    assert_eq!(error.expect_err("refused").to_string(), "2 inputs were given for 3 outputs");
}

#[cfg(feature = "ark")]
#[test]
fn arks_elements() {
    use ark_bn254::Fr as ArkFr;
    let inputs: Vec<[ArkFr; 2]> = (0..11u64).map(|i| [ArkFr::from(i), ArkFr::from(i + 1)]).collect();
    let mut digests = vec![ArkFr::from(0u64); 11];
    assert_eq!(Poseidon::<3>::hash_many(&inputs, &mut digests), Ok(()));
    assert!(inputs.iter().zip(&digests).all(|(inputs, digest)| Poseidon::<3>::hash(inputs) == *digest));
}
