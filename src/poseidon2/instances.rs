//! The parameters: the trait that ties a field and a width to its tables, and the tables, which build.rs wrote.

use sealed::Tables;

/// A field that has Poseidon2 parameters for width `T`: [`Fr`](crate::Fr) for 2, 3, 4, 8, 12 and 16, and with feature `bls12-381`
/// `bls12_381::Fr` for 2, 3 and 4. Sealed; what it inherits is not public API.
#[diagnostic::on_unimplemented(
    message = "Poseidon2 has no parameters for `{Self}` at width {T}",
    note = "supported: `const_poseidon::Fr` (BN254) at widths 2, 3, 4, 8, 12, 16; `bls12_381::Fr` (feature `bls12-381`) at 2, 3, 4"
)]
pub trait Instance<const T: usize>: Tables<T> {}

pub(crate) mod sealed {
    pub trait Tables<const T: usize>: super::super::Field {
        const PARTIAL_ROUNDS: usize;
        fn permute(state: &mut [Self; T]);
        fn internal_diagonal() -> [Self; T];
        fn round_constants(round: usize) -> [Self; T];
    }
}

/// Statics and trait implementations, written by build.rs.
#[allow(clippy::unreadable_literal, reason = "written and read by programs")]
mod generated {
    use super::super::permutation::{self, Tables as Constants};
    use super::{Instance, Tables};
    #[cfg(feature = "bls12-381")]
    use crate::field::Bls12_381;
    use crate::field::{Bn254, Element, Modulus};

    const fn m<M: Modulus>(a: u64, b: u64, c: u64, d: u64) -> Element<M> {
        Element::from_montgomery([a, b, c, d])
    }

    include!(concat!(env!("OUT_DIR"), "/poseidon2.rs"));
}
