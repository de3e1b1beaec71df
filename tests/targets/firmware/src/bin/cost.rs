//! Measures one hash, which a feature chooses: prints a name and a number a line, for `run.sh` to make costs of.
//!
//! Measured is what a program calls: from inputs of 32 bytes, which are checked and converted, to a digest of 32 bytes, which for
//! Poseidon2 is lane 0 of the permuted state. Exits with 1 if it is not the known answer.

#![no_std]
#![no_main]

use const_poseidon::field::{Bls12_381, Bn254, Element, Modulus};
use const_poseidon::poseidon2::Instance;
use const_poseidon::{Arity, Poseidon, Poseidon2, Width};
use core::hint::black_box;
use firmware::board::{exit, print, print_number, spin, stack, ticks};
use firmware::vectors::{self, Vector};

/// Calls to time. A tick is up to 62.5 instructions and a time is right to one tick; over so many calls that is less than an instruction a call.
const CALLS: u32 = 128;

/// Turns of two instructions, to find out what a tick is.
const TURNS: u32 = 1 << 20;

/// Aligned, so that to zero it takes no memset, and compared below byte by byte: neither memset nor memcpy may be in the image without a hash,
/// or they would not count as the hash's.
#[repr(align(4))]
struct Digest([u8; 32]);

type Call = fn(&mut Digest);

/// What is measured, and what must come out.
struct Subject {
    hash: Call,
    expected: &'static [u8; 32],
}

/// The first vector of a list, copied so that the others are not linked.
macro_rules! poseidon {
    ($t:literal, $vectors:ident) => {{
        const VECTOR: &Vector<{ $t - 1 }> = &{ vectors::$vectors[0] };
        Subject { hash: |digest| poseidon::<$t, { $t - 1 }>(VECTOR, digest), expected: &VECTOR.outputs[0] }
    }};
}
macro_rules! poseidon2 {
    ($field:ty, $t:literal, $vectors:ident) => {{
        const VECTOR: &Vector<$t> = &{ vectors::$vectors[0] };
        Subject { hash: |digest| poseidon2::<$field, $t>(VECTOR, digest), expected: &VECTOR.outputs[0] }
    }};
}

/// The branches that are not taken, and the tables of their hashes, are not linked.
const SUBJECT: Subject = if cfg!(feature = "t2") {
    poseidon!(2, T2)
} else if cfg!(feature = "t3") {
    poseidon!(3, T3)
} else if cfg!(feature = "t5") {
    poseidon!(5, T5)
} else if cfg!(feature = "t9") {
    poseidon!(9, T9)
} else if cfg!(feature = "t13") {
    poseidon!(13, T13)
} else if cfg!(feature = "p2_bn254_3") {
    poseidon2!(Bn254, 3, P2_BN254_3)
} else if cfg!(feature = "p2_bls12_381_2") {
    poseidon2!(Bls12_381, 2, P2_BLS12_381_2)
} else {
    panic!("a feature says which hash to measure")
};

fn poseidon<const T: usize, const N: usize>(vector: &Vector<N>, output: &mut Digest)
where
    Poseidon<T>: Width<T> + Arity<N>,
{
    let inputs = black_box(&vector.inputs);
    if cfg!(feature = "idle") {
        return;
    }
    if let Ok(digest) = Poseidon::<T>::hash_bytes_be(inputs) {
        output.0 = digest;
    }
}

fn poseidon2<M: Modulus, const T: usize>(vector: &Vector<T>, output: &mut Digest)
where
    Element<M>: Instance<T>,
{
    let inputs = black_box(&vector.inputs);
    if cfg!(feature = "idle") {
        return;
    }
    let mut state = [Element::<M>::ZERO; T];
    for (lane, input) in state.iter_mut().zip(inputs) {
        let Ok(element) = Element::from_bytes_be(input) else { return };
        *lane = element;
    }
    Poseidon2::permute(&mut state);
    // The other lanes are computed too.
    output.0 = black_box(&state)[0].to_bytes_be();
}

fn report(name: &str, number: u32) {
    print(name);
    print(" ");
    print_number(number);
    print("\n");
}

#[no_mangle]
extern "C" fn main() -> ! {
    let mut digest = Digest([0; 32]);
    // Called by addresses that the compiler does not know, so that neither call becomes part of the loop.
    let (hash, nothing): (Call, Call) = black_box((SUBJECT.hash, |_| ()));

    report("calls", CALLS);
    report("hash_ticks", ticks(CALLS, || hash(&mut digest)));
    report("nothing_ticks", ticks(CALLS, || nothing(&mut digest)));
    report("spin_instructions", 2 * TURNS);
    report("spin_ticks", ticks(1, || spin(TURNS)));

    report("stack", stack(hash, &mut digest) as u32);
    let mut right = true;
    for (expected, output) in SUBJECT.expected.iter().zip(&digest.0) {
        right &= black_box(expected) == output;
    }
    exit(usize::from(!right));
}
