//! Tables in the representation for narrow machines, `src/field/limbs28.rs`: nine limbs of 28 bits, the last one longer, R = 2^280.

use crate::fast::ByPairs;
use crate::field::{Element, Field};
use crate::instance::Instance;
use crate::recurrence::Recurrence;

const BITS: u32 = 28;
const MASK: u64 = (1 << BITS) - 1;

/// Which sums are taken by pairs at width t: of the shortest they save nothing, and of the exit's longest the columns do not hold the
/// coefficients' pairs.
pub(crate) fn by_pairs(t: usize) -> ByPairs {
    ByPairs { rows: t > 3, history: t > 3, exit: t > 3 && t <= 15 }
}

/// a * 2^280 mod p.
pub(crate) fn limbs(field: &Field, element: Element) -> [u32; 9] {
    split(field.mul(element, field.element([1 << 24, 0, 0, 0])))
}

/// a * 2^280.
pub(crate) fn times_radix(field: &Field, element: Element) -> Element {
    field.mul(field.mul(element, field.element([0, 0, 0, 1 << 8])), field.element([0, 1 << 16, 0, 0]))
}

fn split(words: [u64; 4]) -> [u32; 9] {
    let bits = |from: u32| {
        let (word, shift) = (from as usize / 64, from % 64);
        let above = words.get(word + 1).map_or(0, |&above| u128::from(above) << 64);
        ((above | u128::from(words[word])) >> shift) as u64
    };
    let mut limbs = [0; 9];
    for (limb, from) in limbs.iter_mut().zip((0..).step_by(BITS as usize)) {
        *limb = (bits(from) & if from == 8 * BITS { u64::from(u32::MAX) } else { MASK }) as u32;
    }
    limbs
}

/// The columns of the sum of the products: column k is what belongs to 2^(28 k). Modulo 2^64, as the permutation has it.
pub(crate) fn sum_of_products(field: &Field, a: &[Element], b: &[Element]) -> [u64; 18] {
    let mut columns = [0u64; 18];
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (limbs(field, *a), limbs(field, *b));
        for (i, &a) in a.iter().enumerate() {
            for (j, &b) in b.iter().enumerate() {
                columns[i + j] = columns[i + j].wrapping_add(u64::from(a) * u64::from(b));
            }
        }
    }
    columns
}

/// Proves that no column of a sum passes 2^64 in the permutation of `src/poseidon/fast.rs`, from the tables' entries as they are.
///
/// A sum's columns may pass 2^64 on the way; what counts is what it is in the end, a sum of products of table entries and of kept
/// values, whose limbs are below 2^28 and the last one little above p's. The reduction adds q p in each column, and a carry.
pub(crate) fn check(field: &Field, instance: &Instance, recurrence: &Recurrence) {
    let t = instance.width;
    let p = split(field.modulus);
    // What a kept value's limbs are at most: below p (1 + 2^-20).
    let mut kept = [MASK; 9];
    kept[8] = u64::from(p[8]) + u64::from(p[8] >> 20) + 4;
    let entry = |element: &Element| limbs(field, *element).map(u64::from);

    let check = |what: &str, products: &[([u64; 9], [u64; 9])], constant: bool| {
        let mut columns = [0u128; 18];
        if constant {
            for (column, kept) in columns.iter_mut().zip(kept) {
                *column += u128::from(kept);
            }
        }
        for (a, b) in products {
            add_product(&mut columns, a, b);
        }
        add_product(&mut columns, &[MASK; 10], &p.map(u64::from));
        let mut carry = 0;
        for column in columns {
            let sum = column + carry;
            assert!(sum < 1 << 64, "t = {t}: a column of {what} passes 2^64");
            carry = (sum >> BITS) + 1;
        }
    };
    let row = |entries: &[Element]| -> Vec<([u64; 9], [u64; 9])> {
        let products = entries.iter().map(|m| (entry(m), kept));
        let pairs = entries.chunks_exact(2).take(if by_pairs(t).rows { t } else { 0 });
        products.chain(pairs.map(|m| (entry(&m[0]), entry(&m[1])))).collect()
    };
    for entries in instance.mds.iter().chain(&recurrence.entry) {
        check("a row", &row(entries), true);
    }
    let history = |d: &[Element], u: &[Element]| -> Vec<_> { d.iter().chain(u).map(|c| (entry(c), kept)).collect() };
    check("a partial round", &history(&recurrence.a, &recurrence.b), true);
    for (d, u) in recurrence.exit_d.iter().zip(&recurrence.exit_u) {
        let mut products = history(d, u);
        if by_pairs(t).exit {
            products.extend(d.iter().zip(u).map(|(d, u)| (entry(d), entry(u))));
        }
        check("the exit", &products, false);
    }

    // S-boxes: of the sum of a kept value and a constant, limb by limb, which Y is too.
    let input = kept.map(|limb| 2 * limb);
    check("an S-box's square", &[(input, input)], false);
    check("an S-box's product", &[(kept, input)], false);
    // s Y is limb by limb up to s = 2, and kept beyond.
    let scaled = input.map(|limb| recurrence.s.min(2) * limb);
    check("u", &[(kept, scaled)], false);
    for limbs in [input, scaled] {
        assert!(limbs[8] < 1 << 32, "t = {t}: a last limb passes 2^32");
    }
}

fn add_product(columns: &mut [u128; 18], a: &[u64], b: &[u64]) {
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate() {
            columns[i + j] += u128::from(a) * u128::from(b);
        }
    }
}
