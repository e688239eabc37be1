//! Random numbers: the same ones in each run of a node, from its seed and its name.

use std::f64::consts::TAU;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::call::{Call, One};
use crate::dtype::DType;
use crate::tensor::{Tensor, count};

/// Makes `len` numbers of at least 0 and less than 1 (SplitMix64).
fn numbers(call: &Call<'_>, len: usize) -> impl Iterator<Item = f64> {
    let mut hash = DefaultHasher::new();
    // CAST: the bits of the seed.
    (call.node.outputs.first(), call.float("seed", 0.0).to_bits()).hash(&mut hash);
    let mut state = hash.finish();
    (0..len).map(move |_| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut one = state;
        one = (one ^ (one >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        one = (one ^ (one >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        // CAST: 53 bits are exact.
        ((one ^ (one >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    })
}

/// Returns the type and the shape of the result: those of attributes, or of the operand.
fn target(call: &Call<'_>) -> Result<(DType, Vec<usize>), String> {
    let (like, shape) = match call.maybe(0) {
        Some(x) => (Some(x.kind).filter(|kind| kind.is_float()), x.shape.clone()),
        None => {
            let all = call.ints("shape").ok_or("it has no shape")?;
            let all: Option<Vec<_>> = all
                .into_iter()
                .map(|one| usize::try_from(one).ok())
                .collect();
            (None, all.ok_or("its shape has a negative number")?)
        }
    };
    count(&shape)?;
    Ok((call.kind("dtype")?.or(like).unwrap_or(DType::F32), shape))
}

pub(crate) fn uniform(call: &Call<'_>) -> One {
    let (kind, shape) = target(call)?;
    let (low, high) = (call.float("low", 0.0), call.float("high", 1.0));
    let data = numbers(call, count(&shape)?).map(|one| low + one * (high - low));
    Ok(Tensor::number(kind, &shape, data.collect()))
}

pub(crate) fn normal(call: &Call<'_>) -> One {
    let (kind, shape) = target(call)?;
    let (mean, scale) = (call.float("mean", 0.0), call.float("scale", 1.0));
    let len = count(&shape)?;
    let mut all = numbers(call, 2 * len);
    let mut data = Vec::new();
    while let (Some(a), Some(b)) = (all.next(), all.next()) {
        data.push(mean + scale * (-2.0 * (1.0 - a).ln()).sqrt() * (TAU * b).cos());
    }
    Ok(Tensor::number(kind, &shape, data))
}

pub(crate) fn bernoulli(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let kind = call.kind("dtype")?.unwrap_or(x.kind);
    let drawn = numbers(call, x.len()).zip(x.floats());
    let data = drawn.map(|(one, limit)| if one < limit { 1.0 } else { 0.0 });
    Ok(Tensor::number(kind, &x.shape, data.collect()))
}
