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
//!
//! Everything is done in place: a machine with few registers has a limb in memory in any case, and each copy costs it as much as the
//! addition of two values.

use crate::field::arithmetic::{add, is_below, wide_add, wide_sub, Arithmetic, Limbs, Wide, WIDE_ZERO, ZERO};
use crate::field::backend::on_backend;
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
    /// None where the history is taken product by product.
    pub(super) pairs: Option<&'static Wide>,
    pub(super) exit_lane_0: Fr,
    pub(super) exit_lane_0_constant: Fr,
    pub(super) exit: [[Pair; N]; N],
    pub(super) exit_constants: [Fr; N],
    pub(super) trailing: [[Fr; T]; 3],
}

/// The permutation, in place.
#[inline(never)]
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
    let (tables, mds) = (passed(tables), passed(mds));
    on_backend!(B => {
        let mut lanes = [ZERO; T];
        for ((lane, element), constant) in lanes.iter_mut().zip(&*state).zip(&tables.first) {
            first_s_box::<B>(lane, element, constant);
        }
        rounds::<B, T, N, PARTIAL_ROUNDS, S, D_LEVELS, WIDE_ROWS>(tables, mds, &mut lanes);
        for (lane, row) in state.iter_mut().zip(mds) {
            *lane = output::<B, T>(row, &lanes);
        }
    });
}

/// Lane 0 of the permutation of the domain tag (0 if none is given) and the inputs, of which there are N.
#[inline(never)]
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
    let (tables, mds) = (passed(tables), passed(mds));
    on_backend!(B => {
        let mut lanes = [ZERO; T];
        match &domain_tag {
            Some(tag) => first_s_box::<B>(&mut lanes[0], tag, &tables.first[0]),
            None => lanes[0] = *tables.untagged.limbs(),
        }
        for ((lane, input), constant) in lanes.iter_mut().skip(1).zip(inputs).zip(tables.first.iter().skip(1)) {
            first_s_box::<B>(lane, input, constant);
        }
        rounds::<B, T, N, PARTIAL_ROUNDS, S, D_LEVELS, WIDE_ROWS>(tables, mds, &mut lanes);
        output::<B, T>(&mds[0], &lanes)
    })
}

/// The table, as a pointer that functions are given. Else LLVM, which sees that there is one caller, writes the table's address out wherever
/// it is used: on BPF 16 bytes and 16 of relocation each time.
#[inline(always)]
fn passed<Table>(table: &Table) -> &Table {
    if cfg!(const_poseidon_narrow) {
        core::hint::black_box(table)
    } else {
        table
    }
}

/// From the S-boxes' outputs in the first round to those in the last; kept.
#[cfg_attr(const_poseidon_narrow, inline(always))] // a frame less
#[cfg_attr(not(const_poseidon_narrow), inline(never))]
fn rounds<
    B: Arithmetic<Bn254>,
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
    full_rounds::<B, T, WIDE_ROWS>(mds, &tables.leading, lanes);
    match tables.pairs {
        // The products have a place here, and not beside the history, for machines that bound the stack of each function.
        Some(pairs) if by_pairs::<B>(N) => {
            let mut products = Products { each: [WIDE_ZERO; N], excess: *pairs };
            partial_rounds::<B, T, N, PARTIAL_ROUNDS, S, D_LEVELS>(tables, Some(&mut products), lanes);
        }
        _ => partial_rounds::<B, T, N, PARTIAL_ROUNDS, S, D_LEVELS>(tables, None, lanes),
    }
    s_boxes::<B, T>(lanes);
    full_rounds::<B, T, WIDE_ROWS>(mds, &tables.trailing, lanes);
}

/// Three full rounds. Not inlined: what it needs is not on the stack while the partial rounds are.
#[inline(never)]
fn full_rounds<B: Arithmetic<Bn254>, const T: usize, const WIDE_ROWS: bool>(
    mds: &[[Fr; T]; T],
    constants: &[[Fr; T]; 3],
    lanes: &mut [Limbs; T],
) {
    let [first, second, third] = constants;
    let mut other = *lanes;
    full_round::<B, T, WIDE_ROWS>(mds, first, &other, lanes);
    full_round::<B, T, WIDE_ROWS>(mds, second, lanes, &mut other);
    full_round::<B, T, WIDE_ROWS>(mds, third, &other, lanes);
}

/// lane = x^5, kept, for x below 3.25 p: then x^2 < 3.8 p, x^4 < 4.5 p and x^5 < 4p before that.
#[inline(never)]
fn s_box<B: Arithmetic<Bn254>>(x: &Limbs, lane: &mut Limbs) {
    debug_assert!(is_below::<Bn254>(x, 13), "an S-box's input above its bound");
    B::pow5::<2>(x, lane);
}

/// The S-box of an element and the first round's constant.
#[cfg_attr(const_poseidon_narrow, inline(never))]
#[cfg_attr(not(const_poseidon_narrow), inline(always))]
fn first_s_box<B: Arithmetic<Bn254>>(lane: &mut Limbs, element: &Fr, constant: &Fr) {
    let mut x = ZERO;
    add(&mut x, element.limbs(), constant.limbs());
    s_box::<B>(&x, lane);
}

/// The matrix, the next round's constants, and its S-boxes: from kept lanes to kept lanes.
#[inline(never)]
fn full_round<B: Arithmetic<Bn254>, const T: usize, const WIDE_ROWS: bool>(
    mds: &[[Fr; T]; T],
    constants: &[Fr; T],
    lanes: &[Limbs; T],
    next: &mut [Limbs; T],
) {
    let pairs = rows_by_pairs::<B>(T).then(|| lane_pairs::<B, T>(lanes));
    let shared = pairs.as_ref().unwrap_or(&WIDE_ZERO);
    for ((lane, row), constant) in next.iter_mut().zip(mds).zip(constants) {
        let mut x = ZERO;
        row_value::<B, T>(&mut x, constant.limbs(), shared, row, lanes);
        if WIDE_ROWS {
            // Wide rows may be near 2^256 = 5.29 p; 2p less is below 3.25 p for every width that there is.
            B::less_2p(&mut x);
        }
        s_box::<B>(&x, lane);
    }
}

/// sum x[2i] x[2i+1].
#[inline(never)]
fn lane_pairs<B: Arithmetic<Bn254>, const T: usize>(lanes: &[Limbs; T]) -> Wide {
    let mut sum = WIDE_ZERO;
    let mut rest = &lanes[..];
    while let [a, b, others @ ..] = rest {
        B::add_product(&mut sum, a, b);
        rest = others;
    }
    sum
}

/// Whether rows of t products are taken by pairs: else product by product.
const fn rows_by_pairs<B: Arithmetic<Bn254>>(t: usize) -> bool {
    t > B::FEW
}

/// The sum and sum (m[2i] + x[2i+1]) (m[2i+1] + x[2i]), and m[t-1] x[t-1] where t is odd.
#[inline(always)]
fn add_row<B: Arithmetic<Bn254>, const T: usize>(sum: &mut Wide, row: &[Fr; T], lanes: &[Limbs; T]) {
    let (mut row, mut lanes) = (&row[..], &lanes[..]);
    // Slices' patterns: an index, or the division that counts chunks, would be a panic linked where code is made small.
    while let ([m0, m1, other_entries @ ..], [x0, x1, other_lanes @ ..]) = (row, lanes) {
        B::add_pair(sum, (m0.limbs(), x1), (m1.limbs(), x0));
        (row, lanes) = (other_entries, other_lanes);
    }
    if let ([m], [x]) = (row, lanes) {
        B::add_product(sum, m.limbs(), x);
    }
}

/// The sum and sum m[j] x[j].
#[inline(always)]
fn add_products<B: Arithmetic<Bn254>, const T: usize>(sum: &mut Wide, row: &[Fr; T], lanes: &[Limbs; T]) {
    for (m, x) in row.iter().zip(lanes) {
        B::add_product(sum, m.limbs(), x);
    }
}

/// constant + sum m[j] x[j], and the row's pairs, reduced; `shared` is the lanes' pairs.
#[cfg_attr(const_poseidon_narrow, inline(never))]
#[cfg_attr(not(const_poseidon_narrow), inline(always))]
fn row_value<B: Arithmetic<Bn254>, const T: usize>(
    value: &mut Limbs,
    constant: &Limbs,
    shared: &Wide,
    row: &[Fr; T],
    lanes: &[Limbs; T],
) {
    let mut sum;
    if rows_by_pairs::<B>(T) {
        sum = B::begin_less(constant, shared);
        add_row::<B, T>(&mut sum, row, lanes);
    } else {
        sum = B::begin(constant);
        add_products::<B, T>(&mut sum, row, lanes);
    }
    B::reduce(&sum, value);
}

/// As [`row_value`], kept. Not inlined: it is called t times, and once a hash.
#[cfg_attr(const_poseidon_narrow, inline(always))] // which does not inline that
#[cfg_attr(not(const_poseidon_narrow), inline(never))]
fn entry_value<B: Arithmetic<Bn254>, const T: usize>(
    value: &mut Limbs,
    constant: &Limbs,
    shared: &Wide,
    row: &[Fr; T],
    lanes: &[Limbs; T],
) {
    row_value::<B, T>(value, constant, shared, row, lanes);
    B::keep::<3>(value);
}

/// A row of the last matrix, which adds no constant, on kept lanes: product by product.
#[inline(never)]
fn output<B: Arithmetic<Bn254>, const T: usize>(row: &[Fr; T], lanes: &[Limbs; T]) -> Fr {
    let mut sum = WIDE_ZERO;
    add_products::<B, T>(&mut sum, row, lanes);
    let mut value = ZERO;
    B::reduce(&sum, &mut value);
    Fr::from_canonical(B::canonical::<2>(value))
}

/// What a round leaves to later ones, kept.
#[derive(Clone, Copy)]
struct Past {
    d: Limbs,
    u: Limbs,
}

/// The last N rounds, in a ring: the newest at `newest`, older ones after it and then from the start.
struct History<'a, const N: usize> {
    ring: [Past; N],
    newest: usize,
    /// Where sums are taken by pairs.
    products: Option<&'a mut Products<N>>,
}

struct Products<const N: usize> {
    /// Each round's D * u.
    each: [Wide; N],
    /// Their sum and the coefficients' pairs: what a sum of pairs has too much.
    excess: Wide,
}

impl<const N: usize> History<'_, N> {
    /// The newest round is complete: its u (below 2p) is kept, and its product takes the oldest's place.
    #[inline(always)]
    fn settle<B: Arithmetic<Bn254>>(&mut self) {
        // Always there; written so that no panic is linked.
        let Some(past) = self.ring.get_mut(self.newest) else { return };
        B::keep::<1>(&mut past.u);
        if let (true, Some(Products { each, excess })) = (by_pairs::<B>(N), &mut self.products) {
            let Some(product) = each.get_mut(self.newest) else { return };
            wide_sub(excess, product);
            *product = WIDE_ZERO;
            B::add_product(product, &past.d, &past.u);
            wide_add(excess, product);
        }
    }

    /// The constant and, over the history from the newest, sum d's coefficient * d + u's coefficient * u; as `(d's coefficient + u) (u's coefficient + d)`
    /// if `pairs` says so.
    #[inline(always)]
    fn sum<B: Arithmetic<Bn254>>(&self, pairs: bool, constant: &Limbs, coefficients: &[Pair; N]) -> Wide {
        if let (true, Some(products)) = (pairs, &self.products) {
            let mut sum = B::begin_less(constant, &products.excess);
            self.add_pairs::<B>(&mut sum, coefficients);
            sum
        } else {
            let mut sum = B::begin(constant);
            self.add_products::<B>(&mut sum, coefficients);
            sum
        }
    }

    #[cfg_attr(const_poseidon_narrow, inline(never))]
    #[cfg_attr(not(const_poseidon_narrow), inline(always))]
    fn add_pairs<B: Arithmetic<Bn254>>(&self, sum: &mut Wide, coefficients: &[Pair; N]) {
        for (pair, past) in coefficients.iter().zip(self.in_order()) {
            B::add_pair(sum, (pair.d.limbs(), &past.u), (pair.u.limbs(), &past.d));
        }
    }

    #[cfg_attr(const_poseidon_narrow, inline(never))]
    #[cfg_attr(not(const_poseidon_narrow), inline(always))]
    fn add_products<B: Arithmetic<Bn254>>(&self, sum: &mut Wide, coefficients: &[Pair; N]) {
        for (pair, past) in coefficients.iter().zip(self.in_order()) {
            B::add_product(sum, pair.d.limbs(), &past.d);
            B::add_product(sum, pair.u.limbs(), &past.u);
        }
    }

    /// The recurrence's next D, in place of the oldest round's, which is then the newest.
    #[cfg_attr(const_poseidon_narrow, inline(never))]
    #[cfg_attr(not(const_poseidon_narrow), inline(always))]
    fn next<B: Arithmetic<Bn254>, const D_LEVELS: u32>(
        &mut self,
        kappa: &Fr,
        coefficients: &[Pair; N],
    ) -> Option<&mut Past> {
        let sum = self.sum::<B>(by_pairs::<B>(N), kappa.limbs(), coefficients);
        self.newest = if self.newest == 0 { N - 1 } else { self.newest - 1 };
        let past = self.ring.get_mut(self.newest)?;
        B::reduce(&sum, &mut past.d);
        B::keep::<D_LEVELS>(&mut past.d);
        Some(past)
    }

    #[inline(always)]
    fn in_order(&self) -> impl Iterator<Item = &Past> {
        debug_assert!(self.newest < N);
        // Of one there is no order, and the compiler knows it.
        let newest = if N == 1 { 0 } else { self.newest };
        let (older, newer) = self.ring.split_at_checked(newest).unwrap_or((&[], &self.ring));
        newer.iter().chain(older)
    }
}

/// Whether sums over a history of n rounds are taken by pairs: else product by product.
const fn by_pairs<B: Arithmetic<Bn254>>(n: usize) -> bool {
    n > 1 && n >= B::FEW
}

/// Whether those of the exit are, whose bound has the coefficients' pairs too.
const fn exit_by_pairs<B: Arithmetic<Bn254>>(n: usize) -> bool {
    by_pairs::<B>(n) && n <= B::MANY
}

/// From the S-boxes' outputs in the last leading full round to the inputs of those in the first trailing one.
#[inline(never)]
fn partial_rounds<
    B: Arithmetic<Bn254>,
    const T: usize,
    const N: usize,
    const PARTIAL_ROUNDS: usize,
    const S: u64,
    const D_LEVELS: u32,
>(
    tables: &Fast<T, N, PARTIAL_ROUNDS>,
    products: Option<&mut Products<N>>,
    lanes: &mut [Limbs; T],
) {
    // Entry: Y, and a history whose D are zero.
    let pairs = rows_by_pairs::<B>(T).then(|| lane_pairs::<B, T>(lanes));
    let shared = pairs.as_ref().unwrap_or(&WIDE_ZERO);
    let mut first_y = ZERO;
    entry_value::<B, T>(&mut first_y, tables.y_constant.limbs(), shared, &tables.entry[0], lanes);
    let mut history = History { ring: [Past { d: ZERO, u: ZERO }; N], newest: 0, products };
    for (past, row) in history.ring.iter_mut().zip(tables.entry.iter().skip(1)) {
        entry_value::<B, T>(&mut past.u, &ZERO, shared, row, lanes);
    }

    // A copy, since a value whose place a function was given stays in memory: in vain where it does in any case.
    let mut copy = first_y;
    let y = if cfg!(const_poseidon_narrow) { &mut first_y } else { &mut copy };
    // The square's place is s Y's after it.
    let (mut square, mut fourth) = (ZERO, ZERO);
    // A round's own chain is Y, Y^2, Y^4, u. The rest stands between its steps, where a processor that looks some
    // two hundred instructions ahead finds it while the chain waits.
    for kappa in &tables.kappa {
        // Y < 3p, so Y^2 < 3.5 p, Y^4 < 4.1 p, u < 2p before it is kept, and the next Y = u + D < 3p.
        debug_assert!(is_below::<Bn254>(y, 12), "Y above its bound");
        B::square(y, &mut square);
        history.settle::<B>();
        B::square(&square, &mut fourth);
        B::small_multiple::<S>(y, &mut square);
        // Always there; written so that no panic is linked.
        let Some(past) = history.next::<B, D_LEVELS>(kappa, &tables.coefficients) else { return };
        B::multiply(&fourth, &square, &mut past.u);
        add(y, &past.u, &past.d);
    }
    history.settle::<B>();

    // Exit: lane 0 is Y unscaled, the others are sums over the history; the first trailing round's constants are in them.
    if let (true, Some(products), Some(pairs)) = (by_pairs::<B>(N), &mut history.products, tables.pairs) {
        wide_sub(&mut products.excess, pairs);
    }
    let mut rows = lanes.iter_mut();
    if let Some(lane) = rows.next() {
        exit_lane_0::<B>(lane, y, &tables.exit_lane_0, &tables.exit_lane_0_constant);
    }
    for (lane, (coefficients, constant)) in rows.zip(tables.exit.iter().zip(&tables.exit_constants)) {
        exit_lane::<B, N>(lane, &history, coefficients, constant);
    }
}

/// The S-boxes of all lanes. Not inlined: what the partial rounds need is not on the stack meanwhile.
#[inline(never)]
fn s_boxes<B: Arithmetic<Bn254>, const T: usize>(lanes: &mut [Limbs; T]) {
    lanes.iter_mut().for_each(s_box_in_place::<B>);
}

#[cfg_attr(const_poseidon_narrow, inline(never))]
#[cfg_attr(not(const_poseidon_narrow), inline(always))]
fn s_box_in_place<B: Arithmetic<Bn254>>(lane: &mut Limbs) {
    let x = *lane;
    s_box::<B>(&x, lane);
}

/// x = the constant and y unscaled.
#[inline(never)]
fn exit_lane_0<B: Arithmetic<Bn254>>(x: &mut Limbs, y: &Limbs, scale: &Fr, constant: &Fr) {
    let mut sum = B::begin(constant.limbs());
    B::add_product(&mut sum, y, scale.limbs());
    B::reduce(&sum, x);
}

/// Another lane of the exit. Not inlined: there are n, and once a hash.
#[inline(never)]
fn exit_lane<B: Arithmetic<Bn254>, const N: usize>(
    x: &mut Limbs,
    history: &History<N>,
    coefficients: &[Pair; N],
    constant: &Fr,
) {
    let mut sum = history.sum::<B>(exit_by_pairs::<B>(N), &ZERO, coefficients);
    reduce_exit::<B>(x, &mut sum, constant);
}

/// Of a sum of the exit, which may come near 2^512: 2p R less, reduced, plus its constant.
#[inline(always)]
fn reduce_exit<B: Arithmetic<Bn254>>(x: &mut Limbs, sum: &mut Wide, constant: &Fr) {
    B::sum_less_2p(sum);
    let mut value = ZERO;
    B::reduce(sum, &mut value);
    add(x, &value, constant.limbs());
    B::less_2p(x);
}

#[cfg(test)]
pub(super) mod tests {
    //! Every sum at its bound: operands that no state reaches together, all as large as each may be.

    #![allow(clippy::expect_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::field::tests::{additive, limbs, modulus, sum, value, RADIX_BITS};
    use num_bigint::BigUint;

    fn element(element: &Fr) -> BigUint {
        value(element.limbs())
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
        #[cfg(not(const_poseidon_narrow))]
        on_each::<crate::field::lazy::Portable, T, N, PARTIAL_ROUNDS, S, D_LEVELS, WIDE_ROWS>(tables, mds);
        #[cfg(const_poseidon_narrow)]
        on_each::<crate::field::limbs28::columns::Narrow, T, N, PARTIAL_ROUNDS, S, D_LEVELS, WIDE_ROWS>(tables, mds);
        #[cfg(const_poseidon_adx)]
        if crate::field::backend::has_adx() {
            on_each::<crate::field::lazy::Adx, T, N, PARTIAL_ROUNDS, S, D_LEVELS, WIDE_ROWS>(tables, mds);
        }
    }

    fn on_each<
        B: Arithmetic<Bn254>,
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
        let p = modulus();
        let most = &p - 1u32;
        let lanes = [limbs(&most); T];
        let shared = lane_pairs::<B, T>(&lanes);
        let inverse = (BigUint::from(1u32) << RADIX_BITS).modinv(&p).expect("p is odd");
        // x R -> x^5 R.
        let fifth = |x: &BigUint| x.pow(5) * inverse.pow(4) % &p;
        let residue = |sum: &BigUint| sum * &inverse % &p;
        let on = |x: &BigUint, operation: &dyn Fn(&mut Limbs)| {
            let mut x = limbs(x);
            operation(&mut x);
            value(&B::canonical::<2>(x))
        };

        // Rows of matrices with the largest constant: the sum fits, and what comes of it is right.
        for row in mds.iter().chain(&tables.entry) {
            let products: BigUint = row.iter().map(|m| element(m) * &most).sum();
            let pairs: BigUint = row.chunks_exact(2).map(|m| element(&m[0]) * element(&m[1])).sum();
            let mut exact = products + additive(&most);
            if rows_by_pairs::<B>(T) {
                let mut total = B::begin_less(&limbs(&most), &shared);
                add_row::<B, T>(&mut total, row, &lanes);
                exact += pairs;
                assert_eq!(sum(&total), exact, "t = {T}");
            }
            let entry = on(&most, &|x| entry_value::<B, T>(x, &limbs(&most), &shared, row, &lanes));
            assert_eq!(entry, residue(&exact));
        }
        for row in mds {
            let exact: BigUint = row.iter().map(|m| element(m) * &most).sum();
            assert_eq!(value(output::<B, T>(row, &lanes).limbs()), residue(&exact));
        }
        // Full rounds with the largest constants, and S-boxes on all that is just below their bound.
        let constants = [Fr::from_canonical(limbs(&most)); T];
        full_round::<B, T, WIDE_ROWS>(mds, &constants, &lanes, &mut lanes.clone());
        let bound = &p * 13u32 / 4u32;
        for below in 1..500u32 {
            let x = &bound - below;
            assert_eq!(on(&x, &|x| s_box::<B>(&x.clone(), x)), fifth(&x));
        }

        // The recurrence and the exit, on a history of the largest values.
        let mut product = WIDE_ZERO;
        B::add_product(&mut product, &lanes[0], &lanes[0]);
        assert_eq!(tables.pairs.is_some(), by_pairs::<B>(N));
        let pairs = tables.pairs.copied().unwrap_or(WIDE_ZERO);
        let mut products = Products { each: [product; N], excess: pairs };
        (0..N).for_each(|_| wide_add(&mut products.excess, &product));
        let past = Past { d: lanes[0], u: lanes[0] };
        let products = by_pairs::<B>(N).then_some(&mut products);
        let mut history = History { ring: [past; N], newest: N / 2, products };
        let coefficients: BigUint = tables.coefficients.iter().map(|pair| element(&pair.d) + element(&pair.u)).sum();
        let exact = coefficients * &most + additive(&most);
        for pairs in [false, by_pairs::<B>(N)] {
            let total = history.sum::<B>(pairs, &limbs(&most), &tables.coefficients);
            assert_eq!(sum(&total), exact, "t = {T}");
            let mut d = ZERO;
            B::reduce(&total, &mut d);
            assert_eq!(value(&B::canonical::<D_LEVELS>(d)), residue(&exact));
        }
        if let Some(products) = &mut history.products {
            wide_sub(&mut products.excess, &pairs);
        }
        for row in &tables.exit {
            let pairs: BigUint = row.iter().map(|pair| element(&pair.d) * element(&pair.u)).sum();
            let products: BigUint = row.iter().map(|pair| (element(&pair.d) + element(&pair.u)) * &most).sum();
            let exact = if exit_by_pairs::<B>(N) { products + pairs } else { products };
            let lane = exact * &inverse + &most;
            let constant = Fr::from_canonical(limbs(&most));
            let boxed = on(&most, &|x| {
                exit_lane::<B, N>(x, &history, row, &constant);
                s_box::<B>(&x.clone(), x);
            });
            assert_eq!(boxed, fifth(&lane));
        }
        // In words, an exit's sum is largest after the subtraction when it is just below 2p R before.
        #[cfg(not(const_poseidon_narrow))]
        for below in 1..500u32 {
            let total = ((&p * 2u32 - 1u32) << 256u32) + &p;
            let constant = &p - below;
            let lane = &total * &inverse + &constant;
            let constant = Fr::from_canonical(limbs(&constant));
            let mut total = crate::field::tests::words(&total);
            let (mut x, mut boxed) = (ZERO, ZERO);
            reduce_exit::<B>(&mut x, &mut total, &constant);
            s_box::<B>(&x, &mut boxed);
            assert_eq!(value(&boxed), fifth(&lane));
        }

        // The chain of a partial round, from Y just below its bound.
        let (bound, limb_by_limb) = if cfg!(const_poseidon_narrow) { (2u32, true) } else { (3, false) };
        for below in 1..500u32 {
            let exact = &p * bound - below;
            // As the sum of two values, whose limbs are not carried in the narrow representation.
            let (half, other) = (&exact / 2u32, &exact - &exact / 2u32);
            let (mut y, mut square, mut fourth, mut u) = (ZERO, ZERO, ZERO, ZERO);
            add(&mut y, &limbs(&half), &limbs(&other));
            assert!(limb_by_limb || y == limbs(&exact));
            B::square(&y, &mut square);
            B::square(&square, &mut fourth);
            B::small_multiple::<S>(&y, &mut square);
            B::multiply(&fourth, &square, &mut u);
            assert!(value(&u) < &p * 2u32);
            assert_eq!(value(&B::canonical::<1>(u)), fifth(&exact) * S % &p);
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
