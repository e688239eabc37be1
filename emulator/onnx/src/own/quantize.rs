//! Operators between floating-point numbers and whole ones with a scale.

use super::call::{Call, Many, One, place};
use super::math::convert;
use crate::dtype::DType;
use crate::tensor::Tensor;

/// Returns a function from a position in `shape` to that of its scale: one for all, one for each place of an axis.
pub(crate) fn per_axis(
    shape: &[usize],
    scale: Option<&[usize]>,
    axis: usize,
) -> Result<impl Fn(usize) -> usize, String> {
    let len: usize = scale.map_or(1, |scale| scale.iter().product());
    let dim = shape.get(axis).copied().unwrap_or(1);
    if len != 1 && len != dim {
        return Err(format!("it has {len} scales for the shape {shape:?}"));
    }
    let inner: usize = shape.get(axis + 1..).unwrap_or_default().iter().product();
    Ok(move |at: usize| if len == 1 { 0 } else { at / inner % dim })
}

/// Returns the position of the scale of each element: as above, or one for each block along the axis.
fn scales(call: &Call<'_>, x: &Tensor, scale: &Tensor) -> Result<Vec<usize>, String> {
    let block = call.int("block_size", 0);
    let rank = x.shape.len();
    if block == 0 {
        let axis = if scale.len() == 1 {
            0
        } else {
            place(call.int("axis", 1), rank)?
        };
        let of = per_axis(&x.shape, Some(&scale.shape), axis)?;
        return Ok((0..x.len()).map(of).collect());
    }
    let axis = place(call.int("axis", 1), rank)?;
    let block = usize::try_from(block).unwrap_or(1);
    let steps = super::call::strides(&scale.shape);
    let mut all = Vec::new();
    super::call::walk(&x.shape, |index| {
        let places = index.iter().enumerate().zip(&steps);
        all.push(
            places
                .map(|((dim, at), by)| if dim == axis { at / block } else { *at } * by)
                .sum(),
        );
    });
    if all.iter().any(|at| *at >= scale.len()) {
        return Err(format!("its scales have the shape {:?}", scale.shape));
    }
    Ok(all)
}

/// Rounds numbers, adds the zero point, and keeps them in the range of its type.
pub(crate) fn quantized(shape: &[usize], scaled: impl Iterator<Item = f64>, zero: &Tensor) -> One {
    let (low, high) = zero.kind.range();
    let point = zero.wholes().first().copied().unwrap_or(0);
    // CAST: a number near the range; others stay at its ends.
    let data = scaled.map(|one| {
        (one.round_ties_even() as i128)
            .saturating_add(point)
            .clamp(low, high)
    });
    Ok(Tensor::whole(zero.kind, shape, data.collect()))
}

pub(crate) fn quantize(call: &Call<'_>) -> One {
    let (x, scale) = (call.tensor(0)?, call.tensor(1)?);
    let zero = call.maybe(2);
    let kind = zero
        .map(|zero| zero.kind)
        .or(call.kind("output_dtype")?)
        .unwrap_or(DType::U8);
    let of = scales(call, x, scale)?;
    let (by, data) = (scale.floats(), x.floats());
    let precision = call.kind("precision")?.unwrap_or(scale.kind);
    let scaled = data
        .iter()
        .zip(&of)
        .map(|(one, at)| precision.round(one / by[*at], false));
    if kind.is_float() {
        let all = scaled
            .map(|one| kind.round(one, call.int("saturate", 1) != 0))
            .collect();
        return Ok(Tensor {
            kind,
            shape: x.shape.clone(),
            data: crate::tensor::Data::Float(all),
        });
    }
    let (low, high) = kind.range();
    let zeros = zero.map(Tensor::wholes);
    let all = scaled.zip(&of).map(|(one, at)| {
        let point = zeros
            .as_ref()
            .and_then(|all| all.get(*at))
            .copied()
            .unwrap_or(0);
        // CAST: a number near the range; others stay at its ends.
        (one.round_ties_even() as i128)
            .saturating_add(point)
            .clamp(low, high)
    });
    Ok(Tensor::whole(kind, &x.shape, all.collect()))
}

pub(crate) fn dequantize(call: &Call<'_>) -> One {
    let (x, scale) = (call.tensor(0)?, call.tensor(1)?);
    let of = scales(call, x, scale)?;
    let (by, data, zeros) = (
        scale.floats(),
        x.floats(),
        call.maybe(2).map(Tensor::floats),
    );
    let all = data.iter().zip(&of).map(|(one, at)| {
        let point = zeros
            .as_ref()
            .and_then(|all| all.get(*at))
            .copied()
            .unwrap_or(0.0);
        (one - point) * by[*at]
    });
    let kind = call.kind("output_dtype")?.unwrap_or(scale.kind);
    Ok(Tensor::float(kind, &x.shape, all.collect()))
}

pub(crate) fn dynamic(call: &Call<'_>) -> Many {
    let x = call.tensor(0)?;
    let data = x.floats();
    let low = data.iter().copied().fold(0.0, f64::min);
    let high = data.iter().copied().fold(0.0, f64::max);
    let single = |one: f64| f64::from(one as f32);
    let scale = single((single(high - low)) / 255.0);
    let point = if scale == 0.0 {
        0.0
    } else {
        (-low / scale).round_ties_even().clamp(0.0, 255.0)
    };
    let zero = Tensor::number(DType::U8, &[], vec![point]);
    let scaled = data.into_iter().map(|one| {
        if scale == 0.0 {
            0.0
        } else {
            single(one / scale)
        }
    });
    let y = quantized(&x.shape, scaled, &zero)?;
    Ok(vec![y, Tensor::float(DType::F32, &[], vec![scale]), zero])
}

/// `QLinearConv`.
pub(crate) fn convolution(call: &Call<'_>) -> One {
    let (x, w) = (call.tensor(0)?, call.tensor(3)?);
    let (by_x, by_w, by_y) = (call.tensor(1)?, call.tensor(4)?.floats(), call.tensor(6)?);
    let centre = |x: &Tensor, zero: &Tensor, axis: usize| -> One {
        let of = per_axis(&x.shape, Some(&zero.shape), axis)?;
        let zeros = zero.floats();
        let data = x
            .floats()
            .into_iter()
            .enumerate()
            .map(|(at, one)| one - zeros[of(at)]);
        Ok(Tensor::float(DType::F64, &x.shape, data.collect()))
    };
    let left = centre(x, call.tensor(2)?, 1)?;
    let right = centre(w, call.tensor(5)?, 0)?;
    let bias = call
        .maybe(8)
        .map(|bias| convert(bias, DType::F64, false))
        .transpose()?;
    let sums = super::conv::convolve(call, &left, &right, bias.as_ref())?;
    let scales = [by_w.len()];
    let channel = per_axis(&sums.shape, Some(&scales), 1)?;
    let (Some(by_x), Some(by_y)) = (
        by_x.floats().first().copied(),
        by_y.floats().first().copied(),
    ) else {
        return Err("a scale has no number".to_owned());
    };
    let data = sums.floats();
    let scaled = data
        .into_iter()
        .enumerate()
        .map(|(at, one)| one * by_x * by_w[channel(at)] / by_y);
    quantized(&sums.shape, scaled, call.tensor(7)?)
}

/// `ConvInteger`.
pub(crate) fn integer_convolution(call: &Call<'_>) -> One {
    let (x, w) = (call.tensor(0)?, call.tensor(1)?);
    let centre = |x: &Tensor, zero: Option<&Tensor>, axis: usize| -> One {
        let of = per_axis(&x.shape, zero.map(|zero| &zero.shape[..]), axis)?;
        let zeros = zero.map_or(vec![0.0], Tensor::floats);
        let data = x
            .floats()
            .into_iter()
            .enumerate()
            .map(|(at, one)| one - zeros[of(at)]);
        Ok(Tensor::float(DType::F64, &x.shape, data.collect()))
    };
    let left = centre(x, call.maybe(2), 1)?;
    let right = centre(w, call.maybe(3), 0)?;
    let sums = super::conv::convolve(call, &left, &right, None)?;
    Ok(Tensor::whole(DType::I32, &sums.shape, sums.wholes()))
}
