//! Parameters, and the permutation as the paper has it: the specification that every faster form is held to.

use crate::{Error, Fr, Scalar};

/// Parameters of a Poseidon permutation over BN254's scalar field with the S-box x^5, the caller's own or an instance's.
///
/// **This is for those who have parameters of their own and know why.** Whoever only wants circomlib's hash wants
/// [`hash`](crate::hash). The lengths are checked, but not the security: too few rounds, a matrix that is not MDS or that lets a subspace pass
/// the partial rounds unchanged, or constants with structure give a permutation that looks right, passes its own
/// tests, and can be inverted or collided. Nor can a wrong order of constants or a transposed matrix be told from the
/// right one, except by known answers. The order is the paper's: add the round's constants, S-boxes, state = M * state.
///
/// What light-poseidon's `Poseidon::new(parameters)` did, without an allocation. Its `ark` is a flat list, here in rows of `T`;
/// its `alpha` is 5 here; its `mds` is an array of rows. An `ark_bn254::Fr` becomes an [`Fr`] by `From`.
///
/// ```
/// use const_poseidon::{Fr, Parameters, Poseidon};
///
/// // circomlib's own, taken apart.
/// let (full, partial) = (Poseidon::<3>::FULL_ROUNDS, Poseidon::<3>::PARTIAL_ROUNDS);
/// let parameters = Parameters::new(full, partial, Poseidon::<3>::round_constants(), Poseidon::<3>::mds_matrix())?;
///
/// let inputs = [Fr::from_u64(1), Fr::from_u64(2)];
/// assert_eq!(parameters.hash(Fr::ZERO, &inputs)?, Poseidon::<3>::hash(&inputs));
/// # Ok::<(), const_poseidon::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Parameters<'a, const T: usize> {
    full_rounds: usize,
    partial_rounds: usize,
    round_constants: &'a [[Fr; T]],
    mds_matrix: &'a [[Fr; T]; T],
}

impl<'a, const T: usize> Parameters<'a, T> {
    /// Parameters of width `T`: half of the full rounds, the partial rounds, the other half; one row of
    /// round constants for each round in that order; row i of the matrix gives lane i.
    ///
    /// # Errors
    /// [`Error::ZeroWidth`] if `T` is 0, [`Error::OddFullRounds`], and [`Error::RoundConstantCount`] if there are not
    /// `full_rounds + partial_rounds` rows.
    pub const fn new(
        full_rounds: usize,
        partial_rounds: usize,
        round_constants: &'a [[Fr; T]],
        mds_matrix: &'a [[Fr; T]; T],
    ) -> Result<Self, Error> {
        if T == 0 {
            return Err(Error::ZeroWidth);
        }
        if full_rounds % 2 != 0 {
            return Err(Error::OddFullRounds { given: full_rounds });
        }
        let given = round_constants.len();
        let sum = full_rounds.checked_add(partial_rounds);
        match sum {
            Some(rounds) if rounds == given => Ok(Self { full_rounds, partial_rounds, round_constants, mds_matrix }),
            Some(rounds) => Err(Error::RoundConstantCount { given, rounds }),
            None => Err(Error::RoundConstantCount { given, rounds: usize::MAX }),
        }
    }

    /// An instance's, which build.rs derived and whose lengths the types of its tables carry.
    pub(super) const fn trusted<const R: usize>(
        full_rounds: usize,
        partial_rounds: usize,
        round_constants: &'a [[Fr; T]; R],
        mds_matrix: &'a [[Fr; T]; T],
    ) -> Self {
        assert!(T > 0 && full_rounds % 2 == 0 && full_rounds + partial_rounds == R);
        Self { full_rounds, partial_rounds, round_constants, mds_matrix }
    }

    /// R_F.
    #[must_use]
    pub const fn full_rounds(&self) -> usize {
        self.full_rounds
    }

    /// R_P.
    #[must_use]
    pub const fn partial_rounds(&self) -> usize {
        self.partial_rounds
    }

    /// The round constants, a row for each round.
    #[must_use]
    pub const fn round_constants(&self) -> &'a [[Fr; T]] {
        self.round_constants
    }

    /// The MDS matrix.
    #[must_use]
    pub const fn mds_matrix(&self) -> &'a [[Fr; T]; T] {
        self.mds_matrix
    }

    /// The permutation, in place.
    pub fn permute<F: Scalar>(&self, state: &mut [F; T]) {
        let mut lanes = state.map(Into::into);
        self.permute_lanes(&mut lanes);
        *state = lanes.map(From::from);
    }

    /// The permutation, round by round as the paper has it.
    pub(super) fn permute_lanes(&self, state: &mut [Fr; T]) {
        let first_partial = self.full_rounds / 2;
        let partial = first_partial..first_partial + self.partial_rounds;
        for (round, constants) in self.round_constants.iter().enumerate() {
            for (lane, constant) in state.iter_mut().zip(constants) {
                *lane += *constant;
            }
            let s_boxes = if partial.contains(&round) { 1 } else { T };
            for lane in state.iter_mut().take(s_boxes) {
                *lane = lane.pow5();
            }
            let boxed = *state;
            for (lane, row) in state.iter_mut().zip(self.mds_matrix) {
                *lane = dot(row, &boxed);
            }
        }
    }

    /// Lane 0 of the permutation of `[domain_tag, inputs..]`, for T - 1 inputs.
    ///
    /// # Errors
    /// [`Error::InputCount`] for another number of inputs.
    pub fn hash<F: Scalar>(&self, domain_tag: F, inputs: &[F]) -> Result<F, Error> {
        let mut state = [domain_tag; T];
        match state.split_first_mut() {
            Some((_, lanes)) if lanes.len() == inputs.len() => lanes.copy_from_slice(inputs),
            _ => {
                return Err(Error::InputCount {
                    given: inputs.len(),
                    min: T.saturating_sub(1),
                    max: T.saturating_sub(1),
                })
            }
        }
        self.permute(&mut state);
        Ok(state.first().copied().unwrap_or(domain_tag))
    }
}

/// The sum of the lanes' products.
fn dot<const T: usize>(row: &[Fr; T], state: &[Fr; T]) -> Fr {
    row.iter().zip(state).fold(Fr::ZERO, |sum, (a, b)| sum + *a * *b)
}
