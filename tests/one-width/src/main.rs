//! Hashes two numbers from the command line, of width 3 alone.

use const_poseidon::{Fr, Poseidon};

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|text| text.parse::<Fr>().ok());
    if let (Some(left), Some(right)) = (numbers.next(), numbers.next()) {
        println!("{}", Poseidon::<3>::hash(&[left, right]));
    }
}
