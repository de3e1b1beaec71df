//! Products without reduction, and reduction without a last subtraction, in 64-bit words.
//!
//! [`Lazy`] is what a back end defines; [`portable`] is the plain one, [`adx`] the one for x86-64 with mulx, adcx and adox,
//! and `backend.rs` chooses. Bounds are in units of p and written beside each use; "canonical" is below p.
//!
//! With R = 2^256 and rho = p / R (0.189 for BN254), a sum T of products of values below k1 p and k2 p is below
//! (number of products) * k1 * k2 * p^2, and [`Lazy::reduce`] makes T / R + p * 1.0001 of it at the most. An eight-word sum holds
//! T < p^2 / rho^2; sums here are modulo 2^512, so one may pass that on the way if its end is below it.

#![allow(clippy::cast_possible_truncation, reason = "words are cut from wider sums")]

#[cfg(const_poseidon_adx)]
mod adx;
mod portable;
#[cfg(test)]
mod tests;

use super::arithmetic::Arithmetic;
use super::modulus::sealed::Modulus;
use super::words::{add_words, shifted, Words};

#[cfg(const_poseidon_adx)]
pub(crate) use adx::Adx;
pub(crate) use portable::Portable;

/// An element's limbs, or an unreduced value below 2^256 that is equal to it modulo p.
pub(crate) type Limbs = super::limbs::Limbs;

/// A sum of products: 512 bits, least significant word first.
pub(crate) type Wide = [u64; 8];

pub(crate) const ZERO: Limbs = super::limbs::ZERO;
pub(crate) const WIDE_ZERO: Wide = [0; 8];

/// A back end: the operations that machines do differently. All are modulo p in the end, with the bounds given.
pub(crate) trait Lazy<M: Modulus> {
    /// a * b, exactly.
    fn mul(a: &Limbs, b: &Limbs) -> Wide;

    /// a * a, exactly.
    fn square(a: &Limbs) -> Wide;

    /// sum + a * b modulo 2^512.
    fn add_product(sum: &mut Wide, a: &Limbs, b: &Limbs);

    /// T / R modulo p: below T / R + 1.0001 p, which the caller knows to be below 2^256.
    fn reduce(sum: &Wide) -> Limbs;

    /// As [`reduce`](Self::reduce), sooner and larger: below T / R + 1.0001 p + (2^-64 mod p), which is T / R + 1.77 p for BN254.
    fn reduce_sooner(sum: &Wide) -> Limbs {
        debug_assert!(reduces::<M>(sum, true), "a sum above its bound");
        Self::reduce(sum)
    }

    /// value - multiple if that is not negative, else the value. In constant time.
    fn subtract_unless_below(value: Limbs, multiple: &Limbs) -> Limbs;

    /// A value below 2^LEVELS p (and 2^256), made canonical.
    fn canonical<const LEVELS: u32>(value: Limbs) -> Limbs {
        debug_assert!(is_below::<M>(&value, 4 << LEVELS), "a value above its bound");
        let mut value = value;
        if LEVELS > 2 {
            value = Self::subtract_unless_below(value, const { &multiple::<M>(2) });
        }
        if LEVELS > 1 {
            value = Self::subtract_unless_below(value, const { &multiple::<M>(1) });
        }
        Self::subtract_unless_below(value, &M::P)
    }

    /// The product of two values, reduced: below k1 k2 rho + 1.0001.
    fn multiply(a: &Limbs, b: &Limbs) -> Limbs {
        Self::reduce(&Self::mul(a, b))
    }

    /// The square, reduced sooner: below k^2 rho + 1.77 for BN254.
    fn square_reduced(a: &Limbs) -> Limbs {
        Self::reduce_sooner(&Self::square(a))
    }

    /// A value below 4p brought below 2p; from further up, 2p less.
    fn less_2p(value: Limbs) -> Limbs {
        Self::subtract_unless_below(value, const { &multiple::<M>(1) })
    }
}

/// With room (rho below 0.2) a^2 < 1.97 p, a^4 < 2.51 p and a^5 < 1.5 p for a canonical a; else (rho below 0.46)
/// a^2 < 1.47 p, a^4 < 2p and a^5 < 2p.
impl<M: Modulus, B: Lazy<M>> Arithmetic<M> for B {
    const FEW: usize = 1;
    const MANY: usize = usize::MAX;

    #[inline(always)]
    fn begin(constant: &Limbs) -> Wide {
        upper(constant)
    }

    #[inline(always)]
    fn begin_less(constant: &Limbs, less: &Wide) -> Wide {
        let mut sum = upper(constant);
        wide_sub(&mut sum, less);
        sum
    }

    #[inline(always)]
    fn add_product(sum: &mut Wide, a: &Limbs, b: &Limbs) {
        <B as Lazy<M>>::add_product(sum, a, b);
    }

    #[inline(always)]
    fn add_pair(sum: &mut Wide, a: (&Limbs, &Limbs), b: (&Limbs, &Limbs)) {
        <B as Lazy<M>>::add_product(sum, &add(a.0, a.1), &add(b.0, b.1));
    }

    #[inline(always)]
    fn reduce(sum: &Wide, value: &mut Limbs) {
        *value = <B as Lazy<M>>::reduce(sum);
    }

    #[inline(always)]
    fn multiply(a: &Limbs, b: &Limbs, result: &mut Limbs) {
        *result = <B as Lazy<M>>::multiply(a, b);
    }

    #[inline(always)]
    fn square(x: &Limbs, result: &mut Limbs) {
        *result = squared::<M, B>(x);
    }

    #[inline(always)]
    fn keep<const LEVELS: u32>(value: &mut Limbs) {
        *value = <B as Lazy<M>>::canonical::<LEVELS>(*value);
    }

    #[inline(always)]
    fn canonical<const LEVELS: u32>(value: Limbs) -> Limbs {
        <B as Lazy<M>>::canonical::<LEVELS>(value)
    }

    #[inline(always)]
    fn from_kept(value: Limbs) -> Limbs {
        value
    }

    #[inline(always)]
    fn less_2p(value: &mut Limbs) {
        *value = <B as Lazy<M>>::less_2p(*value);
    }

    #[inline(always)]
    fn sum_less_2p(sum: &mut Wide) {
        let [_, _, _, _, upper @ ..] = sum;
        *upper = <B as Lazy<M>>::less_2p(*upper);
    }

    #[inline(always)]
    fn small_multiple<const S: u64>(y: &Limbs, result: &mut Limbs) {
        *result = <B as Lazy<M>>::canonical::<1>(small_multiple::<M, B, S>(*y));
    }

    #[inline(always)]
    fn pow5<const LEVELS: u32>(x: &Limbs, result: &mut Limbs) {
        let fourth = squared::<M, B>(&squared::<M, B>(x));
        *result = <B as Lazy<M>>::canonical::<LEVELS>(<B as Lazy<M>>::multiply(&fourth, x));
    }

    #[inline(always)]
    fn add(value: &mut Limbs, other: &Limbs) {
        *value = <B as Lazy<M>>::canonical::<1>(add(value, other));
    }
}

/// p * 2^doublings, or zero where that passes 2^256 (no value reaches it then).
const fn multiple<M: Modulus>(doublings: u32) -> Limbs {
    if M::P[3].leading_zeros() < doublings {
        return ZERO;
    }
    shifted(M::P, doublings)
}

/// Whether 2^256 is above 5p: then sums and multiples are kept below 2p or 4p, else canonical.
pub(crate) const fn has_room<M: Modulus>() -> bool {
    M::P[3] < u64::MAX / 5
}

/// a^2 modulo p: reduced the sooner way where there is room for what that leaves.
#[inline(always)]
pub(crate) fn squared<M: Modulus, B: Lazy<M>>(a: &Limbs) -> Limbs {
    if has_room::<M>() {
        B::square_reduced(a)
    } else {
        B::reduce(&B::square(a))
    }
}

/// s * y modulo p: below 2p for y below 4p where there is room, else canonical as y is.
#[inline(always)]
pub(crate) fn small_multiple<M: Modulus, B: Lazy<M>, const S: u64>(y: Limbs) -> Limbs {
    const { assert!(S == 1 || S == 2 || S == 5 || S == 10) };
    let reduced = |value| if has_room::<M>() { B::less_2p(value) } else { B::canonical::<1>(value) };
    debug_assert!(is_below::<M>(&y, if has_room::<M>() { 16 } else { 4 }), "Y above its bound");
    let y = if has_room::<M>() { B::less_2p(y) } else { y };
    let mut multiple = y;
    if S >= 5 {
        let twice = reduced(add(&y, &y));
        multiple = reduced(add(&reduced(add(&twice, &twice)), &y));
    }
    if S % 2 == 0 {
        multiple = reduced(add(&multiple, &multiple));
    }
    multiple
}

/// a + b, which the caller knows to be below 2^256.
#[inline(always)]
pub(crate) fn add(a: &Limbs, b: &Limbs) -> Limbs {
    let (sum, carry) = add_words(*a, *b);
    debug_assert!(carry == 0, "a sum past 2^256");
    sum
}

/// As [`add`], in place.
#[inline(always)]
pub(crate) fn sum(sum: &mut Limbs, a: &Limbs, b: &Limbs) {
    *sum = add(a, b);
}

/// c * R: an additive constant, as tables hold it, or a reduced value, to begin a sum with.
#[inline(always)]
pub(crate) fn upper(c: &Limbs) -> Wide {
    [0, 0, 0, 0, c[0], c[1], c[2], c[3]]
}

/// sum + other modulo 2^512.
#[inline(always)]
pub(crate) fn wide_add(sum: &mut Wide, other: &Wide) {
    let mut carry = 0;
    for (word, other) in sum.iter_mut().zip(other) {
        let total = u128::from(*word) + u128::from(*other) + carry;
        *word = total as u64;
        carry = total >> 64;
    }
}

/// sum - other modulo 2^512.
#[inline(always)]
pub(crate) fn wide_sub(sum: &mut Wide, other: &Wide) {
    let mut borrow = false;
    for (word, other) in sum.iter_mut().zip(other) {
        let (difference, under) = word.overflowing_sub(*other);
        let (difference, under_again) = difference.overflowing_sub(u64::from(borrow));
        *word = difference;
        borrow = under | under_again;
    }
}

/// Whether a value is below p * quarters / 4: for assertions.
pub(crate) fn is_below<M: Modulus>(value: &Words, quarters: u32) -> bool {
    let times = |words: &Words, factor: u32| {
        let mut product = [0; 5];
        let mut carry = 0;
        for (word, sum) in words.iter().zip(&mut product) {
            carry += u128::from(*word) * u128::from(factor);
            *sum = carry as u64;
            carry >>= 64;
        }
        product[4] = carry as u64;
        product
    };
    times(value, 4).iter().rev().lt(times(&M::P, quarters).iter().rev())
}

/// Whether a sum's reduction stays below 2^256: for assertions.
fn reduces<M: Modulus>(sum: &Wide, sooner: bool) -> bool {
    let [_, _, _, _, upper @ ..] = *sum;
    let inverse = if sooner { super::limbs::Constants::<M>::INVERSE_2_64 } else { ZERO };
    // The slack of 1.0001 p: its least word alone is not enough, but one in the second is.
    let (value, first) = add_words(upper, [0, 1, 0, 0]);
    let (value, second) = add_words(value, inverse);
    let (_, third) = add_words(value, M::P);
    first | second | third == 0
}
