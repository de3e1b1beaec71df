//! Noir's hash over its sponge (noir-lang/poseidon, `poseidon2.nr`; barretenberg's is the same).

use super::sealed::Tables;
use crate::Fr;

/// Noir's `Poseidon2::hash(inputs, inputs.len())`, which is barretenberg's `poseidon2_hash`: BN254, t = 4, rate 3, the number of inputs times
/// 2^64 in the capacity, inputs added to the rate, lane 0 out.
///
/// ```
/// use const_poseidon::{poseidon2::noir_hash, Fr};
///
/// let digest = noir_hash(&[1, 2, 3].map(Fr::from_u64));
/// assert_eq!(format!("{digest:?}"), "0x23864adb160dddf590f1d3303683ebcb914f828e2635f6e85a32f0a1aecd3dd8");
/// ```
#[must_use]
pub fn noir_hash(inputs: &[Fr]) -> Fr {
    // A usize has 64 bits at most.
    let mut state = [Fr::ZERO, Fr::ZERO, Fr::ZERO, Fr::from_u128((inputs.len() as u128) << 64)];
    for block in inputs.chunks(3) {
        for (lane, input) in state.iter_mut().zip(block) {
            *lane += *input;
        }
        Fr::permute(&mut state);
    }
    if inputs.is_empty() {
        Fr::permute(&mut state);
    }
    state[0]
}
