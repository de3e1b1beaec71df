//! What the permutations compute with: sums of products with one reduction, and values that are not always brought below p.
//!
//! [`Arithmetic`] is what a back end defines, on limbs and sums whose layout the representation chooses. "Kept" values are those that
//! lanes are between rounds: canonical in 64-bit words, and a little above p in 28-bit limbs, where a subtraction costs a third of a
//! product and what it leaves makes no difference. Bounds are in units of p; "canonical" is below p.

use super::modulus::sealed::Modulus;

#[cfg(not(const_poseidon_narrow))]
pub(crate) use super::lazy::{is_below, sum as add, wide_add, wide_sub, Limbs, Wide, WIDE_ZERO, ZERO};
#[cfg(const_poseidon_narrow)]
pub(crate) use super::limbs28::{
    columns::{add, is_below, wide_add, wide_sub, Wide, WIDE_ZERO},
    Limbs, ZERO,
};

/// What comes of an operation has a place of its own, given by reference: where registers are few it is in memory in any case, and a copy costs as much
/// there as an addition. Few are in place: what assembly reads from memory stays there, and who uses it next would wait for it.
pub(crate) trait Arithmetic<M: Modulus> {
    /// Rows of so few lanes, and sums over a history of less rounds, are taken product by product: by pairs, what is added to save one costs more.
    const FEW: usize;

    /// Sums with known coefficients' pairs in them hold so many.
    const MANY: usize;

    /// A sum that begins with an additive constant, as the tables hold it.
    fn begin(constant: &Limbs) -> Wide;

    /// The same, less another sum, modulo what a sum holds.
    fn begin_less(constant: &Limbs, less: &Wide) -> Wide;

    /// sum + a * b, modulo what a sum holds.
    fn add_product(sum: &mut Wide, a: &Limbs, b: &Limbs);

    /// sum + (a0 + a1) * (b0 + b1), of sums that fit.
    fn add_pair(sum: &mut Wide, a: (&Limbs, &Limbs), b: (&Limbs, &Limbs));

    /// value = sum / R modulo p.
    fn reduce(sum: &Wide, value: &mut Limbs);

    /// result = a * b, reduced. The factor that comes last of two is a: it need not go by way of memory.
    fn multiply(a: &Limbs, b: &Limbs, result: &mut Limbs);

    /// result = x^2, reduced.
    fn square(x: &Limbs, result: &mut Limbs);

    /// A value below 2^LEVELS p, made what lanes are kept as.
    fn keep<const LEVELS: u32>(value: &mut Limbs);

    /// A value below 2^LEVELS p, made canonical.
    fn canonical<const LEVELS: u32>(value: Limbs) -> Limbs;

    /// A kept value, made canonical.
    fn from_kept(value: Limbs) -> Limbs;

    /// 2p less where the room above p is what it is taken from; the same value modulo p.
    fn less_2p(value: &mut Limbs);

    /// As [`less_2p`](Self::less_2p), of a sum in units of R.
    fn sum_less_2p(sum: &mut Wide);

    /// result = s * Y for s of 1, 2, 5 or 10, of what a partial round's Y is: a factor for one product.
    fn small_multiple<const S: u64>(y: &Limbs, result: &mut Limbs);

    /// value + other of kept values, kept.
    fn add(value: &mut Limbs, other: &Limbs);

    /// result = x^5, which is below 2^LEVELS p before it is kept.
    fn pow5<const LEVELS: u32>(x: &Limbs, result: &mut Limbs);
}
