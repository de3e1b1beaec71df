//! Rust source of the tables. Integers only, in a fixed order: the same output from every run.

use crate::fast::Fast;
use crate::field::Element;
use crate::instance::{Instance, FULL_ROUNDS, WIDTHS};
use crate::poseidon2::Poseidon2;
use crate::recurrence::Recurrence;
use crate::wide::Wide;
use std::fmt::{Result, Write};

/// Up to this width eight permutations at once are faster than one after the other, whose lanes fill the vectors as well beyond it:
/// 0.79 of the time at t = 9, 1.5 at t = 13 (Zen 4).
const WIDEST_BATCH: usize = 9;

/// Statics and trait implementations of one width, for `src/poseidon/instances.rs` to include.
pub(crate) fn instance(
    out: &mut String,
    instance: &Instance,
    recurrence: &Recurrence,
    fast: &Fast,
    wide: &Wide,
) -> Result {
    let Instance { width: t, partial_rounds, .. } = instance;
    let n = t - 1;
    writeln!(out, "static ROUND_CONSTANTS_{t}: [[Fr; {t}]; {}] = ", FULL_ROUNDS + partial_rounds)?;
    rows(out, &instance.round_constants, ";")?;
    writeln!(out, "static MDS_{t}: [[Fr; {t}]; {t}] = ")?;
    rows(out, &instance.mds, ";")?;

    writeln!(out, "static FAST_{t}: Fast<{t}, {n}, {partial_rounds}> = Fast {{ first: ")?;
    row(out, &fast.first)?;
    write!(out, "untagged: ")?;
    number(out, &fast.untagged)?;
    write!(out, "leading: ")?;
    rows(out, &fast.leading, ",")?;
    write!(out, "entry: ")?;
    rows(out, &recurrence.entry, ",")?;
    write!(out, "y_constant: ")?;
    number(out, &fast.y_constant)?;
    write!(out, "kappa: ")?;
    row(out, &fast.kappa)?;
    write!(out, "coefficients: ")?;
    pairs(out, &recurrence.a, &recurrence.b)?;
    write!(out, "pairs: {:?}, exit_lane_0: ", fast.pairs)?;
    number(out, &recurrence.exit_lane_0)?;
    write!(out, "exit: [")?;
    for (d, u) in recurrence.exit_d.iter().zip(&recurrence.exit_u) {
        pairs(out, d, u)?;
    }
    write!(out, "], exit_constants: ")?;
    row(out, &fast.exit_constants)?;
    write!(out, "trailing: ")?;
    rows(out, &fast.trailing, "};")?;
    self::wide(out, &format!("WIDE_{t}"), *partial_rounds, wide)?;

    let (s, d_levels, wide_rows) = (recurrence.s, fast.d_levels, fast.wide_rows);
    let (full, partial) = (vector(*t).0, vector(n).0);
    let (model_full, model_partial) = (model(&full), model(&partial));
    let batched = if *t <= WIDEST_BATCH { "all()" } else { "any()" };
    let fast = format!("{t}, {n}, {partial_rounds}, {s}, {d_levels}, {wide_rows}");
    let wide = format!("{t}, {partial_rounds}, {s}");
    write!(
        out,
        "impl Tables<{t}> for Poseidon<{t}> {{
    const PARAMETERS: Parameters<'static, {t}> =
        Parameters::trusted({FULL_ROUNDS}, {partial_rounds}, &ROUND_CONSTANTS_{t}, &MDS_{t});
    fn permute(state: &mut [Fr; {t}]) {{
        #[cfg(const_poseidon_ifma)]
        if has_ifma() {{
            return wide::permute::<Bn254, {full}, {partial}, {wide}>(&WIDE_{t}, state);
        }}
        fast::permute::<{fast}>(&FAST_{t}, &MDS_{t}, state);
    }}
    fn digest(domain_tag: Option<Fr>, inputs: &[Fr]) -> Fr {{
        #[cfg(const_poseidon_ifma)]
        if has_ifma() {{
            return wide::digest::<Bn254, {full}, {partial}, {wide}>(&WIDE_{t}, domain_tag, inputs);
        }}
        fast::digest::<{fast}>(&FAST_{t}, &MDS_{t}, domain_tag, inputs)
    }}
    fn permute_many(states: &mut [[Fr; {t}]]) {{
        #[cfg(all(const_poseidon_ifma, {batched}))]
        if has_ifma() {{
            return batch::permute::<Bn254, {full}, {partial}, {wide}>(&WIDE_{t}, states);
        }}
        states.iter_mut().for_each(Self::permute);
    }}
    fn digest_many<const N: usize>(inputs: &[[Fr; N]], digests: &mut [Fr]) {{
        #[cfg(all(const_poseidon_ifma, {batched}))]
        if has_ifma() {{
            return batch::digest::<Bn254, {full}, {partial}, {t}, N, {partial_rounds}, {s}>(&WIDE_{t}, inputs, digests);
        }}
        for (inputs, digest) in inputs.iter().zip(digests) {{
            *digest = <Self as Tables<{t}>>::digest(None, inputs);
        }}
    }}
    #[cfg(test)]
    fn drive_to_bounds() {{
        fast::tests::drive::<{fast}>(&FAST_{t}, &MDS_{t});
        wide::tests::drive::<Bn254, {model_full}, {model_partial}, {wide}>(&WIDE_{t}, |_| {{}}, |state| {{
            fast::permute::<{fast}>(&FAST_{t}, &MDS_{t}, state);
        }});
        batch::tests::drive::<Bn254, {model_full}, {model_partial}, {wide}>(&WIDE_{t}, |_| {{}}, |state| {{
            fast::permute::<{fast}>(&FAST_{t}, &MDS_{t}, state);
        }});
    }}
}}
impl Width<{t}> for Poseidon<{t}> {{}}
impl Arity<{n}> for Poseidon<{t}> {{}}
impl<F: Scalar> Inputs<F> for [F; {n}] {{}}
impl<F: Scalar> Digest<F> for [F; {n}] {{
    fn digest(&self) -> F {{
        Poseidon::<{t}>::hash(self)
    }}
}}
"
    )
}

/// Constants and trait implementations of one Poseidon2 instance, for `src/poseidon2/instances.rs` to include. `field` is the modulus's name.
pub(crate) fn poseidon2(
    out: &mut String,
    field: &str,
    instance: &Poseidon2,
    recurrence: &Recurrence,
    wide: &Wide,
) -> Result {
    let Poseidon2 { width: t, .. } = instance;
    let rounds = instance.partial.len();
    let name = format!("{}_{t}", field.to_uppercase());
    writeln!(out, "static {name}: Constants<{field}, {t}, {rounds}> = Constants {{ initial: ")?;
    rows(out, &instance.initial, ",")?;
    write!(out, "partial: ")?;
    row(out, &instance.partial)?;
    write!(out, "terminal: ")?;
    rows(out, &instance.terminal, ",")?;
    write!(out, "diagonal: ")?;
    row(out, &instance.diagonal)?;
    writeln!(out, "}};")?;
    self::wide(out, &format!("WIDE_{name}"), rounds, wide)?;
    let (full, partial) = (vector(*t).0, vector(t - 1).0);
    let (model_full, model_partial) = (model(&full), model(&partial));
    let batched = if *t <= WIDEST_BATCH { "all()" } else { "any()" };
    let wide_parameters = format!("{t}, {rounds}, {}", recurrence.s);
    write!(
        out,
        "
impl Tables<{t}> for Element<{field}> {{
    const PARTIAL_ROUNDS: usize = {rounds};
    fn permute(state: &mut [Self; {t}]) {{
        #[cfg(const_poseidon_ifma)]
        if has_ifma() {{
            permutation::first_layer(state);
            return wide::permute::<{field}, {full}, {partial}, {wide_parameters}>(&WIDE_{name}, state);
        }}
        permutation::permute(&{name}, state);
    }}
    fn permute_many(states: &mut [[Self; {t}]]) {{
        #[cfg(all(const_poseidon_ifma, {batched}))]
        if has_ifma() {{
            states.iter_mut().for_each(permutation::first_layer);
            return batch::permute::<{field}, {full}, {partial}, {wide_parameters}>(&WIDE_{name}, states);
        }}
        states.iter_mut().for_each(Self::permute);
    }}
    #[cfg(test)]
    fn drive_to_bounds() {{
        wide::tests::drive::<{field}, {model_full}, {model_partial}, {wide_parameters}>(
            &WIDE_{name},
            permutation::first_layer,
            |state| permutation::permute(&{name}, state),
        );
        batch::tests::drive::<{field}, {model_full}, {model_partial}, {wide_parameters}>(
            &WIDE_{name},
            permutation::first_layer,
            |state| permutation::permute(&{name}, state),
        );
    }}
    fn internal_diagonal() -> [Self; {t}] {{
        {name}.diagonal
    }}
    fn round_constants(round: usize) -> [Self; {t}] {{
        {name}.round_constants(round)
    }}
}}
impl Instance<{t}> for Element<{field}> {{}}
"
    )
}

/// `for_each_width!(name)` calls `name! { (inputs, width) .. }` with every supported pair.
pub(crate) fn for_each_width(out: &mut String) -> Result {
    let pairs: Vec<String> = WIDTHS.map(|width| format!("({}, {width})", width - 1)).collect();
    writeln!(out, "macro_rules! for_each_width {{ ($name:ident) => {{ $name! {{ {} }} }} }}", pairs.join(" "))?;
    writeln!(out, "pub(crate) use for_each_width;")
}

/// An element and a comma.
fn number(out: &mut String, [a, b, c, d]: &Element) -> Result {
    write!(out, "m({a},{b},{c},{d}),")
}

/// An array of elements and a comma.
fn row(out: &mut String, values: &[Element]) -> Result {
    out.push('[');
    values.iter().try_for_each(|value| number(out, value))?;
    writeln!(out, "],")
}

fn rows(out: &mut String, values: &[Vec<Element>], end: &str) -> Result {
    writeln!(out, "[")?;
    values.iter().try_for_each(|values| row(out, values))?;
    writeln!(out, "]{end}")
}

/// An array of pairs and a comma.
fn pairs(out: &mut String, d: &[Element], u: &[Element]) -> Result {
    out.push('[');
    for (d, u) in d.iter().zip(u) {
        write!(out, "Pair {{ d: ")?;
        number(out, d)?;
        write!(out, "u: ")?;
        number(out, u)?;
        writeln!(out, "}},")?;
    }
    writeln!(out, "],")
}

/// The vectors that have a slot for each of so many lanes: their type, and their slots.
fn vector(lanes: usize) -> (String, usize, usize) {
    match lanes {
        ..=4 => ("Four".into(), 4, 1),
        5..=8 => ("Eight".into(), 8, 1),
        _ => {
            let count = lanes.div_ceil(8);
            (format!("Several<Eight, {count}>"), 8, count)
        }
    }
}

/// The same over the model.
fn model(vector: &str) -> String {
    vector.replace("Four", "model::Four").replace("Eight", "model::Eight")
}

/// The type of their words.
fn words(lanes: usize) -> String {
    match vector(lanes) {
        (_, slots, 1) => format!("[u64; {slots}]"),
        (_, slots, count) => format!("[[u64; {slots}]; {count}]"),
    }
}

fn wide(out: &mut String, name: &str, partial_rounds: usize, wide: &Wide) -> Result {
    let t = wide.first.len();
    let (full, partial) = (words(t), words(t - 1));
    writeln!(out, "#[cfg(any(const_poseidon_ifma, test))]")?;
    writeln!(out, "static {name}: Wide<{full}, {partial}, {t}, {partial_rounds}> = Wide {{")?;
    for (name, lanes, row) in [
        ("first", t, &wide.first),
        ("y", t, &wide.y),
        ("a", t - 1, &wide.a),
        ("b", t - 1, &wide.b),
        ("output", t, &wide.output),
    ] {
        write!(out, "{name}: ")?;
        slots(out, lanes, row)?;
    }
    for (name, lanes, rows) in [
        ("mds", t, &wide.mds),
        ("constants", t, &wide.constants),
        ("entry", t - 1, &wide.entry),
        ("exit", t, &wide.exit),
    ] {
        write!(out, "{name}: [")?;
        rows.iter().try_for_each(|row| slots(out, lanes, row))?;
        writeln!(out, "],")?;
    }
    let kappa: Vec<[u64; 5]> = wide.kappa.iter().map(split).collect();
    writeln!(out, "y_constant: {:?}, kappa: {kappa:?} }};", split(&wide.y_constant))
}

/// Five limbs of vectors in memory, zero beyond the row's end, and a comma.
fn slots(out: &mut String, lanes: usize, row: &[Element]) -> Result {
    let (_, slots, count) = vector(lanes);
    let row: Vec<[u64; 5]> = row.iter().map(split).collect();
    write!(out, "[")?;
    for limb in 0..5 {
        let words: Vec<u64> = (0..slots * count).map(|lane| row.get(lane).map_or(0, |limbs| limbs[limb])).collect();
        if count == 1 {
            write!(out, "{words:?},")?;
        } else {
            write!(out, "{:?},", words.chunks(slots).collect::<Vec<_>>())?;
        }
    }
    writeln!(out, "],")
}

/// 52-bit limbs.
fn split(&[a, b, c, d]: &Element) -> [u64; 5] {
    const LOW: u64 = (1 << 52) - 1;
    [a & LOW, (a >> 52 | b << 12) & LOW, (b >> 40 | c << 24) & LOW, (c >> 28 | d << 36) & LOW, d >> 16]
}
