use const_poseidon::{Fr, Poseidon};

fn main() {
    println!("{:?}", Poseidon::<3>::hash(&one_width::inputs().map(|bytes| Fr::from_bytes_be_mod_order(&bytes))));
}
