//! Sums of products by columns, and values that are not always below p.
//!
//! Column k of a sum is what belongs to 2^(28 k): products of limbs i and k - i, added as they come. Columns are modulo 2^64, so
//! that a sum may pass that on the way if it is below it in the end. With last limbs near p's a product puts at most 13.1 * 2^56 into a column
//! (BN254) and the reduction 10 * 2^56, so that a sum of 18 products of any kept values fits, and more of known coefficients:
//! `build/narrow.rs` proves each that there is.
//!
//! "Kept" limbs are below 2^28, of a value below p (1 + 2^-20). The sum of two is taken limb by limb, which leaves 29 bits in each:
//! a factor as it is.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "limbs are cut from columns, and differences are signed"
)]

use super::{below_modulus, carried, Constants, Limbs, BITS, MASK, ZERO};
use crate::field::arithmetic::Arithmetic;
use crate::field::modulus::sealed::Modulus;

/// A sum of products: its columns. The last is above all products and holds nothing before the reduction.
pub(crate) type Wide = [u64; 18];

pub(crate) const WIDE_ZERO: Wide = [0; 18];

/// sum = a + b, limb by limb: the caller knows that they fit.
#[inline(never)]
pub(crate) fn add(sum: &mut Limbs, a: &Limbs, b: &Limbs) {
    for (sum, (a, b)) in sum.iter_mut().zip(a.iter().zip(b)) {
        *sum = a + b;
    }
}

#[inline(always)]
pub(crate) fn wide_add(sum: &mut Wide, other: &Wide) {
    for (sum, other) in sum.iter_mut().zip(other) {
        *sum = sum.wrapping_add(*other);
    }
}

#[inline(always)]
pub(crate) fn wide_sub(sum: &mut Wide, other: &Wide) {
    for (sum, other) in sum.iter_mut().zip(other) {
        *sum = sum.wrapping_sub(*other);
    }
}

/// Whether a value is below p * quarters / 4: for assertions.
pub(crate) fn is_below<M: Modulus>(value: &Limbs, quarters: u32) -> bool {
    let times = |limbs: &Limbs, factor: u32| {
        let mut product = [0; 10];
        let mut carry = 0;
        for (limb, column) in limbs.iter().zip(&mut product) {
            carry += u64::from(*limb) * u64::from(factor);
            *column = carry & MASK;
            carry >>= BITS;
        }
        product[9] = carry;
        product
    };
    times(value, 4).iter().rev().lt(times(&Constants::<M>::P, quarters).iter().rev())
}

/// Whether limbs and value are what kept ones are: for assertions.
fn is_kept<M: Modulus>(value: &Limbs) -> bool {
    let top = Constants::<M>::P[8];
    let [lower @ .., last] = value;
    lower.iter().all(|limb| u64::from(*limb) <= MASK) && *last <= top + (top >> 20) + 3
}

/// Arithmetic on 28-bit limbs.
#[derive(Clone, Copy)]
pub(crate) struct Narrow;

impl<M: Modulus> Arithmetic<M> for Narrow {
    const FEW: usize = 3;
    const MANY: usize = 14;

    /// Tables hold an additive constant c as c * R, so that what comes of it is below p / 2^20: c in units of R would stay whole, and
    /// the result come above p.
    #[inline(always)]
    fn begin(constant: &Limbs) -> Wide {
        begin(constant)
    }

    #[inline(always)]
    fn begin_less(constant: &Limbs, less: &Wide) -> Wide {
        begin_less(constant, less)
    }

    #[inline(always)]
    fn add_product(sum: &mut Wide, a: &Limbs, b: &Limbs) {
        add_product(sum, a, b);
    }

    #[inline(always)]
    fn add_pair(sum: &mut Wide, (a0, a1): (&Limbs, &Limbs), (b0, b1): (&Limbs, &Limbs)) {
        add_pair(sum, a0, a1, b0, b1);
    }

    #[inline(always)]
    fn reduce(sum: &Wide, value: &mut Limbs) {
        reduce::<M>(sum, value);
    }

    #[inline(always)]
    fn multiply(a: &Limbs, b: &Limbs, result: &mut Limbs) {
        multiply::<M>(a, b, result);
    }

    #[inline(always)]
    fn square(x: &Limbs, result: &mut Limbs) {
        square::<M>(x, result);
    }

    /// A reduction's result is kept, and what is not one is never asked for.
    #[inline(always)]
    fn keep<const LEVELS: u32>(value: &mut Limbs) {
        debug_assert!(is_kept::<M>(value), "a value above its bound");
    }

    #[inline(always)]
    fn canonical<const LEVELS: u32>(value: Limbs) -> Limbs {
        debug_assert!(is_kept::<M>(&value), "a value above its bound");
        below_modulus::<M>(&value)
    }

    #[inline(always)]
    fn from_kept(value: Limbs) -> Limbs {
        <Self as Arithmetic<M>>::canonical::<1>(value)
    }

    #[inline(always)]
    fn less_2p(_: &mut Limbs) {}

    #[inline(always)]
    fn sum_less_2p(_: &mut Wide) {}

    /// Y is a sum of two kept values.
    #[inline(always)]
    fn small_multiple<const S: u64>(y: &Limbs, result: &mut Limbs) {
        match S {
            1 => *result = *y,
            // Four kept values: 30 bits, and 32 in the last limb.
            2 => add(result, y, y),
            _ => keep::<M>(&y.map(|limb| S * u64::from(limb)), result),
        }
    }

    #[inline(always)]
    fn pow5<const LEVELS: u32>(x: &Limbs, result: &mut Limbs) {
        let mut fourth = ZERO;
        square::<M>(x, result);
        square::<M>(result, &mut fourth);
        multiply::<M>(&fourth, x, result);
    }

    #[inline(always)]
    fn add(value: &mut Limbs, other: &Limbs) {
        add_kept::<M>(value, other);
    }
}

#[inline(never)]
fn begin(constant: &Limbs) -> Wide {
    let mut sum = WIDE_ZERO;
    for (column, limb) in sum.iter_mut().zip(constant) {
        *column = u64::from(*limb);
    }
    sum
}

#[inline(never)]
fn begin_less(constant: &Limbs, less: &Wide) -> Wide {
    let mut sum = begin(constant);
    wide_sub(&mut sum, less);
    sum
}

#[inline(never)]
fn add_kept<M: Modulus>(value: &mut Limbs, other: &Limbs) {
    let mut sum = value.map(u64::from);
    for (sum, limb) in sum.iter_mut().zip(other) {
        *sum += u64::from(*limb);
    }
    keep::<M>(&sum, value);
}

/// A value below 2^6 p, in limbs below 2^36, less the multiple of p that leaves a kept one.
///
/// With P the last limb of p and V the value's, h = V / (P + 1) or, by the reciprocal's rounding, in one case of 2^20 one less than that. Then
/// 0 <= V - h P, and the carries of the limbs below are less than 2^8 of V's units: what is left is at most
/// P + h + 2^8 in the last limb.
#[inline(never)]
fn keep<M: Modulus>(value: &[u64; 9], kept: &mut Limbs) {
    let multiple = (value[8] * Constants::<M>::RECIPROCAL) >> 56;
    let mut difference = [0i64; 9];
    for (difference, (limb, p)) in difference.iter_mut().zip(value.iter().zip(&Constants::<M>::P)) {
        *difference = limb.wrapping_sub(multiple * u64::from(*p)) as i64;
    }
    let top;
    (*kept, top) = carried(difference);
    debug_assert!(top >= 0 && is_kept::<M>(kept), "a value above its bound");
}

#[inline(never)]
fn multiply<M: Modulus>(a: &Limbs, b: &Limbs, result: &mut Limbs) {
    let mut sum = WIDE_ZERO;
    add_product(&mut sum, a, b);
    reduce::<M>(&sum, result);
}

#[inline(never)]
fn square<M: Modulus>(x: &Limbs, result: &mut Limbs) {
    let mut sum = WIDE_ZERO;
    square_columns(&mut sum, x);
    reduce::<M>(&sum, result);
}

#[inline(never)]
fn add_pair(sum: &mut Wide, a0: &Limbs, a1: &Limbs, b0: &Limbs, b1: &Limbs) {
    let (mut a, mut b) = ([0; 9], [0; 9]);
    add(&mut a, a0, a1);
    add(&mut b, b0, b1);
    add_product(sum, &a, &b);
}

/// Columns of one product, by rows of a's limbs, three at a time: the limbs, a column and what is added to it stay in the registers of the
/// machine that has the fewest, and the code is a third of what it would be written out.
#[cfg(not(target_arch = "riscv32"))]
#[inline(never)]
fn add_product(sum: &mut Wide, a: &Limbs, b: &Limbs) {
    let ([rows @ .., _, _, _, _, _, _], [columns @ .., _, _, _, _, _, _, _]) = (a, &mut *sum);
    three_rows(columns, rows, b);
    let ([_, _, _, rows @ .., _, _, _], [_, _, _, columns @ .., _, _, _, _]) = (a, &mut *sum);
    three_rows(columns, rows, b);
    let ([_, _, _, _, _, _, rows @ ..], [_, _, _, _, _, _, columns @ .., _]) = (a, &mut *sum);
    three_rows(columns, rows, b);
}

/// A limb, loaded again.
///
/// sBPF has ten registers, and LLVM, which sees that a limb is used three times, keeps those in the stack that it has no register for:
/// a store and as many loads more. For RISC-V it takes all products first, and then has as many results in the stack. A volatile load is one that it leaves
/// where it is.
#[inline(always)]
fn limb(limb: &u32) -> u64 {
    #[cfg(any(const_poseidon_bpf, target_arch = "riscv32"))]
    #[allow(unsafe_code, reason = "a volatile load; the reference is valid")]
    // SAFETY: a reference may be read.
    return u64::from(unsafe { core::ptr::read_volatile(limb) });
    #[cfg(not(any(const_poseidon_bpf, target_arch = "riscv32")))]
    u64::from(*limb)
}

/// a * b of 32-bit factors.
///
/// Armv6-M multiplies to 32 bits: four products of halves, in line. What the compiler would call multiplies 64-bit factors.
#[inline(always)]
fn product(a: u64, b: u64) -> u64 {
    if !cfg!(const_poseidon_short_products) {
        return a * b;
    }
    let (a, b) = (a as u32, b as u32);
    let (a0, a1, b0, b1) = (a & 0xffff, a >> 16, b & 0xffff, b >> 16);
    let middle = u64::from(a0 * b1) + u64::from(a1 * b0);
    (u64::from(a1 * b1) << 32 | u64::from(a0 * b0)) + (middle << 16)
}

/// `column![sum[k] += a_i b[j], ..]`
macro_rules! column {
    ($sum:ident[$k:literal], $b:ident: $($a:ident $j:literal)*) => {{
        let mut column = $sum[$k];
        $(column = column.wrapping_add(product($a, limb(&$b[$j])));)*
        $sum[$k] = column;
    }};
}

#[cfg(not(target_arch = "riscv32"))]
#[inline(never)]
fn three_rows(sum: &mut [u64; 11], a: &[u32; 3], b: &Limbs) {
    let [a0, a1, a2] = a.map(u64::from);
    column!(sum[0], b: a0 0);
    column!(sum[1], b: a0 1 a1 0);
    column!(sum[2], b: a0 2 a1 1 a2 0);
    column!(sum[3], b: a0 3 a1 2 a2 1);
    column!(sum[4], b: a0 4 a1 3 a2 2);
    column!(sum[5], b: a0 5 a1 4 a2 3);
    column!(sum[6], b: a0 6 a1 5 a2 4);
    column!(sum[7], b: a0 7 a1 6 a2 5);
    column!(sum[8], b: a0 8 a1 7 a2 6);
    column!(sum[9], b: a1 8 a2 7);
    column!(sum[10], b: a2 8);
}

/// Columns of one product, one after the other: RISC-V has the registers for all of a's limbs.
#[cfg(target_arch = "riscv32")]
#[inline(never)]
fn add_product(sum: &mut Wide, a: &Limbs, b: &Limbs) {
    let [a0, a1, a2, a3, a4, a5, a6, a7, a8] = a.map(u64::from);
    column!(sum[0], b: a0 0);
    column!(sum[1], b: a0 1 a1 0);
    column!(sum[2], b: a0 2 a1 1 a2 0);
    column!(sum[3], b: a0 3 a1 2 a2 1 a3 0);
    column!(sum[4], b: a0 4 a1 3 a2 2 a3 1 a4 0);
    column!(sum[5], b: a0 5 a1 4 a2 3 a3 2 a4 1 a5 0);
    column!(sum[6], b: a0 6 a1 5 a2 4 a3 3 a4 2 a5 1 a6 0);
    column!(sum[7], b: a0 7 a1 6 a2 5 a3 4 a4 3 a5 2 a6 1 a7 0);
    column!(sum[8], b: a0 8 a1 7 a2 6 a3 5 a4 4 a5 3 a6 2 a7 1 a8 0);
    column!(sum[9], b: a1 8 a2 7 a3 6 a4 5 a5 4 a6 3 a7 2 a8 1);
    column!(sum[10], b: a2 8 a3 7 a4 6 a5 5 a6 4 a7 3 a8 2);
    column!(sum[11], b: a3 8 a4 7 a5 6 a6 5 a7 4 a8 3);
    column!(sum[12], b: a4 8 a5 7 a6 6 a7 5 a8 4);
    column!(sum[13], b: a5 8 a6 7 a7 6 a8 5);
    column!(sum[14], b: a6 8 a7 7 a8 6);
    column!(sum[15], b: a7 8 a8 7);
    column!(sum[16], b: a8 8);
}

/// Columns of a square: each product of two different limbs once, doubled.
#[inline(never)]
fn square_columns(sum: &mut Wide, a: &Limbs) {
    macro_rules! columns {
        ($($k:literal: $($i:literal $j:literal)* $(; $middle:literal)?,)*) => {$(
            let different = 0 $(+ product(u64::from(a[$i]), u64::from(a[$j])))*;
            sum[$k] = different << 1 $(| 0; sum[$k] += product(u64::from(a[$middle]), u64::from(a[$middle])))?;
        )*};
    }
    columns! {
        0: ; 0,
        1: 0 1,
        2: 0 2; 1,
        3: 0 3 1 2,
        4: 0 4 1 3; 2,
        5: 0 5 1 4 2 3,
        6: 0 6 1 5 2 4; 3,
        7: 0 7 1 6 2 5 3 4,
        8: 0 8 1 7 2 6 3 5; 4,
        9: 1 8 2 7 3 6 4 5,
        10: 2 8 3 7 4 6; 5,
        11: 3 8 4 7 5 6,
        12: 4 8 5 7; 6,
        13: 5 8 6 7,
        14: 6 8; 7,
        15: 7 8,
        16: ; 8,
    }
}

/// Montgomery's reduction: ten steps, each of which makes the lowest column a multiple of 2^28 and carries it on.
///
/// p is 1 in its lowest limb, so q is the column's lowest bits negated, and what q p adds there makes the carry
/// that of the column rounded up.
#[inline(never)]
fn reduce<M: Modulus>(sum: &Wide, limbs: &mut Limbs) {
    let p = &Constants::<M>::P;
    let mut column = 0;
    macro_rules! step {
        ($k:literal => $q:ident: $($earlier:ident $j:literal)*) => {
            column += sum[$k];
            $(column += product($earlier, u64::from(p[$j]));)*
            let $q = column.wrapping_neg() & MASK;
            column = (column + MASK) >> BITS;
        };
    }
    step!(0 => q0: );
    step!(1 => q1: q0 1);
    step!(2 => q2: q0 2 q1 1);
    step!(3 => q3: q0 3 q1 2 q2 1);
    step!(4 => q4: q0 4 q1 3 q2 2 q3 1);
    step!(5 => q5: q0 5 q1 4 q2 3 q3 2 q4 1);
    step!(6 => q6: q0 6 q1 5 q2 4 q3 3 q4 2 q5 1);
    step!(7 => q7: q0 7 q1 6 q2 5 q3 4 q4 3 q5 2 q6 1);
    step!(8 => q8: q0 8 q1 7 q2 6 q3 5 q4 4 q5 3 q6 2 q7 1);
    step!(9 => q9: q1 8 q2 7 q3 6 q4 5 q5 4 q6 3 q7 2 q8 1);
    macro_rules! limb {
        ($k:literal => $limb:literal: $($q:ident $j:literal)*) => {
            column += sum[$k];
            $(column += product($q, u64::from(p[$j]));)*
            limbs[$limb] = (column & MASK) as u32;
            column >>= BITS;
        };
    }
    limb!(10 => 0: q2 8 q3 7 q4 6 q5 5 q6 4 q7 3 q8 2 q9 1);
    limb!(11 => 1: q3 8 q4 7 q5 6 q6 5 q7 4 q8 3 q9 2);
    limb!(12 => 2: q4 8 q5 7 q6 6 q7 5 q8 4 q9 3);
    limb!(13 => 3: q5 8 q6 7 q7 6 q8 5 q9 4);
    limb!(14 => 4: q6 8 q7 7 q8 6 q9 5);
    limb!(15 => 5: q7 8 q8 7 q9 6);
    limb!(16 => 6: q8 8 q9 7);
    limb!(17 => 7: q9 8);
    limbs[8] = column as u32;
    debug_assert!(column >> 32 == 0, "a sum that does not reduce below 2^256");
}
