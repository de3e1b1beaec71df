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

use crate::field::lazy::{add, on_backend, upper, upper_half, wide_add, wide_sub, Lazy, Limbs, Wide};
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
        let mut lanes = [[0; 4]; T];
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

/// x^5, canonical, for x below 3.3 p: then x^2 < 3.9 p, x^4 < 4.6 p and x^5 < 4p before that.
#[inline(always)]
fn s_box<B: Lazy<Bn254>>(x: &Limbs) -> Limbs {
    let fourth = B::square_reduced(&B::square_reduced(x));
    B::canonical::<2>(B::multiply(&fourth, x))
}

/// The matrix, the next round's constants, and its S-boxes: from canonical lanes to canonical lanes.
#[inline(always)]
fn full_round<B: Lazy<Bn254>, const T: usize, const WIDE_ROWS: bool>(
    mds: &[[Fr; T]; T],
    constants: &[Fr; T],
    lanes: &mut [Limbs; T],
) {
    let old = *lanes;
    let shared = lane_pairs::<B, T>(&old);
    for ((lane, row), constant) in lanes.iter_mut().zip(mds).zip(constants) {
        let start = wide_sub(&upper(constant.limbs()), &shared);
        let sum = B::reduce(row_of_pairs::<B, T>(start, row, &old));
        // Wide rows may be as large as 2^256 = 5.3 p, and then 3.3 p.
        *lane = s_box::<B>(&if WIDE_ROWS { B::less_2p(sum) } else { sum });
    }
}

/// sum x[2i] x[2i+1].
#[inline(always)]
fn lane_pairs<B: Lazy<Bn254>, const T: usize>(lanes: &[Limbs; T]) -> Wide {
    let mut sum = [0; 8];
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

/// A row of the last matrix, which adds no constant, on canonical lanes: product by product.
#[inline(always)]
fn output<B: Lazy<Bn254>, const T: usize>(row: &[Fr; T], lanes: &[Limbs; T]) -> Fr {
    let mut sum = [0; 8];
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
    *newest = if *newest == 0 { N - 1 } else { *newest - 1 };
    let past = &mut ring[*newest];
    if N > 1 {
        let product = B::mul(&d, &u);
        *excess = wide_sub(&wide_add(excess, &product), &past.product);
        past.product = product;
    }
    (past.d, past.u) = (d, u);
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

/// s * y modulo p, below 2p, for y below 4p.
#[inline(always)]
fn small_multiple<B: Lazy<Bn254>, const S: u64>(y: Limbs) -> Limbs {
    const { assert!(S == 1 || S == 2 || S == 5 || S == 10) };
    let y = B::less_2p(y);
    let mut multiple = y;
    if S >= 5 {
        let twice = B::less_2p(add(&y, &y));
        multiple = B::less_2p(add(&B::less_2p(add(&twice, &twice)), &y));
    }
    if S % 2 == 0 {
        multiple = B::less_2p(add(&multiple, &multiple));
    }
    multiple
}

/// From the S-boxes' outputs in the last leading full round to those in the first trailing one.
#[inline(always)]
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
    // Entry. The history is a ring: the newest at `newest`, older ones after it and then from the start.
    let shared = lane_pairs::<B, T>(lanes);
    let entry = |row, start| B::reduce(row_of_pairs::<B, T>(wide_sub(&start, &shared), row, lanes));
    let mut y = B::canonical::<3>(entry(&tables.entry[0], upper(tables.y_constant.limbs())));
    let mut ring = [Past { d: [0; 4], u: [0; 4], product: [0; 8] }; N];
    for (past, row) in ring.iter_mut().zip(tables.entry.iter().skip(1)) {
        past.u = B::canonical::<3>(entry(row, [0; 8]));
    }
    let mut newest = 0;
    // The history's products and the coefficients' pairs: what a sum of pairs has too much.
    let mut excess = tables.pairs;

    // A round's own chain is Y, Y^2, Y^4, u. The rest stands between its steps, where a processor that looks some
    // two hundred instructions ahead finds it while the chain waits.
    let mut pending: Option<(Limbs, Limbs)> = None;
    for kappa in &tables.kappa {
        // Y < 2.95 p, so Y^2 < 3.5 p, Y^4 < 4.1 p, u < 1.95 p before it is made canonical, and the next Y = u + D < 2.95 p.
        let square = B::square_reduced(&y);
        if let Some((d, u)) = pending {
            remember::<B, N>(&mut ring, &mut newest, &mut excess, d, u);
        }
        let fourth = B::square_reduced(&square);
        let scaled = B::canonical::<1>(small_multiple::<B, S>(y));
        let sum = if let ([pair], [past]) = (&tables.coefficients[..], &ring[..]) {
            // One pair: its two products are as few.
            let mut sum = upper(kappa.limbs());
            B::add_product(&mut sum, pair.d.limbs(), &past.d);
            B::add_product(&mut sum, pair.u.limbs(), &past.u);
            sum
        } else {
            let start = wide_sub(&upper(kappa.limbs()), &excess);
            let (older, newer) = ring.split_at(newest);
            history_of_pairs::<B>(start, &tables.coefficients, newer, older)
        };
        let d = B::canonical::<D_LEVELS>(B::reduce(sum));
        let u = B::multiply(&fourth, &scaled);
        y = add(&u, &d);
        pending = Some((d, u));
    }
    if let Some((d, u)) = pending {
        remember::<B, N>(&mut ring, &mut newest, &mut excess, d, u);
    }

    // Exit: lane 0 is Y unscaled, the others are sums over the history; then the first trailing round's S-boxes.
    let (older, newer) = ring.split_at(newest);
    let products = if N > 1 { wide_sub(&excess, &tables.pairs) } else { B::mul(&ring[0].d, &ring[0].u) };
    let mut lane_0 = upper(tables.exit_constants[0].limbs());
    B::add_product(&mut lane_0, &B::canonical::<2>(y), tables.exit_lane_0.limbs());
    lanes[0] = s_box::<B>(&B::reduce(lane_0));
    let rows = tables.exit.iter().zip(tables.exit_constants.iter().skip(1));
    for (lane, (row, constant)) in lanes.iter_mut().skip(1).zip(rows) {
        let sum = history_of_pairs::<B>(wide_sub(&[0; 8], &products), row, newer, older);
        *lane = exit_lane::<B>(sum, constant);
    }
}

/// A sum of the exit, which may come near 2^512: 2p R less, reduced, plus its constant; and the S-box.
#[inline(always)]
fn exit_lane<B: Lazy<Bn254>>(mut sum: Wide, constant: &Fr) -> Limbs {
    let upper = upper_half(&mut sum);
    *upper = B::less_2p(*upper);
    let value = add(&B::reduce(sum), constant.limbs());
    s_box::<B>(&B::less_2p(value))
}

#[cfg(test)]
pub(super) mod tests {
    //! Every sum at its bound: operands that no state reaches together, all as large as each may be.

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
        #[cfg(all(target_arch = "x86_64", not(const_poseidon_backend = "portable")))]
        if crate::field::lazy::has_adx() {
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

        // Rows of matrices with the largest constant: the sum fits, and the lane that comes of it stays in the S-box's bounds.
        for row in mds.iter().chain(&tables.entry) {
            let sum = row_of_pairs::<B, T>(wide_sub(&upper(&limbs), &shared), row, &lanes);
            let products: BigUint = row.iter().map(|m| element(m) * &most).sum();
            let pairs: BigUint = row.chunks_exact(2).map(|m| element(&m[0]) * element(&m[1])).sum();
            let exact = products + pairs + (&most << 256u32);
            assert!(exact < two_to_512);
            assert_eq!(integer(&sum), exact, "t = {T}");
            B::canonical::<3>(B::reduce(sum));
        }
        for constants in tables.leading.iter().chain(&tables.trailing) {
            full_round::<B, T, WIDE_ROWS>(mds, constants, &mut lanes.clone());
        }
        for row in mds {
            output::<B, T>(row, &lanes);
        }

        // The recurrence and the exit, on a history of the largest values.
        let product = B::mul(&limbs, &limbs);
        let ring = [Past { d: limbs, u: limbs, product }; N];
        let products = (0..N).fold([0; 8], |sum, _| wide_add(&sum, &product));
        let start = wide_sub(&upper(&limbs), &wide_add(&products, &tables.pairs));
        let sum = history_of_pairs::<B>(start, &tables.coefficients, &ring, &[]);
        let coefficients: BigUint = tables.coefficients.iter().map(|pair| element(&pair.d) + element(&pair.u)).sum();
        let exact = coefficients * &most + (&most << 256u32);
        assert!(exact < two_to_512);
        assert_eq!(integer(&sum), exact, "t = {T}");
        B::canonical::<D_LEVELS>(B::reduce(sum));
        for row in &tables.exit {
            let sum = history_of_pairs::<B>(wide_sub(&[0; 8], &products), row, &ring, &[]);
            let exact: BigUint = row
                .iter()
                .map(|pair| {
                    let (d, u) = (element(&pair.d), element(&pair.u));
                    (&d + &u) * &most + d * u
                })
                .sum();
            assert!(exact < two_to_512);
            assert_eq!(integer(&sum), exact, "t = {T}");
            exit_lane::<B>(sum, &Fr::from_canonical(limbs));
        }

        // The chain of a partial round, from Y just below 2.95 p.
        let y: Limbs = words(&(&p * 295u32 / 100u32 - 1u32));
        let fourth = B::square_reduced(&B::square_reduced(&y));
        let u = B::multiply(&fourth, &B::canonical::<1>(small_multiple::<B, S>(y)));
        assert!(integer(&u) < &p * 195u32 / 100u32);
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
