//! BLS12-381's scalar field.

/// BLS12-381's scalar field: p = 52435875175126190479447740508185965837690552500527637822603658699938581184513.
///
/// The same interface as the crate's [`Fr`](crate::Fr), and another type: it cannot reach BN254's [`Poseidon`](crate::Poseidon).
///
/// ```
/// use const_poseidon::{bls12_381::Fr, Poseidon2};
///
/// let mut state = [0, 1].map(Fr::from_u64);
/// Poseidon2::<Fr, 2>::permute(&mut state);
/// assert_eq!(format!("{:?}", state[0]), "0x73c46dd530e248a87b61d19e67fa1b4ed30fc3d09f16531fe189fb945a15ce4e");
/// ```
/// ```compile_fail,E0277
/// const_poseidon::hash(&[const_poseidon::bls12_381::Fr::ONE; 2]); // BN254 alone
/// ```
pub type Fr = crate::field::Element<crate::field::Bls12_381>;
