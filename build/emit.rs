//! Rust source of the tables. Integers only, in a fixed order: the same output from every run.

use crate::fast::Fast;
use crate::field::Element;
use crate::instance::{Instance, FULL_ROUNDS, WIDTHS};
use crate::recurrence::Recurrence;
use std::fmt::{Result, Write};

/// Statics and trait implementations of one width, for `src/poseidon/instances.rs` to include.
pub(crate) fn instance(out: &mut String, instance: &Instance, recurrence: &Recurrence, fast: &Fast) -> Result {
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

    let (s, d_levels, wide_rows) = (recurrence.s, fast.d_levels, fast.wide_rows);
    write!(
        out,
        "impl Tables<{t}> for Poseidon<{t}> {{
    const PARAMETERS: Parameters<'static, {t}> =
        Parameters::trusted({FULL_ROUNDS}, {partial_rounds}, &ROUND_CONSTANTS_{t}, &MDS_{t});
    fn permute(state: &mut [Fr; {t}]) {{
        fast::permute::<{t}, {n}, {partial_rounds}, {s}, {d_levels}, {wide_rows}>(&FAST_{t}, &MDS_{t}, state);
    }}
    fn digest(domain_tag: Option<Fr>, inputs: &[Fr]) -> Fr {{
        fast::digest::<{t}, {n}, {partial_rounds}, {s}, {d_levels}, {wide_rows}>(&FAST_{t}, &MDS_{t}, domain_tag, inputs)
    }}
    #[cfg(test)]
    fn drive_to_bounds() {{
        fast::tests::drive::<{t}, {n}, {partial_rounds}, {s}, {d_levels}, {wide_rows}>(&FAST_{t}, &MDS_{t});
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
