//! Every kind of hash, chosen by the first byte of the data; the rest are inputs of 32 bytes, if not said otherwise.

use crate::{answer, NOT_UNDERSTOOD};
use const_poseidon::{bls12_381, hash_bytes_be, hash_bytes_le, Arity, Error, Fr, Poseidon, Poseidon2, Width};

/// The program's exit code: 0, or the error's number.
pub(crate) fn hash(data: &[u8]) -> u64 {
    let Some((&kind, data)) = data.split_first() else { return NOT_UNDERSTOOD };
    let result = match kind {
        0 => Ok(()),
        b'b' => typed(data, Order::Big),
        b'l' => typed(data, Order::Little),
        b'e' => typed(data, Order::Elements),
        b't' => typed(data, Order::Tagged),
        b's' => slices(data),
        b'2' => poseidon2::<Fr, 3>(data, Fr::from_bytes_be, Fr::to_bytes_be),
        b'3' => poseidon2::<bls12_381::Fr, 2>(data, bls12_381::Fr::from_bytes_be, bls12_381::Fr::to_bytes_be),
        _ => return NOT_UNDERSTOOD,
    };
    result.map_or_else(Error::solana_code, |()| 0)
}

#[derive(Clone, Copy)]
enum Order {
    Big,
    Little,
    /// Elements, of big-endian bytes.
    Elements,
    /// The first of the inputs is the domain tag.
    Tagged,
}

fn typed(data: &[u8], order: Order) -> Result<(), Error> {
    let (inputs, rest) = data.as_chunks();
    let count = inputs.len() - usize::from(matches!(order, Order::Tagged) && !inputs.is_empty());
    let refused = Err(Error::InputCount { given: count, min: 1, max: 16 });
    if !rest.is_empty() {
        return refused;
    }
    match count {
        1 => one_width::<2, 1>(inputs, order),
        2 => one_width::<3, 2>(inputs, order),
        4 => one_width::<5, 4>(inputs, order),
        8 => one_width::<9, 8>(inputs, order),
        12 => one_width::<13, 12>(inputs, order),
        16 => one_width::<17, 16>(inputs, order),
        _ => refused,
    }
}

/// Not inlined, so that each width has a stack frame of its own.
#[inline(never)]
fn one_width<const T: usize, const N: usize>(inputs: &[[u8; 32]], order: Order) -> Result<(), Error>
where
    Poseidon<T>: Width<T> + Arity<N>,
{
    let (tag, inputs) = match (order, inputs.split_first()) {
        (Order::Tagged, Some((tag, inputs))) => (tag, inputs),
        _ => (&[0; 32], inputs),
    };
    let Some(inputs) = inputs.first_chunk::<N>() else { return Ok(()) };
    let digest = match order {
        Order::Big => Poseidon::<T>::hash_bytes_be(inputs)?,
        Order::Little => Poseidon::<T>::hash_bytes_le(inputs)?,
        Order::Tagged => Poseidon::<T>::hash_bytes_be_with_tag(tag, inputs)?,
        Order::Elements => {
            let mut elements = [Fr::ZERO; N];
            for (element, bytes) in elements.iter_mut().zip(inputs) {
                *element = Fr::from_bytes_be(bytes)?;
            }
            Poseidon::<T>::hash(&elements).to_bytes_be()
        }
    };
    answer(&digest);
    Ok(())
}

/// Any inputs: each is a byte that says how long it is, and as many bytes. The first byte says whether they are little-endian.
#[inline(never)]
fn slices(data: &[u8]) -> Result<(), Error> {
    let mut inputs: [&[u8]; 18] = [&[]; 18];
    let mut count = 0;
    let (little, mut data) = data.split_first().map_or((0, data), |(&little, data)| (little, data));
    while let Some((&length, rest)) = data.split_first() {
        let Some((input, rest)) = rest.split_at_checked(length.into()) else { break };
        if let Some(place) = inputs.get_mut(count) {
            *place = input;
        }
        count += 1;
        data = rest;
    }
    let inputs = inputs.get(..count).unwrap_or(&inputs);
    answer(&if little == 0 { hash_bytes_be(inputs)? } else { hash_bytes_le(inputs)? });
    Ok(())
}

/// The permutation of as many lanes, all of which are the answer.
#[inline(never)]
fn poseidon2<F, const T: usize>(
    data: &[u8],
    read: fn(&[u8; 32]) -> Result<F, Error>,
    write: fn(F) -> [u8; 32],
) -> Result<(), Error>
where
    F: const_poseidon::poseidon2::Instance<T> + Copy + Default,
{
    let mut state = [F::default(); T];
    for (lane, bytes) in state.iter_mut().zip(data.as_chunks().0) {
        *lane = read(bytes)?;
    }
    Poseidon2::<F, T>::permute(&mut state);
    answer(state.map(write).as_flattened());
    Ok(())
}
