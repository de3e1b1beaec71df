//! The primes.

/// A prime that [`Element`](super::Element) computes modulo. Sealed, since bounds hold for certain primes; what it inherits is
/// not public API.
pub trait Modulus: sealed::Modulus {}

impl<M: sealed::Modulus> Modulus for M {}

/// The order of BN254's groups, the field of circom's signals.
#[derive(Clone, Copy, Debug)]
pub enum Bn254 {}

impl sealed::Modulus for Bn254 {
    const P: [u64; 4] = [0x43e1_f593_f000_0001, 0x2833_e848_79b9_7091, 0xb850_45b6_8181_585d, 0x3064_4e72_e131_a029];
}

/// The order of BLS12-381's groups.
#[cfg(feature = "bls12-381")]
#[derive(Clone, Copy, Debug)]
pub enum Bls12_381 {}

#[cfg(feature = "bls12-381")]
impl sealed::Modulus for Bls12_381 {
    const P: [u64; 4] = [0xffff_ffff_0000_0001, 0x53bd_a402_fffe_5bfe, 0x3339_d808_09a1_d805, 0x73ed_a753_299d_7d48];
}

pub(super) mod sealed {
    pub trait Modulus: Copy + 'static {
        /// p as 64-bit words, least significant first. Odd, and below 2^255, so that 2p fits.
        const P: [u64; 4];
    }
}
