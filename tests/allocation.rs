//! No function of the crate allocates: a counting allocator, with a control that it counts.

#![allow(clippy::expect_used, reason = "a failure must stop the run")]

use const_poseidon::poseidon2::{compress, noir_hash, FixedLenHash, Instance, Sponge, VariableLenHash};
use const_poseidon::{hash, hash_bytes_be, hash_bytes_le, hash_slice, Fr, Parameters, Poseidon, Poseidon2};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Write;
use std::hint::black_box;

struct Counting;

thread_local! {
    /// Of this thread: the one that runs the tests may allocate meanwhile.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

#[allow(unsafe_code, reason = "a global allocator is unsafe to implement; this one hands every call to the system's")]
// SAFETY: both methods are the system allocator's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(run: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    run();
    ALLOCATIONS.get() - before
}

/// Text without a heap.
struct Buffer {
    len: usize,
}

impl Write for Buffer {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.len += text.len();
        Ok(())
    }
}

fn width<const T: usize, const N: usize>()
where
    Poseidon<T>: const_poseidon::Width<T> + const_poseidon::Arity<N>,
    [Fr; N]: const_poseidon::Inputs<Fr>,
{
    let inputs = black_box([Fr::from_u64(3); N]);
    let bytes = black_box([[4; 32]; N]);
    let slices = bytes.each_ref().map(|bytes| &bytes[..]);
    black_box(Poseidon::<T>::hash(&inputs));
    black_box(hash(&inputs));
    black_box(hash_slice(&inputs).ok());
    black_box(Poseidon::<T>::hash_with_tag(Fr::ONE, &inputs));
    black_box(Poseidon::<T>::hash_bytes_be(&bytes).ok());
    black_box(Poseidon::<T>::hash_bytes_le(&bytes).ok());
    black_box(Poseidon::<T>::hash_bytes_be_with_tag(&[5; 32], &bytes).ok());
    black_box(Poseidon::<T>::hash_bytes_le_with_tag(&[5; 32], &bytes).ok());
    black_box(hash_bytes_be(&slices).ok());
    black_box(hash_bytes_le(&slices).ok());
    black_box(const_poseidon::hash_slice_with_tag(Fr::ONE, &inputs).ok());
    black_box(const_poseidon::hash_bytes_be_with_tag(&[5; 32], &slices).ok());
    black_box(const_poseidon::hash_bytes_le_with_tag(&[5; 32], &slices).ok());
    let mut state = black_box([Fr::ONE; T]);
    Poseidon::<T>::permute(&mut state);
    Poseidon::<T>::permute_many(&mut black_box([[Fr::ONE; T]; 9]));
    black_box(Poseidon::<T>::hash_many(&[inputs; 9], &mut [Fr::ZERO; 9]).ok());
    let parameters = Parameters::new(
        Poseidon::<T>::FULL_ROUNDS,
        Poseidon::<T>::PARTIAL_ROUNDS,
        Poseidon::<T>::round_constants(),
        Poseidon::<T>::mds_matrix(),
    );
    black_box(parameters.and_then(|parameters| parameters.hash(Fr::ZERO, &inputs)).ok());
    #[cfg(feature = "ark")]
    black_box(Poseidon::<T>::hash(&inputs.map(ark_bn254::Fr::from)));
    #[cfg(feature = "ark-0-5")]
    black_box(Poseidon::<T>::hash(&inputs.map(ark_bn254_0_5::Fr::from)));
}

fn poseidon2<F: Instance<3>>(one: F) {
    let inputs = black_box([one; 5]);
    let mut sponge = Sponge::<F, 3, 2>::new(&[7; 32]);
    sponge.absorb(&inputs);
    let mut outputs = [one; 3];
    sponge.squeeze(&mut outputs);
    sponge.ratchet();
    black_box(sponge);
    black_box(VariableLenHash::<F, 3, 2, 2>::hash(&inputs));
    black_box(FixedLenHash::<F, 3, 1, 6, 1>::hash(&inputs).is_ok());
    black_box(FixedLenHash::<F, 3, 1, 2, 1>::hash(&inputs).is_err());
    black_box(compress(one, one));
    let mut state = black_box([one; 3]);
    Poseidon2::permute(&mut state);
    black_box(state);
}

#[test]
fn nothing_allocates() {
    assert_eq!(allocations(|| drop(black_box(Box::new(1)))), 1, "the allocator counts");
    macro_rules! widths {
        ($($t:literal)*) => {$(
            assert_eq!(allocations(width::<$t, { $t - 1 }>), 0, "t = {}", $t);
        )*};
    }
    widths!(2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17);

    let count = allocations(|| {
        poseidon2(Fr::ONE);
        #[cfg(feature = "bls12-381")]
        poseidon2(const_poseidon::bls12_381::Fr::ONE);
        black_box(noir_hash(&[Fr::ONE; 4]));
        let mut state = black_box([Fr::ONE; 16]);
        Poseidon2::permute(&mut state);
        black_box(state);
    });
    assert_eq!(count, 0, "Poseidon2");

    let text = black_box("21888242871839275222246405745257275088548364400416034343698204186575808495616");
    let count = allocations(|| {
        let element: Fr = text.parse().expect("below the modulus");
        let mut buffer = Buffer { len: 0 };
        write!(buffer, "{element} {element:?}").expect("it takes any text");
        write!(buffer, "{}", hash_slice::<Fr>(&[]).expect_err("no inputs")).expect("it takes any text");
        write!(buffer, "{}", "x".parse::<Fr>().expect_err("no digit")).expect("it takes any text");
        assert!(buffer.len > 77 + 1 + 66);
    });
    assert_eq!(count, 0, "text");
}
