//! Rust source of the tables. Integers only, in a fixed order: the same output from every run.

use crate::field::Element;
use crate::instance::{Instance, FULL_ROUNDS, WIDTHS};
use std::fmt::Write;

/// Statics and trait implementations of one width, for `src/poseidon/instances.rs` to include.
pub(crate) fn instance(out: &mut String, instance: &Instance) {
    let Instance { width, partial_rounds, .. } = instance;
    matrix(out, &format!("ROUND_CONSTANTS_{width}"), &instance.round_constants, *width);
    matrix(out, &format!("MDS_{width}"), &instance.mds, *width);
    let inputs = width - 1;
    write!(
        out,
        "impl Tables<{width}> for Poseidon<{width}> {{
    const PARAMETERS: Parameters<'static, {width}> =
        Parameters::trusted({FULL_ROUNDS}, {partial_rounds}, &ROUND_CONSTANTS_{width}, &MDS_{width});
}}
impl Width<{width}> for Poseidon<{width}> {{}}
impl Arity<{inputs}> for Poseidon<{width}> {{}}
impl<F: Scalar> Inputs<F> for [F; {inputs}] {{}}
impl<F: Scalar> Digest<F> for [F; {inputs}] {{
    fn digest(&self) -> F {{
        Poseidon::<{width}>::hash(self)
    }}
}}
"
    )
    .expect("a String takes any text");
}

/// `for_each_width!(name)` calls `name! { (inputs, width) .. }` with every supported pair.
pub(crate) fn for_each_width(out: &mut String) {
    let pairs: Vec<String> = WIDTHS.map(|width| format!("({}, {width})", width - 1)).collect();
    writeln!(
        out,
        "macro_rules! for_each_width {{ ($name:ident) => {{ $name! {{ {} }} }} }}\npub(crate) use for_each_width;",
        pairs.join(" ")
    )
    .expect("a String takes any text");
}

fn matrix(out: &mut String, name: &str, rows: &[Vec<Element>], width: usize) {
    let text = || -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        writeln!(text, "static {name}: [[Fr; {width}]; {}] = [", rows.len())?;
        for row in rows {
            text.push('[');
            for [a, b, c, d] in row {
                write!(text, "m({a},{b},{c},{d}),")?;
            }
            text.push_str("],\n");
        }
        text.push_str("];\n");
        Ok(text)
    };
    out.push_str(&text().expect("a String takes any text"));
}
