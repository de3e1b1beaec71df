//! Arithmetic modulo the instance's prime, for the derivation alone: run-time modulus, Montgomery form with R = 2^256.
//!
//! Nothing here is shared with `src/field`: a mistake in one would show against the other.

use std::cmp::Ordering;

/// An element in Montgomery form (a * 2^256 mod p), least significant word first, below p.
pub(crate) type Element = [u64; 4];

/// A prime field whose modulus p is odd and below 2^255.
pub(crate) struct Field {
    pub(crate) modulus: [u64; 4],
    /// -1/p mod 2^64.
    inverse: u64,
    /// 1, that is 2^256 mod p.
    pub(crate) one: Element,
    /// The Montgomery form of 2^256, that is 2^512 mod p.
    r2: Element,
}

pub(crate) const ZERO: Element = [0; 4];

impl Field {
    pub(crate) fn new(modulus: [u64; 4]) -> Self {
        assert!(modulus[0] & 1 == 1 && modulus[3] >> 63 == 0);
        // Newton: each step doubles the number of right bits; an odd p is its own inverse to three bits.
        let mut inverse = modulus[0];
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(modulus[0].wrapping_mul(inverse)));
        }
        let mut field = Field { modulus, inverse: inverse.wrapping_neg(), one: ZERO, r2: ZERO };
        let mut power = [1, 0, 0, 0];
        for doubling in 1..=512 {
            power = field.add(power, power);
            if doubling == 256 {
                field.one = power;
            }
        }
        field.r2 = power;
        field
    }

    /// The element of an integer below 2^256.
    pub(crate) fn element(&self, integer: [u64; 4]) -> Element {
        self.mul(self.r2, integer)
    }

    /// Whether an integer is below the modulus.
    pub(crate) fn contains(&self, integer: [u64; 4]) -> bool {
        integer.iter().rev().cmp(self.modulus.iter().rev()) == Ordering::Less
    }

    pub(crate) fn add(&self, a: Element, b: Element) -> Element {
        let mut sum = [0; 4];
        let mut carry = 0;
        for i in 0..4 {
            let word = u128::from(a[i]) + u128::from(b[i]) + carry;
            sum[i] = word as u64;
            carry = word >> 64;
        }
        self.below(sum)
    }

    /// a * b / 2^256 mod p, for a below p and b below 2^256.
    pub(crate) fn mul(&self, a: Element, b: [u64; 4]) -> Element {
        let p = &self.modulus;
        let mut t = [0u64; 5];
        for word in b {
            add_product(&mut t, &a, word);
            let quotient = t[0].wrapping_mul(self.inverse);
            add_product(&mut t, p, quotient);
            // The lowest word is zero now: divide by 2^64. t stays below a + p, which is below 2^256.
            t = [t[1], t[2], t[3], t[4], 0];
        }
        self.below([t[0], t[1], t[2], t[3]])
    }

    /// The inverses of all values, none of them zero, for one exponentiation and three products each.
    pub(crate) fn invert(&self, values: &mut [Element]) {
        let mut before = Vec::with_capacity(values.len());
        let mut product = self.one;
        for value in values.iter() {
            assert_ne!(*value, ZERO, "zero has no inverse");
            before.push(product);
            product = self.mul(product, *value);
        }
        let mut minus_two = self.modulus;
        assert!(minus_two[0] >= 2, "the subtraction would borrow");
        minus_two[0] -= 2;
        let mut inverse = self.pow(product, minus_two);
        for (value, before) in values.iter_mut().zip(before).rev() {
            let own = self.mul(inverse, before);
            inverse = self.mul(inverse, *value);
            *value = own;
        }
    }

    fn pow(&self, base: Element, exponent: [u64; 4]) -> Element {
        let mut power = self.one;
        for bit in (0..256).rev() {
            power = self.mul(power, power);
            if exponent[bit / 64] >> (bit % 64) & 1 == 1 {
                power = self.mul(power, base);
            }
        }
        power
    }

    /// A value below 2p, brought below p.
    fn below(&self, value: [u64; 4]) -> Element {
        if self.contains(value) {
            return value;
        }
        let mut difference = [0; 4];
        let mut borrow = false;
        for i in 0..4 {
            let (word, under) = value[i].overflowing_sub(self.modulus[i]);
            let (word, under_again) = word.overflowing_sub(u64::from(borrow));
            difference[i] = word;
            borrow = under || under_again;
        }
        difference
    }
}

/// t += a * b.
fn add_product(t: &mut [u64; 5], a: &[u64; 4], b: u64) {
    let mut carry = 0;
    for i in 0..4 {
        let word = u128::from(t[i]) + u128::from(a[i]) * u128::from(b) + carry;
        t[i] = word as u64;
        carry = word >> 64;
    }
    t[4] += carry as u64;
}
