use const_poseidon::Fr;

fn main() {
    println!("{:?}", const_poseidon::hash(&one_width::inputs().map(|bytes| Fr::from_bytes_be_mod_order(&bytes))));
}
