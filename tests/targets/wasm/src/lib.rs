//! Hashes and permutations over one buffer in the module's memory. There is no import and no allocator: a host needs nothing but the module.
//!
//! A host writes inputs to `BUFFER`, 32 bytes each and most significant byte first, calls a function, and reads the result from where the
//! inputs were. Functions return 0, or `Error::solana_code()` of what was refused; then the buffer is as it was.

#![no_std]

use const_poseidon::{Arity, Error, Poseidon, Width};
use core::cell::UnsafeCell;

const INPUTS: usize = 12;

#[repr(transparent)]
pub struct Buffer(UnsafeCell<[[u8; 32]; INPUTS]>);

// SAFETY: the module is built without wasm's threads.
unsafe impl Sync for Buffer {}

/// A global of the module, whose value is the buffer's address.
#[no_mangle]
pub static BUFFER: Buffer = Buffer(UnsafeCell::new([[0; 32]; INPUTS]));

/// The first `N` values of the buffer become the first `M` of what `function` gives.
fn run<const N: usize, const M: usize>(function: impl FnOnce(&[[u8; 32]; N]) -> Result<[[u8; 32]; M], Error>) -> u32 {
    const { assert!(N <= INPUTS && M <= INPUTS) };
    let start = BUFFER.0.get();
    // SAFETY: the buffer has at least N values; the host does not run during a call, and the reference ends before the write.
    let result = function(unsafe { &*start.cast() });
    match result {
        Ok(values) => {
            // SAFETY: the buffer has at least M values, and no reference to them is left.
            unsafe { start.cast::<[[u8; 32]; M]>().write(values) };
            0
        }
        Err(error) => error.solana_code() as u32, // 12 at the most
    }
}

fn hash<const T: usize, const N: usize>() -> u32
where
    Poseidon<T>: Width<T> + Arity<N>,
{
    run::<N, 1>(|inputs| Ok([Poseidon::<T>::hash_bytes_be(inputs)?]))
}

#[no_mangle]
pub extern "C" fn hash_2() -> u32 {
    hash::<3, 2>()
}

#[cfg(not(feature = "only-hash-2"))]
mod others {
    use super::{hash, run};
    use const_poseidon::field::{Bls12_381, Bn254, Element, Modulus};
    use const_poseidon::poseidon2::Instance;
    use const_poseidon::Poseidon2;

    #[no_mangle]
    pub extern "C" fn hash_1() -> u32 {
        hash::<2, 1>()
    }

    #[no_mangle]
    pub extern "C" fn hash_4() -> u32 {
        hash::<5, 4>()
    }

    #[no_mangle]
    pub extern "C" fn hash_8() -> u32 {
        hash::<9, 8>()
    }

    #[no_mangle]
    pub extern "C" fn hash_12() -> u32 {
        hash::<13, 12>()
    }

    fn permute<M: Modulus, const T: usize>() -> u32
    where
        Element<M>: Instance<T>,
    {
        run::<T, T>(|lanes| {
            let mut state = [Element::ZERO; T];
            for (element, bytes) in state.iter_mut().zip(lanes) {
                *element = Element::from_bytes_be(bytes)?;
            }
            Poseidon2::permute(&mut state);
            Ok(state.map(Element::to_bytes_be))
        })
    }

    #[no_mangle]
    pub extern "C" fn poseidon2_bn254_3() -> u32 {
        permute::<Bn254, 3>()
    }

    #[no_mangle]
    pub extern "C" fn poseidon2_bls12_381_2() -> u32 {
        permute::<Bls12_381, 2>()
    }
}

/// No panic is reachable, and so this is not in the module.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
