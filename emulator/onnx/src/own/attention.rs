//! Attention, in the forms that ONNX has as one operator.

use super::call::{Call, Many, One, expand};
use super::layout::{join, permute};
use super::math::{convert, sigmoid};
use super::reduce::soften;
use crate::dtype::DType;
use crate::tensor::{Tensor, count};

/// Returns an operand of three dimensions as one of four, with the heads as its second one.
fn heads(x: &Tensor, count: i64) -> One {
    match x.shape[..] {
        [_, _, _, _] => Ok(x.clone()),
        [batch, len, all] if count > 0 => {
            let count = count as usize;
            let split = x.clone().shaped(&[batch, len, count, all / count]);
            Ok(permute(&split, &[0, 2, 1, 3]))
        }
        _ => Err(format!("its operand has the shape {:?}", x.shape)),
    }
}

/// Returns four dimensions as three again.
fn flat(x: &Tensor) -> Tensor {
    let [batch, heads, len, size] = x.shape[..] else {
        return x.clone();
    };
    permute(x, &[0, 2, 1, 3]).shaped(&[batch, len, heads * size])
}

pub(crate) fn attention(call: &Call<'_>) -> Many {
    let is_flat = call.tensor(0)?.shape.len() == 3;
    let (q_heads, kv_heads) = (call.int("q_num_heads", 0), call.int("kv_num_heads", 0));
    let q = heads(call.tensor(0)?, q_heads)?;
    let (mut k, mut v) = (
        heads(call.tensor(1)?, kv_heads)?,
        heads(call.tensor(2)?, kv_heads)?,
    );
    let mut before = 0;
    if let (Some(old_k), Some(old_v)) = (call.maybe(4), call.maybe(5)) {
        before = old_k.shape.get(2).copied().unwrap_or(0) as i64;
        k = join(&[old_k, &k], 2)?;
        v = join(&[old_v, &v], 2)?;
    }
    let ([batch, heads, rows, size], [_, kv, keys, _]) = (&q.shape[..], &k.shape[..]) else {
        return Err("its operands have no heads".to_owned());
    };
    let (batch, heads, rows, size, kv, keys) = (*batch, *heads, *rows, *size, *kv, *keys);
    let out = v.shape.get(3).copied().unwrap_or(0);
    count(&[batch, heads, rows, keys])?;
    let results = count(&[batch, heads, rows, out])?;
    let scale = match call.attribute("scale") {
        Some(_) => call.float("scale", 1.0),
        None => 1.0 / (size as f64).sqrt(),
    };
    let cap = call.float("softcap", 0.0);
    let is_causal = call.int("is_causal", 0) != 0;
    let (left, right) = (
        call.int("left_window_size", -1),
        call.int("right_window_size", -1),
    );
    let mode = call.int("qk_matmul_output_mode", 0);
    let lengths = call.maybe(6).map(Tensor::ints);
    let mask = match call.maybe(3) {
        Some(mask) => {
            let mut mask = mask.clone();
            let have = mask.shape.last().copied().unwrap_or(0);
            if have < keys && have != 1 {
                let mut rest = mask.shape.clone();
                if let Some(last) = rest.last_mut() {
                    *last = keys - have;
                }
                let none = if mask.kind == DType::Bool {
                    0.0
                } else {
                    f64::NEG_INFINITY
                };
                let fill = Tensor::number(mask.kind, &rest, vec![none; count(&rest)?]);
                let axis = mask.shape.len() - 1;
                mask = join(&[&mask, &fill], axis)?;
            }
            Some((
                mask.kind == DType::Bool,
                expand(&mask, &[batch, heads, rows, keys]).floats(),
            ))
        }
        None => None,
    };
    let (q_data, k_data, v_data) = (q.floats(), k.floats(), v.floats());
    let mut y = vec![0.0; results];
    let mut inside = Vec::new();
    for row in 0..batch * heads * rows {
        let (item, head, query) = (row / rows / heads, row / rows % heads, row % rows);
        let own = item * kv + head / (heads / kv.max(1)).max(1);
        let valid = lengths.as_ref().and_then(|all| all.get(item)).copied();
        let offset = match valid {
            Some(valid) if call.maybe(4).is_none() => valid - rows as i64,
            _ => before,
        };
        let at = offset + query as i64;
        let mut scores = Vec::with_capacity(keys);
        for key in 0..keys {
            let from = (own * keys + key) * size;
            let products = q_data[row * size..(row + 1) * size]
                .iter()
                .zip(&k_data[from..from + size]);
            let mut score = products.map(|(a, b)| a * b).sum::<f64>() * scale;
            if mode == 0 {
                inside.push(score);
            }
            if cap != 0.0 {
                score = cap * (score / cap).tanh();
            }
            if mode == 1 {
                inside.push(score);
            }
            let place = key as i64;
            let mut hidden = is_causal && place > at;
            hidden |= left >= 0 && place < at - left || right >= 0 && place > at + right;
            hidden |= valid.is_some_and(|valid| place >= valid);
            match &mask {
                Some((true, all)) => hidden |= all[row * keys + key] == 0.0,
                Some((false, all)) => score += all[row * keys + key],
                None => {}
            }
            if hidden {
                score = f64::NEG_INFINITY;
            }
            if mode == 2 {
                inside.push(score);
            }
            scores.push(score);
        }
        if scores.iter().all(|one| *one == f64::NEG_INFINITY) {
            scores.fill(0.0);
        } else {
            soften(&mut scores, false);
        }
        if mode == 3 {
            inside.extend_from_slice(&scores);
        }
        for (key, score) in scores.iter().enumerate() {
            let from = (own * keys + key) * out;
            for (to, one) in y[row * out..(row + 1) * out]
                .iter_mut()
                .zip(&v_data[from..from + out])
            {
                *to += score * one;
            }
        }
    }
    let kind = q.kind;
    let y = Tensor::number(kind, &[batch, heads, rows, out], y);
    let inside = Tensor::number(kind, &[batch, heads, rows, keys], inside);
    Ok(vec![if is_flat { flat(&y) } else { y }, k, v, inside])
}

/// Attention with graphs that change its scores and its weights.
pub(crate) fn flexible(call: &Call<'_>) -> One {
    let (q, k, v) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
    let ([batch, heads, _, size], [_, kv, keys, _], [_, _, _, out]) =
        (&q.shape[..], &k.shape[..], &v.shape[..])
    else {
        return Err("its operands have no heads".to_owned());
    };
    let times = heads / (*kv).max(1);
    let repeat = |x: &Tensor, len: usize| {
        let one = x.clone().shaped(&[*batch, *kv, 1, *keys, len]);
        expand(&one, &[*batch, *kv, times, *keys, len]).shaped(&[*batch, *heads, *keys, len])
    };
    let kind = match call.kind("softmax_precision")? {
        Some(kind) => kind,
        None if q.kind == DType::F64 => DType::F64,
        None => DType::F32,
    };
    let scale = match call.attribute("scale") {
        Some(_) => call.float("scale", 1.0),
        None => 1.0 / (*size as f64).sqrt(),
    };
    let turned = permute(&repeat(k, *size), &[0, 1, 3, 2]);
    let wide = |x: &Tensor| convert(x, kind, false);
    let scores = super::linear::product(&wide(q)?, &wide(&turned)?)?;
    let scaled = scores.floats().into_iter().map(|one| one * scale).collect();
    let mut scores = Tensor::number(kind, &scores.shape, scaled);
    if call.attribute("score_mod").is_some() {
        scores = call.scope.inner(call, "score_mod", &[scores])?;
    }
    let mut data = scores.floats();
    for row in data.chunks_mut((*keys).max(1)) {
        soften(row, false);
    }
    let mut weights = Tensor::number(kind, &scores.shape, data);
    if call.attribute("prob_mod").is_some() {
        weights = call.scope.inner(call, "prob_mod", &[weights])?;
    }
    let y = super::linear::product(&weights, &wide(&repeat(v, *out))?)?;
    convert(&y, q.kind, false)
}

/// Attention whose state is a matrix for each head.
pub(crate) fn linear(call: &Call<'_>) -> Many {
    let (q_heads, kv_heads) = (call.int("q_num_heads", 1), call.int("kv_num_heads", 1));
    let q = heads(call.tensor(0)?, q_heads)?;
    let (k, v) = (
        heads(call.tensor(1)?, kv_heads)?,
        heads(call.tensor(2)?, kv_heads)?,
    );
    let ([batch, heads, len, d_k], [_, kv, _, d_v]) = (&q.shape[..], &v.shape[..]) else {
        return Err("its operands have no heads".to_owned());
    };
    let (batch, heads, len, d_k, kv, d_v) = (*batch, *heads, *len, *d_k, *kv, *d_v);
    let rule = call.text("update_rule", "gated_delta");
    let (decays, corrects) = match rule {
        "linear" => (false, false),
        "gated" => (true, false),
        "delta" => (false, true),
        "gated_delta" => (true, true),
        other => return call.refuse("update_rule", other),
    };
    let scale = match call.float("scale", 0.0) {
        0.0 => 1.0 / (d_k as f64).sqrt(),
        scale => scale,
    };
    let mut state = match call.maybe(3) {
        Some(state) => state.floats(),
        None => vec![0.0; count(&[batch, kv, d_k, d_v])?],
    };
    let decay = call.maybe(4).map(|one| one.floats());
    let beta = call.maybe(5).map(|one| one.floats());
    // One number for each head, or one for each of its elements.
    let at = |all: &Option<Vec<f64>>,
              item: usize,
              time: usize,
              head: usize,
              element: usize,
              otherwise: f64| {
        let Some(all) = all else { return otherwise };
        let width = all.len() / (batch * len).max(1);
        let row = (item * len + time) * width;
        let per = width / kv.max(1);
        match (width, per) {
            (1, _) => all[row],
            (_, 1) => all[row + head],
            (_, per) => all[row + head * per + element],
        }
    };
    let (q_data, k_data, v_data) = (q.floats(), k.floats(), v.floats());
    let mut y = vec![0.0; count(&[batch, heads, len, d_v])?];
    let shared = (heads / kv.max(1)).max(1);
    for item in 0..batch {
        for head in 0..kv {
            let own = item * kv + head;
            let matrix = &mut state[own * d_k * d_v..(own + 1) * d_k * d_v];
            for time in 0..len {
                let key = &k_data[(own * len + time) * d_k..][..d_k];
                let value = &v_data[(own * len + time) * d_v..][..d_v];
                if decays {
                    for (place, row) in matrix.chunks_mut(d_v).enumerate() {
                        let by = at(&decay, item, time, head, place, 0.0).exp();
                        row.iter_mut().for_each(|one| *one *= by);
                    }
                }
                let mut new = value.to_vec();
                if corrects {
                    for (column, one) in new.iter_mut().enumerate() {
                        let known: f64 = (0..d_k)
                            .map(|row| matrix[row * d_v + column] * key[row])
                            .sum();
                        *one = (*one - known) * at(&beta, item, time, head, column, 1.0);
                    }
                }
                for row in 0..d_k {
                    for column in 0..d_v {
                        matrix[row * d_v + column] += key[row] * new[column];
                    }
                }
                for query in head * shared..(head + 1) * shared {
                    let from = (item * heads + query) * len + time;
                    let row = &q_data[from * d_k..][..d_k];
                    for column in 0..d_v {
                        let sum: f64 = (0..d_k)
                            .map(|place| row[place] * matrix[place * d_v + column])
                            .sum();
                        y[from * d_v + column] = sum * scale;
                    }
                }
            }
        }
    }
    let y = flat(&Tensor::number(q.kind, &[batch, heads, len, d_v], y));
    let kind = call.maybe(3).map_or(q.kind, |state| state.kind);
    Ok(vec![y, Tensor::number(kind, &[batch, kv, d_k, d_v], state)])
}

/// Turns pairs of elements by angles that depend on their place.
pub(crate) fn rotary(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let is_flat = x.shape.len() == 3;
    let turned = heads(x, call.int("num_heads", 0))?;
    let [batch, heads, len, size] = turned.shape[..] else {
        return Err(format!("its operand has the shape {:?}", x.shape));
    };
    let width = match call.int("rotary_embedding_dim", 0) {
        0 => size,
        width => width as usize,
    };
    let half = width / 2;
    let (cos, sin) = (call.tensor(1)?, call.tensor(2)?);
    let positions = call.maybe(3).map(Tensor::ints);
    let (cos_data, sin_data) = (cos.floats(), sin.floats());
    let interleaved = call.int("interleaved", 0) != 0;
    let mut data = turned.floats();
    for row in 0..batch * heads * len {
        let (item, place) = (row / len / heads, row % len);
        let angle = match &positions {
            Some(all) => all[item * len + place] as usize,
            None => item * len + place,
        };
        for pair in 0..half {
            let (a, b) = if interleaved {
                (2 * pair, 2 * pair + 1)
            } else {
                (pair, pair + half)
            };
            let (a, b) = (row * size + a, row * size + b);
            let (c, s) = (cos_data[angle * half + pair], sin_data[angle * half + pair]);
            (data[a], data[b]) = (c * data[a] - s * data[b], s * data[a] + c * data[b]);
        }
    }
    let y = Tensor::number(x.kind, &turned.shape, data);
    Ok(if is_flat { flat(&y) } else { y })
}

/// `Swish`.
pub(crate) fn swish(call: &Call<'_>) -> One {
    let alpha = call.float("alpha", 1.0);
    super::math::map(call, |x| x * sigmoid(alpha * x))
}
