//! A program without an allocator that hashes its instruction data and sets the digest as its return data.

#![no_std]

mod memory;

#[cfg(not(feature = "two-inputs"))]
mod every;

use core::slice;

extern "C" {
    fn sol_set_return_data(data: *const u8, length: u64);
}

/// Nothing in this program panics; core wants a handler.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

/// What the program answers to data that it does not understand.
const NOT_UNDERSTOOD: u64 = 1 << 32;

fn answer(data: &[u8]) {
    // SAFETY: the bytes are there.
    unsafe { sol_set_return_data(data.as_ptr(), data.len() as u64) }
}

/// The instruction data; None if there are accounts, behind which it would be.
///
/// # Safety
/// The pointer is what the loader passes to the entry point: the number of accounts, the accounts, the length of the data, the data.
unsafe fn data<'a>(input: *const u8) -> Option<&'a [u8]> {
    let words = input.cast::<u64>();
    if *words != 0 {
        return None;
    }
    Some(slice::from_raw_parts(input.add(16), *words.add(1) as usize))
}

/// # Safety
/// Called by the loader.
#[no_mangle]
pub unsafe extern "C" fn entrypoint(input: *const u8) -> u64 {
    let Some(data) = data(input) else { return NOT_UNDERSTOOD };
    #[cfg(feature = "two-inputs")]
    return two_inputs(data);
    #[cfg(not(feature = "two-inputs"))]
    every::hash(data)
}

/// Two inputs of 32 bytes, validated, and their digest.
#[cfg(feature = "two-inputs")]
#[inline(always)]
fn two_inputs(data: &[u8]) -> u64 {
    let (inputs, []) = data.as_chunks() else { return NOT_UNDERSTOOD };
    let Ok(inputs) = inputs.try_into() else { return NOT_UNDERSTOOD };
    // By reference: a digest that is moved is copied byte by byte.
    match &const_poseidon::Poseidon::<3>::hash_bytes_be(inputs) {
        Ok(digest) => answer(digest),
        Err(error) => return error.solana_code(),
    }
    0
}
