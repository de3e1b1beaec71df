//! The partial rounds as one linear recurrence, derived from an instance's round constants and MDS matrix.
//!
//! In a partial round only lane 0 meets the S-box. Write its matrix M = [[m00, v], [w, A]] and let z be lanes 1.. (n = t - 1 of them).
//! With x = (lane 0 + its constant)^5, u = m00 * x and D = v.(z + constants) + the next round's constant for lane 0,
//!
//! ```text
//! the next S-box's input  Y' = u + D
//! lanes 1..               z' = (w / m00) u + A (z + constants)
//! ```
//!
//! so D is the output of a linear system of order n that u drives. By Cayley and Hamilton it obeys
//!
//! ```text
//! D[r+1] = kappa[r] + sum_{j=1..n} a[j] D[r+1-j] + sum_{i=1..n} b[i] u[r-i]
//! ```
//!
//! Everything is scaled by a factor mu, chosen so that u is a small integer s times Y^5: m00 = s mu^4.
//! The matrix before is merged with the map from the state to the history (`entry`), which starts with all D zero; the map from
//! the last n values of D and u to lanes 1.. (`exit_d`, `exit_u`) comes after the last partial round.

use crate::field::{Element, Field, ZERO};
use crate::instance::{Instance, FULL_ROUNDS};

type Matrix = Vec<Vec<Element>>;

pub(crate) struct Recurrence {
    /// u = s * Y^5.
    pub(crate) s: u64,
    /// The coefficients of D[r], D[r-1], ..
    pub(crate) a: Vec<Element>,
    /// The coefficients of u[r-1], u[r-2], ..
    pub(crate) b: Vec<Element>,
    pub(crate) kappa: Vec<Element>,
    /// In place of M in the last leading full round: Y[0], then u[-1], u[-2], .. u[-n].
    pub(crate) entry: Matrix,
    /// Added to Y[0].
    pub(crate) entry_constant: Element,
    /// Lane 0 after the last partial round, from Y.
    pub(crate) exit_lane_0: Element,
    /// Lane i + 1 from D[R_P], D[R_P - 1], .. and from u[R_P - 1], u[R_P - 2], ..
    pub(crate) exit_d: Matrix,
    pub(crate) exit_u: Matrix,
    /// Added to lanes 1..
    pub(crate) exit_constants: Vec<Element>,
    /// The same system with another state.
    pub(crate) observer: Observer,
}

/// The recurrence with what the next values of D already have of the past for its state, w[j] in D[r+1+j], in place of the
/// past itself:
///
/// ```text
/// D[r+1] = kappa[r] + w[0]        w'[j] = w[j+1] + a[j+1] D[r+1] + b[j+1] u[r]
/// ```
pub(crate) struct Observer {
    /// In place of M in the last leading full round: w. Y[0] is as above.
    pub(crate) entry: Matrix,
    /// From Y and w, after the last partial round, to the lanes.
    pub(crate) exit: Matrix,
    /// Added to them.
    pub(crate) exit_constants: Vec<Element>,
}

impl Observer {
    /// `wanted` is from lanes 1.. to w; `z` and `offsets` are what the constants alone make of lanes 1.. and D.
    fn derive(
        field: &Field,
        mds: &[Vec<Element>],
        mu: Element,
        wanted: &[Vec<Element>],
        a: &[Element],
        (z, offsets): (&[Element], &[Element]),
    ) -> Self {
        let n = a.len();
        let scaled = |row: Vec<Element>, factor| row.into_iter().map(|x| field.mul(x, factor)).collect::<Vec<_>>();
        let entry = wanted.iter().map(|row| scaled(field.row_times(row, &mds[1..]), mu)).collect();

        let mu_inverse = field.inverse(mu);
        let inverse = field.invert_matrix(wanted).expect("w determines lanes 1..");
        // What the constants put into w by way of D; z has them itself.
        let last = offsets.len() - 1;
        let by_way_of_d: Vec<Element> = (0..n)
            .map(|j| (j..n).fold(ZERO, |sum, k| field.add(sum, field.mul(a[k], offsets[last + j - k]))))
            .collect();
        let mut exit = vec![vec![ZERO; n + 1]];
        exit[0][0] = mu_inverse;
        let mut exit_constants = vec![ZERO];
        for (&z, row) in z.iter().zip(inverse) {
            exit_constants.push(field.sub(z, field.dot(&row, &by_way_of_d)));
            let mut row = scaled(row, mu_inverse);
            row.insert(0, ZERO);
            exit.push(row);
        }
        Observer { entry, exit, exit_constants }
    }
}

impl Recurrence {
    pub(crate) fn derive(field: &Field, instance: &Instance) -> Self {
        let n = instance.width - 1;
        let (mds, partial) = (&instance.mds, &instance.partial_mds);
        let m00 = partial[0][0];
        let v = &partial[0][1..];
        let block: Matrix = partial[1..].iter().map(|row| row[1..].to_vec()).collect();
        let m00_inverse = field.inverse(m00);
        let w: Vec<Element> = partial[1..].iter().map(|row| field.mul(row[0], m00_inverse)).collect();

        // m00 = s mu^4. The nonzero elements modulo fourth powers are four classes, so a small s is in each.
        let (s, mu) = (1..64)
            .find_map(|s| {
                let quotient = field.mul(m00, field.inverse(field.element([s, 0, 0, 0])));
                field.fourth_root(quotient).map(|mu| (s, mu))
            })
            .expect("one of the first integers is in the class of m00");
        let mu_inverse = field.inverse(mu);

        // Observability: the rows v A^k, k < n, and one more; and the response h[k] = v A^k w.
        let mut observe: Matrix = vec![v.to_vec()];
        for k in 0..n {
            let row = field.row_times(&observe[k], &block);
            observe.push(row);
        }
        let last = observe.pop().expect("n + 1 rows");
        let observe_inverse = field.invert_matrix(&observe).expect("lane 0 observes lanes 1..");
        let h: Vec<Element> = observe.iter().map(|row| field.dot(row, &w)).collect();

        // v A^n = sum a[j] v A^(n-j), which is the characteristic polynomial's relation.
        let mut a = field.row_times(&last, &observe_inverse);
        a.reverse();
        // b[i] = h[i] - sum a[j] h[i-1-j]: what the recurrence does not make of the earlier responses.
        let b: Vec<Element> =
            (0..n).map(|i| (0..i).fold(h[i], |sum, j| field.sub(sum, field.mul(a[j], h[i - 1 - j])))).collect();
        assert_ne!(b[n - 1], ZERO, "t = {}: the history does not determine the state", instance.width);

        let half = FULL_ROUNDS / 2;
        let constants = &instance.round_constants[half..half + instance.partial_rounds];
        let (z, offsets) = constants_alone(field, constants, v, &block);
        let kappa = (0..offsets.len())
            .map(|r| {
                let past = (0..n.min(r)).map(|j| field.mul(a[j], offsets[r - 1 - j]));
                field.mul(mu, past.fold(offsets[r], |sum, term| field.sub(sum, term)))
            })
            .collect();

        // Entry: the u[-m] that, with all D before them zero, give the D[1..=n] which z alone gives. Row k of `wanted`
        // is D[k+1] less what the recurrence makes of D[1..=k].
        let wanted: Matrix = (0..n)
            .map(|k| (0..k).fold(observe[k].clone(), |row, j| field.subtract_multiple(&row, a[j], &observe[k - 1 - j])))
            .collect();
        let b_last_inverse = field.inverse(b[n - 1]);
        let mut history: Matrix = Vec::new();
        for m in 0..n {
            let k = n - 1 - m;
            let row = (0..m).fold(wanted[k].clone(), |row, i| field.subtract_multiple(&row, b[k + i], &history[i]));
            history.push(row.iter().map(|&x| field.mul(x, b_last_inverse)).collect());
        }
        let entry = std::iter::once(mds[0].clone())
            .chain(history.iter().map(|row| field.row_times(row, &mds[1..])))
            .map(|row| row.into_iter().map(|x| field.mul(x, mu)).collect())
            .collect();

        // Exit: z n rounds ago is O^-1 (D - H u), O the observability matrix and H its response to u; then n rounds on.
        // A^n O^-1 = O^-1 C^n, C = O A O^-1 the companion matrix, whose last row is a reversed.
        let mut from_d = observe_inverse.clone();
        for _ in 0..n {
            for row in &mut from_d {
                let carry = row.pop().expect("n entries");
                row.insert(0, ZERO);
                for (x, &a) in row.iter_mut().zip(a.iter().rev()) {
                    *x = field.add(*x, field.mul(carry, a));
                }
            }
        }
        let mut powers_w = vec![w.clone()]; // A^k w
        for k in 1..n {
            let next = block.iter().map(|row| field.dot(row, &powers_w[k - 1])).collect();
            powers_w.push(next);
        }
        let scale = |x| field.mul(x, mu_inverse);
        let mut exit_u = Matrix::new();
        let mut exit_d = Matrix::new();
        let mut exit_constants = Vec::new();
        for (lane, row) in from_d.iter().enumerate() {
            // From the oldest, i = 0, to the newest: A^(n-1-i) w less what is already in the later D.
            let oldest_first = (0..n).map(|i| {
                let later = (i + 1..n).map(|k| field.mul(row[k], h[k - 1 - i]));
                scale(later.fold(powers_w[n - 1 - i][lane], |sum, term| field.sub(sum, term)))
            });
            let mut u: Vec<Element> = oldest_first.collect();
            u.reverse();
            exit_u.push(u);
            exit_d.push(row.iter().rev().map(|&x| scale(x)).collect());
            let recent = &offsets[offsets.len() - n..];
            exit_constants.push(field.sub(z[lane], field.dot(row, recent)));
        }

        let observer = Observer::derive(field, mds, mu, &wanted, &a, (&z, &offsets));
        let recurrence = Recurrence {
            s,
            a,
            b,
            kappa,
            entry,
            entry_constant: field.mul(mu, constants[0][0]),
            exit_lane_0: mu_inverse,
            exit_d,
            exit_u,
            exit_constants,
            observer,
        };
        recurrence.check(field, instance);
        recurrence
    }

    /// The permutation in this form is the textbook's, on a random state.
    fn check(&self, field: &Field, instance: &Instance) {
        // Any fixed state will do: the next elements of a multiplicative generator.
        let seed = field.element([0x9e37_79b9_7f4a_7c15, instance.width as u64, 7, 11]);
        let mut state = vec![seed; instance.width];
        for i in 1..instance.width {
            state[i] = field.mul(field.mul(state[i - 1], state[i - 1]), seed);
        }
        let mut expected = state.clone();
        instance.textbook(field, &mut expected);

        // The rounds before the last leading one; then its S-boxes.
        let half = FULL_ROUNDS / 2;
        for round in 0..half - 1 {
            full_round(field, &mut state, &instance.round_constants[round], &instance.mds);
        }
        let boxed = s_boxes(field, &state, &instance.round_constants[half - 1]);
        for mut state in [self.by_history(field, &boxed), self.by_observer(field, &boxed)] {
            for round in half + instance.partial_rounds..FULL_ROUNDS + instance.partial_rounds {
                full_round(field, &mut state, &instance.round_constants[round], &instance.mds);
            }
            assert_eq!(state, expected, "t = {}: the recurrence is not the permutation", instance.width);
        }
    }

    fn by_history(&self, field: &Field, boxed: &[Element]) -> Vec<Element> {
        let n = self.a.len();
        let entry: Vec<Element> = self.entry.iter().map(|row| field.dot(row, boxed)).collect();
        let mut y = field.add(entry[0], self.entry_constant);
        let mut u = entry[1..].to_vec();
        let mut d = vec![ZERO; n];
        let s = field.element([self.s, 0, 0, 0]);
        for &kappa in &self.kappa {
            let next = field.add(kappa, field.add(field.dot(&self.a, &d), field.dot(&self.b, &u)));
            let newest = field.mul(s, field.pow5(y));
            y = field.add(newest, next);
            d.insert(0, next);
            d.truncate(n);
            u.insert(0, newest);
            u.truncate(n);
        }
        let mut state = vec![field.mul(y, self.exit_lane_0)];
        for lane in 0..n {
            let products = field.add(field.dot(&self.exit_d[lane], &d), field.dot(&self.exit_u[lane], &u));
            state.push(field.add(products, self.exit_constants[lane]));
        }
        state
    }

    fn by_observer(&self, field: &Field, boxed: &[Element]) -> Vec<Element> {
        let mut y = field.add(field.dot(&self.entry[0], boxed), self.entry_constant);
        let mut w: Vec<Element> = self.observer.entry.iter().map(|row| field.dot(row, boxed)).collect();
        let s = field.element([self.s, 0, 0, 0]);
        for &kappa in &self.kappa {
            let d = field.add(kappa, w.remove(0));
            let u = field.mul(s, field.pow5(y));
            y = field.add(u, d);
            w.push(ZERO);
            for ((w, &a), &b) in w.iter_mut().zip(&self.a).zip(&self.b) {
                *w = field.add(*w, field.add(field.mul(a, d), field.mul(b, u)));
            }
        }
        w.insert(0, y);
        let rows = self.observer.exit.iter().zip(&self.observer.exit_constants);
        rows.map(|(row, &constant)| field.add(field.dot(row, &w), constant)).collect()
    }
}

/// What the constants make of a zero state: lanes 1.. after the last partial round, and D[1..].
fn constants_alone(
    field: &Field,
    constants: &[Vec<Element>],
    v: &[Element],
    block: &[Vec<Element>],
) -> (Vec<Element>, Vec<Element>) {
    let mut z = vec![ZERO; v.len()];
    let mut offsets = Vec::new();
    for (r, row) in constants.iter().enumerate() {
        let sum: Vec<Element> = z.iter().zip(&row[1..]).map(|(&z, &c)| field.add(z, c)).collect();
        let next = constants.get(r + 1).map_or(ZERO, |next| next[0]);
        offsets.push(field.add(field.dot(v, &sum), next));
        z = block.iter().map(|row| field.dot(row, &sum)).collect();
    }
    (z, offsets)
}

fn s_boxes(field: &Field, state: &[Element], constants: &[Element]) -> Vec<Element> {
    state.iter().zip(constants).map(|(&x, &c)| field.pow5(field.add(x, c))).collect()
}

fn full_round(field: &Field, state: &mut [Element], constants: &[Element], matrix: &[Vec<Element>]) {
    let boxed = s_boxes(field, state, constants);
    for (lane, row) in state.iter_mut().zip(matrix) {
        *lane = field.dot(row, &boxed);
    }
}
