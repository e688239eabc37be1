//! Fourier transforms and windows.

use std::f64::consts::TAU;

use super::call::{Call, One, around, place};
use crate::dtype::DType;
use crate::tensor::{Tensor, count};

/// The transform of a row of complex numbers to `n` ones.
fn transform(row: &[(f64, f64)], n: usize, is_inverse: bool) -> Vec<(f64, f64)> {
    let sign = if is_inverse { 1.0 } else { -1.0 };
    let scale = if is_inverse { 1.0 / n as f64 } else { 1.0 };
    (0..n)
        .map(|k| {
            let parts = row.iter().take(n).enumerate().map(|(at, (re, im))| {
                let angle = sign * TAU * ((k * at) % n) as f64 / n as f64;
                let (s, c) = angle.sin_cos();
                (re * c - im * s, re * s + im * c)
            });
            let (re, im) = parts.fold((0.0, 0.0), |(a, b), (re, im)| (a + re, b + im));
            (re * scale, im * scale)
        })
        .collect()
}

pub(crate) fn dft(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let Some((parts, shape)) = x.shape.split_last() else {
        return Err("its operand has no dimension".to_owned());
    };
    let rank = x.shape.len();
    let axis = match call.maybe(2) {
        Some(axis) => axis.ints().first().copied().unwrap_or(-2),
        None => call.int("axis", if call.version < 20 { 1 } else { -2 }),
    };
    let axis = place(axis, rank)?;
    if axis + 1 == rank {
        return Err("its axis is that of the complex numbers".to_owned());
    }
    let (inverse, onesided) = (call.int("inverse", 0) != 0, call.int("onesided", 0) != 0);
    let (outer, len, inner) = around(shape, axis);
    let data = x.floats();
    let wanted = call.scalar(1).map(|n| n as usize);
    // The inverse of one side makes real numbers of a spectrum whose other side is its mirror.
    let mirrors = inverse && onesided;
    let n = wanted.unwrap_or(if mirrors { 2 * (len - 1) } else { len });
    let out = if onesided && !inverse { n / 2 + 1 } else { n };
    let width = if mirrors { 1 } else { 2 };
    count(&[outer, out, inner, width])?;
    let mut result = vec![0.0; outer * out * inner * width];
    for row in 0..outer {
        for column in 0..inner {
            let at = |place: usize| {
                let from = ((row * len + place) * inner + column) * parts;
                (data[from], if *parts == 2 { data[from + 1] } else { 0.0 })
            };
            let mut all: Vec<_> = (0..len).map(at).collect();
            if mirrors {
                all.resize(n / 2 + 1, (0.0, 0.0));
                let rest: Vec<_> = (n / 2 + 1..n)
                    .map(|place| (all[n - place].0, -all[n - place].1))
                    .collect();
                all.extend(rest);
            }
            for (place, (re, im)) in transform(&all, n, inverse)
                .into_iter()
                .take(out)
                .enumerate()
            {
                let to = ((row * out + place) * inner + column) * width;
                result[to] = re;
                if width == 2 {
                    result[to + 1] = im;
                }
            }
        }
    }
    let mut new = x.shape.clone();
    (new[axis], new[rank - 1]) = (out, width);
    Ok(Tensor::number(x.kind, &new, result))
}

pub(crate) fn stft(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let step = call.scalar(1).unwrap_or(1.0) as usize;
    let window = call.maybe(2).map(Tensor::floats);
    let size = call
        .scalar(3)
        .map(|one| one as usize)
        .or(window.as_ref().map(Vec::len));
    let size = size
        .filter(|size| *size > 0)
        .ok_or("it has no length of a frame")?;
    let onesided = call.int("onesided", 1) != 0;
    let (batch, len) = match x.shape[..] {
        [batch, len] | [batch, len, 1] => (batch, len),
        _ => return Err(format!("its operand has the shape {:?}", x.shape)),
    };
    let frames = (len.saturating_sub(size))
        .checked_div(step)
        .map_or(0, |all| all + 1);
    let out = if onesided { size / 2 + 1 } else { size };
    let data = x.floats();
    let mut result = Vec::new();
    for item in 0..batch {
        for frame in 0..frames {
            let row: Vec<_> = (0..size)
                .map(|at| {
                    let by = window
                        .as_ref()
                        .and_then(|all| all.get(at))
                        .copied()
                        .unwrap_or(1.0);
                    (data[item * len + frame * step + at] * by, 0.0)
                })
                .collect();
            let all = transform(&row, size, false);
            result.extend(all.into_iter().take(out).flat_map(|(re, im)| [re, im]));
        }
    }
    Ok(Tensor::number(x.kind, &[batch, frames, out, 2], result))
}

/// A window that is a sum of cosines.
pub(crate) fn window(call: &Call<'_>, factors: [f64; 3]) -> One {
    let size = call.scalar(0).unwrap_or(0.0) as usize;
    let kind = call.kind("output_datatype")?.unwrap_or(DType::F32);
    count(&[size])?;
    let periodic = call.int("periodic", 1) != 0;
    let n = if periodic {
        size
    } else {
        size.saturating_sub(1)
    }
    .max(1) as f64;
    let one = |at: usize| {
        let angle = TAU * at as f64 / n;
        factors[0] - factors[1] * angle.cos() + factors[2] * (2.0 * angle).cos()
    };
    Ok(Tensor::number(kind, &[size], (0..size).map(one).collect()))
}

/// Triangles over the frequencies of a spectrum, at equal distances on the scale of mel.
pub(crate) fn mel(call: &Call<'_>) -> One {
    let number = |index: usize| call.scalar(index).ok_or("an operand has no number");
    let (bins, length, rate) = (number(0)? as usize, number(1)? as usize, number(2)?);
    let (low, high) = (number(3)?, number(4)?);
    let kind = call.kind("output_datatype")?.unwrap_or(DType::F32);
    let to_mel = |hz: f64| 2595.0 * (1.0 + hz / 700.0).log10();
    let to_hz = |mel: f64| 700.0 * (10_f64.powf(mel / 2595.0) - 1.0);
    let step = (to_mel(high) - to_mel(low)) / (bins as f64 + 2.0);
    let edge = |at: usize| {
        let hz = to_hz(at as f64 * step + to_mel(low));
        ((length as f64 + 1.0) * hz / rate).floor() as usize
    };
    let rows = length / 2 + 1;
    count(&[rows, bins])?;
    let mut result = vec![0.0; rows * bins];
    for bin in 0..bins {
        let (start, centre, end) = (edge(bin), edge(bin + 1), edge(bin + 2));
        let mut set = |row: usize, value: f64| {
            if let Some(one) = result.get_mut(row * bins + bin) {
                *one = value;
            }
        };
        if start == centre {
            set(centre, 1.0);
        }
        for row in start..=centre {
            if start < centre {
                set(row, (row - start) as f64 / (centre - start) as f64);
            }
        }
        for row in centre..end {
            set(row, (end - row) as f64 / (end - centre) as f64);
        }
    }
    Ok(Tensor::number(kind, &[rows, bins], result))
}

/// The factors of the windows with a name.
pub(crate) const HANN: [f64; 3] = [0.5, 0.5, 0.0];
pub(crate) const HAMMING: [f64; 3] = [25.0 / 46.0, 21.0 / 46.0, 0.0];
pub(crate) const BLACKMAN: [f64; 3] = [0.42, 0.5, 0.08];
