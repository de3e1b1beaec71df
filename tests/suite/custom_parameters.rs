//! Parameters of the caller's own.

use crate::reference::modulus;
use crate::samples::{element, integer};
use const_poseidon::{Error, Fr, Parameters, Poseidon};
use num_bigint::BigUint;

#[test]
fn circomlib_parameters_give_circomlib_hashes() {
    let parameters =
        Parameters::new(8, 57, Poseidon::<3>::round_constants(), Poseidon::<3>::mds_matrix()).expect("they fit");
    let inputs = [Fr::from_u64(1), Fr::from_u64(2)];
    let digest = parameters.hash(Fr::ZERO, &inputs).expect("two inputs");
    assert_eq!(digest, Poseidon::<3>::hash(&inputs));
    assert_eq!(parameters.hash(Fr::ONE, &inputs), Ok(Poseidon::<3>::hash_with_tag(Fr::ONE, &inputs)));
    let count = |given| Err(Error::InputCount { given, min: 2, max: 2 });
    assert_eq!(parameters.hash(Fr::ZERO, &inputs[..1]), count(1));
    assert_eq!(parameters.hash::<Fr>(Fr::ZERO, &[]), count(0));
    assert_eq!(parameters.hash(Fr::ZERO, &[Fr::ONE; 3]), count(3));
}

#[test]
fn small_parameters_by_hand() {
    // One lane, two full rounds and a partial one, M = [3]: x -> 3 (x + c)^5 three times.
    let constants = [1, 2, 3].map(|c| [Fr::from_u64(c)]);
    let matrix = [[Fr::from_u64(3)]];
    let parameters = Parameters::new(2, 1, &constants, &matrix).expect("they fit");
    let mut state = [Fr::from_u64(5)];
    parameters.permute(&mut state);
    let expected = [1u32, 2, 3]
        .iter()
        .fold(BigUint::from(5u32), |x, c| BigUint::from(3u32) * (x + c).modpow(&5u32.into(), modulus()) % modulus());
    assert_eq!(integer(state[0]), expected);
    assert_eq!(parameters.hash(Fr::from_u64(5), &[]), Ok(element(&expected)));

    // No rounds at all: the identity.
    let none = Parameters::new(0, 0, &[], &matrix).expect("they fit");
    assert_eq!(none.hash(Fr::from_u64(7), &[]), Ok(Fr::from_u64(7)));
}

#[test]
fn lengths_that_do_not_fit_are_errors() {
    let (constants, matrix) = (Poseidon::<3>::round_constants(), Poseidon::<3>::mds_matrix());
    let error =
        |full, partial| Parameters::new(full, partial, constants, matrix).map(|_| ()).expect_err("must not fit");
    assert_eq!(error(8, 56), Error::RoundConstantCount { given: 65, rounds: 64 });
    assert_eq!(error(8, 58), Error::RoundConstantCount { given: 65, rounds: 66 });
    assert_eq!(error(7, 58), Error::OddFullRounds { given: 7 });
    assert_eq!(error(9, 56), Error::OddFullRounds { given: 9 });
    assert_eq!(error(8, usize::MAX), Error::RoundConstantCount { given: 65, rounds: usize::MAX });
    assert_eq!(Parameters::<0>::new(0, 0, &[], &[]).map(|_| ()), Err(Error::ZeroWidth));
}
