#![cfg_attr(feature = "ark", doc = include_str!("../README.md"))]
#![cfg_attr(
    not(feature = "ark"),
    doc = "circomlib's Poseidon hash over BN254, without an allocator. The README needs feature `ark`."
)]
#![no_std]

#[cfg(any(feature = "ark", feature = "ark-0-5"))]
mod ark;
mod bytes;
mod error;
pub mod field;
mod poseidon;
mod reveal;

pub use bytes::{hash_bytes_be, hash_bytes_le};
pub use error::Error;
pub use field::Fr;
pub use poseidon::{hash, hash_slice, Arity, Inputs, Parameters, Poseidon, Scalar, Width};
