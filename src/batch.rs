//! Eight permutations at once over vector registers, for processors with AVX-512 IFMA: a slot is a permutation, a lane is a vector of its own.
//!
//! The tables and the recurrence are those of `wide.rs`. Nothing waits for the scalar units here: all is computed in the vectors, Y^4, u and D by the longer reduction, so that s Y stays below R. `build/wide.rs` proves the bounds.

#![allow(clippy::needless_range_loop, reason = "limbs by number, of several arrays at once")]

use crate::field::lazy::Lazy;
use crate::field::limbs52::{
    add_product, carry, from_r, join, multiply, reduce, reduce_further, split, square, to_r, zero, Limbs, Sum,
    PRODUCT_ADDS, SUM_TAKES,
};
use crate::field::vector::Vector;
use crate::field::{Element, Modulus};
use crate::wide::{splat_lane, Lanes, Wide, LAST_LEADING};

/// How many at once.
pub(crate) const COUNT: usize = 8;

/// x^5: as in `wide.rs`.
#[inline(always)]
fn s_box<M: Modulus, V: Vector>(x: &Limbs<V>) -> Limbs<V> {
    let second = reduce::<M, V>(square(x));
    let fourth = reduce::<M, V>(square(&second));
    reduce::<M, V>(multiply(&fourth, x))
}

/// start + a row of a matrix of columns, times lanes.
#[inline(always)]
fn row<V: Vector, W: Vector, const T: usize>(
    start: Sum<V>,
    columns: &[Lanes<W::Words>; T],
    row: usize,
    lanes: &[Limbs<V>; T],
) -> Sum<V> {
    let mut sum = start;
    for (column, x) in columns.iter().zip(lanes) {
        add_product(&mut sum, &splat_lane::<V, W>(column, row), x);
    }
    sum
}

/// A constant, to begin a sum with.
#[inline(always)]
fn start<V: Vector>(constant: Limbs<V>) -> Sum<V> {
    let [a, b, c, d, e] = constant;
    let z = V::splat(0);
    [a, b, c, d, e, z, z, z, z, z]
}

/// s y, carried.
#[inline(always)]
fn small_multiple<V: Vector, const S: u64>(y: &Limbs<V>) -> Limbs<V> {
    const { assert!(S == 1 || S == 2 || S == 5 || S == 10) };
    let mut multiple = *y;
    for i in 0..5 {
        // Only what is carried counts, and a multiple of it must not count twice.
        let limb = y[i].and(V::splat((1 << 52) - 1));
        let mut times = limb;
        if S >= 5 {
            times = limb.shift_left::<2>().add(limb);
        }
        if S % 2 == 0 {
            times = times.add(times);
        }
        multiple[i] = times;
    }
    carry(&mut multiple);
    multiple
}

/// From the S-boxes' outputs in the last leading round to Y and w.
#[inline(always)]
fn partial_rounds<M: Modulus, V: Vector, F: Vector, P: Vector, const T: usize, const R_P: usize, const S: u64>(
    tables: &Wide<F::Words, P::Words, T, R_P>,
    lanes: &mut [Limbs<V>; T],
) {
    const { assert!(PRODUCT_ADDS * (T + 2 * (T - 1)) < SUM_TAKES) };
    let n = T - 1;
    let splat = |limbs: &[u64; 5]| -> Limbs<V> {
        let mut constant = zero();
        for i in 0..5 {
            constant[i] = V::splat(limbs[i]).shift_left::<4>();
        }
        constant
    };
    // The recurrence is on values a * 2^260, whose x^5 is x^5 * 2^260; constants times 2^4 are that too. S-boxes left a * 2^240.
    for lane in lanes.iter_mut() {
        *lane = to_r::<M, V>(lane);
    }
    let mut sum = start(splat(&tables.y_constant));
    for lane in 0..T {
        add_product(&mut sum, &splat_lane::<V, F>(&tables.y, lane), &lanes[lane]);
    }
    let mut y = reduce_further::<M, V>(sum);
    // w[j] is at (first + j) modulo n; the last place of T is never used.
    let mut w = [zero::<V, 10>(); T];
    for j in 0..n {
        w[j] = row::<V, P, T>(zero(), &tables.entry, j, lanes);
    }
    let mut first = 0;
    for kappa in &tables.kappa {
        let scaled = small_multiple::<V, S>(&y);
        let fourth = reduce_further::<M, V>(square(&reduce::<M, V>(square(&y))));
        // Always there, here and below; written so that no panic is linked.
        let Some(next) = w.get_mut(first) else { return };
        let mut sum = core::mem::replace(next, zero());
        let constant = splat(kappa);
        for i in 0..5 {
            sum[i] = sum[i].add(constant[i]);
        }
        let d = reduce_further::<M, V>(sum);
        let u = reduce_further::<M, V>(multiply(&fourth, &scaled));
        first = if first + 1 == n { 0 } else { first + 1 };
        for j in 0..n {
            let place = if first + j < n { first + j } else { first + j - n };
            let Some(sum) = w.get_mut(place) else { return };
            add_product(sum, &splat_lane::<V, P>(&tables.a, j), &d);
            add_product(sum, &splat_lane::<V, P>(&tables.b, j), &u);
        }
        for i in 0..5 {
            y[i] = u[i].add(d[i]);
        }
        carry(&mut y);
    }
    lanes[0] = from_r::<M, V>(&y);
    for j in 0..n {
        let place = if first + j < n { first + j } else { first + j - n };
        let Some(sum) = w.get(place) else { return };
        lanes[j + 1] = from_r::<M, V>(&reduce::<M, V>(*sum));
    }
}

/// All but the last matrix.
#[inline(always)]
fn rounds<M: Modulus, V: Vector, F: Vector, P: Vector, const T: usize, const R_P: usize, const S: u64>(
    tables: &Wide<F::Words, P::Words, T, R_P>,
    lanes: &mut [Limbs<V>; T],
) {
    for lane in 0..T {
        let constant = splat_lane::<V, F>(&tables.first, lane);
        for i in 0..5 {
            lanes[lane][i] = lanes[lane][i].add(constant[i]);
        }
        carry(&mut lanes[lane]);
    }
    for (round, constants) in tables.constants.iter().enumerate() {
        for lane in lanes.iter_mut() {
            *lane = s_box::<M, V>(lane);
        }
        let columns = if round == LAST_LEADING {
            partial_rounds::<M, V, F, P, T, R_P, S>(tables, lanes);
            &tables.exit
        } else {
            &tables.mds
        };
        let old = *lanes;
        for lane in 0..T {
            let constant = start(splat_lane::<V, F>(constants, lane));
            lanes[lane] = reduce::<M, V>(row::<V, F, T>(constant, columns, lane, &old));
        }
    }
    for lane in lanes.iter_mut() {
        *lane = s_box::<M, V>(lane);
    }
}

/// A lane of the last matrix, clean.
#[inline(always)]
fn last<M: Modulus, V: Vector, F: Vector, P: Vector, const T: usize, const R_P: usize>(
    tables: &Wide<F::Words, P::Words, T, R_P>,
    lane: usize,
    lanes: &[Limbs<V>; T],
) -> [V::Words; 5] {
    let limbs = reduce_further::<M, V>(row::<V, F, T>(zero(), &tables.mds, lane, lanes));
    let mut words = [V::splat(0).store(); 5];
    for i in 0..5 {
        words[i] = limbs[i].store();
    }
    words
}

/// One lane of up to [`COUNT`] permutations, from their elements; zeros where there are fewer.
#[inline(always)]
fn gather<'a, M: Modulus, V: Vector>(elements: impl Iterator<Item = &'a Element<M>>) -> Limbs<V> {
    let mut words = [V::splat(0).store(); 5];
    for (slot, element) in elements.take(COUNT).enumerate() {
        crate::wide::put::<V>(&mut words, slot, &split(*element.limbs()));
    }
    let mut limbs = zero();
    for i in 0..5 {
        limbs[i] = V::load(&words[i]);
    }
    limbs
}

/// The element in a slot.
#[inline(always)]
fn element<M: Modulus, B: Lazy<M>, V: Vector>(words: &[V::Words; 5], slot: usize) -> Element<M> {
    let mut limbs = [0; 5];
    for i in 0..5 {
        limbs[i] = V::slots(&words[i]).get(slot).map_or(0, |&word| word);
    }
    Element::from_canonical(B::canonical::<2>(join(limbs)))
}

/// The permutation of up to [`COUNT`] states.
#[inline(always)]
fn permute_group<M, B, V, F, P, const T: usize, const R_P: usize, const S: u64>(
    tables: &Wide<F::Words, P::Words, T, R_P>,
    states: &mut [[Element<M>; T]],
) where
    M: Modulus,
    B: Lazy<M>,
    V: Vector,
    F: Vector,
    P: Vector,
{
    let mut lanes = [zero::<V, 5>(); T];
    for lane in 0..T {
        lanes[lane] = gather::<M, V>(states.iter().map(|state| &state[lane]));
    }
    rounds::<M, V, F, P, T, R_P, S>(tables, &mut lanes);
    for lane in 0..T {
        let words = last::<M, V, F, P, T, R_P>(tables, lane, &lanes);
        for (slot, state) in states.iter_mut().take(COUNT).enumerate() {
            state[lane] = element::<M, B, V>(&words, slot);
        }
    }
}

/// Lane 0 of the permutations of 0 and up to [`COUNT`] arrays of n inputs.
#[cfg(const_poseidon_ifma)]
#[inline(always)]
fn digest_group<M, B, V, F, P, const T: usize, const N: usize, const R_P: usize, const S: u64>(
    tables: &Wide<F::Words, P::Words, T, R_P>,
    inputs: &[[Element<M>; N]],
    digests: &mut [Element<M>],
) where
    M: Modulus,
    B: Lazy<M>,
    V: Vector,
    F: Vector,
    P: Vector,
{
    let mut lanes = [zero::<V, 5>(); T];
    for (lane, index) in lanes.iter_mut().skip(1).zip(0..N) {
        *lane = gather::<M, V>(inputs.iter().filter_map(|inputs| inputs.get(index)));
    }
    rounds::<M, V, F, P, T, R_P, S>(tables, &mut lanes);
    let words = last::<M, V, F, P, T, R_P>(tables, 0, &lanes);
    for (slot, digest) in digests.iter_mut().take(COUNT).enumerate() {
        *digest = element::<M, B, V>(&words, slot);
    }
}

/// The above, compiled for the processor.
#[cfg(const_poseidon_ifma)]
mod processor {
    #![allow(unsafe_code, reason = "functions for processors with certain instructions")]

    use super::{Element, Modulus, Vector, Wide, COUNT};
    #[cfg(not(const_poseidon_backend = "model"))]
    use crate::field::lazy::Adx as Scalar;
    #[cfg(const_poseidon_backend = "model")]
    use crate::field::lazy::Portable as Scalar;
    use crate::field::vector::Eight;

    #[cfg_attr(not(const_poseidon_backend = "model"), target_feature(enable = "avx512f,avx512vl,avx512ifma,bmi2"))]
    unsafe fn permute_group<M: Modulus, F: Vector, P: Vector, const T: usize, const R_P: usize, const S: u64>(
        tables: &Wide<F::Words, P::Words, T, R_P>,
        states: &mut [[Element<M>; T]],
    ) {
        super::permute_group::<M, Scalar, Eight, F, P, T, R_P, S>(tables, states);
    }

    #[cfg_attr(not(const_poseidon_backend = "model"), target_feature(enable = "avx512f,avx512vl,avx512ifma,bmi2"))]
    unsafe fn digest_group<
        M: Modulus,
        F: Vector,
        P: Vector,
        const T: usize,
        const N: usize,
        const R_P: usize,
        const S: u64,
    >(
        tables: &Wide<F::Words, P::Words, T, R_P>,
        inputs: &[[Element<M>; N]],
        digests: &mut [Element<M>],
    ) {
        super::digest_group::<M, Scalar, Eight, F, P, T, N, R_P, S>(tables, inputs, digests);
    }

    /// The permutations, in place. Only where [`has_ifma`](crate::field::backend::has_ifma).
    pub(crate) fn permute<M: Modulus, F: Vector, P: Vector, const T: usize, const R_P: usize, const S: u64>(
        tables: &Wide<F::Words, P::Words, T, R_P>,
        states: &mut [[Element<M>; T]],
    ) {
        debug_assert!(crate::field::backend::has_ifma());
        for group in states.chunks_mut(COUNT) {
            // SAFETY: the caller asked whether the processor has the instructions.
            unsafe { permute_group::<M, F, P, T, R_P, S>(tables, group) }
        }
    }

    /// The digests of as many arrays of inputs. Only where [`has_ifma`](crate::field::backend::has_ifma).
    pub(crate) fn digest<
        M: Modulus,
        F: Vector,
        P: Vector,
        const T: usize,
        const N: usize,
        const R_P: usize,
        const S: u64,
    >(
        tables: &Wide<F::Words, P::Words, T, R_P>,
        inputs: &[[Element<M>; N]],
        digests: &mut [Element<M>],
    ) {
        debug_assert!(crate::field::backend::has_ifma() && N + 1 == T && inputs.len() == digests.len());
        // By reference: else Zip counts the chunks, by a division that a build for size does not see to be by more than 0.
        for (inputs, digests) in inputs.chunks(COUNT).zip(&mut digests.chunks_mut(COUNT)) {
            // SAFETY: the caller asked whether the processor has the instructions.
            unsafe { digest_group::<M, F, P, T, N, R_P, S>(tables, inputs, digests) }
        }
    }
}

#[cfg(const_poseidon_ifma)]
pub(crate) use processor::{digest, permute};

#[cfg(test)]
pub(crate) mod tests {
    //! On the model, which says when a slot overflows: against one by one.

    use super::*;
    use crate::field::lazy::Portable;
    use crate::field::vector::model::Eight;

    /// Extremes in single slots, so that what one slot carries cannot hide in another; and fewer than eight.
    pub(crate) fn drive<M: Modulus, F: Vector, P: Vector, const T: usize, const R_P: usize, const S: u64>(
        tables: &Wide<F::Words, P::Words, T, R_P>,
        first_layer: impl Fn(&mut [Element<M>; T]),
        permute: impl Fn(&mut [Element<M>; T]),
    ) {
        let most = -Element::<M>::ONE;
        let mut states = [[Element::ZERO; T]; COUNT];
        states[1] = [most; T];
        states[3] = [Element::ONE; T];
        states[3][T - 1] = most;
        states[6] = states[3];
        permute(&mut states[6]);
        let mut expected = states;
        let (some, _) = expected.split_at_mut(COUNT - 1);
        some.iter_mut().for_each(&permute);
        let (some, _) = states.split_at_mut(COUNT - 1);
        some.iter_mut().for_each(&first_layer);
        permute_group::<M, Portable, Eight, F, P, T, R_P, S>(tables, some);
        assert!(states == expected, "t = {T}");
    }
}
