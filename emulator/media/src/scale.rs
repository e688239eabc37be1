//! Scaling by interpolation between the two nearest pixels along each axis, as `INTER_LINEAR` of OpenCV.
//!
//! A weight has 11 bits, as OpenCV's, and a pixel between two of a row 7 bits of fraction: products of 16 bits and sums of 32 are
//! what vector instructions compute.

use ascendcl_emulator::media::Plane;

/// The weight of a whole pixel.
const ONE: f64 = 2048.0;

/// The two pixels of one along an axis, and the weight of the second.
#[derive(Clone, Copy)]
struct Pair {
    first: usize,
    second: usize,
    weight: i32,
}

/// The pixels of a side of `to` among `from`.
fn pairs(from: usize, to: usize) -> Vec<Pair> {
    let (last, step) = (from.saturating_sub(1), from as f64 / to as f64);
    let pair = |index: usize| {
        let at = ((index as f64 + 0.5) * step - 0.5).clamp(0.0, last as f64);
        let first = at as usize;
        Pair {
            first,
            second: (first + 1).min(last),
            weight: ((at - first as f64) * ONE).round() as i32,
        }
    };
    (0..to).map(pair).collect()
}

/// Returns a plane in another size.
pub(crate) fn scaled(plane: &Plane, width: usize, height: usize) -> Plane {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { scaled_by_avx2(plane, width, height) };
    }
    scaled_by(plane, width, height)
}

/// Products of 32 bits are slow in the vectors that each x86-64 has.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn scaled_by_avx2(plane: &Plane, width: usize, height: usize) -> Plane {
    scaled_by(plane, width, height)
}

#[inline(always)]
fn scaled_by(plane: &Plane, width: usize, height: usize) -> Plane {
    let mut to = Plane::new(width, height, plane.channels);
    let columns = pairs(plane.width, width);
    let row = width * plane.channels;
    // The rows of the source that were scaled last, with their numbers.
    let mut rows = [(usize::MAX, vec![0; row]), (usize::MAX, vec![0; row])];
    for (pair, to) in pairs(plane.height, height)
        .into_iter()
        .zip(to.bytes.chunks_exact_mut(row.max(1)))
    {
        if rows[1].0 == pair.first {
            rows.swap(0, 1);
        }
        for ((number, row), wanted) in rows.iter_mut().zip([pair.first, pair.second]) {
            if *number != wanted {
                *number = wanted;
                across(plane, wanted, &columns, row);
            }
        }
        let [(_, first), (_, second)] = &rows;
        mixed(to, first, second, pair.weight);
    }
    to
}

/// Scales a row.
#[inline(always)]
fn across(plane: &Plane, y: usize, columns: &[Pair], to: &mut [i16]) {
    let row = plane.width * plane.channels;
    let from = plane.bytes.get(y * row..(y + 1) * row).unwrap_or_default();
    match plane.channels {
        1 => across_of::<1>(from, columns, to),
        2 => across_of::<2>(from, columns, to),
        3 => across_of::<3>(from, columns, to),
        _ => across_of::<4>(from, columns, to),
    }
}

#[inline(always)]
fn across_of<const N: usize>(from: &[u8], columns: &[Pair], to: &mut [i16]) {
    let from = from.as_chunks::<N>().0;
    for (to, pair) in to.as_chunks_mut::<N>().0.iter_mut().zip(columns) {
        let (Some(first), Some(second)) = (from.get(pair.first), from.get(pair.second)) else {
            continue;
        };
        for ((to, first), second) in to.iter_mut().zip(first).zip(second) {
            let (first, second) = (i32::from(*first), i32::from(*second));
            *to = ((first * 2048 + (second - first) * pair.weight + 8) >> 4) as i16;
        }
    }
}

/// Writes the pixels between two rows.
#[inline(always)]
fn mixed(to: &mut [u8], first: &[i16], second: &[i16], weight: i32) {
    for ((to, first), second) in to.iter_mut().zip(first).zip(second) {
        let sum = i32::from(*first) * (2048 - weight) + i32::from(*second) * weight;
        *to = ((sum + (1 << 17)) >> 18) as u8;
    }
}
