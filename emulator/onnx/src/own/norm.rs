//! Normalisations.

use super::call::{Call, Many, One, around, expand, places};
use super::reduce::rows;
use crate::dtype::DType;
use crate::tensor::Tensor;

fn mean_and_variance(row: &[f64]) -> (f64, f64) {
    let len = row.len() as f64;
    let mean = row.iter().sum::<f64>() / len;
    let squares = row.iter().map(|one| (one - mean) * (one - mean));
    (mean, squares.sum::<f64>() / len)
}

pub(crate) fn batch(call: &Call<'_>) -> Many {
    let x = call.tensor(0)?;
    let epsilon = call.float("epsilon", 1e-5);
    let numbers = |index: usize| -> Result<Vec<f64>, String> { Ok(call.tensor(index)?.floats()) };
    let (scale, bias, mut mean, mut variance) =
        (numbers(1)?, numbers(2)?, numbers(3)?, numbers(4)?);
    if x.shape.len() < 2 {
        return Err(format!("its operand has the shape {:?}", x.shape));
    }
    let (outer, channels, inner) = around(&x.shape, 1);
    let mut data = x.floats();
    let mut results = Vec::new();
    if call.int("training_mode", 0) != 0 {
        let momentum = call.float("momentum", f64::from(0.9_f32));
        for channel in 0..channels {
            let row = (0..outer).flat_map(|row| {
                let start = (row * channels + channel) * inner;
                data[start..start + inner].to_vec()
            });
            let row: Vec<f64> = row.collect();
            let (now, wide) = mean_and_variance(&row);
            let mix = |old: f64, new: f64| old * momentum + new * (1.0 - momentum);
            results.push((mix(mean[channel], now), mix(variance[channel], wide)));
            (mean[channel], variance[channel]) = (now, wide);
        }
    }
    for (at, one) in data.iter_mut().enumerate() {
        let channel = at / inner % channels;
        *one = (*one - mean[channel]) / (variance[channel] + epsilon).sqrt() * scale[channel]
            + bias[channel];
    }
    let mut all = vec![Tensor::number(x.kind, &x.shape, data)];
    if !results.is_empty() {
        let (means, variances): (Vec<_>, Vec<_>) = results.into_iter().unzip();
        all.push(Tensor::number(call.tensor(3)?.kind, &[channels], means));
        all.push(Tensor::number(call.tensor(4)?.kind, &[channels], variances));
    }
    Ok(all)
}

/// Normalises each part of `len` elements, then scales by channel.
fn by_channel(call: &Call<'_>, x: &Tensor, len: usize) -> One {
    let epsilon = call.float("epsilon", 1e-5);
    let (scale, bias) = (call.tensor(1)?.floats(), call.tensor(2)?.floats());
    let (_, channels, inner) = around(&x.shape, 1);
    let mut data = x.floats();
    for part in data.chunks_mut(len.max(1)) {
        let (mean, variance) = mean_and_variance(part);
        for one in part {
            *one = (*one - mean) / (variance + epsilon).sqrt();
        }
    }
    // Older versions scale by group.
    let per = channels / scale.len().max(1);
    for (at, one) in data.iter_mut().enumerate() {
        let place = at / inner % channels / per.max(1);
        *one = *one * scale[place] + bias[place];
    }
    Ok(Tensor::number(x.kind, &x.shape, data))
}

pub(crate) fn instance(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    super::conv::image(&x.shape)?;
    by_channel(call, x, x.shape[2..].iter().product())
}

pub(crate) fn group(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    super::conv::image(&x.shape)?;
    let groups = call.int("num_groups", 1).max(1) as usize;
    by_channel(call, x, x.shape[1..].iter().product::<usize>() / groups)
}

pub(crate) fn layer(call: &Call<'_>) -> Many {
    let x = call.tensor(0)?;
    let axis = call.axis(-1, x.shape.len())?;
    let epsilon = call.float("epsilon", 1e-5);
    let len: usize = x.shape[axis..].iter().product();
    let scale = expand(call.tensor(1)?, &x.shape).floats();
    let bias = call.maybe(2).map(|bias| expand(bias, &x.shape).floats());
    let (mut data, mut means, mut factors) = (x.floats(), Vec::new(), Vec::new());
    for part in data.chunks_mut(len.max(1)) {
        let (mean, variance) = mean_and_variance(part);
        let factor = 1.0 / (variance + epsilon).sqrt();
        for one in part {
            *one = (*one - mean) * factor;
        }
        means.push(mean);
        factors.push(factor);
    }
    for (at, one) in data.iter_mut().enumerate() {
        *one = *one * scale[at] + bias.as_ref().map_or(0.0, |bias| bias[at]);
    }
    let mut shape = x.shape.clone();
    shape[axis..].fill(1);
    let kind = call.kind("stash_type")?.unwrap_or(DType::F32);
    Ok(vec![
        Tensor::number(x.kind, &x.shape, data),
        Tensor::number(kind, &shape, means),
        Tensor::number(kind, &shape, factors),
    ])
}

pub(crate) fn root_mean_square(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let axis = call.axis(-1, x.shape.len())?;
    let epsilon = call.float("epsilon", 1e-5);
    let len: usize = x.shape[axis..].iter().product();
    let scale = expand(call.tensor(1)?, &x.shape).floats();
    let mut data = x.floats();
    for part in data.chunks_mut(len.max(1)) {
        let mean = part.iter().map(|one| one * one).sum::<f64>() / part.len() as f64;
        for one in part {
            *one /= (mean + epsilon).sqrt();
        }
    }
    for (one, by) in data.iter_mut().zip(scale) {
        *one *= by;
    }
    Ok(Tensor::number(x.kind, &x.shape, data))
}

pub(crate) fn length(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let p = call.int("p", 2);
    let axis = call.axis(-1, x.shape.len())?;
    let mut data = x.floats();
    rows(&x.shape, axis, &mut data, |row| {
        let size = match p {
            1 => row.iter().map(|one| one.abs()).sum::<f64>(),
            _ => row.iter().map(|one| one * one).sum::<f64>().sqrt(),
        };
        for one in row {
            *one = if size == 0.0 { 0.0 } else { *one / size };
        }
    });
    Ok(Tensor::number(x.kind, &x.shape, data))
}

pub(crate) fn mean_variance(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let axes = call.ints("axes").unwrap_or_else(|| vec![0, 2, 3]);
    let axes = places(&axes, x.shape.len())?;
    let rest = (0..x.shape.len()).filter(|at| !axes.contains(at));
    let order: Vec<_> = rest.chain(axes.iter().copied()).collect();
    let turned = super::layout::permute(x, &order);
    let len: usize = axes.iter().map(|at| x.shape[*at]).product();
    let mut data = turned.floats();
    for part in data.chunks_mut(len.max(1)) {
        let (mean, variance) = mean_and_variance(part);
        for one in part {
            *one = (*one - mean) / (variance.sqrt() + 1e-9);
        }
    }
    let mut back = vec![0; order.len()];
    for (at, from) in order.iter().enumerate() {
        back[*from] = at;
    }
    let turned = Tensor::number(x.kind, &turned.shape, data);
    Ok(super::layout::permute(&turned, &back))
}

pub(crate) fn local_response(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let (alpha, beta) = (call.float("alpha", 1e-4), call.float("beta", 0.75));
    let (bias, size) = (call.float("bias", 1.0), call.int("size", 1));
    let (before, behind) = ((size - 1) / 2, size / 2);
    if x.shape.len() < 2 {
        return Err(format!("its operand has the shape {:?}", x.shape));
    }
    let mut data = x.floats();
    rows(&x.shape, 1, &mut data, |row| {
        let old = row.to_vec();
        let len = old.len() as i64;
        for (at, one) in row.iter_mut().enumerate() {
            let at = at as i64;
            let near =
                old[(at - before).max(0) as usize..(at + behind + 1).min(len) as usize].iter();
            let squares: f64 = near.map(|one| one * one).sum();
            *one /= (bias + alpha / size as f64 * squares).powf(beta);
        }
    });
    Ok(Tensor::number(x.kind, &x.shape, data))
}

/// `Dropout`, which a model that infers does not do.
pub(crate) fn dropout(call: &Call<'_>) -> Many {
    let x = call.tensor(0)?;
    let trains = call.scalar(2).is_some_and(|one| one != 0.0);
    let ratio = call.scalar(1).unwrap_or_else(|| call.float("ratio", 0.5));
    if trains && ratio != 0.0 {
        return Err(
            "it trains (`training_mode`), with random numbers; export the model for inference"
                .to_owned(),
        );
    }
    Ok(vec![
        x.clone(),
        Tensor::bools(&x.shape, vec![true; x.len()]),
    ])
}
