//! Vectors of 64-bit words with the 52-bit multiply-add of AVX-512 IFMA: what `limbs52` computes with.
//!
//! [`Vector`] says what a register does. `avx512` is the processor's; [`model`] says the same in plain Rust, for tests on any machine and for
//! tools that do not know the instructions (valgrind). A register's words are called slots here, since a lane is an element of a
//! permutation's state.

#![allow(clippy::needless_range_loop, reason = "limbs and registers by number, of several arrays at once")]

#[cfg(all(const_poseidon_ifma, not(const_poseidon_backend = "model")))]
mod avx512;
#[cfg(any(test, const_poseidon_backend = "model"))]
pub(crate) mod model;

#[cfg(all(const_poseidon_ifma, not(const_poseidon_backend = "model")))]
pub(crate) use avx512::{Eight, Four};
#[cfg(const_poseidon_backend = "model")]
pub(crate) use model::{Eight, Four};

/// A register of 64-bit slots, or a few of them.
pub(crate) trait Vector: Copy {
    /// The slots' words, in memory.
    type Words: Copy;

    /// A register of four slots.
    type Narrow: Vector<Words = [u64; 4], Narrow = Self::Narrow>;

    fn load(words: &Self::Words) -> Self;
    fn store(self) -> Self::Words;

    fn slots(words: &Self::Words) -> &[u64];
    fn slots_mut(words: &mut Self::Words) -> &mut [u64];

    /// The word in every slot.
    fn splat(word: u64) -> Self;

    /// The vector's slot 0 in every slot.
    fn splat_first(vector: Self::Narrow) -> Self;

    /// Slots 0 to 3.
    fn narrow(self) -> Self::Narrow;

    /// Each slot takes the one above it, and the last takes slot 0 of `above`.
    fn moved_down(self, above: Self) -> Self;

    fn add(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn shift_left<const BITS: u32>(self) -> Self;
    fn shift_right<const BITS: u32>(self) -> Self;

    /// self + the low 52 bits of a * b, where a and b are the low 52 bits of their slots.
    fn add_low(self, a: Self, b: Self) -> Self;

    /// self + a * b / 2^52, of the same a and b.
    fn add_high(self, a: Self, b: Self) -> Self;
}

/// `COUNT` registers of eight slots, one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Several<V, const COUNT: usize>([V; COUNT]);

impl<V: Vector<Words = [u64; 8]>, const COUNT: usize> Several<V, COUNT> {
    #[inline(always)]
    fn each(mut self, other: Self, operation: impl Fn(V, V) -> V) -> Self {
        for c in 0..COUNT {
            self.0[c] = operation(self.0[c], other.0[c]);
        }
        self
    }
}

// No closure of `array::map` here: the standard library's functions are compiled without the instructions, and stay calls.
impl<V: Vector<Words = [u64; 8]>, const COUNT: usize> Vector for Several<V, COUNT> {
    type Words = [[u64; 8]; COUNT];
    type Narrow = V::Narrow;

    #[inline(always)]
    fn load(words: &Self::Words) -> Self {
        let mut vectors = [V::splat(0); COUNT];
        for c in 0..COUNT {
            vectors[c] = V::load(&words[c]);
        }
        Self(vectors)
    }

    #[inline(always)]
    fn store(self) -> Self::Words {
        let mut words = [[0; 8]; COUNT];
        for c in 0..COUNT {
            words[c] = self.0[c].store();
        }
        words
    }

    #[inline(always)]
    fn slots(words: &Self::Words) -> &[u64] {
        words.as_flattened()
    }

    #[inline(always)]
    fn slots_mut(words: &mut Self::Words) -> &mut [u64] {
        words.as_flattened_mut()
    }

    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self([V::splat(word); COUNT])
    }

    #[inline(always)]
    fn splat_first(vector: V::Narrow) -> Self {
        Self([V::splat_first(vector); COUNT])
    }

    #[inline(always)]
    fn narrow(self) -> V::Narrow {
        self.0[0].narrow()
    }

    #[inline(always)]
    fn moved_down(mut self, above: Self) -> Self {
        for c in 0..COUNT {
            let next = if c + 1 < COUNT { self.0[c + 1] } else { above.0[0] };
            self.0[c] = self.0[c].moved_down(next);
        }
        self
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.each(other, V::add)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.each(other, V::or)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.each(other, V::and)
    }

    #[inline(always)]
    fn shift_left<const BITS: u32>(mut self) -> Self {
        for c in 0..COUNT {
            self.0[c] = self.0[c].shift_left::<BITS>();
        }
        self
    }

    #[inline(always)]
    fn shift_right<const BITS: u32>(mut self) -> Self {
        for c in 0..COUNT {
            self.0[c] = self.0[c].shift_right::<BITS>();
        }
        self
    }

    #[inline(always)]
    fn add_low(mut self, a: Self, b: Self) -> Self {
        for c in 0..COUNT {
            self.0[c] = self.0[c].add_low(a.0[c], b.0[c]);
        }
        self
    }

    #[inline(always)]
    fn add_high(mut self, a: Self, b: Self) -> Self {
        for c in 0..COUNT {
            self.0[c] = self.0[c].add_high(a.0[c], b.0[c]);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::{model, Vector};

    /// The model's slots are one by one, which makes it plain enough to be read; the processor's are held to it.
    #[cfg(all(const_poseidon_ifma, not(const_poseidon_backend = "model")))]
    mod processor {
        use super::super::{avx512, model, Several, Vector};
        use proptest::prelude::*;
        use std::vec::Vec;

        /// What every operation makes of two vectors.
        fn results<V: Vector>(a: &V::Words, b: &V::Words, c: &V::Words) -> Vec<Vec<u64>> {
            let small = |words: &V::Words| V::load(words).shift_right::<2>();
            let (a, b, c) = (small(a), small(b), small(c));
            let narrow = |v: V::Narrow| v.store().to_vec();
            let mut results: Vec<Vec<u64>> = [
                a,
                V::splat(7),
                V::splat_first(a.narrow()),
                a.moved_down(b),
                a.add(b),
                a.or(b),
                a.and(b),
                a.shift_left::<12>(),
                a.shift_right::<52>(),
                a.add_low(b, c),
                a.add_high(b, c),
            ]
            .map(|v| V::slots(&v.store()).to_vec())
            .to_vec();
            results.push(narrow(a.narrow()));
            results
        }

        #[test]
        fn the_processor_does_as_the_model() {
            if !crate::field::backend::has_ifma() {
                std::eprintln!("skipped: this processor has no AVX-512 IFMA");
                return;
            }
            let word = || prop_oneof![3 => any::<u64>(), 1 => Just(u64::MAX), 1 => Just(0), 1 => Just((1 << 54) - 4)];
            proptest!(|(a in [word(), word(), word(), word()], b in [word(), word(), word(), word()], c in [word(), word(), word(), word()])| {
                prop_assert_eq!(results::<avx512::Four>(&a, &b, &c), results::<model::Four>(&a, &b, &c));
                let eight = |x: [u64; 4], y: [u64; 4]| [x[0], x[1], x[2], x[3], y[3], y[2], y[1], y[0]];
                let (a8, b8, c8) = (eight(a, b), eight(b, c), eight(c, a));
                prop_assert_eq!(results::<avx512::Eight>(&a8, &b8, &c8), results::<model::Eight>(&a8, &b8, &c8));
                let (a16, b16, c16) = ([a8, b8], [b8, c8], [c8, a8]);
                prop_assert_eq!(
                    results::<Several<avx512::Eight, 2>>(&a16, &b16, &c16),
                    results::<Several<model::Eight, 2>>(&a16, &b16, &c16)
                );
            });
        }
    }

    /// The model, on numbers that are done by hand.
    #[test]
    fn the_model_is_right() {
        let low = (1u64 << 52) - 1;
        let [a, b, c] =
            [[1, 2, 3, 4], [low, 1 << 52 | low, 1 << 51, 5], [low, low, 4, 7]].map(|w| model::Four::load(&w));
        // (2^52 - 1)^2 = (2^52 - 2) 2^52 + 1; a bit above 51 does not count.
        assert_eq!(a.add_low(b, c).store(), [2, 3, 3, 39]);
        assert_eq!(a.add_high(b, c).store(), [low, low + 1, 5, 4]);
        assert_eq!(a.moved_down(b).store(), [2, 3, 4, low]);
        assert_eq!(model::Eight::splat_first(a).store(), [1; 8]);
    }
}
