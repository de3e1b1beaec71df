//! circomlib's instances: the traits that tie a width to its tables and to its number of inputs, and the tables, which build.rs wrote.

use super::{Parameters, Poseidon, Scalar};
use sealed::{Digest, Tables};

/// A supported width: `Poseidon<T>: Width<T>` for T from 2 to 17. Sealed; what it inherits is not public API.
#[diagnostic::on_unimplemented(
    message = "Poseidon supports widths 2 to 17, which is 1 to 16 inputs, and not `{Self}`",
    label = "unsupported width"
)]
pub trait Width<const T: usize>: Tables<T> {}

/// A width's number of inputs: `Poseidon<T>: Arity<N>` for N = T - 1 alone. Sealed.
#[diagnostic::on_unimplemented(message = "`{Self}` does not take {N} inputs: Poseidon<T> takes T - 1")]
pub trait Arity<const N: usize>: sealed::Arity {}

/// The arrays that [`hash`](crate::hash) takes: 1 to 16 BN254 scalars. Sealed; what it inherits is not public API.
#[diagnostic::on_unimplemented(
    message = "Poseidon takes 1 to 16 inputs, in an array of BN254 scalars, and not `{Self}`"
)]
pub trait Inputs<F: Scalar>: Digest<F> {}

pub(crate) mod sealed {
    use super::Parameters;
    use crate::Fr;

    pub trait Scalar {}

    pub trait Tables<const T: usize>: Sized {
        /// The instance as the paper has it.
        const PARAMETERS: Parameters<'static, T>;

        /// The fast permutation.
        fn permute(state: &mut [Fr; T]);

        /// Lane 0 of the fast permutation of the domain tag (None is 0) and T - 1 inputs.
        fn digest(domain_tag: Option<Fr>, inputs: &[Fr]) -> Fr;

        /// The fast permutation of each state.
        fn permute_many(states: &mut [[Fr; T]]);

        /// Lane 0 of the fast permutation of 0 and T - 1 inputs, for each array of them; there are as many digests.
        fn digest_many<const N: usize>(inputs: &[[Fr; N]], digests: &mut [Fr]);

        /// Runs the fast permutation's sums on operands at their bounds.
        #[cfg(test)]
        fn drive_to_bounds();
    }

    pub trait Arity {}

    pub trait Digest<F> {
        fn digest(&self) -> F;
    }
}

impl<const T: usize> sealed::Arity for Poseidon<T> {}

/// Statics, trait implementations and `for_each_width!`, written by build.rs.
#[allow(clippy::unreadable_literal, reason = "written and read by programs")]
mod generated {
    use super::super::fast::{self, Fast, Pair};
    use super::{Arity, Digest, Inputs, Parameters, Poseidon, Scalar, Tables, Width};
    use crate::field::arithmetic::Limbs;
    #[cfg(const_poseidon_ifma)]
    use crate::field::backend::has_ifma;
    #[cfg(all(test, not(const_poseidon_narrow)))]
    use crate::field::vector::model;
    #[cfg(any(const_poseidon_ifma, all(test, not(const_poseidon_narrow))))]
    use crate::field::vector::Several;
    #[cfg(const_poseidon_ifma)]
    use crate::field::vector::{Eight, Four};
    #[cfg(any(const_poseidon_ifma, all(test, not(const_poseidon_narrow))))]
    use crate::field::Bn254;
    use crate::Fr;
    #[cfg(any(const_poseidon_ifma, all(test, not(const_poseidon_narrow))))]
    use crate::{
        batch,
        wide::{self, Wide},
    };

    /// The name that the tables use, short because it is written twelve thousand times.
    const fn m(limbs: Limbs) -> Fr {
        Fr::from_table(limbs)
    }

    include!(concat!(env!("OUT_DIR"), "/instances.rs"));
}

pub(super) use generated::for_each_width;
