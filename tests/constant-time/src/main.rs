//! Runs every function on secrets that valgrind's memcheck takes for undefined: it then reports each branch and each
//! address that depends on one.
//!
//! `constant-time check` must be reported clean; `branch`, `index` and `element` are controls that must not. The second argument
//! is the name of the back end that must be the one that runs.

use const_poseidon::field::{Element, Modulus};
use const_poseidon::poseidon2::{compress, noir_hash, FixedLenHash, Instance, Sponge, VariableLenHash};
use const_poseidon::{bls12_381, Poseidon2};
use const_poseidon::{hash_bytes_be, hash_bytes_le, hash_slice, Arity, Fr, Inputs, Parameters, Poseidon, Width};
use std::hint::black_box;
use std::mem::size_of_val;

/// memcheck's client requests: see "The Client Request mechanism" in valgrind's manual, and its `memcheck.h`.
mod memcheck {
    const BASE: u64 = (b'M' as u64) << 24 | (b'C' as u64) << 16;

    /// A request: it does nothing and returns the default outside valgrind.
    fn request(code: u64, arguments: [u64; 2], default: u64) -> u64 {
        let block = [code, arguments[0], arguments[1], 0, 0, 0];
        let mut result = default;
        // SAFETY: the rotations add up to 128 bits and the exchange is of a register with itself; valgrind reads the block.
        unsafe {
            std::arch::asm!(
                "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
                in("rax") block.as_ptr(), inout("rdx") result, out("rdi") _, options(nostack),
            );
        }
        result
    }

    pub fn runs_here() -> bool {
        request(0x1001, [0, 0], 0) > 0 // RUNNING_ON_VALGRIND
    }

    pub fn make_undefined(pointer: *const u8, len: usize) {
        request(BASE + 1, [pointer as u64, len as u64], 0);
    }

    pub fn make_defined(pointer: *const u8, len: usize) {
        request(BASE + 2, [pointer as u64, len as u64], 0);
    }
}

/// The crate calls this with a verdict that is public from here on.
#[no_mangle]
extern "C" fn const_poseidon_reveal(verdict: *const bool) {
    memcheck::make_defined(verdict.cast(), 1);
}

/// A value that memcheck takes for undefined.
fn secret<V: Copy>(value: V) -> V {
    let value = black_box(value);
    memcheck::make_undefined((&raw const value).cast(), size_of_val(&value));
    black_box(value)
}

/// The end of a secret's use.
fn done<V>(value: V) {
    let value = black_box(value);
    memcheck::make_defined((&raw const value).cast(), size_of_val(&value));
    black_box(value);
}

fn field() {
    let bytes = secret([0x2a; 32]);
    let a = black_box(Fr::from_bytes_be_mod_order(&bytes));
    let b = black_box(Fr::from_bytes_le_mod_order(&bytes));
    let c = Fr::from_u64(secret(7)) + Fr::from_u128(secret(1 << 100));
    for value in [a + b, a - b, a * b, -a, c.square(), c.pow5()] {
        done(value.to_bytes_be());
        done(value.to_bytes_le());
    }
    done(a == b);
    done(Fr::split_bytes_be(&bytes));
    done(Fr::split_bytes_le(&bytes));

    // These branch on whether the bytes were accepted, and on nothing else.
    for accepted in [Fr::from_bytes_be(&bytes), Fr::from_bytes_le(&bytes)] {
        done(accepted.unwrap_or_else(|error| panic!("{error}")));
    }
    assert!(Fr::from_bytes_be(&secret([0xff; 32])).is_err());

    #[cfg(feature = "ark")]
    done(Fr::from(black_box(ark_bn254::Fr::from(a))));
}

fn width<const T: usize, const N: usize>()
where
    Poseidon<T>: Width<T> + Arity<N>,
    [Fr; N]: Inputs<Fr>,
{
    // Below the modulus in both orders, and not of one repeated byte.
    let mut bytes = [[0x21; 32]; N];
    for (index, bytes) in bytes.iter_mut().enumerate() {
        bytes[16] = index as u8;
    }
    let bytes = secret(bytes);
    let tag = secret([0x13; 32]);
    let inputs = bytes.map(|bytes| Fr::from_bytes_be_mod_order(&bytes));

    done(Poseidon::<T>::hash(&inputs));
    done(const_poseidon::hash(&inputs));
    done(Poseidon::<T>::hash_with_tag(Fr::from_bytes_be_mod_order(&tag), &inputs));
    let mut state = [inputs[0]; T];
    Poseidon::<T>::permute(&mut state);
    done(state);
    let mut state = [inputs[0]; T];
    let (constants, matrix) = (Poseidon::<T>::round_constants(), Poseidon::<T>::mds_matrix());
    match Parameters::new(Poseidon::<T>::FULL_ROUNDS, Poseidon::<T>::PARTIAL_ROUNDS, constants, matrix) {
        Ok(parameters) => parameters.permute(&mut state),
        Err(error) => panic!("{error}"),
    }
    done(state);

    let mut digests = [Fr::ZERO; 3];
    assert!(Poseidon::<T>::hash_many(&[inputs; 3], &mut digests).is_ok());
    done(digests);
    let mut states = [[inputs[0]; T]; 2];
    Poseidon::<T>::permute_many(&mut states);
    done(states);

    // These branch on whether the bytes were accepted, and on nothing else.
    let slices = bytes.each_ref().map(|bytes| &bytes[..]);
    let digests = [
        Poseidon::<T>::hash_bytes_be(&bytes),
        Poseidon::<T>::hash_bytes_le(&bytes),
        Poseidon::<T>::hash_bytes_be_with_tag(&tag, &bytes),
        Poseidon::<T>::hash_bytes_le_with_tag(&tag, &bytes),
        hash_bytes_be(&slices),
        hash_bytes_le(&slices),
    ];
    for digest in digests {
        done(digest.unwrap_or_else(|error| panic!("{error}")));
    }
    done(hash_slice(&inputs).unwrap_or_else(|error| panic!("{error}")));

    // Refused, by a secret that is too large.
    let mut large = bytes;
    large[N - 1] = secret([0xff; 32]);
    assert!(Poseidon::<T>::hash_bytes_be(&large).is_err());
}

fn poseidon2<M: Modulus, const T: usize>()
where
    Element<M>: Instance<T>,
{
    let mut state = [Element::<M>::from_bytes_be_mod_order(&secret([0x2b; 32])); T];
    Poseidon2::permute(&mut state);
    let mut states = [state; 2];
    Poseidon2::permute_many(&mut states);
    done(states);
    done(state);
}

/// The sponge's positions depend on the lengths alone.
fn sponges<M: Modulus>()
where
    Element<M>: Instance<3>,
{
    let iv = secret([0x77; 32]);
    let inputs = [0x11, 0x22, 0x33].map(|byte| Element::<M>::from_bytes_be_mod_order(&secret([byte; 32])));
    let mut sponge = Sponge::<Element<M>, 3, 2>::new(&iv);
    sponge.absorb(&inputs);
    let mut outputs = [Element::ZERO; 3];
    sponge.squeeze(&mut outputs);
    sponge.ratchet();
    done(outputs);
    done(sponge.clone() == sponge);
    done(sponge);
    done(VariableLenHash::<Element<M>, 3, 1, 2>::hash(&inputs));
    done(FixedLenHash::<Element<M>, 3, 2, 4, 1>::hash(&inputs).unwrap_or_else(|error| panic!("{error}")));
    done(compress(inputs[0], inputs[1]));
}

fn main() {
    assert!(memcheck::runs_here(), "run this under valgrind");
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next();
    assert_eq!(arguments.next().as_deref(), Some(const_poseidon::backend()), "the back end");
    match what.as_deref() {
        Some("check") => {
            field();
            macro_rules! widths {
                ($($t:literal)*) => { $(width::<$t, { $t - 1 }>();)* };
            }
            widths!(2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17);
            macro_rules! poseidon2 {
                ($field:ty: $($t:literal)*) => { $(poseidon2::<$field, $t>();)* };
            }
            poseidon2!(const_poseidon::field::Bn254: 2 3 4 8 12 16);
            poseidon2!(const_poseidon::field::Bls12_381: 2 3 4);
            sponges::<const_poseidon::field::Bn254>();
            sponges::<const_poseidon::field::Bls12_381>();
            done(noir_hash(&[Fr::from_bytes_be_mod_order(&secret([0x44; 32])); 4]));
            let bytes = secret([0x2a; 32]);
            let element = bls12_381::Fr::from_bytes_be(&bytes).unwrap_or_else(|error| panic!("{error}"));
            done((element * element + element.pow5() - element.square()).to_bytes_le());
        }
        Some("branch") => {
            if secret(1u64) == 1 {
                println!("a branch");
            }
        }
        // An array that went through the crate is still a secret.
        Some("element") => {
            let element = Fr::from_bytes_be_mod_order(&secret([1; 32])).pow5();
            if element.to_bytes_be()[31] & 1 == 1 {
                println!("odd");
            }
        }
        Some("index") => println!("{}", [1, 2, 3, 4][secret(1usize) & 3]),
        _ => panic!("check, branch, index or element"),
    }
    println!("{} ran", what.unwrap_or_default());
}
