//! The parameters: the trait that ties a field and a width to its tables, and the tables, which build.rs wrote.

use sealed::Tables;

/// A field that has Poseidon2 parameters for width `T`: [`Fr`](crate::Fr) for 2, 3, 4, 8, 12 and 16, and with feature `bls12-381`
/// `bls12_381::Fr` for 2, 3 and 4. Sealed; what it inherits is not public API.
#[diagnostic::on_unimplemented(
    message = "Poseidon2 has no parameters for `{Self}` at width {T}",
    note = "supported: `const_poseidon::Fr` (BN254) at widths 2, 3, 4, 8, 12, 16; `bls12_381::Fr` (feature `bls12-381`) at 2, 3, 4",
    note = "arkworks' elements are converted: `const_poseidon::Fr::from(x)`, and back with `.into()`"
)]
pub trait Instance<const T: usize>: Tables<T> {}

pub(crate) mod sealed {
    pub trait Tables<const T: usize>: super::super::Field {
        const PARTIAL_ROUNDS: usize;
        fn permute(state: &mut [Self; T]);
        fn permute_many(states: &mut [[Self; T]]);
        fn internal_diagonal() -> [Self; T];
        fn round_constants(round: usize) -> [Self; T];
        /// Runs the permutation over the vectors' model, on values that are as large as they come.
        #[cfg(test)]
        fn drive_to_bounds();
    }
}

/// Statics and trait implementations, written by build.rs.
#[allow(clippy::unreadable_literal, reason = "written and read by programs")]
mod generated {
    use super::super::permutation::{self, Tables as Constants};
    use super::{Instance, Tables};
    use crate::field::arithmetic::Limbs;
    #[cfg(const_poseidon_ifma)]
    use crate::field::backend::has_ifma;
    #[cfg(all(test, not(const_poseidon_narrow)))]
    use crate::field::vector::model;
    #[cfg(any(const_poseidon_ifma, all(test, not(const_poseidon_narrow))))]
    use crate::field::vector::Several;
    #[cfg(const_poseidon_ifma)]
    use crate::field::vector::{Eight, Four};
    #[cfg(feature = "bls12-381")]
    use crate::field::Bls12_381;
    use crate::field::{Bn254, Element, Modulus};
    #[cfg(any(const_poseidon_ifma, all(test, not(const_poseidon_narrow))))]
    use crate::{
        batch,
        wide::{self, Wide},
    };

    const fn m<M: Modulus>(limbs: Limbs) -> Element<M> {
        Element::from_table(limbs)
    }

    include!(concat!(env!("OUT_DIR"), "/poseidon2.rs"));
}

#[cfg(test)]
mod tests {
    use super::Tables;
    use crate::Fr;

    #[test]
    fn the_vectors_equal_the_plain_twin() {
        macro_rules! drive {
            ($field:ty: $($t:literal)*) => { $(<$field as Tables<$t>>::drive_to_bounds();)* };
        }
        drive!(Fr: 2 3 4 8 12 16);
        #[cfg(feature = "bls12-381")]
        drive!(crate::bls12_381::Fr: 2 3 4);
    }
}
