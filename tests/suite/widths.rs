//! One table of function pointers a width, so that a test can take a width from data.

use const_poseidon::{hash, Error, Fr, Poseidon};

/// Every typed function of one width, taking slices of the right length.
pub struct Width {
    pub t: usize,
    pub partial_rounds: usize,
    pub mds_matrix: fn() -> Vec<Vec<Fr>>,
    pub round_constants: fn() -> Vec<Vec<Fr>>,
    pub permute: fn(&mut [Fr]),
    pub hash: fn(&[Fr]) -> Fr,
    pub free_hash: fn(&[Fr]) -> Fr,
    pub hash_with_tag: fn(Fr, &[Fr]) -> Fr,
    pub bytes: [ByteFunctions; 2],
    #[cfg(feature = "ark")]
    pub ark: Ark<ark_bn254::Fr>,
    #[cfg(feature = "ark-0-5")]
    pub ark_0_5: Ark<ark_bn254_0_5::Fr>,
}

type Digest = Result<[u8; 32], Error>;

/// The byte functions of one order; `encode` is that order's.
pub struct ByteFunctions {
    pub encode: fn(Fr) -> [u8; 32],
    pub typed: fn(&[[u8; 32]]) -> Digest,
    pub with_tag: fn(&[u8; 32], &[[u8; 32]]) -> Digest,
    pub slices: fn(&[&[u8]]) -> Digest,
    pub slices_with_tag: fn(&[u8; 32], &[&[u8]]) -> Digest,
}

/// The same functions on another crate's scalar.
#[cfg(any(feature = "ark", feature = "ark-0-5"))]
pub struct Ark<F> {
    pub permute: fn(&mut [F]),
    pub hash_with_tag: fn(F, &[F]) -> F,
}

macro_rules! array {
    ($slice:expr) => {
        $slice.try_into().expect("the width's length")
    };
}

macro_rules! widths {
    ($($t:literal)*) => {
        static WIDTHS: [Width; 16] = [$(Width {
            t: $t,
            partial_rounds: Poseidon::<$t>::PARTIAL_ROUNDS,
            mds_matrix: || Poseidon::<$t>::mds_matrix().iter().map(|row| row.to_vec()).collect(),
            round_constants: || Poseidon::<$t>::round_constants().iter().map(|row| row.to_vec()).collect(),
            permute: |state| Poseidon::<$t>::permute::<Fr>(array!(state)),
            hash: |inputs| Poseidon::<$t>::hash::<Fr, { $t - 1 }>(array!(inputs)),
            free_hash: |inputs| hash::<Fr, { $t - 1 }>(array!(inputs)),
            hash_with_tag: |tag, inputs| Poseidon::<$t>::hash_with_tag::<Fr, { $t - 1 }>(tag, array!(inputs)),
            bytes: [
                ByteFunctions {
                    encode: Fr::to_bytes_be,
                    typed: |inputs| Poseidon::<$t>::hash_bytes_be::<{ $t - 1 }>(array!(inputs)),
                    with_tag: |tag, inputs| Poseidon::<$t>::hash_bytes_be_with_tag::<{ $t - 1 }>(tag, array!(inputs)),
                    slices: const_poseidon::hash_bytes_be,
                    slices_with_tag: const_poseidon::hash_bytes_be_with_tag,
                },
                ByteFunctions {
                    encode: Fr::to_bytes_le,
                    typed: |inputs| Poseidon::<$t>::hash_bytes_le::<{ $t - 1 }>(array!(inputs)),
                    with_tag: |tag, inputs| Poseidon::<$t>::hash_bytes_le_with_tag::<{ $t - 1 }>(tag, array!(inputs)),
                    slices: const_poseidon::hash_bytes_le,
                    slices_with_tag: const_poseidon::hash_bytes_le_with_tag,
                },
            ],
            #[cfg(feature = "ark")]
            ark: Ark {
                permute: |state| Poseidon::<$t>::permute::<ark_bn254::Fr>(array!(state)),
                hash_with_tag: |tag, inputs| Poseidon::<$t>::hash_with_tag::<ark_bn254::Fr, { $t - 1 }>(tag, array!(inputs)),
            },
            #[cfg(feature = "ark-0-5")]
            ark_0_5: Ark {
                permute: |state| Poseidon::<$t>::permute::<ark_bn254_0_5::Fr>(array!(state)),
                hash_with_tag: |tag, inputs| Poseidon::<$t>::hash_with_tag::<ark_bn254_0_5::Fr, { $t - 1 }>(tag, array!(inputs)),
            },
        }),*];
    };
}

widths!(2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17);

/// The functions of width t.
pub fn width(t: usize) -> &'static Width {
    &WIDTHS[t - 2]
}

/// All widths.
pub fn widths() -> impl Iterator<Item = &'static Width> {
    WIDTHS.iter()
}

impl Width {
    /// Checks every path of this width from one state to its permutation, the oracle's or a published one: `outputs` may be
    /// the first lanes alone.
    pub fn check(&self, state: &[Fr], outputs: &[Fr], name: &str) {
        let t = self.t;
        let (tag, inputs) = (state[0], &state[1..]);
        let mut permuted = state.to_vec();
        (self.permute)(&mut permuted);
        assert_eq!(&permuted[..outputs.len()], outputs, "{name}: permute, t = {t}");
        assert_eq!((self.hash_with_tag)(tag, inputs), outputs[0], "{name}: hash_with_tag, t = {t}");

        #[cfg(feature = "ark")]
        self.ark.check(state, &permuted, name);
        #[cfg(feature = "ark-0-5")]
        self.ark_0_5.check(state, &permuted, name);

        for order in &self.bytes {
            let bytes: Vec<[u8; 32]> = inputs.iter().map(|&input| (order.encode)(input)).collect();
            let slices: Vec<&[u8]> = bytes.iter().map(|bytes| &bytes[..]).collect();
            let (tag_bytes, digest) = ((order.encode)(tag), Ok((order.encode)(outputs[0])));
            assert_eq!((order.with_tag)(&tag_bytes, &bytes), digest, "{name}: bytes with tag, t = {t}");
            assert_eq!((order.slices_with_tag)(&tag_bytes, &slices), digest, "{name}: slices with tag, t = {t}");
            if tag == Fr::ZERO {
                assert_eq!((order.typed)(&bytes), digest, "{name}: bytes, t = {t}");
                assert_eq!((order.slices)(&slices), digest, "{name}: slices of bytes, t = {t}");
            }
        }

        assert_eq!(const_poseidon::hash_slice_with_tag(tag, inputs), Ok(outputs[0]), "{name}: slice with tag, t = {t}");
        if tag == Fr::ZERO {
            assert_eq!((self.hash)(inputs), outputs[0], "{name}: hash, t = {t}");
            assert_eq!((self.free_hash)(inputs), outputs[0], "{name}: free hash, t = {t}");
            assert_eq!(const_poseidon::hash_slice(inputs), Ok(outputs[0]), "{name}: hash_slice, t = {t}");
        }
    }
}

#[cfg(any(feature = "ark", feature = "ark-0-5"))]
impl<F: const_poseidon::Scalar + From<Fr> + PartialEq + std::fmt::Debug> Ark<F> {
    fn check(&self, state: &[Fr], permuted: &[Fr], name: &str) {
        let mut lanes: Vec<F> = state.iter().copied().map(F::from).collect();
        assert_eq!((self.hash_with_tag)(lanes[0], &lanes[1..]).into(), permuted[0], "{name}: ark's hash_with_tag");
        (self.permute)(&mut lanes);
        let back: Vec<Fr> = lanes.into_iter().map(Into::into).collect();
        assert_eq!(back, permuted, "{name}: ark's permute");
    }
}
