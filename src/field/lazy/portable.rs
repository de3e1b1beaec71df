//! The plain back end: 64-bit words and their 128-bit products, for any target.

#![allow(clippy::cast_possible_truncation, reason = "words are cut from wider sums")]

use super::{Lazy, Limbs, Wide};
use crate::field::limbs::{multiply_add, Constants};
use crate::field::modulus::sealed::Modulus;
use crate::field::words::{add_words, masked, sub_words};

#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl<M: Modulus> Lazy<M> for Portable {
    #[inline(always)]
    fn mul(a: &Limbs, b: &Limbs) -> Wide {
        let mut product = [0; 8];
        for i in 0..4 {
            let mut carry = 0;
            for j in 0..4 {
                (product[i + j], carry) = multiply_add(product[i + j], a[j], b[i], carry);
            }
            product[i + 4] = carry;
        }
        product
    }

    #[inline(always)]
    fn square(a: &Limbs) -> Wide {
        // The six products of different limbs, doubled, and the four squares.
        let (r1, c) = multiply_add(0, a[0], a[1], 0);
        let (r2, c) = multiply_add(0, a[0], a[2], c);
        let (r3, r4) = multiply_add(0, a[0], a[3], c);
        let (r3, c) = multiply_add(r3, a[1], a[2], 0);
        let (r4, r5) = multiply_add(r4, a[1], a[3], c);
        let (r5, r6) = multiply_add(r5, a[2], a[3], 0);
        let doubled = [
            0,
            r1 << 1,
            r2 << 1 | r1 >> 63,
            r3 << 1 | r2 >> 63,
            r4 << 1 | r3 >> 63,
            r5 << 1 | r4 >> 63,
            r6 << 1 | r5 >> 63,
            r6 >> 63,
        ];
        let mut square = [0; 8];
        let mut carry = 0;
        for i in 0..4 {
            let (low, high) = multiply_add(doubled[2 * i], a[i], a[i], carry);
            square[2 * i] = low;
            let sum = u128::from(doubled[2 * i + 1]) + u128::from(high);
            square[2 * i + 1] = sum as u64;
            carry = (sum >> 64) as u64;
        }
        square
    }

    #[inline(always)]
    fn add_product(sum: &mut Wide, a: &Limbs, b: &Limbs) {
        super::wide_add(sum, &<Self as Lazy<M>>::mul(a, b));
    }

    /// Textbook Montgomery, word by word: T + m p with m below R, divided by R.
    #[inline(always)]
    fn reduce(sum: &Wide) -> Limbs {
        debug_assert!(super::reduces::<M>(sum, false), "a sum above its bound");
        let mut t = *sum;
        let mut top = 0;
        for i in 0..4 {
            let q = t[i].wrapping_mul(Constants::<M>::INVERSE);
            let mut carry = 0;
            for j in 0..4 {
                (t[i + j], carry) = multiply_add(t[i + j], q, M::P[j], carry);
            }
            let word = u128::from(t[i + 4]) + u128::from(carry) + u128::from(top);
            t[i + 4] = word as u64;
            top = (word >> 64) as u64;
        }
        debug_assert!(top == 0, "a sum that does not reduce below 2^256");
        [t[4], t[5], t[6], t[7]]
    }

    #[inline(always)]
    fn subtract_unless_below(value: Limbs, multiple: &Limbs) -> Limbs {
        let (difference, borrow) = sub_words(value, *multiple);
        // The box keeps the compiler from making a branch of it.
        let mask = core::hint::black_box(borrow).wrapping_neg();
        add_words(difference, masked(*multiple, mask)).0
    }
}
