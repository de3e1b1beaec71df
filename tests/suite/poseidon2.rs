//! Poseidon2: its permutations, sponge and hashes, by the oracle and by what upstreams printed.

use crate::reference::{modulus, Instance2, BLS12_381};
use const_poseidon::field::{Element, Modulus};
use const_poseidon::poseidon2::{compress, noir_hash, FixedLenHash, Instance, Sponge, VariableLenHash};
use const_poseidon::{Error, Fr, Poseidon2};
use num_bigint::BigUint;
use proptest::prelude::*;

#[cfg(feature = "bls12-381")]
use const_poseidon::bls12_381::Fr as BlsFr;

fn integer<M: Modulus>(element: Element<M>) -> BigUint {
    BigUint::from_bytes_be(&element.to_bytes_be())
}

/// Of an integer below the modulus.
fn element<M: Modulus>(integer: &BigUint) -> Element<M> {
    let digits = integer.to_bytes_be();
    let mut bytes = [0; 32];
    bytes[32 - digits.len()..].copy_from_slice(&digits);
    Element::from_bytes_be(&bytes).expect("below p")
}

fn permute<M: Modulus, const T: usize>(state: &[BigUint]) -> Vec<BigUint>
where
    Element<M>: Instance<T>,
{
    let mut lanes: [Element<M>; T] = std::array::from_fn(|lane| element(&state[lane]));
    Poseidon2::<Element<M>, T>::permute(&mut lanes);
    lanes.map(integer).to_vec()
}

/// What a test needs of one field and width.
struct Permutation {
    field: &'static str,
    t: usize,
    permute: fn(&[BigUint]) -> Vec<BigUint>,
    round_constants: fn(usize) -> Option<Vec<BigUint>>,
    diagonal: fn() -> Vec<BigUint>,
}

fn permutations() -> Vec<Permutation> {
    macro_rules! typed {
        ($($field:literal $element:ident $modulus:ident: $($t:literal)*),*) => {
            vec![$($(Permutation {
                field: $field,
                t: $t,
                permute: permute::<const_poseidon::field::$modulus, $t>,
                round_constants: |round| {
                    Poseidon2::<$element, $t>::round_constants(round).map(|row| row.map(integer).to_vec())
                },
                diagonal: || Poseidon2::<$element, $t>::internal_diagonal().map(integer).to_vec(),
            },)*)*]
        };
    }
    let permutations = typed!("bn254_fr" Fr Bn254: 2 3 4 8 12 16);
    #[cfg(feature = "bls12-381")]
    let permutations = [permutations, typed!("bls12_381_fr" BlsFr Bls12_381: 2 3 4)].into_iter().flatten().collect();
    permutations
}

/// What a known answer's entry says of its sponge, such as "N=3 R=2 INPUT_SIZE=6 OUT=1".
fn setting(mode: &str, name: &str) -> usize {
    let value = mode.split([' ', ';']).find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    value.and_then(|digits| digits.parse().ok()).unwrap_or_else(|| panic!("{mode}: no {name}"))
}

/// The steps of a duplex, such as "new(iv=[0;31]||42); absorb 2; ratchet; squeeze 3".
fn duplex<M: Modulus, const T: usize, const RATE: usize>(mode: &str, mut inputs: &[Element<M>]) -> Vec<Element<M>>
where
    Element<M>: Instance<T>,
{
    let mut outputs = Vec::new();
    let mut sponge = Sponge::<Element<M>, T, RATE>::default();
    // The iv's own semicolon is not a step's end.
    for step in mode.replace("[0;31]", "[]").split("; ") {
        let (name, count) = step.split_once(' ').unwrap_or((step, ""));
        match name {
            "default()" => {}
            "ratchet" => sponge.ratchet(),
            "absorb" => {
                let (now, later) = inputs.split_at(count.parse().expect("a count"));
                sponge.absorb(now);
                inputs = later;
            }
            "squeeze" => {
                // Anything but what comes out.
                let mut elements = vec![Element::from(7u8); count.parse().expect("a count")];
                sponge.squeeze(&mut elements);
                outputs.extend(elements);
            }
            _ if name.starts_with("new(iv=[]||") => {
                let mut iv = [0; 32];
                iv[31] = name["new(iv=[]||".len()..name.len() - 1].parse().expect("a byte");
                sponge = Sponge::new(&iv);
            }
            _ if name.starts_with("N=") || name == "IV" => {}
            _ => panic!("{mode}: no step {name}"),
        }
    }
    assert!(inputs.is_empty());
    outputs
}

fn sponge<M: Modulus, const T: usize, const RATE: usize>(kind: &str, mode: &str, inputs: &[BigUint]) -> Vec<BigUint>
where
    Element<M>: Instance<T>,
{
    assert_eq!((setting(mode, "N"), setting(mode, "R")), (T, RATE));
    let inputs: Vec<Element<M>> = inputs.iter().map(element).collect();
    let outputs = match kind {
        "poseidon2_duplex" => duplex::<M, T, RATE>(mode, &inputs),
        "poseidon2_crhf_var" => {
            assert_eq!(setting(mode, "OUT"), 2);
            VariableLenHash::<Element<M>, T, RATE, 2>::hash(&inputs).to_vec()
        }
        "poseidon2_crhf_fixed" => {
            assert_eq!(setting(mode, "OUT"), 1);
            match setting(mode, "INPUT_SIZE") {
                1 => FixedLenHash::<Element<M>, T, RATE, 1, 1>::hash(&inputs),
                3 => FixedLenHash::<Element<M>, T, RATE, 3, 1>::hash(&inputs),
                6 => FixedLenHash::<Element<M>, T, RATE, 6, 1>::hash(&inputs),
                size => panic!("INPUT_SIZE {size}"),
            }
            .expect("not too long")
            .to_vec()
        }
        _ => panic!("{kind}: no such kind"),
    };
    outputs.into_iter().map(integer).collect()
}

/// nim-poseidon2's sponge with today's parameters: the iv in the last lane, inputs and a 1 and zeros to a multiple of the rate added to the first
/// ones, lane 0 out.
fn nim_sponge(iv: &BigUint, rate: usize, inputs: &[BigUint]) -> BigUint {
    let mut state = [Fr::ZERO, Fr::ZERO, element(iv)];
    let mut padded: Vec<Fr> = inputs.iter().map(element).collect();
    padded.push(Fr::ONE);
    padded.resize(padded.len().next_multiple_of(rate), Fr::ZERO);
    for block in padded.chunks(rate) {
        for (lane, input) in state.iter_mut().zip(block) {
            *lane += *input;
        }
        Poseidon2::<Fr, 3>::permute(&mut state);
    }
    integer(state[0])
}

/// This crate's answer to a vector, and the oracle's where it has one; None for what this build does not have.
pub fn answer(
    kind: &str,
    field: &str,
    t: usize,
    mode: Option<&str>,
    domain_tag: Option<&BigUint>,
    inputs: &[BigUint],
) -> Option<Vec<BigUint>> {
    #[cfg(feature = "bls12-381")]
    use const_poseidon::field::Bls12_381;
    use const_poseidon::field::Bn254;

    match kind {
        "poseidon2_perm" => {
            let permutation = permutations().into_iter().find(|known| (known.field, known.t) == (field, t))?;
            let outputs = (permutation.permute)(inputs);
            assert_eq!(outputs, Instance2::derive(field, t).permute(inputs), "the oracle");
            Some(outputs)
        }
        "poseidon2_sponge_noir" => {
            assert_eq!((field, t), ("bn254_fr", 4));
            let inputs: Vec<Fr> = inputs.iter().map(element).collect();
            Some(vec![integer(noir_hash(&inputs))])
        }
        // nim-poseidon2's sponge is no function of this crate, but its permutation is.
        "poseidon2_sponge_nim" => {
            assert_eq!((field, t), ("bn254_fr", 3));
            let rate = mode.and_then(|mode| mode.split_once("rate ")).expect("a rate").1;
            let rate = rate.split(',').next().and_then(|rate| rate.parse().ok()).expect("a number");
            Some(vec![nim_sponge(domain_tag.expect("an iv"), rate, inputs)])
        }
        _ => {
            let mode = mode.expect("a sponge's entry has a mode");
            match (field, t, setting(mode, "R")) {
                ("bn254_fr", 3, 1) => Some(sponge::<Bn254, 3, 1>(kind, mode, inputs)),
                ("bn254_fr", 3, 2) => Some(sponge::<Bn254, 3, 2>(kind, mode, inputs)),
                #[cfg(feature = "bls12-381")]
                ("bls12_381_fr", 2, 1) => Some(sponge::<Bls12_381, 2, 1>(kind, mode, inputs)),
                #[cfg(feature = "bls12-381")]
                ("bls12_381_fr", 3, 1) => Some(sponge::<Bls12_381, 3, 1>(kind, mode, inputs)),
                #[cfg(feature = "bls12-381")]
                ("bls12_381_fr", 3, 2) => Some(sponge::<Bls12_381, 3, 2>(kind, mode, inputs)),
                ("bls12_381_fr", ..) if cfg!(not(feature = "bls12-381")) => None,
                _ => panic!("{field}, {mode}: no such sponge"),
            }
        }
    }
}

#[test]
fn constants_are_the_oracles() {
    for permutation in permutations() {
        let oracle = Instance2::derive(permutation.field, permutation.t);
        let rounds: Vec<Vec<BigUint>> = (0..).map_while(permutation.round_constants).collect();
        assert_eq!(rounds, oracle.round_constants, "{} t = {}", permutation.field, permutation.t);
        let diagonal: Vec<BigUint> =
            (0..permutation.t).map(|i| (&oracle.internal[i][i] + &oracle.modulus - 1u32) % &oracle.modulus).collect();
        assert_eq!((permutation.diagonal)(), diagonal, "{} t = {}", permutation.field, permutation.t);
    }
}

/// Values where carries, borrows and bounds are, below `p`.
fn extremes(p: &BigUint) -> Vec<BigUint> {
    let one = BigUint::from(1u32);
    let mut extremes: Vec<BigUint> = vec![0u32.into(), 1u32.into(), p - 1u32, p - 2u32, p / 2u32, p / 2u32 + 1u32];
    for bits in [64, 128, 192, 252] {
        extremes.extend([&one << bits, (&one << bits) - 1u32]);
    }
    let inverse = (&one << 256u32).modinv(p).expect("p is odd");
    let montgomery: Vec<BigUint> = extremes.iter().map(|value| value * &inverse % p).collect();
    extremes.extend(montgomery);
    extremes
}

#[test]
fn every_permutation_equals_the_oracle() {
    for permutation in permutations() {
        let oracle = Instance2::derive(permutation.field, permutation.t);
        let check = |state: &[BigUint]| {
            let outputs = (permutation.permute)(state);
            assert_eq!(outputs, oracle.permute(state), "{} t = {}: {state:?}", permutation.field, permutation.t);
            outputs
        };
        let extremes = extremes(&oracle.modulus);
        for value in &extremes[..6] {
            check(&vec![value.clone(); permutation.t]);
        }
        for lanes in extremes.chunks(permutation.t) {
            check(&lanes.iter().cycle().take(permutation.t).cloned().collect::<Vec<_>>());
        }
        // Each output is as good as random for the next.
        let mut state = extremes[..permutation.t.min(extremes.len())].to_vec();
        for _ in 0..10 {
            state = check(&state);
        }
    }
    // The two moduli are what they are said to be.
    assert_eq!(integer(-Fr::ONE) + 1u32, *modulus());
    #[cfg(feature = "bls12-381")]
    assert_eq!(integer(-BlsFr::ONE) + 1u32, BLS12_381.parse().expect("digits"));
    #[cfg(not(feature = "bls12-381"))]
    assert_eq!(BLS12_381.len(), 77);
}

fn elements(len: usize) -> impl Strategy<Value = Vec<Fr>> {
    proptest::collection::vec(any::<[u8; 32]>().prop_map(|bytes| Fr::from_bytes_be_mod_order(&bytes)), 0..len)
}

/// jellyfish's sponge, said in other words: a queue of what was absorbed and one of what may be squeezed.
fn model<const T: usize, const RATE: usize>(steps: &[(Vec<Fr>, usize)]) -> Vec<Fr>
where
    Fr: Instance<T>,
{
    let mut state = [Fr::ZERO; T];
    let (mut overwritten, mut readable) = (0, vec![Fr::ZERO; RATE]);
    let mut outputs = Vec::new();
    for (inputs, count) in steps {
        for input in inputs {
            if overwritten == RATE {
                Poseidon2::permute(&mut state);
                overwritten = 0;
            }
            state[overwritten] = *input;
            overwritten += 1;
        }
        readable.clear();
        for _ in 0..*count {
            if readable.is_empty() {
                Poseidon2::permute(&mut state);
                overwritten = 0;
                readable = state[..RATE].iter().rev().copied().collect();
            }
            outputs.extend(readable.pop());
        }
    }
    outputs
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn calls_of_any_length_are_one(inputs in elements(9), cuts in proptest::collection::vec(0usize..9, 3), count in 0usize..9) {
        let mut whole = Sponge::<Fr, 3, 2>::default();
        whole.absorb(&inputs);
        let mut expected = vec![Fr::ZERO; count];
        whole.squeeze(&mut expected);

        let mut parts = Sponge::<Fr, 3, 2>::default();
        let mut rest = &inputs[..];
        for cut in &cuts {
            let (now, later) = rest.split_at((*cut).min(rest.len()));
            parts.absorb(now);
            rest = later;
        }
        parts.absorb(rest);
        let mut outputs = vec![Fr::ZERO; count];
        let (first, second) = outputs.split_at_mut(cuts[0].min(count));
        parts.squeeze(first);
        parts.squeeze(&mut []);
        parts.squeeze(second);
        prop_assert_eq!(outputs, expected);
        prop_assert!(parts == whole);
    }

    #[test]
    fn any_interleaving_is_the_models(steps in proptest::collection::vec((elements(6), 0usize..6), 1..5)) {
        let run = |sponge: &mut dyn FnMut(&[Fr], &mut [Fr])| {
            let mut outputs = Vec::new();
            for (inputs, count) in &steps {
                let mut elements = vec![Fr::ZERO; *count];
                sponge(inputs, &mut elements);
                outputs.extend(elements);
            }
            outputs
        };
        let mut one = Sponge::<Fr, 3, 1>::default();
        prop_assert_eq!(run(&mut |inputs, outputs| { one.absorb(inputs); one.squeeze(outputs) }), model::<3, 1>(&steps));
        let mut two = Sponge::<Fr, 3, 2>::default();
        prop_assert_eq!(run(&mut |inputs, outputs| { two.absorb(inputs); two.squeeze(outputs) }), model::<3, 2>(&steps));
        let mut wide = Sponge::<Fr, 8, 7>::default();
        prop_assert_eq!(run(&mut |inputs, outputs| { wide.absorb(inputs); wide.squeeze(outputs) }), model::<8, 7>(&steps));
    }

    #[test]
    fn lengths_differ(inputs in elements(9)) {
        // A tail of zeros, and of what the padding is, make another message.
        let digest = |inputs: &[Fr]| VariableLenHash::<Fr, 3, 2, 1>::hash(inputs);
        let mut longer = inputs.clone();
        for tail in [Fr::ZERO, Fr::ONE, Fr::ZERO] {
            longer.push(tail);
            prop_assert_ne!(digest(&inputs), digest(&longer));
        }
    }
}

#[test]
fn padding_is_jellyfishs() {
    type Fixed = FixedLenHash<Fr, 3, 2, 2, 1>;
    type Longer = FixedLenHash<Fr, 3, 2, 6, 1>;
    let [a, b] = [Fr::from_u64(8), Fr::from_u64(9)];
    assert_eq!(Fixed::hash(&[a]), Fixed::hash(&[a, Fr::ZERO]));
    // Nothing is not padded, which shows where zeros would have been permuted.
    assert_eq!(Fixed::hash(&[]), Fixed::hash(&[Fr::ZERO; 2]));
    assert_ne!(Longer::hash(&[]), Longer::hash(&[Fr::ZERO; 6]));
    assert_eq!(Longer::hash(&[]), Fixed::hash(&[]));
    let mut sponge = Sponge::<Fr, 3, 2>::default();
    sponge.absorb(&[a, b]);
    let mut out = [Fr::ZERO];
    sponge.squeeze(&mut out);
    assert_eq!(Fixed::hash(&[a, b]), Ok(out));
    assert_eq!(Fixed::hash(&[a, b, a]), Err(Error::InputCount { given: 3, min: 0, max: 2 }));

    // A sponge of `new` permutes before its first squeeze, as upstream's does, and a default one does not.
    let mut first = [Fr::ONE; 2];
    Sponge::<Fr, 3, 2>::new(&[0; 32]).squeeze(&mut first);
    let mut zeros = [Fr::ZERO; 3];
    Poseidon2::permute(&mut zeros);
    assert_eq!(first, zeros[..2]);
    Sponge::<Fr, 3, 2>::default().squeeze(&mut first);
    assert_eq!(first, [Fr::ZERO; 2]);
    assert!(Sponge::<Fr, 3, 2>::new(&[0; 32]) != Sponge::default());
    assert!(Sponge::<Fr, 3, 2>::new(&[1; 32]) != Sponge::new(&[0; 32]));

    // An iv is reduced, and goes into the first lane of the capacity.
    let mut other = Sponge::<Fr, 3, 2>::new(&[0xff; 32]);
    other.absorb(&[a, b]);
    other.squeeze(&mut out);
    let mut state = [a, b, Fr::from_bytes_be_mod_order(&[0xff; 32])];
    Poseidon2::permute(&mut state);
    assert_eq!(out, [state[0]]);
    assert_eq!(format!("{other:?}"), "Sponge { .. }");
    assert_eq!(compress(a, b), {
        let mut state = [a, b, Fr::ZERO];
        Poseidon2::<Fr, 3>::permute(&mut state);
        state[0]
    });
    // The empty message of Noir's hash is one permutation of zeros.
    let mut zeros = [Fr::ZERO; 4];
    Poseidon2::permute(&mut zeros);
    assert_eq!(noir_hash(&[]), zeros[0]);
}

/// The second modulus, by the field's interface: the first one's tests are in `field.rs`.
#[cfg(feature = "bls12-381")]
mod bls12_381 {
    use super::{element, extremes, integer, BlsFr, Error, BLS12_381};
    use num_bigint::BigUint;
    use proptest::prelude::*;

    fn modulus() -> BigUint {
        BLS12_381.parse().expect("digits")
    }

    fn check(a: &BigUint, b: &BigUint) {
        let p = modulus();
        let (x, y): (BlsFr, BlsFr) = (element(a), element(b));
        assert_eq!(integer(x), *a);
        assert_eq!(integer(x + y), (a + b) % &p);
        assert_eq!(integer(x - y), (a + &p - b) % &p);
        assert_eq!(integer(x * y), a * b % &p);
        assert_eq!(integer(-x), (&p - a) % &p);
        assert_eq!(integer(x.square()), a * a % &p);
        assert_eq!(integer(x.pow5()), a.modpow(&5u32.into(), &p));
        assert_eq!(a.to_string().parse(), Ok(x));
        assert_eq!(x.to_string(), a.to_string());
        assert_eq!(x == y, a == b);
        #[cfg(feature = "ark-bls12-381")]
        {
            let theirs = ark_bls12_381::Fr::from(x);
            assert_eq!(theirs, a.to_string().parse().expect("below p"));
            assert_eq!(BlsFr::from(theirs * ark_bls12_381::Fr::from(y)), x * y);
        }
        #[cfg(feature = "ark-0-5-bls12-381")]
        {
            let theirs = ark_bls12_381_0_5::Fr::from(x);
            assert_eq!(theirs, a.to_string().parse().expect("below p"));
            assert_eq!(BlsFr::from(theirs * ark_bls12_381_0_5::Fr::from(y)), x * y);
        }
    }

    #[test]
    fn extremes_in_pairs() {
        let extremes = extremes(&modulus());
        for a in &extremes {
            for b in &extremes {
                check(a, b);
            }
        }
        // p itself and above are refused, or reduced by name.
        let bytes: [u8; 32] = modulus().to_bytes_be().try_into().expect("32 bytes");
        assert_eq!(BlsFr::from_bytes_be(&bytes), Err(Error::NotBelowModulus { index: 0 }));
        assert_eq!(BlsFr::from_bytes_be_mod_order(&bytes), BlsFr::ZERO);
        assert!("52435875175126190479447740508185965837690552500527637822603658699938581184513"
            .parse::<BlsFr>()
            .is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn arithmetic_equals_big_integers(a: [u8; 32], b: [u8; 32]) {
            let p = modulus();
            let (a, b) = (BigUint::from_bytes_be(&a), BigUint::from_bytes_be(&b));
            let bytes: [u8; 32] = core::array::from_fn(|i| a.to_bytes_be().get(i).copied().unwrap_or(0));
            prop_assert_eq!(integer(BlsFr::from_bytes_be_mod_order(&bytes)), BigUint::from_bytes_be(&bytes) % &p);
            check(&(a % &p), &(b % &p));
        }
    }
}
