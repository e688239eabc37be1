//! Convolutions and their inverse, over any number of dimensions.

use super::call::{Call, One, strides, walk};
use crate::tensor::{Tensor, bounded, count};

/// The window of a convolution or pooling.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    pub(crate) kernel: Vec<usize>,
    pub(crate) steps: Vec<usize>,
    pub(crate) gaps: Vec<usize>,
    /// What is added before the first and behind the last element of each dimension.
    pub(crate) before: Vec<i64>,
    pub(crate) behind: Vec<i64>,
    /// The sizes of the results.
    pub(crate) output: Vec<usize>,
}

/// Reads the window of a node for operands with these spatial sizes.
pub(crate) fn window(call: &Call<'_>, sizes: &[usize], kernel: &[usize]) -> Result<Window, String> {
    let rank = sizes.len();
    if kernel.len() != rank {
        return Err(format!(
            "its window {kernel:?} is none of {rank} dimensions"
        ));
    }
    count(kernel)?;
    let list = |name: &str, otherwise: i64, len: usize| -> Result<Vec<i64>, String> {
        let all = call.ints(name).unwrap_or_else(|| vec![otherwise; len]);
        if all.len() != len {
            return Err(format!(
                "its `{name}` has {} numbers for {rank} dimensions",
                all.len()
            ));
        }
        // Sums and products of these numbers and of sizes do not overflow.
        match all.iter().all(|one| one.unsigned_abs() < 1 << 28) {
            true => Ok(all),
            false => call.refuse(name, format_args!("{all:?}")),
        }
    };
    let positive = |name: &str| -> Result<Vec<usize>, String> {
        let all = list(name, 1, rank)?;
        let one = |one: i64| usize::try_from(one).ok().filter(|one| *one > 0);
        let all: Option<Vec<_>> = all.into_iter().map(one).collect();
        all.ok_or_else(|| format!("its `{name}` has a number below 1"))
    };
    let (steps, gaps) = (positive("strides")?, positive("dilations")?);
    let pads = list("pads", 0, 2 * rank)?;
    let (mut before, mut behind) = (pads[..rank].to_vec(), pads[rank..].to_vec());
    let auto = call.text("auto_pad", "NOTSET");
    let is_ceil = call.int("ceil_mode", 0) != 0;
    let mut output = Vec::new();
    for at in 0..rank {
        let (size, step) = (sizes[at] as i64, steps[at] as i64);
        let reach = (gaps[at] * (kernel[at].max(1) - 1) + 1) as i64;
        match auto {
            "SAME_UPPER" | "SAME_LOWER" => {
                let out = (size + step - 1) / step;
                let all = ((out - 1) * step + reach - size).max(0);
                let less = all / 2;
                (before[at], behind[at]) = if auto == "SAME_UPPER" {
                    (less, all - less)
                } else {
                    (all - less, less)
                };
            }
            "VALID" => (before[at], behind[at]) = (0, 0),
            "NOTSET" | "" => {}
            other => return call.refuse("auto_pad", other),
        }
        let room = size + before[at] + behind[at] - reach;
        let mut out = if room < 0 {
            0
        } else if is_ceil {
            (room + step - 1) / step + 1
        } else {
            room / step + 1
        };
        // A window that would begin behind the padding has no element.
        if is_ceil && (out - 1) * step >= size + before[at] {
            out -= 1;
        }
        output.push(out as usize);
    }
    count(&output)?;
    bounded(&[&output[..], kernel].concat())?;
    Ok(Window {
        kernel: kernel.to_vec(),
        steps,
        gaps,
        before,
        behind,
        output,
    })
}

impl Window {
    /// Returns the place along a dimension that a result reads, if it is no padding.
    pub(crate) fn place(&self, dim: usize, out: usize, tap: usize, size: usize) -> Option<usize> {
        let at = (out * self.steps[dim] + tap * self.gaps[dim]) as i64 - self.before[dim];
        usize::try_from(at).ok().filter(|at| *at < size)
    }

    /// Calls `each` with the positions of the taps and of the elements that a result reads.
    pub(crate) fn taps(&self, out: &[usize], sizes: &[usize], mut each: impl FnMut(usize, usize)) {
        let (own, theirs) = (strides(&self.kernel), strides(sizes));
        walk(&self.kernel, |tap| {
            let (mut at_tap, mut at) = (0, 0);
            for dim in 0..tap.len() {
                let Some(place) = self.place(dim, out[dim], tap[dim], sizes[dim]) else {
                    return;
                };
                at_tap += tap[dim] * own[dim];
                at += place * theirs[dim];
            }
            each(at_tap, at);
        });
    }
}

/// Splits a shape into its number, its channels and its spatial sizes.
pub(crate) fn image(shape: &[usize]) -> Result<(usize, usize, &[usize]), String> {
    match shape {
        [n, c, sizes @ ..] if !sizes.is_empty() => Ok((*n, *c, sizes)),
        _ => Err(format!("its operand has the shape {shape:?}")),
    }
}

fn groups(call: &Call<'_>) -> usize {
    usize::try_from(call.int("group", 1)).unwrap_or(1).max(1)
}

/// Convolves `x` with the weights `w`.
pub(crate) fn convolve(call: &Call<'_>, x: &Tensor, w: &Tensor, bias: Option<&Tensor>) -> One {
    let (n, channels, sizes) = image(&x.shape)?;
    let (out_channels, per_group, kernel) = image(&w.shape)?;
    let groups = groups(call);
    if kernel.len() != sizes.len() || per_group * groups != channels || out_channels % groups != 0 {
        return Err(format!(
            "its operands have the shapes {:?} and {:?}",
            x.shape, w.shape
        ));
    }
    let window = window(call, sizes, kernel)?;
    let (in_size, taps): (usize, usize) = (sizes.iter().product(), kernel.iter().product());
    let (data, weights) = (x.floats(), w.floats());
    let bias = bias.map(Tensor::floats);
    let shape = [&[n, out_channels], &window.output[..]].concat();
    let mut result = Vec::with_capacity(count(&shape)?);
    count(&[&window.output[..], kernel].concat())?;
    let mut reads: Vec<Vec<(usize, usize)>> = Vec::new();
    walk(&window.output, |out| {
        let mut all = Vec::new();
        window.taps(out, sizes, |tap, at| all.push((tap, at)));
        reads.push(all);
    });
    for image in 0..n {
        for channel in 0..out_channels {
            let group = channel / (out_channels / groups);
            let start = bias
                .as_ref()
                .and_then(|bias| bias.get(channel))
                .copied()
                .unwrap_or(0.0);
            for read in &reads {
                let mut sum = start;
                for inner in 0..per_group {
                    let from = (image * channels + group * per_group + inner) * in_size;
                    let by = (channel * per_group + inner) * taps;
                    for (tap, at) in read {
                        sum += data[from + at] * weights[by + tap];
                    }
                }
                result.push(sum);
            }
        }
    }
    Ok(Tensor::number(x.kind, &shape, result))
}

pub(crate) fn conv(call: &Call<'_>) -> One {
    convolve(call, call.tensor(0)?, call.tensor(1)?, call.maybe(2))
}

pub(crate) fn transpose(call: &Call<'_>) -> One {
    let (x, w) = (call.tensor(0)?, call.tensor(1)?);
    let (n, channels, sizes) = image(&x.shape)?;
    let (in_channels, per_group, kernel) = image(&w.shape)?;
    let groups = groups(call);
    if in_channels != channels || kernel.len() != sizes.len() || channels % groups != 0 {
        return Err(format!(
            "its operands have the shapes {:?} and {:?}",
            x.shape, w.shape
        ));
    }
    let rank = sizes.len();
    let list = |name: &str, otherwise: i64, len: usize| {
        let all = call.ints(name).filter(|all| all.len() == len);
        let all = all.unwrap_or_else(|| vec![otherwise; len]);
        match all.iter().all(|one| one.unsigned_abs() < 1 << 28) {
            true => Ok(all),
            false => call.refuse(name, format_args!("{all:?}")),
        }
    };
    let (steps, gaps) = (list("strides", 1, rank)?, list("dilations", 1, rank)?);
    let (extra, mut pads) = (list("output_padding", 0, rank)?, list("pads", 0, 2 * rank)?);
    let auto = call.text("auto_pad", "NOTSET");
    let wanted = call
        .ints("output_shape")
        .map(|all| all[all.len().saturating_sub(rank)..].to_vec());
    let mut output = Vec::new();
    for at in 0..rank {
        let full =
            steps[at] * (sizes[at] as i64 - 1) + extra[at] + (kernel[at] as i64 - 1) * gaps[at] + 1;
        let out = match (&wanted, auto) {
            (Some(wanted), _) => Some(wanted[at]),
            (None, "SAME_UPPER" | "SAME_LOWER") => Some(sizes[at] as i64 * steps[at]),
            _ => None,
        };
        if let Some(out) = out {
            let all = (full - out).max(0);
            let less = all / 2;
            // The manual: the part before is the smaller one only for SAME_UPPER.
            (pads[at], pads[at + rank]) = if auto == "SAME_UPPER" {
                (less, all - less)
            } else {
                (all - less, less)
            };
        }
        let size = out.unwrap_or(full - pads[at] - pads[at + rank]);
        output.push(usize::try_from(size).map_err(|_| format!("its output has the size {size}"))?);
    }
    let (in_size, out_size): (usize, usize) = (sizes.iter().product(), output.iter().product());
    let taps: usize = kernel.iter().product();
    let (data, weights) = (x.floats(), w.floats());
    let shape = [&[n, per_group * groups], &output[..]].concat();
    let mut result = vec![0.0; count(&shape)?];
    count(&[sizes, kernel].concat())?;
    if let Some(bias) = call.maybe(2) {
        let bias = bias.floats();
        for (at, one) in result.iter_mut().enumerate() {
            *one = bias[at / out_size % bias.len()];
        }
    }
    let mut writes: Vec<(usize, usize, usize)> = Vec::new();
    let out_steps = strides(&output);
    let mut from = 0;
    walk(sizes, |place| {
        let mut tap = 0;
        walk(kernel, |offset| {
            let mut to = Some(0);
            for dim in 0..rank {
                let at =
                    place[dim] as i64 * steps[dim] + offset[dim] as i64 * gaps[dim] - pads[dim];
                let at = usize::try_from(at).ok().filter(|at| *at < output[dim]);
                to = to.zip(at).map(|(to, at)| to + at * out_steps[dim]);
            }
            writes.extend(to.map(|to| (from, tap, to)));
            tap += 1;
        });
        from += 1;
    });
    let in_group = channels / groups;
    for image in 0..n {
        for channel in 0..channels {
            let group = channel / in_group;
            for inner in 0..per_group {
                let to_start = (image * per_group * groups + group * per_group + inner) * out_size;
                let by_start = (channel * per_group + inner) * taps;
                let from_start = (image * channels + channel) * in_size;
                for (from, tap, to) in &writes {
                    result[to_start + to] += data[from_start + from] * weights[by_start + tap];
                }
            }
        }
    }
    Ok(Tensor::number(x.kind, &shape, result))
}

/// Adds columns, of which each is a block, to an image.
pub(crate) fn columns(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let usizes = |index: usize| -> Result<Vec<usize>, String> {
        Ok(call
            .tensor(index)?
            .ints()
            .into_iter()
            .map(|one| one as usize)
            .collect())
    };
    let (sizes, kernel) = (usizes(1)?, usizes(2)?);
    let window = window(call, &sizes, &kernel)?;
    let taps: usize = kernel.iter().product();
    let [n, rows, blocks] = x.shape[..] else {
        return Err(format!("its operand has the shape {:?}", x.shape));
    };
    let (channels, size): (usize, usize) = (rows / taps.max(1), sizes.iter().product());
    let data = x.floats();
    let shape = [&[n, channels], &sizes[..]].concat();
    let mut result = vec![0.0; count(&shape)?];
    for image in 0..n {
        for channel in 0..channels {
            let mut block = 0;
            walk(&window.output, |out| {
                window.taps(out, &sizes, |tap, at| {
                    let from = ((image * channels + channel) * taps + tap) * blocks + block;
                    result[(image * channels + channel) * size + at] += data[from];
                });
                block += 1;
            });
        }
    }
    Ok(Tensor::number(x.kind, &shape, result))
}

/// `CausalConvWithState`: a convolution along the last dimension of each channel alone, which begins with a state.
pub(crate) fn causal(call: &Call<'_>) -> super::call::Many {
    let (x, w) = (call.tensor(0)?, call.tensor(1)?);
    let ([n, c, len], [_, _, taps]) = (&x.shape[..], &w.shape[..]) else {
        return Err(format!(
            "its operands have the shapes {:?} and {:?}",
            x.shape, w.shape
        ));
    };
    let (n, c, len, taps) = (*n, *c, *len, *taps);
    let before = taps.saturating_sub(1);
    let state = match call.maybe(3) {
        Some(state) => state.clone(),
        None => Tensor::number(x.kind, &[n, c, before], vec![0.0; n * c * before]),
    };
    let all = super::layout::join(&[&state, x], 2)?;
    let (data, weights) = (all.floats(), w.floats());
    let bias = call.maybe(2).map(Tensor::floats);
    let mut result = Vec::new();
    for row in 0..n * c {
        for at in 0..len {
            let start = bias.as_ref().map_or(0.0, |bias| bias[row % c]);
            let taps_of = (0..taps)
                .map(|tap| data[row * (len + before) + at + tap] * weights[row % c * taps + tap]);
            let sum = start + taps_of.sum::<f64>();
            result.push(match call.text("activation", "none") {
                "none" => sum,
                "silu" | "swish" => sum * super::math::sigmoid(sum),
                other => return call.refuse("activation", other),
            });
        }
    }
    let next = super::layout::part(&all, 2, len, before);
    Ok(vec![Tensor::number(x.kind, &x.shape, result), next])
}
