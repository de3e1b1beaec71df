//! Checks the known answers, and what must be refused, on the target. Exits with 0 if all are right, with 1 if not.

#![no_std]
#![no_main]

use const_poseidon::field::{Bls12_381, Bn254, Element, Modulus};
use const_poseidon::poseidon2::Instance;
use const_poseidon::{Arity, Error, Fr, Poseidon, Poseidon2, Width};
use core::hint::black_box;
use firmware::board::{exit, print, print_number};
use firmware::vectors::{self, Vector};

#[derive(Default)]
struct Tally {
    passed: u32,
    failed: u32,
}

impl Tally {
    fn check(&mut self, right: bool, what: &str, name: &str) {
        if right {
            self.passed += 1;
        } else {
            self.failed += 1;
            print("failed: ");
            print(what);
            print(" ");
            print(name);
            print("\n");
        }
    }
}

fn poseidon<const T: usize, const N: usize>(tally: &mut Tally, vectors: &[Vector<N>])
where
    Poseidon<T>: Width<T> + Arity<N>,
{
    // Not known to the compiler, which could hash them itself.
    for vector in black_box(vectors) {
        let digest = if vector.domain_tag == [0; 32] {
            Poseidon::<T>::hash_bytes_be(&vector.inputs)
        } else {
            Poseidon::<T>::hash_bytes_be_with_tag(&vector.domain_tag, &vector.inputs)
        };
        let right = match vector.too_large {
            None => digest.ok().as_ref() == vector.outputs.first(),
            Some(index) => digest == Err(Error::NotBelowModulus { index }),
        };
        tally.check(right, "Poseidon's digest of", vector.name);

        // What a digest does not show: other lanes, and inputs that are to be reduced.
        if vector.outputs.len() > 1 || vector.too_large.is_some() {
            let mut state = [Fr::ZERO; T];
            for (lane, bytes) in state.iter_mut().zip([&vector.domain_tag].into_iter().chain(&vector.inputs)) {
                *lane = Fr::from_bytes_be_mod_order(bytes);
            }
            Poseidon::<T>::permute(&mut state);
            tally.check(begins_with(&state, vector.outputs), "Poseidon's permutation of", vector.name);
        }
    }

    // The modulus itself and the largest integer, in each place; behind it another, so that the first must be named.
    for (too_large, name) in [(vectors::MODULUS, "the modulus"), ([0xff; 32], "2^256 - 1")] {
        for index in 0..N {
            let mut inputs = [[0; 32]; N];
            for input in inputs.iter_mut().skip(index) {
                *input = too_large;
            }
            let refusal = Err(Error::NotBelowModulus { index });
            tally.check(Poseidon::<T>::hash_bytes_be(black_box(&inputs)) == refusal, "Poseidon's refusal of", name);
        }
    }
}

fn poseidon2<M: Modulus, const T: usize>(tally: &mut Tally, vectors: &[Vector<T>])
where
    Element<M>: Instance<T>,
{
    for vector in black_box(vectors) {
        let mut state = vector.inputs.map(|bytes| Element::from_bytes_be_mod_order(&bytes));
        Poseidon2::permute(&mut state);
        tally.check(begins_with(&state, vector.outputs), "Poseidon2's permutation of", vector.name);
    }
}

fn begins_with<M: Modulus>(state: &[Element<M>], outputs: &[[u8; 32]]) -> bool {
    state.iter().zip(outputs).all(|(lane, expected)| lane.to_bytes_be() == *expected)
}

#[no_mangle]
extern "C" fn main() -> ! {
    let mut tally = Tally::default();
    poseidon::<2, 1>(&mut tally, vectors::T2);
    poseidon::<3, 2>(&mut tally, vectors::T3);
    poseidon::<5, 4>(&mut tally, vectors::T5);
    poseidon::<9, 8>(&mut tally, vectors::T9);
    poseidon::<13, 12>(&mut tally, vectors::T13);
    poseidon2::<Bn254, 3>(&mut tally, vectors::P2_BN254_3);
    poseidon2::<Bls12_381, 2>(&mut tally, vectors::P2_BLS12_381_2);
    print_number(tally.passed);
    print(" passed, ");
    print_number(tally.failed);
    print(" failed\n");
    exit(usize::from(tally.failed > 0));
}
