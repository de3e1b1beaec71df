//! Calls every public function of the crate, without std, where an allocation and a panic are calls of functions that nothing defines: the
//! program links only if the linker finds no way to them.
//!
//! The allocator's holds in debug and in release. The panic handler's holds in release: in debug, assertions and the checks of arithmetic are
//! compiled in, and are meant to panic. The features that bring arkworks in are left out: it links alloc.

#![no_std]
#![no_main]

#[cfg(feature = "allocates")]
extern crate alloc;

use const_poseidon::field::{Bls12_381, Bn254, Element, Modulus, ParseError};
use const_poseidon::poseidon2::{compress, noir_hash, FixedLenHash, Instance, Sponge, VariableLenHash};
use const_poseidon::{
    backend, hash, hash_bytes_be, hash_bytes_be_with_tag, hash_bytes_le, hash_bytes_le_with_tag, hash_slice,
    hash_slice_with_tag,
};
use const_poseidon::{Arity, Error, Fr, Inputs, Parameters, Poseidon, Poseidon2, Width};
use core::fmt::{self, Debug, Display, Write};
use core::hash::{Hash, Hasher};
use core::hint::black_box;

mod traps {
    use core::alloc::{GlobalAlloc, Layout};

    extern "C" {
        // Nothing defines these. They return, as far as the compiler knows: it deletes a path to one that does not, together with the call.
        fn allocation_is_reachable(size: usize) -> *mut u8;
        #[cfg(not(debug_assertions))]
        fn panic_is_reachable();
    }

    struct Allocator;

    // SAFETY: a program that could call this does not link.
    unsafe impl GlobalAlloc for Allocator {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            // SAFETY: as above.
            unsafe { allocation_is_reachable(layout.size()) }
        }

        unsafe fn dealloc(&self, _: *mut u8, layout: Layout) {
            // SAFETY: as above.
            unsafe { allocation_is_reachable(layout.size()) };
        }
    }

    #[global_allocator]
    static ALLOCATOR: Allocator = Allocator;

    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo) -> ! {
        // SAFETY: a program that could call this does not link.
        #[cfg(not(debug_assertions))]
        unsafe {
            panic_is_reachable();
        }
        loop {}
    }

    /// core, as it is distributed, names this. Nothing unwinds.
    #[no_mangle]
    extern "C" fn rust_eh_personality() {}
}

// What starts the program, and memcpy and the like.
#[link(name = "c")]
extern "C" {}

/// A result that is used: the compiler may not leave its computation out.
fn done<V>(value: V) {
    black_box(value);
}

/// Takes text, and keeps none.
struct Discard;

impl Write for Discard {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        black_box(text);
        Ok(())
    }
}

fn display<V: Display>(value: V) {
    done(write!(Discard, "{}", black_box(value)));
}

fn debug<V: Debug>(value: V) {
    done(write!(Discard, "{:?}", black_box(value)));
}

/// Adds up what is hashed.
struct Sum(u64);

impl Hasher for Sum {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.wrapping_add(u64::from(*byte));
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

fn sum<V: Hash>(value: V) {
    let mut sum = Sum(0);
    black_box(value).hash(&mut sum);
    done(sum.finish());
}

/// An element that the compiler does not know.
fn element<M: Modulus>(byte: u8) -> Element<M> {
    Element::from_bytes_be_mod_order(&black_box([byte; 32]))
}

fn field<M: Modulus>() {
    let bytes = black_box([0x2a; 32]);
    done(Element::<M>::from_bytes_be(&bytes));
    done(Element::<M>::from_bytes_le(&bytes));
    done(Element::<M>::from_bytes_be_mod_order(&bytes));
    done(Element::<M>::from_bytes_le_mod_order(&bytes));
    done(Element::<M>::split_bytes_be(&bytes));
    done(Element::<M>::split_bytes_le(&bytes));
    done(Element::<M>::from_u64(black_box(3)));
    done(Element::<M>::from_u128(black_box(1 << 100)));
    done(Element::<M>::from(black_box(true)));
    done(Element::<M>::from(black_box(3u8)));
    done(Element::<M>::from(black_box(3u16)));
    done(Element::<M>::from(black_box(3u32)));
    done(Element::<M>::from(black_box(3u64)));
    done(Element::<M>::from(black_box(3u128)));
    done(Element::<M>::default());
    done([Element::<M>::ZERO, Element::ONE]);
    for text in
        ["", "12", "0x1f", "-1", "99999999999999999999999999999999999999999999999999999999999999999999999999999"]
    {
        done(black_box(text).parse::<Element<M>>());
    }

    let (a, b) = (element::<M>(1), element::<M>(2));
    done(a.to_bytes_be());
    done(a.to_bytes_le());
    done(a.square());
    done(a.pow5());
    done([a + b, a - b, a * b, -a]);
    let mut c = a;
    c += black_box(b);
    c -= black_box(a);
    c *= black_box(b);
    done(c);
    done(a == b);
    sum(a);
    display(a);
    debug(a);
}

fn width<const T: usize, const N: usize>()
where
    Poseidon<T>: Width<T> + Arity<N>,
    [Fr; N]: Inputs<Fr>,
{
    let tag_bytes = black_box([0x13; 32]);
    let bytes = black_box([[0x21; 32]; N]);
    let tag = element::<Bn254>(3);
    let inputs = [element::<Bn254>(4); N];

    done(hash(&inputs));
    done(Poseidon::<T>::hash(&inputs));
    done(Poseidon::<T>::hash_with_tag(tag, &inputs));
    done(Poseidon::<T>::hash_bytes_be(&bytes));
    done(Poseidon::<T>::hash_bytes_le(&bytes));
    done(Poseidon::<T>::hash_bytes_be_with_tag(&tag_bytes, &bytes));
    done(Poseidon::<T>::hash_bytes_le_with_tag(&tag_bytes, &bytes));
    let mut state = [tag; T];
    Poseidon::<T>::permute(&mut state);
    let mut states = [state; 11];
    Poseidon::<T>::permute_many(black_box(&mut states[..]));
    done(states);
    let mut digests = [Fr::ZERO; 11];
    done(Poseidon::<T>::hash_many(black_box(&[inputs; 11][..]), black_box(&mut digests[..])));
    done(digests);

    done((Poseidon::<T>::FULL_ROUNDS, Poseidon::<T>::PARTIAL_ROUNDS));
    let (constants, matrix) = (black_box(Poseidon::<T>::round_constants()), black_box(Poseidon::<T>::mds_matrix()));
    parameters(Poseidon::<T>::FULL_ROUNDS, Poseidon::<T>::PARTIAL_ROUNDS, constants, matrix);
    debug(Poseidon::<T>);
}

fn parameters<const T: usize>(full: usize, partial: usize, constants: &[[Fr; T]], matrix: &[[Fr; T]; T]) {
    match Parameters::new(black_box(full), black_box(partial), constants, matrix) {
        Ok(parameters) => {
            let parameters = black_box(parameters);
            done((parameters.full_rounds(), parameters.partial_rounds()));
            done((parameters.round_constants(), parameters.mds_matrix()));
            let mut state = [element::<Bn254>(5); T];
            parameters.permute(&mut state);
            done(parameters.hash(element::<Bn254>(6), black_box(&state[..])));
            debug(parameters);
        }
        Err(error) => done(error),
    }
}

/// The functions whose number of inputs is known at run time.
fn slices() {
    let tag_bytes = black_box([0x13; 32]);
    let tag = element::<Bn254>(3);
    let bytes = black_box([0x21; 32]);
    // As many as there are widths for, too few, and too many.
    for count in 0..18 {
        let inputs = [element::<Bn254>(4); 18];
        let inputs = inputs.get(..black_box(count)).unwrap_or(&[]);
        done(hash_slice(inputs));
        done(hash_slice_with_tag(tag, inputs));
        let inputs = [&bytes[..]; 18];
        let inputs = inputs.get(..black_box(count)).unwrap_or(&[]);
        done(hash_bytes_be(inputs));
        done(hash_bytes_le(inputs));
        done(hash_bytes_be_with_tag(&tag_bytes, inputs));
        done(hash_bytes_le_with_tag(&tag_bytes, inputs));
    }
    done(hash_bytes_be(black_box(&[&bytes[1..]])));
}

fn poseidon2<M: Modulus, const T: usize>()
where
    Element<M>: Instance<T>,
{
    let mut state = [element::<M>(7); T];
    Poseidon2::permute(&mut state);
    let mut states = [state; 11];
    Poseidon2::permute_many(black_box(&mut states[..]));
    done(states);
    done(Poseidon2::<Element<M>, T>::internal_diagonal());
    done(Poseidon2::<Element<M>, T>::round_constants(black_box(9)));
    done((Poseidon2::<Element<M>, T>::EXTERNAL_ROUNDS, Poseidon2::<Element<M>, T>::INTERNAL_ROUNDS));
}

fn sponge<M: Modulus, const T: usize, const RATE: usize>()
where
    Element<M>: Instance<T>,
{
    let mut elements = [element::<M>(8); 5];
    let mut sponge = Sponge::<Element<M>, T, RATE>::new(&black_box([0x77; 32]));
    sponge.absorb(black_box(&elements[..]));
    sponge.squeeze(black_box(&mut elements[..]));
    sponge.ratchet();
    let other = black_box(sponge.clone());
    done(other == sponge);
    debug(sponge);
    done(Sponge::<Element<M>, T, RATE>::default());
    for count in 0..5 {
        let inputs = elements.get(..black_box(count)).unwrap_or(&[]);
        done(VariableLenHash::<Element<M>, T, RATE, 2>::hash(inputs));
        done(FixedLenHash::<Element<M>, T, RATE, 3, 2>::hash(inputs));
    }
}

fn errors() {
    let [given, index, min, max, rounds] = black_box([1; 5]);
    for error in [
        Error::InputCount { given, min, max },
        Error::InputLength { index, given },
        Error::NotBelowModulus { index },
        Error::DomainTagNotBelowModulus,
        Error::RoundConstantCount { given, rounds },
        Error::OddFullRounds { given },
        Error::BatchLength { inputs: given, outputs: max },
        Error::ZeroWidth,
    ] {
        done(black_box(error).solana_code());
        done(black_box(error) == error);
        sum(error);
        display(error);
        debug(error);
    }
    for error in [
        ParseError::Empty,
        ParseError::TooLong { given, most: max },
        ParseError::Digit { position: index },
        ParseError::NotBelowModulus,
    ] {
        done(black_box(error) == error);
        sum(error);
        display(error);
        debug(error);
    }
}

#[no_mangle]
extern "C" fn main() -> i32 {
    done(backend());
    field::<Bn254>();
    field::<Bls12_381>();
    errors();
    slices();
    macro_rules! widths {
        ($($t:literal)*) => { $(width::<$t, { $t - 1 }>();)* };
    }
    widths!(2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17);
    // Of widths that no instance has, and of one that is refused.
    parameters::<1>(2, 1, black_box(&[[Fr::ONE]; 3]), black_box(&[[Fr::ONE]]));
    parameters::<0>(2, 1, black_box(&[[]; 3]), black_box(&[]));
    parameters::<19>(2, 1, black_box(&[[Fr::ONE; 19]; 3]), black_box(&[[Fr::ONE; 19]; 19]));
    macro_rules! poseidon2 {
        ($field:ty: $($t:literal)*) => { $(poseidon2::<$field, $t>();)* };
    }
    poseidon2!(Bn254: 2 3 4 8 12 16);
    poseidon2!(Bls12_381: 2 3 4);
    sponge::<Bn254, 2, 1>();
    sponge::<Bn254, 3, 1>();
    sponge::<Bn254, 3, 2>();
    sponge::<Bn254, 16, 15>();
    sponge::<Bls12_381, 2, 1>();
    sponge::<Bls12_381, 3, 2>();
    done(compress(element::<Bn254>(9), element(10)));
    done(compress(element::<Bls12_381>(9), element(10)));
    done(noir_hash(black_box(&[element(11); 7][..])));

    #[cfg(feature = "allocates")]
    done(alloc::boxed::Box::new(black_box(1)));
    #[cfg(feature = "panics")]
    done(black_box([1, 2, 3])[black_box(0)]);
    0
}
