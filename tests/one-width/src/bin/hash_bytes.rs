use const_poseidon::Poseidon;

fn main() {
    println!("{:?}", Poseidon::<3>::hash_bytes_be(&one_width::inputs()));
}
