//! The tables of the permutation over vector registers, `src/wide.rs`: 52-bit limbs, R = 2^260 in products, a lane a slot.
//!
//! Values stay a * 2^256 between rounds, as everywhere. A product of two divides by 2^260, so that
//! x^5 comes out of three as x^5 * 2^240, which the matrices after S-boxes make good: their entries are m * 2^276. Other entries are
//! m * 2^260. Constants are in sums from the start, as c * 2^516 mod p: what is left of that after the reduction is below p / 84, where
//! c * 2^256 added afterwards would be below p.

use crate::field::{Element, Field};
use crate::instance::{Instance, FULL_ROUNDS};
use crate::recurrence::Recurrence;

/// What `src/wide.rs` says of each. Matrices are columns, rows have a value for each lane.
pub(crate) struct Wide {
    pub(crate) first: Vec<Element>,
    pub(crate) mds: Vec<Vec<Element>>,
    pub(crate) constants: Vec<Vec<Element>>,
    pub(crate) y: Vec<Element>,
    pub(crate) y_constant: Element,
    pub(crate) entry: Vec<Vec<Element>>,
    pub(crate) kappa: Vec<Element>,
    pub(crate) a: Vec<Element>,
    pub(crate) b: Vec<Element>,
    pub(crate) exit: Vec<Vec<Element>>,
    pub(crate) output: Vec<Element>,
}

impl Wide {
    pub(crate) fn arrange(field: &Field, instance: &Instance, recurrence: &Recurrence) -> Self {
        let after_s_boxes = field.element([1 << 20, 0, 0, 0]);
        let otherwise = field.element([1 << 4, 0, 0, 0]);
        let scaled = |row: &[Element], factor| -> Vec<Element> { row.iter().map(|&x| field.mul(x, factor)).collect() };
        let columns = |rows: &[Vec<Element>], factor| -> Vec<Vec<Element>> {
            (0..instance.width).map(|j| rows.iter().map(|row| field.mul(row[j], factor)).collect()).collect()
        };
        let half_radix = field.element([0, 0, 1 << 2, 0]);
        let alone = field.mul(half_radix, half_radix);
        let half = FULL_ROUNDS / 2;
        let constants = &instance.round_constants;
        let after = half + instance.partial_rounds;
        let observer = &recurrence.observer;
        let exit_constants = observer.exit_constants.iter().zip(&constants[after]);
        let mut added = constants[1..half].to_vec();
        added.push(exit_constants.map(|(&x, &c)| field.add(x, c)).collect());
        added.extend_from_slice(&constants[after + 1..after + half]);
        let wide = Wide {
            first: constants[0].clone(),
            mds: columns(&instance.mds, after_s_boxes),
            constants: added.iter().map(|row| scaled(row, alone)).collect(),
            y: scaled(&recurrence.entry[0], after_s_boxes),
            y_constant: field.mul(recurrence.entry_constant, alone),
            entry: columns(&observer.entry, after_s_boxes),
            kappa: scaled(&recurrence.kappa, alone),
            a: scaled(&recurrence.a, otherwise),
            b: scaled(&recurrence.b, otherwise),
            exit: columns(&observer.exit, otherwise),
            output: scaled(&instance.mds[0], after_s_boxes),
        };
        let bounds = Bounds::of(field, &wide);
        bounds.check(instance);
        bounds.check_batch(instance, recurrence.s as f64);
        wide
    }
}

/// In units of p, from the tables' entries as they are; in floating point with slack far above its roundings.
struct Bounds {
    /// p / 2^256 and p / 2^260.
    rho: f64,
    rho_52: f64,
    /// 2^-64 mod p.
    inverse_2_64: f64,
    /// The recurrence's coefficients, added up.
    a: f64,
    b: f64,
    /// The entry's largest row, added up: for Y[0] or w.
    entry: f64,
}

impl Bounds {
    fn of(field: &Field, wide: &Wide) -> Self {
        let top = field.modulus[3] as f64;
        let rho = (top + 1.0) / 2f64.powi(64) * 1.000_001;
        let inverse = field.integer(field.inverse(field.element([0, 1, 0, 0])));
        let units = |value: &Element| (value[3] as f64 + 1.0) / top * 1.000_001;
        let sum = |row: &[Element]| -> f64 { row.iter().map(units).sum() };
        let rows = (0..wide.a.len()).map(|j| wide.entry.iter().map(|column| units(&column[j])).sum());
        Bounds {
            rho,
            rho_52: rho / 16.0,
            inverse_2_64: (inverse[3] as f64 + 1.0) / top * 1.000_001,
            a: sum(&wide.a),
            b: sum(&wide.b),
            entry: rows.fold(sum(&wide.y), f64::max),
        }
    }

    /// x^5.
    fn s_box(&self, x: f64) -> f64 {
        let second = x * x * self.rho_52 + 5.01;
        let fourth = second * second * self.rho_52 + 5.01;
        fourth * x * self.rho_52 + 5.01
    }

    /// x^5, where x is a matrix on such lanes and a constant, reduced.
    fn lane(&self, t: f64) -> f64 {
        let mut lane = 5.01;
        for _ in 0..50 {
            let x = t * lane * self.rho_52 + self.rho_52 + 5.01;
            lane = self.s_box(x);
            assert!(x < 8.0 && lane < 6.5, "t = {t}: the S-boxes");
        }
        lane
    }

    fn check(&self, instance: &Instance) {
        let t = instance.width as f64;
        let constant = self.rho_52;
        let lane = self.lane(t);
        // The S-boxes after the exit, whose input is below 8; and what comes of those.
        let after_exit = self.s_box(8.0);
        assert!(after_exit < 6.5 && t * 6.5 * self.rho_52 + constant + 5.01 < 8.0, "t = {t}: after the exit");
        // The last matrix, by the longer reduction.
        assert!(t * 6.5 * self.rho_52 + 1.0 < f64::min(3.999, self.limit()), "t = {t}: the output");

        // Y[0], then the partial rounds, from the coefficients as they are: D, u and Y of one round from those before.
        let mut y = self.entry * lane * self.rho_52 + constant + 1.0;
        let (mut d, mut u) = (0.0, 0.0);
        // With room, Y is u + D less 2p, and squares are reduced sooner; else all is made canonical.
        let room = self.limit() > 5.0;
        for _ in 0..instance.partial_rounds {
            if room {
                assert!(y < 3.25, "t = {t}: Y");
            } else {
                assert!(y < 1.999, "t = {t}: Y before it is canonical");
                y = 1.0;
            }
            let excess = if room { self.inverse_2_64 } else { 0.0 };
            let square = y * y * self.rho + 1.001 + excess;
            let fourth = square * square * self.rho + 1.001 + excess;
            assert!(square < self.limit() && fourth < self.limit(), "t = {t}: Y^4");
            let scaled = if room { 2.0 } else { 1.0 };
            u = f64::max(u, fourth * scaled * self.rho + 1.001);
            d = f64::max(d, (self.entry * lane + self.a * d + self.b * u) * self.rho_52 + constant + 1.0);
            if room {
                assert!(u + d < self.limit(), "t = {t}: Y passes 2^256");
                y = f64::max(y, f64::max(2.0, u + d - 2.0));
            } else {
                assert!(u < 1.999 && d < 1.999, "t = {t}: u or D before they are canonical");
            }
        }
        // The exit, on Y and w; then S-boxes.
        let w = (self.entry * lane + self.a * d + self.b * u) * self.rho_52 + 5.01;
        assert!(t * w * self.rho_52 + constant + 5.01 < 8.0, "t = {t}: the exit's lanes");
    }

    /// `src/batch.rs`: Y^4, u and D by the longer reduction, and what is carried below 2^260.
    fn check_batch(&self, instance: &Instance, s: f64) {
        let t = instance.width as f64;
        let lane = self.lane(t);
        let mut y = self.entry * lane * self.rho_52 + self.rho_52 + 1.0;
        let (mut d, mut u) = (0.0, 0.0);
        for _ in 0..instance.partial_rounds {
            let square = y * y * self.rho_52 + 5.01;
            let fourth = square * square * self.rho_52 + 1.001;
            assert!(s * y < 0.999 / self.rho_52, "t = {t}: s Y passes 2^260");
            u = f64::max(u, fourth * s * y * self.rho_52 + 1.001);
            d = f64::max(d, (self.entry * lane + self.a * d + self.b * u) * self.rho_52 + self.rho_52 + 1.001);
            y = f64::max(y, u + d);
        }
        let w = (self.entry * lane + self.a * d + self.b * u) * self.rho_52 + 5.01;
        let most = f64::max(w, y);
        assert!(t * most * self.rho_52 + self.rho_52 + 5.01 < 8.0, "t = {t}: the exit's lanes");
    }

    /// 2^256.
    fn limit(&self) -> f64 {
        0.999 / self.rho
    }
}
