//! Rust source of the tables. Integers only, in a fixed order: the same output from every run.

use crate::fast::Fast;
use crate::field::{Element, Field};
use crate::instance::{Instance, FULL_ROUNDS, WIDTHS};
use crate::narrow;
use crate::poseidon2::Poseidon2;
use crate::recurrence::Recurrence;
use crate::wide::Wide;
use std::fmt::{Result, Write};

/// Up to this width eight permutations at once are faster than one after the other, whose lanes fill the vectors as well beyond it:
/// 0.79 of the time at t = 9, 1.5 at t = 13 (Zen 4).
const WIDEST_BATCH: usize = 9;

/// The representation that tables are written in: `src/field/limbs64.rs`, with the vectors' tables beside it, or `limbs28.rs`.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Representation {
    Words,
    Narrow,
}

/// Writes statics and trait implementations of instances over one field.
pub(crate) struct Emitter<'a> {
    pub(crate) out: &'a mut String,
    pub(crate) field: &'a Field,
    pub(crate) representation: Representation,
}

impl Emitter<'_> {
    /// One width of Poseidon, for `src/poseidon/instances.rs` to include.
    pub(crate) fn instance(
        &mut self,
        instance: &Instance,
        recurrence: &Recurrence,
        fast: &Fast,
        wide: Option<&Wide>,
    ) -> Result {
        let Instance { width: t, partial_rounds, .. } = instance;
        let n = t - 1;
        writeln!(self.out, "static ROUND_CONSTANTS_{t}: [[Fr; {t}]; {}] = ", FULL_ROUNDS + partial_rounds)?;
        self.rows(&instance.round_constants, ";")?;
        writeln!(self.out, "static MDS_{t}: [[Fr; {t}]; {t}] = ")?;
        self.rows(&instance.mds, ";")?;

        writeln!(self.out, "static FAST_{t}: Fast<{t}, {n}, {partial_rounds}> = Fast {{ first: ")?;
        self.row(&fast.first)?;
        write!(self.out, "untagged: ")?;
        self.number(&fast.untagged)?;
        write!(self.out, "leading: ")?;
        self.rows(&self.additive_rows(&fast.leading), ",")?;
        write!(self.out, "entry: ")?;
        self.rows(&recurrence.entry, ",")?;
        write!(self.out, "y_constant: ")?;
        self.number(&self.additive(fast.y_constant))?;
        write!(self.out, "kappa: ")?;
        self.row(&self.additive_row(&fast.kappa))?;
        write!(self.out, "coefficients: ")?;
        self.pairs(&recurrence.a, &recurrence.b)?;
        let pairs = match self.representation {
            _ if !fast.by_pairs.history => "None".into(),
            Representation::Words => format!("Some(&{:?})", fast.pairs),
            Representation::Narrow => {
                format!("Some(&{:?})", narrow::sum_of_products(self.field, &recurrence.a, &recurrence.b))
            }
        };
        write!(self.out, "pairs: {pairs}, exit_lane_0: ")?;
        self.number(&recurrence.exit_lane_0)?;
        write!(self.out, "exit_lane_0_constant: ")?;
        self.number(&self.additive(fast.exit_lane_0_constant))?;
        write!(self.out, "exit: [")?;
        for (d, u) in recurrence.exit_d.iter().zip(&recurrence.exit_u) {
            self.pairs(d, u)?;
        }
        write!(self.out, "], exit_constants: ")?;
        self.row(&fast.exit_constants)?;
        write!(self.out, "trailing: ")?;
        self.rows(&self.additive_rows(&fast.trailing), "};")?;

        let (s, d_levels, wide_rows) = (recurrence.s, fast.d_levels, fast.wide_rows);
        let fast = format!("{t}, {n}, {partial_rounds}, {s}, {d_levels}, {wide_rows}");
        let mut vectors = Vectors::default();
        if let Some(wide) = wide {
            let name = format!("WIDE_{t}");
            self.wide(&name, *partial_rounds, wide)?;
            vectors = Vectors::new(
                "Bn254",
                &name,
                *t,
                *partial_rounds,
                s,
                "|_| {}",
                &format!("fast::permute::<{fast}>(&FAST_{t}, &MDS_{t}, state)"),
            );
            vectors.digests(*t, *partial_rounds, s);
        }
        let Vectors { permute, digest, permute_many, digest_many, drive } = vectors;
        write!(
            self.out,
            "impl Tables<{t}> for Poseidon<{t}> {{
    const PARAMETERS: Parameters<'static, {t}> =
        Parameters::trusted({FULL_ROUNDS}, {partial_rounds}, &ROUND_CONSTANTS_{t}, &MDS_{t});
    fn permute(state: &mut [Fr; {t}]) {{
        {permute}
        fast::permute::<{fast}>(&FAST_{t}, &MDS_{t}, state);
    }}
    fn digest(domain_tag: Option<Fr>, inputs: &[Fr]) -> Fr {{
        {digest}
        fast::digest::<{fast}>(&FAST_{t}, &MDS_{t}, domain_tag, inputs)
    }}
    fn permute_many(states: &mut [[Fr; {t}]]) {{
        {permute_many}
        states.iter_mut().for_each(Self::permute);
    }}
    fn digest_many<const N: usize>(inputs: &[[Fr; N]], digests: &mut [Fr]) {{
        {digest_many}
        for (inputs, digest) in inputs.iter().zip(digests) {{
            *digest = <Self as Tables<{t}>>::digest(None, inputs);
        }}
    }}
    #[cfg(test)]
    fn drive_to_bounds() {{
        fast::tests::drive::<{fast}>(&FAST_{t}, &MDS_{t});
        {drive}
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

    /// One Poseidon2 instance, for `src/poseidon2/instances.rs` to include. `modulus` is its type's name.
    pub(crate) fn poseidon2(
        &mut self,
        modulus: &str,
        instance: &Poseidon2,
        recurrence: &Recurrence,
        wide: Option<&Wide>,
    ) -> Result {
        let Poseidon2 { width: t, .. } = instance;
        let rounds = instance.partial.len();
        let name = format!("{}_{t}", modulus.to_uppercase());
        writeln!(self.out, "static {name}: Constants<{modulus}, {t}, {rounds}> = Constants {{ initial: ")?;
        self.rows(&instance.initial, ",")?;
        write!(self.out, "partial: ")?;
        self.row(&instance.partial)?;
        write!(self.out, "terminal: ")?;
        self.rows(&instance.terminal, ",")?;
        write!(self.out, "diagonal: ")?;
        self.row(&instance.diagonal)?;
        writeln!(self.out, "}};")?;
        let mut vectors = Vectors::default();
        if let Some(wide) = wide {
            let wide_name = format!("WIDE_{name}");
            self.wide(&wide_name, rounds, wide)?;
            vectors = Vectors::new(
                modulus,
                &wide_name,
                *t,
                rounds,
                recurrence.s,
                "permutation::first_layer",
                &format!("permutation::permute(&{name}, state)"),
            );
        }
        if *t == 2 {
            // One lane beside the S-box's is little to save: 2 % slower than the plain twin (Zen 4).
            vectors.permute.clear();
        }
        let Vectors { permute, permute_many, drive, .. } = vectors;
        write!(
            self.out,
            "
impl Tables<{t}> for Element<{modulus}> {{
    const PARTIAL_ROUNDS: usize = {rounds};
    fn permute(state: &mut [Self; {t}]) {{
        {permute}
        permutation::permute(&{name}, state);
    }}
    fn permute_many(states: &mut [[Self; {t}]]) {{
        {permute_many}
        states.iter_mut().for_each(Self::permute);
    }}
    #[cfg(test)]
    fn drive_to_bounds() {{
        {drive}
    }}
    fn internal_diagonal() -> [Self; {t}] {{
        {name}.diagonal
    }}
    fn round_constants(round: usize) -> [Self; {t}] {{
        {name}.round_constants(round)
    }}
}}
impl Instance<{t}> for Element<{modulus}> {{}}
"
        )
    }

    /// A constant that sums begin with, as the representation's `additive` takes it.
    fn additive(&self, constant: Element) -> Element {
        match self.representation {
            Representation::Words => constant,
            Representation::Narrow => narrow::times_radix(self.field, constant),
        }
    }

    fn additive_row(&self, constants: &[Element]) -> Vec<Element> {
        constants.iter().map(|&constant| self.additive(constant)).collect()
    }

    fn additive_rows(&self, rows: &[Vec<Element>]) -> Vec<Vec<Element>> {
        rows.iter().map(|row| self.additive_row(row)).collect()
    }

    /// An element and a comma.
    fn number(&mut self, element: &Element) -> Result {
        match self.representation {
            Representation::Words => write!(self.out, "m({element:?}),"),
            Representation::Narrow => write!(self.out, "m({:?}),", narrow::limbs(self.field, *element)),
        }
    }

    /// An array of elements and a comma.
    fn row(&mut self, values: &[Element]) -> Result {
        self.out.push('[');
        values.iter().try_for_each(|value| self.number(value))?;
        writeln!(self.out, "],")
    }

    fn rows(&mut self, values: &[Vec<Element>], end: &str) -> Result {
        writeln!(self.out, "[")?;
        values.iter().try_for_each(|values| self.row(values))?;
        writeln!(self.out, "]{end}")
    }

    /// An array of pairs and a comma.
    fn pairs(&mut self, d: &[Element], u: &[Element]) -> Result {
        self.out.push('[');
        for (d, u) in d.iter().zip(u) {
            write!(self.out, "Pair {{ d: ")?;
            self.number(d)?;
            write!(self.out, "u: ")?;
            self.number(u)?;
            writeln!(self.out, "}},")?;
        }
        writeln!(self.out, "],")
    }

    fn wide(&mut self, name: &str, partial_rounds: usize, wide: &Wide) -> Result {
        let t = wide.first.len();
        let (full, partial) = (words(t), words(t - 1));
        writeln!(self.out, "#[cfg(any(const_poseidon_ifma, test))]")?;
        writeln!(self.out, "static {name}: Wide<{full}, {partial}, {t}, {partial_rounds}> = Wide {{")?;
        for (name, lanes, row) in [
            ("first", t, &wide.first),
            ("y", t, &wide.y),
            ("a", t - 1, &wide.a),
            ("b", t - 1, &wide.b),
            ("output", t, &wide.output),
        ] {
            write!(self.out, "{name}: ")?;
            self.slots(lanes, row)?;
        }
        for (name, lanes, rows) in [
            ("mds", t, &wide.mds),
            ("constants", t, &wide.constants),
            ("entry", t - 1, &wide.entry),
            ("exit", t, &wide.exit),
        ] {
            write!(self.out, "{name}: [")?;
            rows.iter().try_for_each(|row| self.slots(lanes, row))?;
            writeln!(self.out, "],")?;
        }
        let kappa: Vec<[u64; 5]> = wide.kappa.iter().map(split).collect();
        writeln!(self.out, "y_constant: {:?}, kappa: {kappa:?} }};", split(&wide.y_constant))
    }

    /// Five limbs of vectors in memory, zero beyond the row's end, and a comma.
    fn slots(&mut self, lanes: usize, row: &[Element]) -> Result {
        let (_, slots, count) = vector(lanes);
        let row: Vec<[u64; 5]> = row.iter().map(split).collect();
        write!(self.out, "[")?;
        for limb in 0..5 {
            let words: Vec<u64> = (0..slots * count).map(|lane| row.get(lane).map_or(0, |limbs| limbs[limb])).collect();
            if count == 1 {
                write!(self.out, "{words:?},")?;
            } else {
                write!(self.out, "{:?},", words.chunks(slots).collect::<Vec<_>>())?;
            }
        }
        writeln!(self.out, "],")
    }
}

/// What trait implementations say of the vectors: nothing in a representation that has none.
#[derive(Default)]
struct Vectors {
    permute: String,
    digest: String,
    permute_many: String,
    digest_many: String,
    drive: String,
}

impl Vectors {
    /// `first` is what comes before the rounds, and `twin` the same permutation in words.
    fn new(modulus: &str, table: &str, t: usize, partial_rounds: usize, s: u64, first: &str, twin: &str) -> Self {
        let (full, partial) = (vector(t).0, vector(t - 1).0);
        let (model_full, model_partial) = (model(&full), model(&partial));
        let batched = if t <= WIDEST_BATCH { "all()" } else { "any()" };
        let parameters = format!("{modulus}, {full}, {partial}, {t}, {partial_rounds}, {s}");
        let model = format!("{modulus}, {model_full}, {model_partial}, {t}, {partial_rounds}, {s}");
        let (first_one, first_each) = if first.starts_with('|') {
            (String::new(), String::new())
        } else {
            (format!("{first}(state);"), format!("states.iter_mut().for_each({first});"))
        };
        Vectors {
            permute: format!(
                "#[cfg(const_poseidon_ifma)]
        if has_ifma() {{
            {first_one}
            return wide::permute::<{parameters}>(&{table}, state);
        }}"
            ),
            permute_many: format!(
                "#[cfg(all(const_poseidon_ifma, {batched}))]
        if has_ifma() {{
            {first_each}
            return batch::permute::<{parameters}>(&{table}, states);
        }}"
            ),
            drive: format!(
                "wide::tests::drive::<{model}>(&{table}, {first}, |state| {twin});
        batch::tests::drive::<{model}>(&{table}, {first}, |state| {twin});"
            ),
            ..Vectors::default()
        }
    }

    /// Those of Poseidon's digests too.
    fn digests(&mut self, t: usize, partial_rounds: usize, s: u64) {
        let (full, partial) = (vector(t).0, vector(t - 1).0);
        let batched = if t <= WIDEST_BATCH { "all()" } else { "any()" };
        self.digest = format!(
            "#[cfg(const_poseidon_ifma)]
        if has_ifma() {{
            return wide::digest::<Bn254, {full}, {partial}, {t}, {partial_rounds}, {s}>(&WIDE_{t}, domain_tag, inputs);
        }}"
        );
        self.digest_many = format!(
            "#[cfg(all(const_poseidon_ifma, {batched}))]
        if has_ifma() {{
            return batch::digest::<Bn254, {full}, {partial}, {t}, N, {partial_rounds}, {s}>(&WIDE_{t}, inputs, digests);
        }}"
        );
    }
}

/// `for_each_width!(name)` calls `name! { (inputs, width) .. }` with every supported pair.
pub(crate) fn for_each_width(out: &mut String) -> Result {
    let pairs: Vec<String> = WIDTHS.map(|width| format!("({}, {width})", width - 1)).collect();
    writeln!(out, "macro_rules! for_each_width {{ ($name:ident) => {{ $name! {{ {} }} }} }}", pairs.join(" "))?;
    writeln!(out, "pub(crate) use for_each_width;")
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

/// 52-bit limbs.
fn split(&[a, b, c, d]: &Element) -> [u64; 5] {
    const LOW: u64 = (1 << 52) - 1;
    [a & LOW, (a >> 52 | b << 12) & LOW, (b >> 40 | c << 24) & LOW, (c >> 28 | d << 36) & LOW, d >> 16]
}
