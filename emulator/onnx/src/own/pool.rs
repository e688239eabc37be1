//! Pooling: operators that make one number of a window.

use super::call::{Call, Many, One, strides, walk};
use super::conv::{Window, image, window};
use crate::dtype::DType;
use crate::tensor::{Tensor, count};

fn kernel(call: &Call<'_>) -> Result<Vec<usize>, String> {
    let all = call
        .ints("kernel_shape")
        .ok_or("it has no `kernel_shape`")?;
    Ok(all.into_iter().map(|one| one as usize).collect())
}

/// Pools each channel; `one` gets the elements of a window with the index of the result.
fn pool(call: &Call<'_>, mut one: impl FnMut(&Window, &[usize], &[(usize, f64)]) -> f64) -> One {
    let x = call.tensor(0)?;
    let (n, channels, sizes) = image(&x.shape)?;
    let window = window(call, sizes, &kernel(call)?)?;
    let data = x.floats();
    let size: usize = sizes.iter().product();
    let shape = [&[n, channels], &window.output[..]].concat();
    count(&shape)?;
    let mut result = Vec::new();
    for channel in 0..n * channels {
        walk(&window.output, |out| {
            let mut all = Vec::new();
            window.taps(out, sizes, |_, at| {
                let at = channel * size + at;
                all.push((at, data[at]));
            });
            result.push(one(&window, out, &all));
        });
    }
    Ok(Tensor::number(x.kind, &shape, result))
}

pub(crate) fn max(call: &Call<'_>) -> Many {
    let x = call.tensor(0)?;
    let (_, _, sizes) = image(&x.shape)?;
    let is_columns = call.int("storage_order", 0) != 0;
    let (size, steps) = (sizes.iter().product::<usize>().max(1), strides(sizes));
    let mut indices = Vec::new();
    let y = pool(call, |_, _, all| {
        let mut best: Option<(usize, f64)> = None;
        for (at, one) in all {
            if best.is_none_or(|(_, most)| *one > most) {
                best = Some((*at, *one));
            }
        }
        let (at, most) = best.unwrap_or((0, f64::NEG_INFINITY));
        indices.push(if is_columns {
            let (channel, inside) = (at / size, at % size);
            let (mut column, mut by) = (0, 1);
            for (step, dim) in steps.iter().zip(sizes) {
                column += inside / step % dim * by;
                by *= dim;
            }
            channel * size + column
        } else {
            at
        });
        most
    })?;
    let indices = indices.into_iter().map(|one| one as i128).collect();
    let indices = Tensor::whole(DType::I64, &y.shape, indices);
    Ok(vec![y, indices])
}

pub(crate) fn average(call: &Call<'_>) -> One {
    let counts_pads = call.int("count_include_pad", 0) != 0;
    let x = call.tensor(0)?;
    let (_, _, sizes) = image(&x.shape)?;
    pool(call, |window, out, all| {
        let sum: f64 = all.iter().map(|(_, one)| one).sum();
        let mut count = all.len();
        if counts_pads {
            // What `ceil_mode` adds behind the padding is not counted.
            count = 1;
            for dim in 0..out.len() {
                let end = sizes[dim] as i64 + window.before[dim] + window.behind[dim];
                let taps = (0..window.kernel[dim]).filter(|tap| {
                    ((out[dim] * window.steps[dim] + tap * window.gaps[dim]) as i64) < end
                });
                count *= taps.count();
            }
        }
        sum / count.max(1) as f64
    })
}

pub(crate) fn norm(call: &Call<'_>) -> One {
    let p = call.int("p", 2) as f64;
    pool(call, |_, _, all| {
        let sum: f64 = all.iter().map(|(_, one)| one.abs().powf(p)).sum();
        sum.powf(1.0 / p)
    })
}

/// Makes one number of each channel.
pub(crate) fn global(call: &Call<'_>, of: impl Fn(&[f64]) -> f64) -> One {
    let x = call.tensor(0)?;
    let (n, channels, sizes) = image(&x.shape)?;
    let size: usize = sizes.iter().product();
    let data = x.floats().chunks(size.max(1)).map(of).collect();
    let shape = [&[n, channels][..], &vec![1; sizes.len()]].concat();
    Ok(Tensor::number(x.kind, &shape, data))
}

pub(crate) fn mean_of(row: &[f64]) -> f64 {
    row.iter().sum::<f64>() / row.len() as f64
}

pub(crate) fn most_of(row: &[f64]) -> f64 {
    row.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

pub(crate) fn unpool(call: &Call<'_>) -> One {
    let (x, indices) = (call.tensor(0)?, call.tensor(1)?);
    let (n, channels, sizes) = image(&x.shape)?;
    let (kernel, rank) = (kernel(call)?, sizes.len());
    let steps = call.ints("strides").unwrap_or_else(|| vec![1; rank]);
    let pads = call.ints("pads").unwrap_or_else(|| vec![0; 2 * rank]);
    let natural: Vec<usize> = (0..rank)
        .map(|at| {
            ((sizes[at] as i64 - 1) * steps[at] + kernel[at] as i64 - pads[at] - pads[at + rank])
                as usize
        })
        .collect();
    // The indices count in the natural shape, also where a larger one is asked for.
    let shape: Vec<usize> = match call.maybe(2) {
        Some(shape) => shape.ints().into_iter().map(|one| one as usize).collect(),
        None => [&[n, channels], &natural[..]].concat(),
    };
    let old = [&[n, channels], &natural[..]].concat();
    let (from, to) = (strides(&old), strides(&shape));
    let mut result = vec![0.0; count(&shape)?];
    for (value, index) in x.floats().into_iter().zip(indices.ints()) {
        let index = index as usize;
        let at: usize = (0..old.len())
            .map(|dim| index / from[dim] % old[dim] * to[dim])
            .sum();
        *result
            .get_mut(at)
            .ok_or("an index is outside of its output")? = value;
    }
    Ok(Tensor::number(x.kind, &shape, result))
}
