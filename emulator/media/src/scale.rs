//! Scaling by interpolation between the two nearest pixels along each axis, as `INTER_LINEAR` of OpenCV.
//!
//! A weight has 11 bits, as OpenCV's, and a pixel between two of a row 7 bits of fraction: products of 16 bits and sums of 32 are
//! what vector instructions compute.

#[cfg(target_arch = "x86_64")]
mod vectors;

use ascendcl_emulator::media::Plane;

/// The weight of a whole pixel.
const ONE: i32 = 2048;

/// The two pixels of one along an axis: the first one, and the weights of it and of the next one, in 16 bits each. Where there is no
/// next one, its weight is 0.
#[derive(Clone, Copy)]
struct Pair {
    first: usize,
    weights: i32,
}

impl Pair {
    /// The weight of the second pixel.
    fn weight(self) -> i32 {
        self.weights >> 16
    }
}

/// The pixels of a side of `to` among `from`.
fn pairs(from: usize, to: usize) -> Vec<Pair> {
    let (last, step) = (from.saturating_sub(1), from as f64 / to as f64);
    let pair = |index: usize| {
        let at = ((index as f64 + 0.5) * step - 0.5).clamp(0.0, last as f64);
        let first = at as usize;
        let weight = ((at - first as f64) * f64::from(ONE)).round() as i32;
        Pair {
            first,
            weights: (ONE - weight) | (weight << 16),
        }
    };
    (0..to).map(pair).collect()
}

/// Returns a plane in another size.
pub(crate) fn scaled(plane: &Plane, width: usize, height: usize) -> Plane {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { vectors::scaled(plane, width, height) };
    }
    scaled_by(plane, width, height, across, mixed)
}

/// Scales a plane with functions for a row that is scaled, and for one between two of these.
fn scaled_by(
    plane: &Plane,
    width: usize,
    height: usize,
    across: impl Fn(usize, &[u8], &[Pair], &mut [i16]),
    mixed: impl Fn(&mut [u8], &[i16], &[i16], Pair),
) -> Plane {
    let (columns, channels) = (pairs(plane.width, width), plane.channels);
    let (source, row) = (plane.width * channels, width * channels);
    let (mut bytes, mut line) = (Vec::with_capacity(row * height), vec![0; row]);
    // The rows of the source that were scaled last, with their numbers.
    let mut rows = [(usize::MAX, vec![0; row]), (usize::MAX, vec![0; row])];
    for pair in pairs(plane.height, height) {
        if rows[1].0 == pair.first {
            rows.swap(0, 1);
        }
        // A row without a weight is not needed.
        let needed = 1 + usize::from(pair.weight() != 0);
        for ((number, row), wanted) in rows.iter_mut().zip(pair.first..).take(needed) {
            if *number != wanted {
                *number = wanted;
                let from = plane.bytes.get(wanted * source..(wanted + 1) * source);
                across(channels, from.unwrap_or_default(), &columns, row);
            }
        }
        let [(_, first), (_, second)] = &rows;
        mixed(&mut line, first, second, pair);
        bytes.extend_from_slice(&line);
    }
    Plane {
        width,
        height,
        channels,
        bytes,
    }
}

/// Scales a row.
fn across(channels: usize, from: &[u8], columns: &[Pair], to: &mut [i16]) {
    match channels {
        1 => across_of::<1>(from, columns, to),
        2 => across_of::<2>(from, columns, to),
        3 => across_of::<3>(from, columns, to),
        _ => across_of::<4>(from, columns, to),
    }
}

fn across_of<const N: usize>(from: &[u8], columns: &[Pair], to: &mut [i16]) {
    let from = from.as_chunks::<N>().0;
    for (to, pair) in to.as_chunks_mut::<N>().0.iter_mut().zip(columns) {
        let Some(first) = from.get(pair.first) else {
            continue;
        };
        let second = from.get(pair.first + 1).unwrap_or(first);
        for ((to, first), second) in to.iter_mut().zip(first).zip(second) {
            let (first, second) = (i32::from(*first), i32::from(*second));
            *to = ((first * ONE + (second - first) * pair.weight() + 8) >> 4) as i16;
        }
    }
}

/// Writes the pixels between two rows.
fn mixed(to: &mut [u8], first: &[i16], second: &[i16], pair: Pair) {
    let (one, other) = (ONE - pair.weight(), pair.weight());
    for ((to, first), second) in to.iter_mut().zip(first).zip(second) {
        let sum = i32::from(*first) * one + i32::from(*second) * other;
        *to = ((sum + (1 << 17)) >> 18) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::{Plane, across, mixed, scaled, scaled_by};

    /// The pixels of a plane in another size, one after the other.
    fn expected(plane: &Plane, width: usize, height: usize) -> Vec<u8> {
        let place = |index: usize, from: usize, to: usize| {
            let step = from as f64 / to as f64;
            let at = ((index as f64 + 0.5) * step - 0.5).clamp(0.0, (from - 1) as f64);
            (at as usize, (at.fract() * 2048.0).round() as i32)
        };
        let mut bytes = Vec::new();
        for y in 0..height {
            let (row, down) = place(y, plane.height, height);
            for x in 0..width {
                let (column, right) = place(x, plane.width, width);
                for channel in 0..plane.channels {
                    let between = |row| {
                        let pixel = |x| i32::from(plane.at(x, row, channel));
                        let (first, second) = (pixel(column), pixel(column + 1));
                        (first * (2048 - right) + second * right + 8) >> 4
                    };
                    let sum = between(row) * (2048 - down) + between(row + 1) * down;
                    bytes.push(((sum + (1 << 17)) >> 18) as u8);
                }
            }
        }
        bytes
    }

    #[test]
    fn vectors_and_single_pixels_give_the_same_bytes() {
        for channels in 1..=4 {
            for (width, height) in [(1, 1), (2, 3), (9, 2), (17, 5), (40, 7)] {
                let bytes = (0..width * height * channels).map(|at| (at * at * 7 + at / 3) as u8);
                let plane = Plane {
                    width,
                    height,
                    channels,
                    bytes: bytes.collect(),
                };
                for to in [(1, 1), (3, 2), (10, 9), (17, 5), (67, 3), (120, 11)] {
                    let expected = expected(&plane, to.0, to.1);
                    let case = format!("{channels} components, {width}x{height} to {to:?}");
                    let single = scaled_by(&plane, to.0, to.1, across, mixed);
                    assert_eq!(single.bytes, expected, "{case}");
                    assert_eq!(scaled(&plane, to.0, to.1).bytes, expected, "{case}");
                }
            }
        }
    }
}
