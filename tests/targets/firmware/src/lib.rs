//! What the images share: the board that they run on, and the known answers.

#![no_std]
#![deny(unsafe_code)]

#[allow(unsafe_code)]
pub mod board;
pub mod vectors;
