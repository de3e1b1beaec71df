//! The permutations over vector registers, for processors with AVX-512 IFMA: the same functions as `poseidon/fast.rs` and
//! `poseidon2/permutation.rs` have.
//!
//! A lane of the state is a slot of a vector. S-boxes work on all lanes at once, and a matrix adds up its columns, each times one lane.
//! In a partial round the S-box's chain stays with the scalar units, while the vector units beside them prepare the next D.
//! They hold the recurrence in the form of an observer: w[j] is what the next D but j already has of the past, so that nothing is summed
//! across slots,
//!
//! ```text
//! u = s Y^5        D' = kappa + w[0]        Y' = u + D'        w'[j] = w[j+1] + a[j+1] D' + b[j+1] u
//! ```
//!
//! and w stays a sum without reduction through all partial rounds. `build/wide.rs` derives the tables and proves the bounds.

#![allow(clippy::needless_range_loop, reason = "limbs and registers by number, of several arrays at once")]

use crate::field::lazy::{add, has_room, is_below, small_multiple, squared, Lazy, Limbs as Words};
use crate::field::limbs52::{
    add_product, first_words, join, multiply, reduce, reduce_further, splat_words, split, square, zero, Limbs, Sum,
    PRODUCT_ADDS, SUM_TAKES,
};
use crate::field::vector::Vector;
use crate::field::{Element, Modulus};

/// Elements as slots of vectors in memory: their limbs.
pub(crate) type Lanes<W> = [W; 5];

/// One width's tables: `W` has a slot for each of t lanes, `P` for each of n = t - 1. Matrices are columns.
pub(crate) struct Wide<W, P, const T: usize, const PARTIAL_ROUNDS: usize> {
    pub(crate) first: Lanes<W>,
    pub(crate) mds: [Lanes<W>; T],
    /// After each matrix but the last; the fourth matrix is the exit's.
    pub(crate) constants: [Lanes<W>; 7],
    /// The entry's row for Y[0], and its columns for w.
    pub(crate) y: Lanes<W>,
    pub(crate) y_constant: [u64; 5],
    pub(crate) entry: [Lanes<P>; T],
    pub(crate) kappa: [[u64; 5]; PARTIAL_ROUNDS],
    pub(crate) a: Lanes<P>,
    pub(crate) b: Lanes<P>,
    /// From Y and w.
    pub(crate) exit: [Lanes<W>; T],
    /// The last matrix's row 0.
    pub(crate) output: Lanes<W>,
}

/// Number of the full round after which the partial rounds come.
pub(crate) const LAST_LEADING: usize = 3;

#[inline(always)]
fn load<V: Vector>(lanes: &Lanes<V::Words>) -> Limbs<V> {
    let mut limbs = zero();
    for i in 0..5 {
        limbs[i] = V::load(&lanes[i]);
    }
    limbs
}

#[inline(always)]
fn store<V: Vector>(limbs: &Limbs<V>) -> Lanes<V::Words> {
    let mut lanes = [V::splat(0).store(); 5];
    for i in 0..5 {
        lanes[i] = limbs[i].store();
    }
    lanes
}

#[inline(always)]
fn word<V: Vector>(words: &V::Words, slot: usize) -> u64 {
    V::slots(words).get(slot).map_or(0, |&word| word)
}

#[inline(always)]
pub(crate) fn put<V: Vector>(lanes: &mut Lanes<V::Words>, slot: usize, limbs: &[u64; 5]) {
    for (words, limb) in lanes.iter_mut().zip(limbs) {
        if let Some(word) = V::slots_mut(words).get_mut(slot) {
            *word = *limb;
        }
    }
}

/// A lane's limbs, in every slot of another vector.
#[inline(always)]
pub(crate) fn splat_lane<V: Vector, W: Vector>(lanes: &Lanes<W::Words>, lane: usize) -> Limbs<V> {
    let mut limbs = zero();
    for i in 0..5 {
        limbs[i] = V::splat(word::<W>(&lanes[i], lane));
    }
    limbs
}

/// x^5, carried: below 6.5 for the x that there are, which are below 8.
#[inline(always)]
fn s_boxes<M: Modulus, V: Vector>(x: &Limbs<V>) -> Limbs<V> {
    let second = reduce::<M, V>(square(x));
    let fourth = reduce::<M, V>(square(&second));
    reduce::<M, V>(multiply(&fourth, x))
}

/// start + the matrix with these columns, times lanes.
#[inline(always)]
fn times<V: Vector, I: Vector>(start: &Limbs<V>, columns: &[Lanes<V::Words>], lanes: &Lanes<I::Words>) -> Sum<V> {
    let [a, b, c, d, e] = *start;
    let z = V::splat(0);
    let mut sum = [a, b, c, d, e, z, z, z, z, z];
    for (lane, column) in columns.iter().enumerate() {
        add_product(&mut sum, &load(column), &splat_lane::<V, I>(lanes, lane));
    }
    sum
}

/// The constant plus the row's products with lanes, summed and reduced: clean, in every slot.
#[inline(always)]
fn dot<M: Modulus, V: Vector>(row: &Lanes<V::Words>, lanes: &Limbs<V>, constant: &[u64; 5]) -> Limbs<V::Narrow> {
    let products = multiply(&load(row), lanes);
    let mut sum = zero();
    for k in 0..10 {
        let start = constant.get(k).map_or(0, |&limb| limb);
        let total = V::slots(&products[k].store()).iter().fold(start, |total, &word| total + word);
        sum[k] = V::Narrow::splat(total);
    }
    reduce_further::<M, V::Narrow>(sum)
}

/// D, clean, in slot 0: kappa plus the first of w, reduced; and w moved down.
#[inline(always)]
fn take_first<M: Modulus, V: Vector>(w: &mut Sum<V>, kappa: &[u64; 5]) -> Limbs<V::Narrow> {
    let mut first = zero();
    for k in 0..10 {
        first[k] = w[k].narrow();
        w[k] = w[k].moved_down(V::splat(0));
    }
    for i in 0..5 {
        first[i] = first[i].add(V::Narrow::splat(kappa[i]));
    }
    reduce_further::<M, V::Narrow>(first)
}

/// Y = u + D: one subtraction of 2p where there is room, else canonical.
#[inline(always)]
fn next<M: Modulus, B: Lazy<M>>(u: Words, d: Words) -> Words {
    if has_room::<M>() {
        B::less_2p(add(&u, &d))
    } else {
        B::canonical::<1>(add(&B::canonical::<1>(u), &B::canonical::<1>(d)))
    }
}

/// From the S-boxes' outputs in the last leading round to Y and w.
#[inline(always)]
fn partial_rounds<
    M: Modulus,
    B: Lazy<M>,
    F: Vector,
    P: Vector,
    const T: usize,
    const PARTIAL_ROUNDS: usize,
    const S: u64,
>(
    tables: &Wide<F::Words, P::Words, T, PARTIAL_ROUNDS>,
    lanes: &Limbs<F>,
) -> Lanes<F::Words> {
    // What w adds up: the entry, and two products a round until it has moved out.
    const { assert!(PRODUCT_ADDS * (T + 2 * (T - 1)) < SUM_TAKES) };
    let mut y = first_words(&dot::<M, F>(&tables.y, lanes, &tables.y_constant));
    if !has_room::<M>() {
        y = B::canonical::<1>(y);
    }
    let mut w = times::<P, F>(&zero(), &tables.entry, &store(lanes));
    let (mut u, mut d): (Words, Limbs<P>) = ([0; 4], zero());

    // The order is that in which the chain of a round, Y to u, leaves the most room for the rest.
    for kappa in &tables.kappa {
        debug_assert!(is_below::<M>(&y, 13), "Y above its bound");
        let scaled = small_multiple::<M, B, S>(y);
        let square = squared::<M, B>(&y);
        add_product(&mut w, &load(&tables.a), &d);
        add_product(&mut w, &load(&tables.b), &splat_words(&u));
        let fourth = squared::<M, B>(&square);
        let first = take_first::<M, P>(&mut w, kappa);
        u = B::multiply(&fourth, &scaled);
        y = next::<M, B>(u, first_words(&first));
        for i in 0..5 {
            d[i] = P::splat_first(first[i]);
        }
    }
    add_product(&mut w, &load(&tables.a), &d);
    add_product(&mut w, &load(&tables.b), &splat_words(&u));

    let w = store(&reduce::<M, P>(w));
    let mut lanes = [F::splat(0).store(); 5];
    put::<F>(&mut lanes, 0, &split(y));
    for j in 0..T - 1 {
        let limbs =
            [word::<P>(&w[0], j), word::<P>(&w[1], j), word::<P>(&w[2], j), word::<P>(&w[3], j), word::<P>(&w[4], j)];
        put::<F>(&mut lanes, j + 1, &limbs);
    }
    lanes
}

/// All but the last matrix; the state is clean, and carried afterwards.
#[inline(always)]
fn rounds<M: Modulus, B: Lazy<M>, F: Vector, P: Vector, const T: usize, const PARTIAL_ROUNDS: usize, const S: u64>(
    tables: &Wide<F::Words, P::Words, T, PARTIAL_ROUNDS>,
    state: &mut Lanes<F::Words>,
) {
    let (mut x, first) = (load::<F>(state), load::<F>(&tables.first));
    for i in 0..5 {
        x[i] = x[i].add(first[i]);
        if i > 0 {
            x[i] = x[i].add(x[i - 1].shift_right::<52>());
        }
    }
    for (round, constants) in tables.constants.iter().enumerate() {
        x = s_boxes::<M, F>(&x);
        let (columns, lanes) = if round == LAST_LEADING {
            (&tables.exit, partial_rounds::<M, B, F, P, T, PARTIAL_ROUNDS, S>(tables, &x))
        } else {
            (&tables.mds, store(&x))
        };
        x = reduce::<M, F>(times::<F, F>(&load(constants), columns, &lanes));
    }
    *state = store(&s_boxes::<M, F>(&x));
}

/// The last matrix: below 4p in the end, clean.
#[inline(always)]
fn last_matrix<M: Modulus, F: Vector>(mds: &[Lanes<F::Words>], state: &mut Lanes<F::Words>) {
    *state = store(&reduce_further::<M, F>(times::<F, F>(&zero(), mds, state)));
}

/// Its row 0: below 4p.
#[inline(always)]
fn last_row<M: Modulus, F: Vector>(row: &Lanes<F::Words>, state: &Lanes<F::Words>) -> Words {
    first_words(&dot::<M, F>(row, &load(state), &[0; 5]))
}

#[inline(always)]
fn lanes_of<'a, M: Modulus, V: Vector>(elements: impl Iterator<Item = &'a Element<M>>) -> Lanes<V::Words> {
    let mut lanes = [V::splat(0).store(); 5];
    for (slot, element) in elements.enumerate() {
        put::<V>(&mut lanes, slot, &split(*element.limbs()));
    }
    lanes
}

#[inline(always)]
fn element_of<M: Modulus, B: Lazy<M>, V: Vector>(lanes: &Lanes<V::Words>, slot: usize) -> Element<M> {
    let limbs = [
        word::<V>(&lanes[0], slot),
        word::<V>(&lanes[1], slot),
        word::<V>(&lanes[2], slot),
        word::<V>(&lanes[3], slot),
        word::<V>(&lanes[4], slot),
    ];
    Element::from_canonical(B::canonical::<2>(join(limbs)))
}

/// The above, compiled for the processor.
#[cfg(const_poseidon_ifma)]
mod processor {
    #![allow(unsafe_code, reason = "functions for processors with certain instructions")]

    use super::{Element, Lanes, Lazy, Modulus, Vector, Wide};
    #[cfg(not(const_poseidon_backend = "model"))]
    use crate::field::lazy::Adx as Scalar;
    #[cfg(const_poseidon_backend = "model")]
    use crate::field::lazy::Portable as Scalar;

    #[cfg_attr(not(const_poseidon_backend = "model"), target_feature(enable = "avx512f,avx512vl,avx512ifma,bmi2"))]
    unsafe fn rounds<M: Modulus, F: Vector, P: Vector, const T: usize, const PARTIAL_ROUNDS: usize, const S: u64>(
        tables: &Wide<F::Words, P::Words, T, PARTIAL_ROUNDS>,
        state: &mut Lanes<F::Words>,
    ) {
        super::rounds::<M, Scalar, F, P, T, PARTIAL_ROUNDS, S>(tables, state);
    }

    #[cfg_attr(not(const_poseidon_backend = "model"), target_feature(enable = "avx512f,avx512vl,avx512ifma,bmi2"))]
    unsafe fn permute_lanes<
        M: Modulus,
        F: Vector,
        P: Vector,
        const T: usize,
        const PARTIAL_ROUNDS: usize,
        const S: u64,
    >(
        tables: &Wide<F::Words, P::Words, T, PARTIAL_ROUNDS>,
        state: &mut [Element<M>; T],
    ) {
        let mut lanes = super::lanes_of::<M, F>(state.iter());
        rounds::<M, F, P, T, PARTIAL_ROUNDS, S>(tables, &mut lanes);
        super::last_matrix::<M, F>(&tables.mds, &mut lanes);
        for (slot, element) in state.iter_mut().enumerate() {
            *element = super::element_of::<M, Scalar, F>(&lanes, slot);
        }
    }

    #[cfg_attr(not(const_poseidon_backend = "model"), target_feature(enable = "avx512f,avx512vl,avx512ifma,bmi2"))]
    unsafe fn digest_lanes<
        M: Modulus,
        F: Vector,
        P: Vector,
        const T: usize,
        const PARTIAL_ROUNDS: usize,
        const S: u64,
    >(
        tables: &Wide<F::Words, P::Words, T, PARTIAL_ROUNDS>,
        domain_tag: Element<M>,
        inputs: &[Element<M>],
    ) -> Element<M> {
        let mut lanes = super::lanes_of::<M, F>(core::iter::once(&domain_tag).chain(inputs));
        rounds::<M, F, P, T, PARTIAL_ROUNDS, S>(tables, &mut lanes);
        Element::from_canonical(<Scalar as Lazy<M>>::canonical::<2>(super::last_row::<M, F>(&tables.output, &lanes)))
    }

    /// The permutation, in place. Only where [`has_ifma`](crate::field::backend::has_ifma).
    pub(crate) fn permute<
        M: Modulus,
        F: Vector,
        P: Vector,
        const T: usize,
        const PARTIAL_ROUNDS: usize,
        const S: u64,
    >(
        tables: &Wide<F::Words, P::Words, T, PARTIAL_ROUNDS>,
        state: &mut [Element<M>; T],
    ) {
        debug_assert!(crate::field::backend::has_ifma());
        // SAFETY: the caller asked whether the processor has the instructions.
        unsafe { permute_lanes::<M, F, P, T, PARTIAL_ROUNDS, S>(tables, state) }
    }

    /// Lane 0 of the permutation of the domain tag (0 if none is given) and n inputs. Only where [`has_ifma`](crate::field::backend::has_ifma).
    pub(crate) fn digest<
        M: Modulus,
        F: Vector,
        P: Vector,
        const T: usize,
        const PARTIAL_ROUNDS: usize,
        const S: u64,
    >(
        tables: &Wide<F::Words, P::Words, T, PARTIAL_ROUNDS>,
        domain_tag: Option<Element<M>>,
        inputs: &[Element<M>],
    ) -> Element<M> {
        debug_assert!(crate::field::backend::has_ifma() && inputs.len() + 1 == T);
        // SAFETY: the caller asked whether the processor has the instructions.
        unsafe { digest_lanes::<M, F, P, T, PARTIAL_ROUNDS, S>(tables, domain_tag.unwrap_or(Element::ZERO), inputs) }
    }
}

#[cfg(const_poseidon_ifma)]
pub(crate) use processor::{digest, permute};

#[cfg(test)]
pub(crate) mod tests {
    //! On the model, which says when a slot overflows: against the plain twins, which the suite holds to the oracle.

    use super::*;
    use crate::field::lazy::Portable;

    pub(crate) fn drive<M: Modulus, F: Vector, P: Vector, const T: usize, const PARTIAL_ROUNDS: usize, const S: u64>(
        tables: &Wide<F::Words, P::Words, T, PARTIAL_ROUNDS>,
        first_layer: impl Fn(&mut [Element<M>; T]),
        permute: impl Fn(&mut [Element<M>; T]),
    ) {
        let most = -Element::<M>::ONE;
        let mut states = std::vec![[Element::<M>::ZERO; T], [Element::ONE; T], [most; T]];
        let mut state = [Element::from_u64(T as u64); T];
        for lane in 0..T {
            state[lane] = most;
            states.push(state);
        }
        for _ in 0..3 {
            permute(&mut state);
            states.push(state);
        }
        for mut state in states {
            let mut expected = state;
            permute(&mut expected);
            first_layer(&mut state);
            let mut lanes = lanes_of::<M, F>(state.iter());
            rounds::<M, Portable, F, P, T, PARTIAL_ROUNDS, S>(tables, &mut lanes);
            let digest = <Portable as Lazy<M>>::canonical::<2>(last_row::<M, F>(&tables.output, &lanes));
            assert_eq!(digest, *expected[0].limbs(), "t = {T}");
            last_matrix::<M, F>(&tables.mds, &mut lanes);
            for (slot, expected) in expected.iter().enumerate() {
                assert_eq!(element_of::<M, Portable, F>(&lanes, slot), *expected, "t = {T}, lane {slot}");
            }
        }
    }
}
