//! Blocks of 64 samples: their coefficients, divided by the steps.
//!
//! The arithmetic of whole numbers is that of the "slow" transform of libjpeg, so the coefficients are those of programs that use it.
#![expect(
    clippy::indexing_slicing,
    reason = "the numbers of rows, columns and coefficients are constants"
)]

use super::tables::Quantizer;

/// The samples of a block, row by row.
pub(super) type Samples = [[u8; 8]; 8];

/// The coefficients of a block, row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) numbers: [i16; 64],
    /// A bit for each coefficient, which is set if it is not zero.
    pub(super) filled: u64,
}

/// Returns the coefficients of samples.
pub(super) fn block(samples: &Samples, by: &Quantizer) -> Block {
    let rows = samples.map(|row| waves::<11, true>(row.map(|one| i32::from(one) - 128)));
    let columns = turned(&rows).map(waves::<15, false>);
    let all = turned(&columns);
    let (mut numbers, mut filled) = ([0; 64], 0);
    for (at, one) in all.as_flattened().iter().enumerate() {
        let [first, second] = by.factors.each_ref().map(|all| u32::from(all[at]));
        let sum = one.unsigned_abs() + u32::from(by.halves[at]);
        let magnitude = (((sum * first) >> 16) * second) >> 16;
        numbers[at] = magnitude as i16 * one.signum() as i16;
        filled |= u64::from(magnitude != 0) << at;
    }
    Block { numbers, filled }
}

/// Makes rows of columns.
fn turned(all: &[[i32; 8]; 8]) -> [[i32; 8]; 8] {
    std::array::from_fn(|x| std::array::from_fn(|y| all[y][x]))
}

/// The transform of eight numbers by the method of Loeffler, Ligtenberg and Moschytz. Factors have 13 bits behind the point. Results
/// have two after the first transform of a block, and none after the second one.
fn waves<const SHIFT: i32, const IS_FIRST: bool>(all: [i32; 8]) -> [i32; 8] {
    let [a, b, c, d, e, f, g, h] = all;
    let round = |sum: i32| (sum + (1 << (SHIFT - 1))) >> SHIFT;
    let whole = |sum: i32| if IS_FIRST { sum << 2 } else { (sum + 2) >> 2 };
    // Even orders are made of sums, and odd ones of differences.
    let (ah, bg, cf, de) = (a + h, b + g, c + f, d + e);
    let (outer, inner) = (ah - de, bg - cf);
    let both = (outer + inner) * 4433;
    let (s, t, u, v) = (d - e, c - f, b - g, a - h);
    let turn = (s + u + t + v) * 9633;
    let (su, tv) = (turn - (s + u) * 16069, turn - (t + v) * 3196);
    let (sv, tu) = ((s + v) * 7373, (t + u) * 20995);
    [
        whole(ah + de + bg + cf),
        round(v * 12299 + tv - sv),
        round(both + outer * 6270),
        round(u * 25172 + su - tu),
        whole(ah + de - bg - cf),
        round(t * 16819 + tv - tu),
        round(both - inner * 15137),
        round(s * 2446 + su - sv),
    ]
}

#[cfg(test)]
mod tests {
    use super::{Quantizer, block};

    /// The coefficients of samples by the definition of the transform.
    fn exact(samples: &[[u8; 8]; 8]) -> [f64; 64] {
        let wave = |order: usize, at: usize| {
            let scale = if order == 0 { 0.125_f64.sqrt() } else { 0.5 };
            scale * (((2 * at + 1) * order) as f64 * std::f64::consts::PI / 16.0).cos()
        };
        std::array::from_fn(|order| {
            let places = (0..64).map(|at| (at / 8, at % 8));
            let parts = places.map(|(y, x)| {
                let sample = f64::from(samples[y][x]) - 128.0;
                sample * wave(order / 8, y) * wave(order % 8, x)
            });
            parts.sum()
        })
    }

    /// Blocks of noise, of edges, and of the extremes.
    fn many() -> impl Iterator<Item = [[u8; 8]; 8]> {
        let mut state = 1_u64;
        (0..400).map(move |kind| {
            [(); 8].map(|()| {
                [(); 8].map(|()| {
                    state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    let random = (state >> 56) as u8;
                    match kind % 4 {
                        0 => random,
                        1 => random / 128 * 255,
                        2 => 100 + random / 16,
                        _ => (kind / 4) as u8 * 2 + random / 64,
                    }
                })
            })
        })
    }

    #[test]
    fn coefficients_are_the_nearest_ones_of_the_transform_also_by_vectors() {
        for quality in [1, 30, 75, 90, 100] {
            let [by, _] = Quantizer::pair(quality);
            for samples in many() {
                let (block, exact) = (block(&samples, &by), exact(&samples));
                #[cfg(target_arch = "x86_64")]
                if crate::encode::has_vectors() {
                    // SAFETY: the processor has the vectors.
                    let by_vectors = unsafe { crate::encode::vectors::block(&samples, &by) };
                    assert_eq!(by_vectors, block, "{quality} {samples:?}");
                }
                for (at, exact) in exact.iter().enumerate() {
                    let quotient = exact / f64::from(by.steps[at]);
                    let number = f64::from(block.numbers[at]);
                    // The transform has errors of a tenth.
                    let room = 0.5 + 0.15 / f64::from(by.steps[at]);
                    assert!((number - quotient).abs() <= room, "{number} {quotient}");
                    assert_eq!(block.filled >> at & 1 == 1, number != 0.0);
                }
            }
        }
    }
}
