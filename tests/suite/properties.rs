//! Fast equals slow, on random and on extreme states, by every path.

use crate::reference::Instance;
use crate::samples::{any_element, element, extremes, integer};
use crate::widths::{widths, Width};
use const_poseidon::Fr;
use num_bigint::BigUint;
use proptest::prelude::*;

fn check_against_oracle(width: &Width, state: &[Fr], name: &str) {
    let integers: Vec<BigUint> = state.iter().map(|&lane| integer(lane)).collect();
    let outputs: Vec<Fr> = Instance::of(width.t).permute(&integers).iter().map(element).collect();
    width.check(state, &outputs, name);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_width_equals_the_oracle(state in proptest::collection::vec(any_element(), 17), tagged: bool) {
        for width in widths() {
            let mut state = state[..width.t].to_vec();
            if !tagged {
                state[0] = Fr::ZERO;
            }
            check_against_oracle(width, &state, "random");
        }
    }
}

#[test]
fn every_width_equals_the_oracle_at_the_extremes() {
    let extremes = extremes();
    for width in widths() {
        // All lanes equal, for the sharpest of them.
        for &value in &extremes[..5] {
            check_against_oracle(width, &vec![value; width.t], "all equal");
            let mut untagged = vec![value; width.t];
            untagged[0] = Fr::ZERO;
            check_against_oracle(width, &untagged, "all equal, untagged");
        }
        // Every extreme once, in neighbouring lanes.
        for lanes in extremes.chunks(width.t) {
            let state: Vec<Fr> = lanes.iter().cycle().take(width.t).copied().collect();
            check_against_oracle(width, &state, "extremes");
        }
    }
}

#[test]
fn every_lane_counts() {
    for width in widths() {
        let state: Vec<Fr> = (0..17).take(width.t).map(Fr::from_u64).collect();
        let mut before = state.clone();
        (width.permute)(&mut before);
        for lane in 0..width.t {
            let mut changed = state.clone();
            changed[lane] += Fr::ONE;
            (width.permute)(&mut changed);
            assert!(before.iter().zip(&changed).all(|(a, b)| a != b), "t = {}, lane {lane}", width.t);
        }
    }
}
