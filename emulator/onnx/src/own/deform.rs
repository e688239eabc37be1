//! `DeformConv`: a convolution whose taps an operand moves.

use super::call::{Call, One};
use super::conv::{image, window};
use crate::tensor::Tensor;

/// Returns the number between the four elements around a place; elements outside are 0.
fn between(data: &[f64], (height, width): (usize, usize), y: f64, x: f64) -> f64 {
    let (top, left) = (y.floor(), x.floor());
    let at = |row: f64, column: f64| {
        if row < 0.0 || column < 0.0 || row >= height as f64 || column >= width as f64 {
            return 0.0;
        }
        data[row as usize * width + column as usize]
    };
    let (dy, dx) = (y - top, x - left);
    at(top, left) * (1.0 - dy) * (1.0 - dx)
        + at(top, left + 1.0) * (1.0 - dy) * dx
        + at(top + 1.0, left) * dy * (1.0 - dx)
        + at(top + 1.0, left + 1.0) * dy * dx
}

pub(crate) fn conv(call: &Call<'_>) -> One {
    let (x, w, offset) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
    let (n, channels, sizes) = image(&x.shape)?;
    let (out_channels, per_group, kernel) = image(&w.shape)?;
    let ([height, width], [kernel_h, kernel_w]) = (sizes, kernel) else {
        return Err(format!("its operand has the shape {:?}", x.shape));
    };
    let (height, width, taps) = (*height, *width, kernel_h * kernel_w);
    let window = window(call, sizes, kernel)?;
    let groups = call.int("group", 1).max(1) as usize;
    let moved = call.int("offset_group", 1).max(1) as usize;
    let bias = call.maybe(3).map(Tensor::floats);
    let mask = call.maybe(4).map(Tensor::floats);
    let (data, weights, offsets) = (x.floats(), w.floats(), offset.floats());
    let [rows, columns] = window.output[..] else {
        return Err("it has two dimensions".to_owned());
    };
    let out_size = rows * columns;
    let mut result = Vec::new();
    for item in 0..n {
        for channel in 0..out_channels {
            let group = channel / (out_channels / groups);
            for out in 0..out_size {
                let (row, column) = (out / columns, out % columns);
                let mut sum = bias.as_ref().map_or(0.0, |bias| bias[channel]);
                for inner in 0..per_group {
                    let from = group * per_group + inner;
                    let part = from / (channels / moved);
                    let plane =
                        &data[(item * channels + from) * height * width..][..height * width];
                    for tap in 0..taps {
                        let at = ((item * moved + part) * taps + tap) * 2;
                        let (dy, dx) = (
                            offsets[at * out_size + out],
                            offsets[(at + 1) * out_size + out],
                        );
                        let (tap_y, tap_x) = (tap / kernel_w, tap % kernel_w);
                        let y = (row * window.steps[0] + tap_y * window.gaps[0]) as f64
                            - window.before[0] as f64;
                        let x = (column * window.steps[1] + tap_x * window.gaps[1]) as f64
                            - window.before[1] as f64;
                        let by = mask.as_ref().map_or(1.0, |mask| {
                            mask[((item * moved + part) * taps + tap) * out_size + out]
                        });
                        let weight = weights[(channel * per_group + inner) * taps + tap];
                        sum += by * weight * between(plane, (height, width), y + dy, x + dx);
                    }
                }
                result.push(sum);
            }
        }
    }
    Ok(Tensor::number(
        x.kind,
        &[n, out_channels, rows, columns],
        result,
    ))
}
