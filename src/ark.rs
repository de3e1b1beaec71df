//! arkworks' BN254 scalar, of the versions that features name.
//!
//! `ark_bn254::Fr` has a fixed layout, four 64-bit limbs in Montgomery form with R = 2^256, which is [`Fr`]'s own on
//! 64-bit targets: there a conversion is a copy, and from ark three masked subtractions more, since its `new_unchecked` lets any limbs pass.

use crate::{Fr, Scalar};

macro_rules! scalar {
    ($bn254:ident, $ff:ident, $version:literal) => {
        #[doc = concat!("From ark ", $version, ". An element that `new_unchecked` made of limbs at or above the modulus is taken modulo p.")]
        impl From<$bn254::Fr> for Fr {
            fn from(scalar: $bn254::Fr) -> Self {
                Self::from_montgomery_reduced(scalar.0 .0)
            }
        }

        #[doc = concat!("To ark ", $version, ".")]
        impl From<Fr> for $bn254::Fr {
            fn from(scalar: Fr) -> Self {
                Self::new_unchecked($ff::BigInt(scalar.to_montgomery()))
            }
        }

        impl crate::poseidon::sealed::Scalar for $bn254::Fr {}
        impl Scalar for $bn254::Fr {}
    };
}

#[cfg(feature = "ark")]
scalar!(ark_bn254, ark_ff, "0.6");
#[cfg(feature = "ark-0-5")]
scalar!(ark_bn254_0_5, ark_ff_0_5, "0.5");
