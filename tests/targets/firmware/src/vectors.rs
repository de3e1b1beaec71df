//! The known answers, as `build.rs` took them from `tests/data/kats.json`.

/// One known answer. Integers are 32 bytes, the most significant first.
#[derive(Clone, Copy)]
pub struct Vector<const N: usize> {
    pub name: &'static str,
    /// Poseidon's lane 0; no part of a Poseidon2 vector.
    pub domain_tag: [u8; 32],
    pub inputs: [[u8; 32]; N],
    /// The permuted state, or its first lanes. Lane 0 is the digest.
    pub outputs: &'static [[u8; 32]],
    /// The first input that is not below the modulus: the outputs are then those of the reduced inputs.
    pub too_large: Option<usize>,
}

include!(concat!(env!("OUT_DIR"), "/vectors.rs"));
