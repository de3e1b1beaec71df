//! arkworks' scalars, of the curves and versions that features name.
//!
//! arkworks' element has a fixed layout, four 64-bit limbs in Montgomery form with R = 2^256, which is
//! [`Element`](crate::field::Element)'s own on 64-bit targets: there a conversion is a copy, and from ark a few masked subtractions
//! more, since its `new_unchecked` lets any limbs pass.

macro_rules! conversions {
    ($ours:ty, $curve:ident, $ff:ident, $version:literal) => {
        #[doc = concat!("From ark ", $version, ". An element that `new_unchecked` made of limbs at or above the modulus is taken modulo p.")]
        impl From<$curve::Fr> for $ours {
            fn from(scalar: $curve::Fr) -> Self {
                Self::from_montgomery(scalar.0 .0)
            }
        }

        #[doc = concat!("To ark ", $version, ".")]
        impl From<$ours> for $curve::Fr {
            fn from(scalar: $ours) -> Self {
                Self::new_unchecked($ff::BigInt(scalar.to_montgomery()))
            }
        }
    };
}

#[cfg(any(feature = "ark", feature = "ark-0-5"))]
macro_rules! scalar {
    ($curve:ident) => {
        impl crate::poseidon::sealed::Scalar for $curve::Fr {}
        impl crate::Scalar for $curve::Fr {}
    };
}

#[cfg(feature = "ark")]
conversions!(crate::Fr, ark_bn254, ark_ff, "0.6");
#[cfg(feature = "ark")]
scalar!(ark_bn254);
#[cfg(feature = "ark-0-5")]
conversions!(crate::Fr, ark_bn254_0_5, ark_ff_0_5, "0.5");
#[cfg(feature = "ark-0-5")]
scalar!(ark_bn254_0_5);
#[cfg(feature = "ark-bls12-381")]
conversions!(crate::bls12_381::Fr, ark_bls12_381, ark_ff, "0.6");
#[cfg(feature = "ark-0-5-bls12-381")]
conversions!(crate::bls12_381::Fr, ark_bls12_381_0_5, ark_ff_0_5, "0.5");
