//! The permutation with its partial rounds as a linear recurrence: the same function as `parameters.rs` has, in fewer products.
//!
//! `build/recurrence.rs` derives the recurrence, and `build/fast.rs` proves for each width every bound stated here.
//!
//! A partial round is, with D and u (canonical) the recurrence's history,
//!
//! ```text
//! u = s Y^5        D' = kappa + sum a[j] D[j] + sum b[j] u[j]        Y' = u + D'
//! ```
//!
//! D' does not wait for the S-box. A dot product is one sum of 512 bits with one reduction, and takes its products in pairs:
//!
//! ```text
//! a D + b u = (a + u) (b + D) - a b - u D
//! ```
//!
//! Here u D is one product a round, whose running sum serves all pairs of all later rounds, and the sum of a b is a
//! constant: n + 1 products a round instead of 2n. Rows of a matrix are taken likewise.

use crate::field::backend::on_backend;
use crate::field::lazy::{
    add, is_below, small_multiple, upper, upper_half, wide_add, wide_sub, Lazy, Limbs, Wide, WIDE_ZERO, ZERO,
};
use crate::field::Bn254;
use crate::Fr;

/// A coefficient of D and one of u: of the same age in the history.
pub(super) struct Pair {
    pub(super) d: Fr,
    pub(super) u: Fr,
}

/// One width's tables, n = t - 1. `build/fast.rs` says what each is.
pub(super) struct Fast<const T: usize, const N: usize, const PARTIAL_ROUNDS: usize> {
    pub(super) first: [Fr; T],
    pub(super) untagged: Fr,
    pub(super) leading: [[Fr; T]; 3],
    pub(super) entry: [[Fr; T]; T],
    pub(super) y_constant: Fr,
    pub(super) kappa: [Fr; PARTIAL_ROUNDS],
    pub(super) coefficients: [Pair; N],
    pub(super) pairs: Wide,
    pub(super) exit_lane_0: Fr,
    pub(super) exit: [[Pair; N]; N],
    pub(super) exit_constants: [Fr; T],
    pub(super) trailing: [[Fr; T]; 3],
}

/// The permutation, in place.
pub(super) fn permute<
    const T: usize,
    const N: usize,
    const PARTIAL_ROUNDS: usize,
    const S: u64,
    const D_LEVELS: u32,
    const WIDE_ROWS: bool,
>(
    tables: &Fast<T, N, PARTIAL_ROUNDS>,
    mds: &[[Fr; T]; T],
    state: &mut [Fr; T],
) {
    on_backend!(B => {
        let mut lanes = [ZERO; T];
        for ((lane, element), constant) in lanes.iter_mut().zip(&*state).zip(&tables.first) {
            *lane = s_box::<B>(&add(element.limbs(), constant.limbs()));
        }
        rounds::<B, T, N, PARTIAL_ROUNDS, S, D_LEVELS, WIDE_ROWS>(tables, mds, &mut lanes);
        for (lane, row) in state.iter_mut().zip(mds) {
            *lane = output::<B, T>(row, &lanes);
        }
    });
}

/// Lane 0 of the permutation of the domain tag (0 if none is given) and the inputs, of which there are N.
pub(super) fn digest<
    const T: usize,
    const N: usize,
    const PARTIAL_ROUNDS: usize,
    const S: u64,
    const D_LEVELS: u32,
    const WIDE_ROWS: bool,
>(
    tables: &Fast<T, N, PARTIAL_ROUNDS>,
    mds: &[[Fr; T]; T],
    domain_tag: Option<Fr>,
    inputs: &[Fr],
) -> Fr {
    debug_assert!(inputs.len() == N);
    on_backend!(B => {
        let mut lanes = [*tables.untagged.limbs(); T];
        if let Some(tag) = domain_tag {
            lanes[0] = s_box::<B>(&add(tag.limbs(), tables.first[0].limbs()));
        }
        for ((lane, input), constant) in lanes.iter_mut().skip(1).zip(inputs).zip(tables.first.iter().skip(1)) {
            *lane = s_box::<B>(&add(input.limbs(), constant.limbs()));
        }
        rounds::<B, T, N, PARTIAL_ROUNDS, S, D_LEVELS, WIDE_ROWS>(tables, mds, &mut lanes);
        output::<B, T>(&mds[0], &lanes)
    })
}

/// From the S-boxes' outputs in the first round to those in the last; canonical.
#[inline(always)]
fn rounds<
    B: Lazy<Bn254>,
    const T: usize,
    const N: usize,
    const PARTIAL_ROUNDS: usize,
    const S: u64,
    const D_LEVELS: u32,
    const WIDE_ROWS: bool,
>(
    tables: &Fast<T, N, PARTIAL_ROUNDS>,
    mds: &[[Fr; T]; T],
    lanes: &mut [Limbs; T],
) {
    for constants in &tables.leading {
        full_round::<B, T, WIDE_ROWS>(mds, constants, lanes);
    }
    partial_rounds::<B, T, N, PARTIAL_ROUNDS, S, D_LEVELS>(tables, lanes);
    for constants in &tables.trailing {
        full_round::<B, T, WIDE_ROWS>(mds, constants, lanes);
    }
}

/// x^5, canonical, for x below 3.25 p: then x^2 < 3.8 p, x^4 < 4.5 p and x^5 < 4p before that.
#[inline(never)]
fn s_box<B: Lazy<Bn254>>(x: &Limbs) -> Limbs {
    debug_assert!(is_below::<Bn254>(x, 13), "an S-box's input above its bound");
    let fourth = B::square_reduced(&B::square_reduced(x));
    B::canonical::<2>(B::multiply(&fourth, x))
}

/// The matrix, the next round's constants, and its S-boxes: from canonical lanes to canonical lanes.
#[inline(never)]
fn full_round<B: Lazy<Bn254>, const T: usize, const WIDE_ROWS: bool>(
    mds: &[[Fr; T]; T],
    constants: &[Fr; T],
    lanes: &mut [Limbs; T],
) {
    let old = *lanes;
    let shared = lane_pairs::<B, T>(&old);
    for ((lane, row), constant) in lanes.iter_mut().zip(mds).zip(constants) {
        let sum = row_value::<B, T>(constant.limbs(), &shared, row, &old);
        // Wide rows may be near 2^256 = 5.29 p; 2p less is below 3.25 p for every width that there is.
        *lane = s_box::<B>(&if WIDE_ROWS { B::less_2p(sum) } else { sum });
    }
}

/// sum x[2i] x[2i+1].
#[inline(never)]
fn lane_pairs<B: Lazy<Bn254>, const T: usize>(lanes: &[Limbs; T]) -> Wide {
    let mut sum = WIDE_ZERO;
    for pair in lanes.chunks_exact(2) {
        B::add_product(&mut sum, &pair[0], &pair[1]);
    }
    sum
}

/// start + sum (m[2i] + x[2i+1]) (m[2i+1] + x[2i]), and m[t-1] x[t-1] where t is odd.
#[inline(always)]
fn row_of_pairs<B: Lazy<Bn254>, const T: usize>(start: Wide, row: &[Fr; T], lanes: &[Limbs; T]) -> Wide {
    let mut sum = start;
    for (m, x) in row.chunks_exact(2).zip(lanes.chunks_exact(2)) {
        B::add_product(&mut sum, &add(m[0].limbs(), &x[1]), &add(m[1].limbs(), &x[0]));
    }
    if let ([m], [x]) = (row.chunks_exact(2).remainder(), lanes.chunks_exact(2).remainder()) {
        B::add_product(&mut sum, m.limbs(), x);
    }
    sum
}

/// constant + sum m[j] x[j], and the row's pairs, reduced; `shared` is the lanes' pairs.
#[inline(always)]
fn row_value<B: Lazy<Bn254>, const T: usize>(
    constant: &Limbs,
    shared: &Wide,
    row: &[Fr; T],
    lanes: &[Limbs; T],
) -> Limbs {
    B::reduce(row_of_pairs::<B, T>(wide_sub(&upper(constant), shared), row, lanes))
}

/// As [`row_value`], canonical. Not inlined: it is called t times, and once a hash.
#[inline(never)]
fn entry_value<B: Lazy<Bn254>, const T: usize>(
    constant: &Limbs,
    shared: &Wide,
    row: &[Fr; T],
    lanes: &[Limbs; T],
) -> Limbs {
    B::canonical::<3>(row_value::<B, T>(constant, shared, row, lanes))
}

/// A row of the last matrix, which adds no constant, on canonical lanes: product by product.
#[inline(never)]
fn output<B: Lazy<Bn254>, const T: usize>(row: &[Fr; T], lanes: &[Limbs; T]) -> Fr {
    let mut sum = WIDE_ZERO;
    for (m, x) in row.iter().zip(lanes) {
        B::add_product(&mut sum, m.limbs(), x);
    }
    Fr::from_canonical(B::canonical::<2>(B::reduce(sum)))
}

/// What a round leaves to later ones; D and u are canonical.
#[derive(Clone, Copy)]
struct Past {
    d: Limbs,
    u: Limbs,
    /// d * u.
    product: Wide,
}

/// Puts a round's D and u (below 2p) in place of the oldest.
#[inline(always)]
fn remember<B: Lazy<Bn254>, const N: usize>(
    ring: &mut [Past; N],
    newest: &mut usize,
    excess: &mut Wide,
    d: Limbs,
    u: Limbs,
) {
    let u = B::canonical::<1>(u);
    debug_assert!(is_below::<Bn254>(&d, 4) && is_below::<Bn254>(&u, 4), "the history is canonical");
    *newest = if *newest == 0 { N - 1 } else { *newest - 1 };
    // Always there; written so that no panic is linked.
    let Some(past) = ring.get_mut(*newest) else { return };
    if N > 1 {
        let product = B::mul(&d, &u);
        *excess = wide_sub(&wide_add(excess, &product), &past.product);
        past.product = product;
    }
    (past.d, past.u) = (d, u);
}

/// The ring before the newest, and from it on.
#[inline(always)]
fn split<const N: usize>(ring: &[Past; N], newest: usize) -> (&[Past], &[Past]) {
    debug_assert!(newest < N);
    ring.split_at_checked(newest).unwrap_or((&[], ring))
}

/// start + sum (d's coefficient + u) (u's coefficient + d), over the history from the newest.
#[inline(always)]
fn history_of_pairs<B: Lazy<Bn254>>(start: Wide, pairs: &[Pair], newest: &[Past], oldest: &[Past]) -> Wide {
    let mut sum = start;
    for (pair, past) in pairs.iter().zip(newest.iter().chain(oldest)) {
        B::add_product(&mut sum, &add(pair.d.limbs(), &past.u), &add(pair.u.limbs(), &past.d));
    }
    sum
}

/// From the S-boxes' outputs in the last leading full round to those in the first trailing one.
#[inline(never)]
fn partial_rounds<
    B: Lazy<Bn254>,
    const T: usize,
    const N: usize,
    const PARTIAL_ROUNDS: usize,
    const S: u64,
    const D_LEVELS: u32,
>(
    tables: &Fast<T, N, PARTIAL_ROUNDS>,
    lanes: &mut [Limbs; T],
) {
    // Entry. The history is a ring: the newest at `newest`, older ones after it and then from the start. The newest of
    // the entry is still to be put there, in the place before the others.
    let shared = lane_pairs::<B, T>(lanes);
    let entry = |row, constant| entry_value::<B, T>(constant, &shared, row, lanes);
    let mut y = entry(&tables.entry[0], tables.y_constant.limbs());
    let (mut d, mut u) = (ZERO, entry(&tables.entry[1], &ZERO));
    let mut ring = [Past { d, u: d, product: WIDE_ZERO }; N];
    for (past, row) in ring.iter_mut().zip(tables.entry.iter().skip(2)) {
        past.u = entry(row, &ZERO);
    }
    let mut newest = 0;
    // The history's products and the coefficients' pairs: what a sum of pairs has too much.
    let mut excess = tables.pairs;

    // A round's own chain is Y, Y^2, Y^4, u. The rest stands between its steps, where a processor that looks some
    // two hundred instructions ahead finds it while the chain waits.
    for kappa in &tables.kappa {
        // Y < 3p, so Y^2 < 3.5 p, Y^4 < 4.1 p, u < 2p before it is made canonical, and the next Y = u + D < 3p.
        debug_assert!(is_below::<Bn254>(&y, 12), "Y above its bound");
        let square = B::square_reduced(&y);
        remember::<B, N>(&mut ring, &mut newest, &mut excess, d, u);
        let fourth = B::square_reduced(&square);
        let scaled = B::canonical::<1>(small_multiple::<Bn254, B, S>(y));
        debug_assert!(is_below::<Bn254>(&scaled, 4), "s Y is canonical");
        let sum = if let ([pair], [past]) = (&tables.coefficients[..], &ring[..]) {
            // One pair: its two products are as few.
            let mut sum = upper(kappa.limbs());
            B::add_product(&mut sum, pair.d.limbs(), &past.d);
            B::add_product(&mut sum, pair.u.limbs(), &past.u);
            sum
        } else {
            let start = wide_sub(&upper(kappa.limbs()), &excess);
            let (older, newer) = split(&ring, newest);
            history_of_pairs::<B>(start, &tables.coefficients, newer, older)
        };
        d = B::canonical::<D_LEVELS>(B::reduce(sum));
        u = B::multiply(&fourth, &scaled);
        y = add(&u, &d);
    }
    remember::<B, N>(&mut ring, &mut newest, &mut excess, d, u);

    // Exit: lane 0 is Y unscaled, the others are sums over the history; then the first trailing round's S-boxes.
    let (older, newer) = split(&ring, newest);
    let products = if N > 1 { wide_sub(&excess, &tables.pairs) } else { B::mul(&ring[0].d, &ring[0].u) };
    let mut lane_0 = upper(tables.exit_constants[0].limbs());
    B::add_product(&mut lane_0, &y, tables.exit_lane_0.limbs());
    lanes[0] = s_box::<B>(&B::reduce(lane_0));
    let rows = tables.exit.iter().zip(tables.exit_constants.iter().skip(1));
    for (lane, (row, constant)) in lanes.iter_mut().skip(1).zip(rows) {
        *lane = exit_lane::<B>(history_of_pairs::<B>(wide_sub(&WIDE_ZERO, &products), row, newer, older), constant);
    }
}

/// A sum of the exit, which may come near 2^512: 2p R less, reduced, plus its constant; and the S-box.
#[inline(never)]
fn exit_lane<B: Lazy<Bn254>>(mut sum: Wide, constant: &Fr) -> Limbs {
    let upper = upper_half(&mut sum);
    *upper = B::less_2p(*upper);
    let value = add(&B::reduce(sum), constant.limbs());
    s_box::<B>(&B::less_2p(value))
}

#[cfg(test)]
pub(super) mod tests {
    //! Every sum at its bound: operands that no state reaches together, all as large as each may be.

    #![allow(clippy::expect_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::field::lazy::tests::{integer, modulus, words};
    use crate::field::lazy::Portable;
    use num_bigint::BigUint;

    fn element(value: &Fr) -> BigUint {
        integer(value.limbs())
    }

    pub(in super::super) fn drive<
        const T: usize,
        const N: usize,
        const PARTIAL_ROUNDS: usize,
        const S: u64,
        const D_LEVELS: u32,
        const WIDE_ROWS: bool,
    >(
        tables: &Fast<T, N, PARTIAL_ROUNDS>,
        mds: &[[Fr; T]; T],
    ) {
        on_each::<Portable, T, N, PARTIAL_ROUNDS, S, D_LEVELS, WIDE_ROWS>(tables, mds);
        #[cfg(const_poseidon_adx)]
        if crate::field::backend::has_adx() {
            on_each::<crate::field::lazy::Adx, T, N, PARTIAL_ROUNDS, S, D_LEVELS, WIDE_ROWS>(tables, mds);
        }
    }

    fn on_each<
        B: Lazy<Bn254>,
        const T: usize,
        const N: usize,
        const PARTIAL_ROUNDS: usize,
        const S: u64,
        const D_LEVELS: u32,
        const WIDE_ROWS: bool,
    >(
        tables: &Fast<T, N, PARTIAL_ROUNDS>,
        mds: &[[Fr; T]; T],
    ) {
        let p = integer(&modulus());
        let most = &p - 1u32;
        let limbs: Limbs = words(&most);
        let lanes = [limbs; T];
        let shared = lane_pairs::<B, T>(&lanes);
        let two_to_512 = BigUint::from(1u32) << 512u32;
        let radix = BigUint::from(1u32) << 256u32;
        let inverse = radix.modinv(&p).expect("p is odd");
        // x R -> x^5 R.
        let fifth = |x: &BigUint| -> Limbs { words(&(x.pow(5) * inverse.pow(4) % &p)) };

        let residue = |value: &BigUint| -> Limbs { words(&(value * &inverse % &p)) };

        // Rows of matrices with the largest constant: the sum fits, and what comes of it is right.
        for row in mds.iter().chain(&tables.entry) {
            let sum = row_of_pairs::<B, T>(wide_sub(&upper(&limbs), &shared), row, &lanes);
            let products: BigUint = row.iter().map(|m| element(m) * &most).sum();
            let pairs: BigUint = row.chunks_exact(2).map(|m| element(&m[0]) * element(&m[1])).sum();
            let exact = products + pairs + (&most << 256u32);
            assert!(exact < two_to_512);
            assert_eq!(integer(&sum), exact, "t = {T}");
            assert_eq!(entry_value::<B, T>(&limbs, &shared, row, &lanes), residue(&exact));
        }
        for row in mds {
            let exact: BigUint = row.iter().map(|m| element(m) * &most).sum();
            assert_eq!(*output::<B, T>(row, &lanes).limbs(), residue(&exact));
        }
        // Full rounds with the largest constants, and S-boxes on all that is just below their bound.
        let constants = [Fr::from_canonical(limbs); T];
        full_round::<B, T, WIDE_ROWS>(mds, &constants, &mut lanes.clone());
        let bound = &p * 13u32 / 4u32;
        for below in 1..500u32 {
            let x = &bound - below;
            assert_eq!(s_box::<B>(&words(&x)), fifth(&x));
        }

        // The recurrence and the exit, on a history of the largest values.
        let product = B::mul(&limbs, &limbs);
        let ring = [Past { d: limbs, u: limbs, product }; N];
        let products = (0..N).fold(WIDE_ZERO, |sum, _| wide_add(&sum, &product));
        let start = wide_sub(&upper(&limbs), &wide_add(&products, &tables.pairs));
        let sum = history_of_pairs::<B>(start, &tables.coefficients, &ring, &[]);
        let coefficients: BigUint = tables.coefficients.iter().map(|pair| element(&pair.d) + element(&pair.u)).sum();
        let exact = coefficients * &most + (&most << 256u32);
        assert!(exact < two_to_512);
        assert_eq!(integer(&sum), exact, "t = {T}");
        assert_eq!(B::canonical::<D_LEVELS>(B::reduce(sum)), residue(&exact));
        for row in &tables.exit {
            let sum = history_of_pairs::<B>(wide_sub(&WIDE_ZERO, &products), row, &ring, &[]);
            let exact: BigUint = row
                .iter()
                .map(|pair| {
                    let (d, u) = (element(&pair.d), element(&pair.u));
                    (&d + &u) * &most + d * u
                })
                .sum();
            assert!(exact < two_to_512);
            assert_eq!(integer(&sum), exact, "t = {T}");
            let lane = exact * &inverse + &most;
            assert_eq!(exit_lane::<B>(sum, &Fr::from_canonical(limbs)), fifth(&lane));
        }
        // An exit's sum is largest after the subtraction when it is just below 2p R before.
        for below in 1..500u32 {
            let sum = ((&p * 2u32 - 1u32) << 256u32) + &p;
            let constant = &p - below;
            let lane = &sum * &inverse + &constant;
            assert_eq!(exit_lane::<B>(words(&sum), &Fr::from_canonical(words(&constant))), fifth(&lane));
        }

        // The chain of a partial round, from Y just below its bound.
        for below in 1..500u32 {
            let y = &p * 3u32 - below;
            let fourth = B::square_reduced(&B::square_reduced(&words(&y)));
            let u = B::multiply(&fourth, &B::canonical::<1>(small_multiple::<Bn254, B, S>(words(&y))));
            assert!(integer(&u) < &p * 2u32);
            let scaled = words(&(integer(&fifth(&y)) * S % &p));
            assert_eq!(B::canonical::<1>(u), scaled);
        }
    }

    #[test]
    fn every_sum_at_its_bound() {
        macro_rules! each {
            ($(($inputs:literal, $width:literal))*) => {
                $(<crate::Poseidon<$width> as super::super::sealed::Tables<$width>>::drive_to_bounds();)*
            };
        }
        super::super::instances::for_each_width!(each);
    }
}
