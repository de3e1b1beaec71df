//! The tables, entry by entry: against the oracle for every width, and against light-poseidon's published ones.

use crate::reference::{Instance, FULL_ROUNDS};
use crate::samples::integer;
use crate::widths::{width, widths};
use const_poseidon::{Fr, Poseidon};
use num_bigint::BigUint;

fn integers(rows: Vec<Vec<Fr>>) -> Vec<Vec<BigUint>> {
    rows.into_iter().map(|row| row.into_iter().map(integer).collect()).collect()
}

#[test]
fn equal_the_oracle() {
    let mut entries = 0;
    for width in widths() {
        let instance = Instance::of(width.t);
        assert_eq!(width.partial_rounds, instance.partial_rounds);
        let round_constants = integers((width.round_constants)());
        assert_eq!(round_constants.len(), FULL_ROUNDS + instance.partial_rounds);
        assert_eq!(round_constants, instance.round_constants, "t = {}", width.t);
        assert_eq!(integers((width.mds_matrix)()), instance.mds, "t = {}", width.t);
        entries += (round_constants.len() + width.t) * width.t;
    }
    println!("constants checked: {entries}");
    assert_eq!(Poseidon::<3>::FULL_ROUNDS, FULL_ROUNDS);
    assert_eq!(entries, 12_638);
}

#[test]
fn equal_light_poseidon() {
    use ark_ff::{BigInteger, PrimeField};
    use light_poseidon::parameters::bn254_x5::get_poseidon_parameters;

    let ours = |rows: Vec<Vec<Fr>>| -> Vec<Vec<u8>> {
        rows.concat().into_iter().map(|element| element.to_bytes_le().to_vec()).collect()
    };
    let theirs = |elements: &[ark_bn254::Fr]| -> Vec<Vec<u8>> {
        elements.iter().map(|element| element.into_bigint().to_bytes_le()).collect()
    };
    for t in 2..=13u8 {
        let published = get_poseidon_parameters::<ark_bn254::Fr>(t).expect("a supported width");
        let width = width(usize::from(t));
        assert_eq!(width.partial_rounds, published.partial_rounds);
        assert_eq!(ours((width.round_constants)()), theirs(&published.ark), "t = {t}");
        assert_eq!(ours((width.mds_matrix)()), theirs(&published.mds.concat()), "t = {t}");
    }
}

#[test]
fn equal_hadeshash() {
    // IAIK's hadeshash, code/poseidonperm_x5_254_3.sage: the first and the last round constants, and the matrix.
    let hex = |row: &[Fr; 3]| row.map(|element| format!("{element:?}"));
    let constants = Poseidon::<3>::round_constants();
    assert_eq!(
        hex(&constants[0]),
        [
            "0x0ee9a592ba9a9518d05986d656f40c2114c4993c11bb29938d21d47304cd8e6e",
            "0x00f1445235f2148c5986587169fc1bcd887b08d4d00868df5696fff40956e864",
            "0x08dff3487e8ac99e1f29a058d0fa80b930c728730b7ab36ce879f3890ecf73f5",
        ]
    );
    assert_eq!(
        hex(&constants[64]),
        [
            "0x0fe0af7858e49859e2a54d6f1ad945b1316aa24bfbdd23ae40a6d0cb70c3eab1",
            "0x216f6717bbc7dedb08536a2220843f4e2da5f1daa9ebdefde8a5ea7344798d22",
            "0x1da55cc900f0d21f4a3e694391918a1b3c23b2ac773c6b3ef88e2e4228325161",
        ]
    );
    assert_eq!(
        Poseidon::<3>::mds_matrix().each_ref().map(hex),
        [
            [
                "0x109b7f411ba0e4c9b2b70caf5c36a7b194be7c11ad24378bfedb68592ba8118b",
                "0x16ed41e13bb9c0c66ae119424fddbcbc9314dc9fdbdeea55d6c64543dc4903e0",
                "0x2b90bba00fca0589f617e7dcbfe82e0df706ab640ceb247b791a93b74e36736d",
            ],
            [
                "0x2969f27eed31a480b9c36c764379dbca2cc8fdd1415c3dded62940bcde0bd771",
                "0x2e2419f9ec02ec394c9871c832963dc1b89d743c8c7b964029b2311687b1fe23",
                "0x101071f0032379b697315876690f053d148d4e109f5fb065c8aacc55a0f89bfa",
            ],
            [
                "0x143021ec686a3f330d5f9e654638065ce6cd79e28c5b3753326244ee65a1b1a7",
                "0x176cc029695ad02582a70eff08a6fd99d057e12e58e7d7b6b16cdfabc8ee2911",
                "0x19a3fc0a56702bf417ba7fee3802593fa644470307043f7773279cd71d25d5e0",
            ],
        ]
    );
}
