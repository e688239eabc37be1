//! Rows of pixels with one component after the other: the loops of the conversion of colours.
//!
//! A component of each pixel is read into a row of its own, so that the compiler makes vectors of all that follows. Each loop has
//! slices of one length, and no check inside.
#![expect(
    clippy::indexing_slicing,
    reason = "the slices of a loop are cut to one length, and a row is never shorter than the one that is written from it"
)]

#[cfg(target_arch = "x86_64")]
mod vectors;

use crate::wide::wide;

/// Three components of the pixels of a row, or sums of them.
pub(super) type Rows<T> = [Vec<T>; 3];

/// Where a component of the pixels of a rectangle is.
#[derive(Debug)]
pub(super) struct Component<'a> {
    pub(super) bytes: &'a [u8],
    /// The distance of two rows, the bytes of one, and their number.
    pub(super) distance: usize,
    pub(super) row: usize,
    pub(super) rows: usize,
    /// The first byte of a row, and the distance of two pixels.
    pub(super) offset: usize,
    pub(super) step: usize,
}

impl Component<'_> {
    /// The bytes of a row. Below the last row it is that one.
    pub(super) fn row(&self, y: usize) -> &[u8] {
        let start = y.min(self.rows.saturating_sub(1)) * self.distance;
        self.bytes.get(start..start + self.row).unwrap_or_default()
    }
}

/// What makes each of three components of three others.
pub(super) type Factors = [[i32; 4]; 3];

/// How parts of a unit become bytes: they are shifted by the first number and multiplied with the second one, and have [`PLACES`]
/// binary places then.
pub(super) type Unit = (u32, u32);

/// Of thousandths, 33555 / 2^22 is 1/125 of the eighth, and the error is too small to make another byte.
pub(super) const THOUSANDTHS: Unit = (3, 33555);
/// Parts of 2^20.
pub(super) const BINARY: Unit = (5, 128);

const PLACES: u32 = 22;

/// Returns how many results the vectors write: none where the processor has none, or where a condition does not hold.
macro_rules! written {
    ($name:ident($($argument:expr),*) if $condition:expr) => {{
        #[cfg(target_arch = "x86_64")]
        let written = if $condition && std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            unsafe { vectors::$name($($argument),*) }
        } else {
            0
        };
        #[cfg(not(target_arch = "x86_64"))]
        let written = 0;
        written
    }};
}

/// Writes a component: three others by their factors, and the constant.
pub(super) fn mix(to: &mut [u8], rows: &Rows<u8>, factors: [i32; 4], unit: Unit) {
    let from = written!(mix(to, rows, factors, unit.0) if unit.1 == THOUSANDTHS.1);
    mix_bytes(to, rows, from, factors, unit);
}

/// Writes U or V of sums of pixels.
pub(super) fn mix_sums(to: &mut [u8], sums: &Rows<u16>, factors: [i32; 4], unit: Unit) {
    let from = written!(mix_sums(to, sums, factors, unit.0) if unit.1 == THOUSANDTHS.1);
    mix_numbers(to, sums, from, factors, unit);
}

/// Writes red, green and blue of Y, U and V.
pub(super) fn mix_rgb(to: &mut [Vec<u8>; 3], yuv: &Rows<u8>, factors: Factors, unit: Unit) {
    let from = written!(mix_rgb(to, yuv, factors, unit.0) if unit.1 == THOUSANDTHS.1);
    for (to, factors) in to.iter_mut().zip(factors) {
        mix_bytes(to, yuv, from, factors, unit);
    }
}

/// Adds the pixels of a row that share a colour, one or two, to new sums or to those of the row above. The last pixel counts for one
/// behind it.
pub(super) fn add(sums: &mut [u16], row: &[u8], across: usize, are_new: bool) {
    let from = written!(add(sums, row, are_new) if across == 2);
    let rest = &mut sums[from..];
    if are_new {
        rest.fill(0);
    }
    add_each(rest, &row[from * across..], across);
}

wide! {
    /// Reads the bytes at an offset and at each step from there. Each one is that of one pixel, or of two, of which the last one may be
    /// missing.
    pub(super) fn read(to: &mut [u8], from: &[u8], offset: usize, step: usize, across: usize) {
        // The compiler has to know the distance of the bytes.
        match (step, across) {
            (1, _) => read_each::<1>(to, from, offset),
            (2, 1) => read_each::<2>(to, from, offset),
            (4, 1) => read_each::<4>(to, from, offset),
            (4, _) => read_twice::<4>(to, from, offset),
            _ => read_twice::<2>(to, from, offset),
        }
    }

    /// Reads pixels of three bytes at once, which takes less than half of the time: each row has the bytes at an offset of its own.
    pub(super) fn read_three(rows: &mut Rows<u8>, from: &[u8], offsets: [usize; 3]) {
        let mut to: [&mut [u8]; 3] = Default::default();
        for (row, offset) in rows.iter_mut().zip(offsets) {
            to[offset % 3] = row;
        }
        let ([a, b, c], pixels) = (to, from.as_chunks::<3>().0);
        let count = a.len().min(b.len()).min(c.len()).min(pixels.len());
        let (a, b, c) = (&mut a[..count], &mut b[..count], &mut c[..count]);
        let pixels = &pixels[..count];
        for i in 0..count {
            [a[i], b[i], c[i]] = pixels[i];
        }
    }

    fn mix_bytes(to: &mut [u8], rows: &Rows<u8>, from: usize, factors: [i32; 4], unit: Unit) {
        mix_of(to, rows, from, factors, unit);
    }

    fn mix_numbers(to: &mut [u8], sums: &Rows<u16>, from: usize, factors: [i32; 4], unit: Unit) {
        mix_of(to, sums, from, factors, unit);
    }

    fn add_each(sums: &mut [u16], row: &[u8], across: usize) {
        if across == 1 {
            let count = sums.len();
            let row = &row[..count];
            for i in 0..count {
                sums[i] += u16::from(row[i]);
            }
            return;
        }
        let (pairs, rest) = row.as_chunks::<2>();
        let count = pairs.len();
        for (i, [first, second]) in (0..count).zip(pairs) {
            sums[i] += u16::from(*first) + u16::from(*second);
        }
        if let [last] = rest {
            sums[count] += 2 * u16::from(*last);
        }
    }

    /// Writes the pixels of two components.
    pub(super) fn join_two(to: &mut [u8], rows: &[Vec<u8>; 2]) {
        let (to, [u, v]) = (to.as_chunks_mut().0, rows);
        let count = to.len();
        let (u, v) = (&u[..count], &v[..count]);
        for i in 0..count {
            to[i] = [u[i], v[i]];
        }
    }

    /// Writes the pixels of three components.
    pub(super) fn join_three(to: &mut [u8], rows: &[Vec<u8>; 3]) {
        let (to, [red, green, blue]) = (to.as_chunks_mut().0, rows);
        let count = to.len();
        let (red, green, blue) = (&red[..count], &green[..count], &blue[..count]);
        for i in 0..count {
            to[i] = [red[i], green[i], blue[i]];
        }
    }

    /// Writes the pixels of three components and a constant one.
    pub(super) fn join_four(to: &mut [u8], rows: &[Vec<u8>; 3], alpha: u8) {
        let (to, [red, green, blue]) = (to.as_chunks_mut().0, rows);
        let count = to.len();
        let (red, green, blue) = (&red[..count], &green[..count], &blue[..count]);
        for i in 0..count {
            to[i] = [red[i], green[i], blue[i], alpha];
        }
    }
}

#[inline(always)]
fn read_each<const N: usize>(to: &mut [u8], from: &[u8], offset: usize) {
    let pixels = from.as_chunks::<N>().0;
    let (count, offset) = (to.len().min(pixels.len()), offset % N);
    let (to, pixels) = (&mut to[..count], &pixels[..count]);
    for i in 0..count {
        to[i] = pixels[i][offset];
    }
}

#[inline(always)]
fn read_twice<const N: usize>(to: &mut [u8], from: &[u8], offset: usize) {
    let pixels = from.as_chunks::<N>().0;
    let (to, rest) = to.as_chunks_mut::<2>();
    let (count, offset) = (to.len().min(pixels.len()), offset % N);
    for i in 0..count {
        to[i] = [pixels[i][offset]; 2];
    }
    if let ([to], Some(last)) = (rest, pixels.last()) {
        *to = last[offset];
    }
}

#[inline(always)]
fn mix_of<T: Copy + Into<i32>>(
    to: &mut [u8],
    rows: &Rows<T>,
    from: usize,
    factors: [i32; 4],
    unit: Unit,
) {
    let ([f, g, h, constant], [a, b, c], count) = (factors, rows, to.len());
    let (a, b, c) = (&a[..count], &b[..count], &c[..count]);
    for i in from..count {
        let parts = f * a[i].into() + g * b[i].into() + h * c[i].into() + constant;
        to[i] = byte(parts, unit);
    }
}

/// Returns the byte of parts of a unit, without the places behind the point.
#[inline(always)]
fn byte(parts: i32, (shift, times): Unit) -> u8 {
    let whole = (parts.max(0).cast_unsigned() >> shift).wrapping_mul(times) >> PLACES;
    whole.min(255) as u8
}
