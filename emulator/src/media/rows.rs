//! Rows of pixels with one component after the other: the loops of the conversion of colours.
//!
//! A component of each pixel is read into a row of its own, so that the compiler makes vectors of all that follows. Each loop has
//! slices of one length, and no check inside.
#![expect(
    clippy::indexing_slicing,
    reason = "the slices of a loop are cut to one length, and a row is never shorter than the one that is written from it"
)]

use crate::wide::wide;

/// Three components of the pixels of a row, or sums of them.
pub(super) type Rows = [Vec<u16>; 3];

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

/// How parts of a unit become bytes: they are shifted by the first number and multiplied with the second one, and have [`PLACES`]
/// binary places then.
pub(super) type Unit = (u32, u32);

const PLACES: u32 = 22;

wide! {
    /// Reads the bytes at an offset and at each step from there. Each one is that of one pixel, or of two, of which the last one may be
    /// missing.
    pub(super) fn read(to: &mut [u16], from: &[u8], offset: usize, step: usize, across: usize) {
        // The compiler has to know the distance of the bytes.
        match (step, across) {
            (1, _) => read_each::<1>(to, from, offset),
            (2, 1) => read_each::<2>(to, from, offset),
            (3, _) => read_each::<3>(to, from, offset),
            (4, 1) => read_each::<4>(to, from, offset),
            (4, _) => read_twice::<4>(to, from, offset),
            _ => read_twice::<2>(to, from, offset),
        }
    }

    /// Writes Y, U or V: three components by their factors, and the constant.
    pub(super) fn mix(to: &mut [u8], rows: &Rows, factors: [i32; 4], unit: Unit) {
        let ([f, g, h, constant], [a, b, c], count) = (factors, rows, to.len());
        let (a, b, c) = (&a[..count], &b[..count], &c[..count]);
        for i in 0..count {
            let parts = f * i32::from(a[i]) + g * i32::from(b[i]) + h * i32::from(c[i]) + constant;
            to[i] = byte(parts, unit);
        }
    }

    /// Writes red, green and blue of Y, U and V: brightness by its factor, V for red, U and V for green and U for blue by theirs, and
    /// the constants.
    pub(super) fn mix_rgb(
        to: &mut [Vec<u8>; 3],
        yuv: &Rows,
        factors: [i32; 5],
        constants: [i32; 3],
        unit: Unit,
    ) {
        let ([y, u, v], [red, green, blue], count) = (yuv, to, yuv[0].len());
        let (u, v) = (&u[..count], &v[..count]);
        let (red, green) = (&mut red[..count], &mut green[..count]);
        let blue = &mut blue[..count];
        let [of_y, to_red, green_u, green_v, to_blue] = factors;
        for i in 0..count {
            let [y, u, v] = [i32::from(y[i]) * of_y, u[i].into(), v[i].into()];
            red[i] = byte(y + v * to_red + constants[0], unit);
            green[i] = byte(y + u * green_u + v * green_v + constants[1], unit);
            blue[i] = byte(y + u * to_blue + constants[2], unit);
        }
    }

    /// Adds the pixels of a row that share a colour: one, or two. The last pixel counts for one behind it.
    pub(super) fn add(sums: &mut [u16], row: &[u16], across: usize) {
        if across == 1 {
            let count = sums.len();
            let row = &row[..count];
            for i in 0..count {
                sums[i] += row[i];
            }
            return;
        }
        let (pairs, rest) = row.as_chunks::<2>();
        let count = pairs.len();
        for (i, [first, second]) in (0..count).zip(pairs) {
            sums[i] += first + second;
        }
        if let [last] = rest {
            sums[count] += 2 * last;
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
fn read_each<const N: usize>(to: &mut [u16], from: &[u8], offset: usize) {
    let pixels = from.as_chunks::<N>().0;
    let (count, offset) = (to.len().min(pixels.len()), offset % N);
    let (to, pixels) = (&mut to[..count], &pixels[..count]);
    for i in 0..count {
        to[i] = pixels[i][offset].into();
    }
}

#[inline(always)]
fn read_twice<const N: usize>(to: &mut [u16], from: &[u8], offset: usize) {
    let pixels = from.as_chunks::<N>().0;
    let (to, rest) = to.as_chunks_mut::<2>();
    let (count, offset) = (to.len().min(pixels.len()), offset % N);
    for i in 0..count {
        to[i] = [pixels[i][offset].into(); 2];
    }
    if let ([to], Some(last)) = (rest, pixels.last()) {
        *to = last[offset].into();
    }
}

/// Returns the byte of parts of a unit, without the places behind the point.
#[inline(always)]
fn byte(parts: i32, (shift, times): Unit) -> u8 {
    let whole = (parts.max(0).cast_unsigned() >> shift).wrapping_mul(times) >> PLACES;
    whole.min(255) as u8
}
