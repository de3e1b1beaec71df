//! On chain: the system call `sol_poseidon`, which is circomlib's hash of 1 to 12 inputs with domain tag 0, at 61 n^2 + 542 compute units.
//!
//! It is called wherever such a hash is asked for in a build for Solana (`cfg(const_poseidon_syscall)`, which build.rs sets: README.md says how to force
//! it either way). Inputs are validated first, since the call gives one code for all that can be wrong. A call that fails after that comes of a
//! broken host, and there is no software linked that could step in: the program aborts. That is the one exception to "nothing panics".
//!
//! Everything on chain is public, so the validation may look at one byte, where elsewhere the crate takes the same time for all values.

#![allow(unsafe_code, reason = "system calls")]

use crate::bytes::ByteOrder;
use crate::field::words;
use crate::field::{Bn254, Fr};

/// The most inputs that the system call takes.
pub(crate) const MAX_INPUTS: usize = 12;

/// A slice as the virtual machine takes it.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Slice {
    address: u64,
    length: u64,
}

impl Slice {
    pub(crate) const EMPTY: Self = Self { address: 0, length: 0 };

    #[inline(always)]
    pub(crate) fn of(bytes: &[u8; 32]) -> Self {
        Self { address: bytes.as_ptr() as u64, length: 32 }
    }
}

extern "C" {
    fn sol_poseidon(parameters: u64, order: u64, inputs: *const Slice, count: u64, digest: *mut u8) -> u64;
    fn abort() -> !;
}

/// The only parameters there are: BN254, x^5.
const BN254_X5: u64 = 0;

/// The digest of inputs that are below the modulus, of which there are 1 to 12; in the byte order that they are in.
///
/// It is written where it will be read: sBPF copies 32 bytes one by one, for 64 units.
#[inline(always)]
pub(crate) fn digest(order: ByteOrder, inputs: &[Slice], digest: &mut [u8; 32]) {
    debug_assert!(!inputs.is_empty() && inputs.len() <= MAX_INPUTS);
    let order = match order {
        ByteOrder::Big => 0,
        ByteOrder::Little => 1,
    };
    // SAFETY: each slice is of 32 bytes that outlive the call (its callers hold them), and the digest has 32 bytes.
    let failure = unsafe { sol_poseidon(BN254_X5, order, inputs.as_ptr(), inputs.len() as u64, digest.as_mut_ptr()) };
    if failure != 0 {
        // SAFETY: ends the program.
        unsafe { abort() }
    }
}

/// The digest of elements, of which there are 1 to 12.
pub(crate) fn digest_of_elements(elements: &[Fr]) -> Fr {
    let mut bytes = [[0; 32]; MAX_INPUTS];
    let mut slices = [Slice::EMPTY; MAX_INPUTS];
    for ((bytes, slice), element) in bytes.iter_mut().zip(&mut slices).zip(elements) {
        *bytes = words::to_le_bytes(element.words_at_run_time());
        *slice = Slice::of(bytes);
    }
    let mut bytes = [0; 32];
    digest(ByteOrder::Little, slices.get(..elements.len()).unwrap_or(&[]), &mut bytes);
    let mut element = Fr::ZERO;
    Fr::reduce_at_run_time(words::from_le_bytes(&bytes), &mut element);
    element
}

/// p's most significant byte, 0x30.
const TOP_BYTE: u8 = words::top_byte_of_modulus::<Bn254>();

/// Whether the integer of the bytes is below p. One byte decides it but for one in 49 valid inputs.
#[inline(always)]
pub(crate) fn is_below_modulus(order: ByteOrder, bytes: &[u8; 32]) -> bool {
    let top = match order {
        ByteOrder::Big => bytes[0],
        ByteOrder::Little => bytes[31],
    };
    top < TOP_BYTE || all_bytes_are_below_modulus(order, bytes)
}

#[inline(never)]
fn all_bytes_are_below_modulus(order: ByteOrder, bytes: &[u8; 32]) -> bool {
    words::is_below_modulus::<Bn254>(match order {
        ByteOrder::Big => words::from_be_bytes(bytes),
        ByteOrder::Little => words::from_le_bytes(bytes),
    })
}
