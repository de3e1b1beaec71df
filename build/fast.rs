//! The tables of the fast permutation, `src/poseidon/fast.rs`: the recurrence's, arranged for sums of products of pairs.
//!
//! A row's dot product takes two products at once (Winograd 1968): with m the row and x the vector,
//!
//! ```text
//! sum (m[2i] + x[2i+1]) (m[2i+1] + x[2i])  =  sum m[j] x[j]  +  sum m[2i] m[2i+1]  +  sum x[2i] x[2i+1]
//! ```
//!
//! The last sum is the same for all rows, and the middle one, the row's pairs, comes off its additive constant.

use crate::field::{Element, Field, ZERO};
use crate::instance::{Instance, FULL_ROUNDS};
use crate::recurrence::Recurrence;

/// Which sums are taken by pairs, as the representation's `FEW` and `MANY` have it in `src/poseidon/fast.rs`.
#[derive(Clone, Copy)]
pub(crate) struct ByPairs {
    pub(crate) rows: bool,
    pub(crate) history: bool,
    pub(crate) exit: bool,
}

pub(crate) struct Fast {
    pub(crate) by_pairs: ByPairs,
    /// Added before the first round's S-boxes.
    pub(crate) first: Vec<Element>,
    /// Lane 0 after the first round's S-boxes when the domain tag is 0.
    pub(crate) untagged: Element,
    /// Added after the matrices of the first three rounds, less the rows' pairs.
    pub(crate) leading: Vec<Vec<Element>>,
    /// Added to Y[0], less its row's pairs.
    pub(crate) y_constant: Element,
    /// The recurrence's, less what the pairs of the entry's other rows put into the history.
    pub(crate) kappa: Vec<Element>,
    /// The sum of a[j] b[j] as 512 bits, not modulo p.
    pub(crate) pairs: [u64; 8],
    /// Added to lane 0 in the exit: the first trailing round's constant.
    pub(crate) exit_lane_0_constant: Element,
    /// Added to the other lanes, less the rows' pairs if it is taken by pairs: the constants of the first trailing round are in it.
    pub(crate) exit_constants: Vec<Element>,
    /// Added after the matrices of the next three rounds, less the rows' pairs.
    pub(crate) trailing: Vec<Vec<Element>>,
    /// D is below 2^levels p when it comes out of the reduction.
    pub(crate) d_levels: u32,
    /// An S-box's input may be above its bound: 2p is taken off first.
    pub(crate) wide_rows: bool,
}

impl Fast {
    pub(crate) fn arrange(field: &Field, instance: &Instance, recurrence: &Recurrence, by_pairs: ByPairs) -> Self {
        let pairs = |row: &[Element]| {
            let pairs = row.chunks_exact(2).take(if by_pairs.rows { row.len() } else { 0 });
            pairs.fold(ZERO, |sum, pair| field.add(sum, field.mul(pair[0], pair[1])))
        };
        let mds_pairs: Vec<Element> = instance.mds.iter().map(|row| pairs(row)).collect();
        let less_pairs = |constants: &[Element]| -> Vec<Element> {
            constants.iter().zip(&mds_pairs).map(|(&constant, &pairs)| field.sub(constant, pairs)).collect()
        };
        let half = FULL_ROUNDS / 2;
        let constants = &instance.round_constants;
        let after = half + instance.partial_rounds;

        // u[-m] comes out too large by its row's pairs: take b[i] times that out of each kappa that it reaches.
        let n = instance.width - 1;
        let excess: Vec<Element> = recurrence.entry[1..].iter().map(|row| pairs(row)).collect();
        let mut kappa = recurrence.kappa.clone();
        for (r, kappa) in kappa.iter_mut().enumerate().take(n) {
            for i in r..n {
                *kappa = field.sub(*kappa, field.mul(recurrence.b[i], excess[i - r]));
            }
        }

        let mut exit_constants = Vec::new();
        for lane in 0..n {
            let constant = field.add(recurrence.exit_constants[lane], constants[after][lane + 1]);
            let pairs = field.dot(&recurrence.exit_d[lane], &recurrence.exit_u[lane]);
            exit_constants.push(if by_pairs.exit { field.sub(constant, pairs) } else { constant });
        }

        let bounds = Bounds::new(field);
        Fast {
            by_pairs,
            first: constants[0].clone(),
            untagged: field.pow5(constants[0][0]),
            leading: constants[1..half].iter().map(|row| less_pairs(row)).collect(),
            y_constant: field.sub(recurrence.entry_constant, pairs(&recurrence.entry[0])),
            kappa,
            pairs: sum_of_products(&recurrence.a, &recurrence.b),
            exit_lane_0_constant: constants[after][0],
            exit_constants,
            trailing: constants[after + 1..after + half].iter().map(|row| less_pairs(row)).collect(),
            d_levels: bounds.partial_rounds(instance, recurrence),
            wide_rows: bounds.full_rounds(instance, recurrence),
        }
    }
}

/// What an S-box takes, in units of p.
const S_BOX_INPUT: f64 = 3.25;

/// The bounds that `src/poseidon/fast.rs` states, from the tables' entries as they are: in units of p, in floating point. The
/// slack in `units`, `rho`, `reduced` and `limit`, a millionth and more, is far above what a few dozen roundings lose.
struct Bounds {
    /// The modulus's top word.
    top: f64,
    /// 2^-64 mod p, in units of p.
    inverse_2_64: f64,
}

impl Bounds {
    fn new(field: &Field) -> Self {
        let mut bounds = Bounds { top: field.modulus[3] as f64, inverse_2_64: 0.0 };
        let element = field.inverse(field.element([0, 1, 0, 0]));
        bounds.inverse_2_64 = bounds.units(&field.integer(element));
        bounds
    }

    /// Everything but the partial rounds. Whether S-box inputs must be brought down.
    fn full_rounds(&self, instance: &Instance, recurrence: &Recurrence) -> bool {
        let t = instance.width;
        // A row on canonical values, in units of p^2: its products and its pairs.
        let row = |row: &[Element]| self.sum(row) + self.sum_of_products(row.chunks_exact(2).map(|m| (&m[0], &m[1])));
        let most = |rows: &[Vec<Element>]| rows.iter().map(|r| row(r)).fold(0.0, f64::max);

        // A row's sum with a constant below p R, and then the S-box, after one subtraction of 2p if the rows are wide.
        let lane = self.reduced(most(&instance.mds), 1.0);
        let wide_rows = lane > S_BOX_INPUT;
        let input = if wide_rows { less_2p(lane) } else { lane };
        assert!(lane < self.limit() && self.s_box(input) < 3.999, "t = {t}: a full round's lane");

        // Entry: made canonical from anything.
        assert!(self.reduced(most(&recurrence.entry), 1.0) < self.limit(), "t = {t}: the entry");

        // Exit: a row's upper half loses 2p before the reduction, and the constant is added after it.
        let exit = recurrence.exit_d.iter().zip(&recurrence.exit_u);
        let exit = exit.map(|(d, u)| self.sum(d) + self.sum(u) + self.sum_of_products(d.iter().zip(u)));
        let upper = exit.fold(0.0, f64::max) * self.rho();
        assert!(upper < self.limit(), "t = {t}: the exit's sum passes 2^512");
        let lane = less_2p(upper) + 1.001 + 1.0;
        assert!(lane < self.limit() && self.s_box(less_2p(lane)) < 3.999, "t = {t}: the exit's lanes");
        assert!(self.s_box(self.reduced(3.0, 1.0)) < 3.999, "t = {t}: the exit's lane 0");

        // The last matrix, without pairs and constants.
        let last = instance.mds.iter().map(|row| self.sum(row)).fold(0.0, f64::max);
        assert!(self.reduced(last, 0.0) < 3.999, "t = {t}: the output");
        wide_rows
    }

    /// The recurrence. How many doublings of p are above D.
    fn partial_rounds(&self, instance: &Instance, recurrence: &Recurrence) -> u32 {
        let t = instance.width;
        // Of canonical D and u, with kappa below p; the pairs are subtracted exactly.
        let d = self.reduced(self.sum(&recurrence.a) + self.sum(&recurrence.b), 1.0);
        assert!(d < self.limit(), "t = {t}: D");
        // u = Y^4 * (s Y, canonical), Y = u + D.
        let fourth = self.squared(self.squared(3.0));
        assert!(self.reduced(fourth, 0.0) < 2.0 - 0.001, "t = {t}: u");
        if d < 2.0 {
            1
        } else if d < 4.0 {
            2
        } else {
            3
        }
    }

    fn units(&self, value: &Element) -> f64 {
        (value[3] as f64 + 1.0) / self.top * 1.000_001
    }

    fn sum(&self, row: &[Element]) -> f64 {
        row.iter().map(|value| self.units(value)).sum()
    }

    fn sum_of_products<'a>(&self, pairs: impl Iterator<Item = (&'a Element, &'a Element)>) -> f64 {
        pairs.map(|(a, b)| self.units(a) * self.units(b)).sum()
    }

    /// p / 2^256.
    fn rho(&self) -> f64 {
        (self.top + 1.0) / 2f64.powi(64) * 1.000_001
    }

    /// 2^256 in units of p.
    fn limit(&self) -> f64 {
        0.999 / self.rho()
    }

    /// What a reduction leaves of a sum in units of p^2 and a constant in units of p.
    fn reduced(&self, sum: f64, constant: f64) -> f64 {
        sum * self.rho() + constant + 1.001
    }

    /// x^5.
    fn s_box(&self, x: f64) -> f64 {
        assert!(x <= S_BOX_INPUT, "an S-box's input above its bound");
        self.reduced(self.squared(self.squared(x)) * x, 0.0)
    }

    /// x^2, reduced the sooner way: 2^-64 mod p more.
    fn squared(&self, x: f64) -> f64 {
        let square = self.reduced(x * x, 0.0) + self.inverse_2_64;
        assert!(square < self.limit(), "a square passes 2^256");
        square
    }
}

/// What is left of a value when 2p is subtracted from those that are not below it.
fn less_2p(value: f64) -> f64 {
    f64::max(2.0, value - 2.0)
}

/// The sum of the products as integers, which must be below 2^512.
fn sum_of_products(a: &[Element], b: &[Element]) -> [u64; 8] {
    let mut sum = [0u64; 8];
    for (a, b) in a.iter().zip(b) {
        for i in 0..4 {
            let mut carry = 0;
            for j in 0..8 - i {
                let product = b.get(j).map_or(0, |&b| u128::from(a[i]) * u128::from(b));
                let word = u128::from(sum[i + j]) + product + carry;
                sum[i + j] = word as u64;
                carry = word >> 64;
            }
            assert_eq!(carry, 0);
        }
    }
    sum
}
