//! The registers in plain Rust, slot by slot.

#![allow(clippy::cast_possible_truncation, reason = "products are split")]

use super::Vector;

pub(crate) type Four = Model<4>;
pub(crate) type Eight = Model<8>;

#[derive(Clone, Copy)]
pub(crate) struct Model<const SLOTS: usize>([u64; SLOTS]);

const LOW: u64 = (1 << 52) - 1;

impl<const SLOTS: usize> Model<SLOTS> {
    fn each(self, other: Self, operation: impl Fn(u64, u64) -> u64) -> Self {
        Self(core::array::from_fn(|i| operation(self.0[i], other.0[i])))
    }

    fn product(a: Self, b: Self) -> [u128; SLOTS] {
        core::array::from_fn(|i| u128::from(a.0[i] & LOW) * u128::from(b.0[i] & LOW))
    }
}

impl<const SLOTS: usize> Vector for Model<SLOTS> {
    type Words = [u64; SLOTS];
    type Narrow = Model<4>;

    fn load(words: &[u64; SLOTS]) -> Self {
        Self(*words)
    }
    fn store(self) -> [u64; SLOTS] {
        self.0
    }
    fn slots(words: &[u64; SLOTS]) -> &[u64] {
        words
    }
    fn slots_mut(words: &mut [u64; SLOTS]) -> &mut [u64] {
        words
    }
    fn splat(word: u64) -> Self {
        Self([word; SLOTS])
    }
    fn splat_first(vector: Model<4>) -> Self {
        Self([vector.0[0]; SLOTS])
    }
    fn narrow(self) -> Model<4> {
        Model(core::array::from_fn(|i| self.0[i]))
    }
    fn moved_down(self, above: Self) -> Self {
        Self(core::array::from_fn(|i| if i + 1 < SLOTS { self.0[i + 1] } else { above.0[0] }))
    }
    fn add(self, other: Self) -> Self {
        self.each(other, |a, b| {
            let (sum, overflow) = a.overflowing_add(b);
            debug_assert!(!overflow, "a slot overflows");
            sum
        })
    }
    fn or(self, other: Self) -> Self {
        self.each(other, |a, b| a | b)
    }
    fn and(self, other: Self) -> Self {
        self.each(other, |a, b| a & b)
    }
    fn shift_left<const BITS: u32>(self) -> Self {
        Self(self.0.map(|a| a << BITS))
    }
    fn shift_right<const BITS: u32>(self) -> Self {
        Self(self.0.map(|a| a >> BITS))
    }
    fn add_low(self, a: Self, b: Self) -> Self {
        let product = Self::product(a, b);
        self.add(Self(product.map(|p| (p & u128::from(LOW)) as u64)))
    }
    fn add_high(self, a: Self, b: Self) -> Self {
        let product = Self::product(a, b);
        self.add(Self(product.map(|p| (p >> 52) as u64)))
    }
}
