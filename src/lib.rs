// One of the README's examples needs feature `ark` to run.
#![cfg_attr(any(feature = "ark", not(doctest)), doc = include_str!("../README.md"))]
#![no_std]

#[cfg(test)]
extern crate std;

#[cfg(const_poseidon_ark)]
mod ark;
#[cfg(any(const_poseidon_ifma, all(test, not(const_poseidon_narrow))))]
mod batch;
#[cfg(feature = "bls12-381")]
pub mod bls12_381;
mod bytes;
mod error;
pub mod field;
mod poseidon;
pub mod poseidon2;
mod reveal;
#[cfg(const_poseidon_syscall)]
mod solana;
#[cfg(any(const_poseidon_ifma, all(test, not(const_poseidon_narrow))))]
mod wide;

pub use bytes::{hash_bytes_be, hash_bytes_be_with_tag, hash_bytes_le, hash_bytes_le_with_tag};
pub use error::Error;
pub use field::backend::backend;
pub use field::Fr;
pub use poseidon::{hash, hash_slice, hash_slice_with_tag, Arity, Inputs, Parameters, Poseidon, Scalar, Width};
pub use poseidon2::Poseidon2;
