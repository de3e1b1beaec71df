//! AVX-512 with IFMA. To be used only where the processor has avx512f, avx512vl and avx512ifma, and from functions that enable them:
//! elsewhere the intrinsics stay calls.
//!
//! SAFETY, of every intrinsic here: the caller chose this back end, so the processor has the instruction; loads and stores are of
//! arrays as large as the register, and need no alignment.
#![allow(unsafe_code, reason = "intrinsics")]
#![allow(clippy::incompatible_msrv, reason = "build.rs leaves this module out of builds by older compilers")]
#![allow(clippy::wildcard_imports, reason = "thirty intrinsics")]
#![allow(clippy::cast_possible_wrap, reason = "the intrinsics take words as signed")]
#![allow(clippy::undocumented_unsafe_blocks, reason = "documented above, once")]

use super::Vector;
use core::arch::x86_64::*;

#[derive(Clone, Copy)]
pub(crate) struct Four(__m256i);

#[derive(Clone, Copy)]
pub(crate) struct Eight(__m512i);

/// A register type by its intrinsics.
macro_rules! register {
    (
        $register:ident, $slots:literal, narrow: $narrow:ident,
        $load:ident $store:ident $splat:ident $splat_first:ident $align:ident
        $add:ident $or:ident $and:ident $shift_left:ident $shift_right:ident $add_low:ident $add_high:ident
    ) => {
        impl Vector for $register {
            type Words = [u64; $slots];
            type Narrow = Four;

            #[inline(always)]
            fn load(words: &[u64; $slots]) -> Self {
                Self(unsafe { $load(words.as_ptr().cast()) })
            }

            #[inline(always)]
            fn store(self) -> [u64; $slots] {
                let mut words = [0; $slots];
                unsafe { $store(words.as_mut_ptr().cast(), self.0) };
                words
            }

            #[inline(always)]
            fn slots(words: &[u64; $slots]) -> &[u64] {
                words
            }

            #[inline(always)]
            fn slots_mut(words: &mut [u64; $slots]) -> &mut [u64] {
                words
            }

            #[inline(always)]
            fn splat(word: u64) -> Self {
                Self(unsafe { $splat(word as i64) })
            }

            #[inline(always)]
            fn splat_first(vector: Four) -> Self {
                Self(unsafe { $splat_first(_mm256_castsi256_si128(vector.0)) })
            }

            #[inline(always)]
            fn narrow(self) -> Four {
                $narrow(self)
            }

            #[inline(always)]
            fn moved_down(self, above: Self) -> Self {
                Self(unsafe { $align::<1>(above.0, self.0) })
            }

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                Self(unsafe { $add(self.0, other.0) })
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                Self(unsafe { $or(self.0, other.0) })
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                Self(unsafe { $and(self.0, other.0) })
            }

            #[inline(always)]
            fn shift_left<const BITS: u32>(self) -> Self {
                Self(unsafe { $shift_left(self.0, _mm_set_epi64x(0, i64::from(BITS))) })
            }

            #[inline(always)]
            fn shift_right<const BITS: u32>(self) -> Self {
                Self(unsafe { $shift_right(self.0, _mm_set_epi64x(0, i64::from(BITS))) })
            }

            #[inline(always)]
            fn add_low(self, a: Self, b: Self) -> Self {
                Self(unsafe { $add_low(self.0, a.0, b.0) })
            }

            #[inline(always)]
            fn add_high(self, a: Self, b: Self) -> Self {
                Self(unsafe { $add_high(self.0, a.0, b.0) })
            }
        }
    };
}

#[inline(always)]
fn itself(vector: Four) -> Four {
    vector
}

#[inline(always)]
fn lower_half(vector: Eight) -> Four {
    Four(unsafe { _mm512_castsi512_si256(vector.0) })
}

// Shifts by a vector's count become shifts by a constant; those that take constants differ in the constant's type.
register! {
    Four, 4, narrow: itself,
    _mm256_loadu_si256 _mm256_storeu_si256 _mm256_set1_epi64x _mm256_broadcastq_epi64 _mm256_alignr_epi64
    _mm256_add_epi64 _mm256_or_si256 _mm256_and_si256 _mm256_sll_epi64 _mm256_srl_epi64 _mm256_madd52lo_epu64 _mm256_madd52hi_epu64
}
register! {
    Eight, 8, narrow: lower_half,
    _mm512_loadu_si512 _mm512_storeu_si512 _mm512_set1_epi64 _mm512_broadcastq_epi64 _mm512_alignr_epi64
    _mm512_add_epi64 _mm512_or_si512 _mm512_and_si512 _mm512_sll_epi64 _mm512_srl_epi64 _mm512_madd52lo_epu64 _mm512_madd52hi_epu64
}
