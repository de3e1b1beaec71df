//! Arithmetic modulo the instance's prime, for the derivation alone: run-time modulus, Montgomery form with R = 2^256.
//!
//! Nothing here is shared with `src/field`: a mistake in one would show against the other.

use std::cmp::Ordering;

/// An element in Montgomery form (a * 2^256 mod p), least significant word first, below p.
pub(crate) type Element = [u64; 4];

/// A prime field whose modulus p is odd and below 2^255.
pub(crate) struct Field {
    pub(crate) modulus: [u64; 4],
    /// -1/p mod 2^64.
    inverse: u64,
    /// 1, that is 2^256 mod p.
    pub(crate) one: Element,
    /// The Montgomery form of 2^256, that is 2^512 mod p.
    r2: Element,
}

pub(crate) const ZERO: Element = [0; 4];

impl Field {
    pub(crate) fn new(modulus: [u64; 4]) -> Self {
        assert!(modulus[0] & 1 == 1 && modulus[3] >> 63 == 0);
        // Newton: each step doubles the number of right bits; an odd p is its own inverse to three bits.
        let mut inverse = modulus[0];
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(modulus[0].wrapping_mul(inverse)));
        }
        let mut field = Field { modulus, inverse: inverse.wrapping_neg(), one: ZERO, r2: ZERO };
        let mut power = [1, 0, 0, 0];
        for doubling in 1..=512 {
            power = field.add(power, power);
            if doubling == 256 {
                field.one = power;
            }
        }
        field.r2 = power;
        field
    }

    /// The element of an integer below 2^256.
    pub(crate) fn element(&self, integer: [u64; 4]) -> Element {
        self.mul(self.r2, integer)
    }

    /// The integer below p of an element.
    pub(crate) fn integer(&self, element: Element) -> [u64; 4] {
        self.mul(element, [1, 0, 0, 0])
    }

    /// Whether an integer is below the modulus.
    pub(crate) fn contains(&self, integer: [u64; 4]) -> bool {
        integer.iter().rev().cmp(self.modulus.iter().rev()) == Ordering::Less
    }

    pub(crate) fn add(&self, a: Element, b: Element) -> Element {
        let mut sum = [0; 4];
        let mut carry = 0;
        for i in 0..4 {
            let word = u128::from(a[i]) + u128::from(b[i]) + carry;
            sum[i] = word as u64;
            carry = word >> 64;
        }
        self.below(sum)
    }

    pub(crate) fn sub(&self, a: Element, b: Element) -> Element {
        // p - b is below 2p, and so is the sum's first half.
        let mut negative = self.modulus;
        let mut borrow = false;
        for i in 0..4 {
            let (word, under) = negative[i].overflowing_sub(b[i]);
            let (word, under_again) = word.overflowing_sub(u64::from(borrow));
            negative[i] = word;
            borrow = under || under_again;
        }
        self.add(a, self.below(negative))
    }

    pub(crate) fn pow5(&self, a: Element) -> Element {
        let square = self.mul(a, a);
        self.mul(self.mul(square, square), a)
    }

    pub(crate) fn dot(&self, a: &[Element], b: &[Element]) -> Element {
        assert_eq!(a.len(), b.len());
        a.iter().zip(b).fold(ZERO, |sum, (&a, &b)| self.add(sum, self.mul(a, b)))
    }

    /// The row vector times the matrix.
    pub(crate) fn row_times(&self, row: &[Element], matrix: &[Vec<Element>]) -> Vec<Element> {
        (0..matrix[0].len())
            .map(|column| row.iter().zip(matrix).fold(ZERO, |sum, (&a, b)| self.add(sum, self.mul(a, b[column]))))
            .collect()
    }

    /// row - factor * other.
    pub(crate) fn subtract_multiple(&self, row: &[Element], factor: Element, other: &[Element]) -> Vec<Element> {
        row.iter().zip(other).map(|(&a, &b)| self.sub(a, self.mul(factor, b))).collect()
    }

    /// Gauss and Jordan. None for a singular matrix.
    pub(crate) fn invert_matrix(&self, matrix: &[Vec<Element>]) -> Option<Vec<Vec<Element>>> {
        let n = matrix.len();
        let mut rows: Vec<Vec<Element>> = matrix.to_vec();
        for (i, row) in rows.iter_mut().enumerate() {
            row.extend((0..n).map(|j| if i == j { self.one } else { ZERO }));
        }
        for column in 0..n {
            let pivot = (column..n).find(|&row| rows[row][column] != ZERO)?;
            rows.swap(column, pivot);
            let inverse = self.inverse(rows[column][column]);
            let scaled: Vec<Element> = rows[column].iter().map(|&x| self.mul(x, inverse)).collect();
            for (i, row) in rows.iter_mut().enumerate() {
                *row = if i == column {
                    scaled.clone()
                } else {
                    let factor = row[column];
                    self.subtract_multiple(row, factor, &scaled)
                };
            }
        }
        Some(rows.into_iter().map(|row| row[n..].to_vec()).collect())
    }

    pub(crate) fn inverse(&self, a: Element) -> Element {
        let mut value = [a];
        self.invert(&mut value);
        value[0]
    }

    /// A fourth root, if there is one.
    pub(crate) fn fourth_root(&self, a: Element) -> Option<Element> {
        // Of the two square roots r and -r, at most one is a square unless -1 is one: try both.
        let root = self.square_root(a)?;
        self.square_root(root).or_else(|| self.square_root(self.sub(ZERO, root)))
    }

    /// Tonelli and Shanks.
    fn square_root(&self, a: Element) -> Option<Element> {
        if a == ZERO {
            return Some(ZERO);
        }
        let mut minus_one = self.modulus;
        minus_one[0] -= 1; // odd
        let two_adicity = minus_one
            .iter()
            .fold(
                (0, true),
                |(zeros, all), word| {
                    if all {
                        (zeros + word.trailing_zeros(), *word == 0)
                    } else {
                        (zeros, false)
                    }
                },
            )
            .0;
        let odd = shift_right(minus_one, two_adicity);
        let half = shift_right(minus_one, 1);
        if self.pow(a, half) != self.one {
            return None;
        }
        let non_residue = (2..100)
            .map(|k| self.element([k, 0, 0, 0]))
            .find(|&k| self.pow(k, half) != self.one)
            .expect("half of all elements are non-residues");
        let mut generator = self.pow(non_residue, odd);
        // odd = 2k + 1: root = a^(k+1), error = a^odd, root^2 = a * error.
        let power = self.pow(a, shift_right(odd, 1));
        let mut root = self.mul(power, a);
        let mut error = self.mul(root, power);
        let mut order = two_adicity;
        while error != self.one {
            let mut square = error;
            let mut i = 0;
            while square != self.one {
                square = self.mul(square, square);
                i += 1;
            }
            for _ in 0..order - i - 1 {
                generator = self.mul(generator, generator);
            }
            root = self.mul(root, generator);
            generator = self.mul(generator, generator);
            error = self.mul(error, generator);
            order = i;
        }
        Some(root)
    }

    /// a * b / 2^256 mod p, for a below p and b below 2^256.
    pub(crate) fn mul(&self, a: Element, b: [u64; 4]) -> Element {
        let p = &self.modulus;
        let mut t = [0u64; 5];
        for word in b {
            add_product(&mut t, &a, word);
            let quotient = t[0].wrapping_mul(self.inverse);
            add_product(&mut t, p, quotient);
            // The lowest word is zero now: divide by 2^64. t stays below a + p, which is below 2^256.
            t = [t[1], t[2], t[3], t[4], 0];
        }
        self.below([t[0], t[1], t[2], t[3]])
    }

    /// The inverses of all values, none of them zero, for one exponentiation and three products each.
    pub(crate) fn invert(&self, values: &mut [Element]) {
        let mut before = Vec::with_capacity(values.len());
        let mut product = self.one;
        for value in values.iter() {
            assert_ne!(*value, ZERO, "zero has no inverse");
            before.push(product);
            product = self.mul(product, *value);
        }
        let mut minus_two = self.modulus;
        assert!(minus_two[0] >= 2, "the subtraction would borrow");
        minus_two[0] -= 2;
        let mut inverse = self.pow(product, minus_two);
        for (value, before) in values.iter_mut().zip(before).rev() {
            let own = self.mul(inverse, before);
            inverse = self.mul(inverse, *value);
            *value = own;
        }
    }

    fn pow(&self, base: Element, exponent: [u64; 4]) -> Element {
        let mut power = self.one;
        for bit in (0..256).rev() {
            power = self.mul(power, power);
            if exponent[bit / 64] >> (bit % 64) & 1 == 1 {
                power = self.mul(power, base);
            }
        }
        power
    }

    /// A value below 2p, brought below p.
    fn below(&self, value: [u64; 4]) -> Element {
        if self.contains(value) {
            return value;
        }
        let mut difference = [0; 4];
        let mut borrow = false;
        for i in 0..4 {
            let (word, under) = value[i].overflowing_sub(self.modulus[i]);
            let (word, under_again) = word.overflowing_sub(u64::from(borrow));
            difference[i] = word;
            borrow = under || under_again;
        }
        difference
    }
}

fn shift_right(words: [u64; 4], bits: u32) -> [u64; 4] {
    assert!(0 < bits && bits < 64);
    std::array::from_fn(|i| words[i] >> bits | words.get(i + 1).map_or(0, |next| next << (64 - bits)))
}

/// t += a * b.
fn add_product(t: &mut [u64; 5], a: &[u64; 4], b: u64) {
    let mut carry = 0;
    for i in 0..4 {
        let word = u128::from(t[i]) + u128::from(a[i]) * u128::from(b) + carry;
        t[i] = word as u64;
        carry = word >> 64;
    }
    t[4] += carry as u64;
}
