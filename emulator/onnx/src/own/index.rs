//! Operators whose operands are positions.

use super::call::{Call, Many, One, around, place, strides, walk};
use super::math::combine;
use crate::dtype::DType;
use crate::tensor::{Data, Tensor, count};

/// Returns a position, which counts from the end if it is negative.
fn inside(at: i64, len: usize) -> Result<usize, String> {
    place(at, len).map_err(|_| format!("its index {at} is outside of {len} elements"))
}

pub(crate) fn gather(call: &Call<'_>) -> One {
    let (x, indices) = (call.tensor(0)?, call.tensor(1)?);
    let axis = call.axis(0, x.shape.len())?;
    let (outer, len, inner) = around(&x.shape, axis);
    let mut from = Vec::new();
    let all = indices.ints();
    for row in 0..outer {
        for index in &all {
            let start = (row * len + inside(*index, len)?) * inner;
            from.extend(start..start + inner);
        }
    }
    let shape = [&x.shape[..axis], &indices.shape, &x.shape[axis + 1..]].concat();
    Ok(x.pick(&shape, &from))
}

/// Returns for each index of `indices` the position in `x` with that index at the axis.
fn along(x: &Tensor, indices: &Tensor, axis: usize) -> Result<Vec<usize>, String> {
    let (steps, all) = (strides(&x.shape), indices.ints());
    let mut found = Vec::new();
    let mut next = 0;
    let mut failed = None;
    walk(&indices.shape, |index| {
        let mut at = 0;
        for (dim, place) in index.iter().enumerate() {
            let place = if dim == axis {
                inside(all[next], x.shape[axis]).unwrap_or_else(|why| {
                    failed.get_or_insert(why);
                    0
                })
            } else {
                *place
            };
            at += place * steps[dim];
        }
        found.push(at);
        next += 1;
    });
    failed.map_or(Ok(found), Err)
}

pub(crate) fn gather_elements(call: &Call<'_>) -> One {
    let (x, indices) = (call.tensor(0)?, call.tensor(1)?);
    let axis = call.axis(0, x.shape.len())?;
    Ok(x.pick(&indices.shape, &along(x, indices, axis)?))
}

/// Returns the starts of the parts of `x` that the rows of `indices` name, and the length of a part.
fn parts(x: &[usize], indices: &Tensor, batch: usize) -> Result<(Vec<usize>, usize), String> {
    let depth = indices.shape.last().copied().unwrap_or(0);
    let known = batch + depth;
    if known > x.len() {
        return Err(format!(
            "its indices have {depth} numbers for the shape {x:?}"
        ));
    }
    let (steps, all) = (strides(x), indices.ints());
    let len = x[known..].iter().product();
    let batches: usize = x[..batch].iter().product();
    let rows = all.len().checked_div(depth).unwrap_or(0);
    let per_batch = rows.checked_div(batches).unwrap_or(0);
    let batch_step = x[batch..].iter().product::<usize>();
    let mut starts = Vec::new();
    for row in 0..rows {
        let mut at = row.checked_div(per_batch).unwrap_or(0) * batch_step;
        for place in 0..depth {
            let dim = batch + place;
            at += inside(all[row * depth + place], x[dim])? * steps[dim];
        }
        starts.push(at);
    }
    Ok((starts, len))
}

pub(crate) fn gather_nd(call: &Call<'_>) -> One {
    let (x, indices) = (call.tensor(0)?, call.tensor(1)?);
    let batch = usize::try_from(call.int("batch_dims", 0)).unwrap_or(0);
    let (starts, len) = parts(&x.shape, indices, batch)?;
    let from: Vec<_> = starts
        .iter()
        .flat_map(|start| *start..start + len)
        .collect();
    let (depth, outer) = indices
        .shape
        .split_last()
        .ok_or("its indices have no dimension")?;
    let shape = [outer, &x.shape[batch + depth..]].concat();
    Ok(x.pick(&shape, &from))
}

/// Writes updates to positions.
fn scatter(call: &Call<'_>, x: &Tensor, to: &[usize], updates: &Tensor) -> One {
    let how = call.text("reduction", "none");
    let mut result = x.clone();
    if to.len() != updates.len() {
        return Err(format!(
            "it has {} updates for {} positions",
            updates.len(),
            to.len()
        ));
    }
    macro_rules! write {
        ($sort:ident, $min:expr, $max:expr) => {{
            let (Data::$sort(data), Data::$sort(from)) = (&mut result.data, &updates.data) else {
                return Err("its updates have another type".to_owned());
            };
            for (at, new) in to.iter().zip(from) {
                let old = data[*at].clone();
                data[*at] = match how {
                    "none" => new.clone(),
                    "add" => old + new,
                    "mul" => old * new,
                    "min" => $min(old, *new),
                    "max" => $max(old, *new),
                    other => return call.refuse("reduction", other),
                };
            }
        }};
    }
    match &x.data {
        Data::Float(_) => write!(Float, f64::min, f64::max),
        Data::Whole(_) => write!(Whole, i128::min, i128::max),
        Data::Text(_) => return Err("it writes texts".to_owned()),
    }
    Ok(match result.data {
        Data::Float(data) => Tensor::float(x.kind, &x.shape, data),
        Data::Whole(data) => Tensor::whole(x.kind, &x.shape, data),
        Data::Text(_) => x.clone(),
    })
}

pub(crate) fn scatter_elements(call: &Call<'_>) -> One {
    let (x, indices, updates) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
    let axis = call.axis(0, x.shape.len())?;
    scatter(call, x, &along(x, indices, axis)?, updates)
}

pub(crate) fn scatter_nd(call: &Call<'_>) -> One {
    let (x, indices, updates) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
    let (starts, len) = parts(&x.shape, indices, 0)?;
    let to: Vec<_> = starts
        .iter()
        .flat_map(|start| *start..start + len)
        .collect();
    scatter(call, x, &to, updates)
}

/// Writes new entries to a cache along an axis.
pub(crate) fn tensor_scatter(call: &Call<'_>) -> One {
    let (cache, update) = (call.tensor(0)?, call.tensor(1)?);
    let rank = cache.shape.len();
    let axis = place(call.int("axis", -2), rank)?;
    let starts = call.maybe(2).map(Tensor::ints);
    let mode = call.text("mode", "linear");
    if !matches!(mode, "linear" | "circular") {
        return call.refuse("mode", mode);
    }
    let (steps, len) = (strides(&cache.shape), cache.shape[axis]);
    let mut to = Vec::new();
    walk(&update.shape, |index| {
        let start = starts
            .as_ref()
            .and_then(|all| all.get(index[0]))
            .copied()
            .unwrap_or(0);
        let mut at = 0;
        for (dim, place) in index.iter().enumerate() {
            let mut place = *place;
            if dim == axis {
                place += usize::try_from(start).unwrap_or(0);
                if mode == "circular" {
                    place %= len.max(1);
                }
            }
            at += place * steps[dim];
        }
        to.push(at);
    });
    if to.iter().any(|at| *at >= cache.len()) {
        return Err("it writes behind the end of its cache".to_owned());
    }
    scatter(call, cache, &to, update)
}

pub(crate) fn features(call: &Call<'_>) -> One {
    let (x, indices) = (call.tensor(0)?, call.tensor(1)?);
    let (len, outer) = x.shape.split_last().ok_or("its operand has no dimension")?;
    let (rows, all) = (outer.iter().product::<usize>(), indices.ints());
    let mut from = Vec::new();
    for row in 0..rows {
        for at in &all {
            from.push(row * len + inside(*at, *len)?);
        }
    }
    Ok(x.pick(&[outer, &[all.len()]].concat(), &from))
}

/// The different elements, with their first places, the place of each element among them, and their numbers.
pub(crate) fn unique(call: &Call<'_>) -> Many {
    let x = call.tensor(0)?;
    let (x, axis) = match call.attribute("axis") {
        Some(_) => (x.clone(), call.axis(0, x.shape.len())?),
        None => (x.clone().shaped(&[x.len()]), 0),
    };
    let (outer, len, inner) = around(&x.shape, axis);
    let data = x.floats();
    let slice = |at: usize| -> Vec<f64> {
        let rows = (0..outer).flat_map(|row| {
            let start = (row * len + at) * inner;
            data[start..start + inner].to_vec()
        });
        rows.collect()
    };
    let mut found: Vec<(Vec<f64>, usize)> = Vec::new();
    for at in 0..len {
        let one = slice(at);
        if !found.iter().any(|(known, _)| *known == one) {
            found.push((one, at));
        }
    }
    if call.int("sorted", 1) != 0 {
        found.sort_by(|(a, _), (b, _)| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    }
    let inverse: Vec<usize> = (0..len)
        .map(|at| {
            let one = slice(at);
            found
                .iter()
                .position(|(known, _)| *known == one)
                .unwrap_or(0)
        })
        .collect();
    let counts = (0..found.len()).map(|at| inverse.iter().filter(|one| **one == at).count() as i64);
    let parts: Vec<_> = found
        .iter()
        .map(|(_, at)| super::layout::part(&x, axis, *at, 1))
        .collect();
    let values = if parts.is_empty() {
        x.clone()
    } else {
        super::layout::join(&parts.iter().collect::<Vec<_>>(), axis)?
    };
    Ok(vec![
        values,
        Tensor::list(found.iter().map(|(_, at)| *at as i64)),
        Tensor::list(inverse.iter().map(|at| *at as i64)),
        Tensor::list(counts),
    ])
}

/// Selects the best boxes of each class that do not overlap a better one.
pub(crate) fn suppress(call: &Call<'_>) -> One {
    let (boxes, scores) = (call.tensor(0)?, call.tensor(1)?);
    // CAST: a number of boxes.
    let most = call.scalar(2).unwrap_or(0.0) as usize;
    let (overlap, least) = (call.scalar(3).unwrap_or(0.0), call.scalar(4));
    let is_center = call.int("center_point_box", 0) != 0;
    let [batches, classes, count] = scores.shape[..] else {
        return Err(format!("its scores have the shape {:?}", scores.shape));
    };
    let (all, points) = (boxes.floats(), scores.floats());
    let corners = |batch: usize, at: usize| -> [f64; 4] {
        let start = (batch * count + at) * 4;
        let (a, b, c, d) = (all[start], all[start + 1], all[start + 2], all[start + 3]);
        if is_center {
            return [b - d / 2.0, a - c / 2.0, b + d / 2.0, a + c / 2.0];
        }
        [a.min(c), b.min(d), a.max(c), b.max(d)]
    };
    let ratio = |a: [f64; 4], b: [f64; 4]| {
        let area = |one: [f64; 4]| (one[2] - one[0]) * (one[3] - one[1]);
        let height = (a[2].min(b[2]) - a[0].max(b[0])).max(0.0);
        let width = (a[3].min(b[3]) - a[1].max(b[1])).max(0.0);
        let both = height * width;
        let union = area(a) + area(b) - both;
        // As in single precision, in which the limit is given.
        if union <= 0.0 {
            0.0
        } else {
            f64::from((both / union) as f32)
        }
    };
    let mut found: Vec<i128> = Vec::new();
    for batch in 0..batches {
        for class in 0..classes {
            let score = |at: usize| points[(batch * classes + class) * count + at];
            let mut order: Vec<_> = (0..count)
                .filter(|at| least.is_none_or(|least| score(*at) > least))
                .collect();
            order.sort_by(|a, b| {
                score(*b)
                    .partial_cmp(&score(*a))
                    .unwrap_or(std::cmp::Ordering::Equal)
            });
            let mut kept: Vec<usize> = Vec::new();
            for at in order {
                if kept.len() >= most {
                    break;
                }
                let here = corners(batch, at);
                if kept
                    .iter()
                    .all(|old| ratio(corners(batch, *old), here) <= overlap)
                {
                    kept.push(at);
                }
            }
            found.extend(
                kept.into_iter()
                    .flat_map(|at| [batch as i128, class as i128, at as i128]),
            );
        }
    }
    Ok(Tensor::whole(DType::I64, &[found.len() / 3, 3], found))
}

/// The number of times that each of a list of sequences occurs.
pub(crate) fn count_sequences(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let get = |name: &str| call.ints(name).unwrap_or_default();
    let (starts, columns, pool) = (
        get("ngram_counts"),
        get("ngram_indexes"),
        get("pool_int64s"),
    );
    let (low, high) = (
        call.int("min_gram_length", 1),
        call.int("max_gram_length", 1),
    );
    let skips = call.int("max_skip_count", 0);
    let weights = call.floats("weights");
    let mode = call.text("mode", "TF");
    let (len, outer) = x.shape.split_last().ok_or("its operand has no dimension")?;
    let width = columns.iter().max().map_or(Ok(0), |most| {
        let most = usize::try_from(*most).map_err(|_| format!("{most} is no column"))?;
        Ok::<_, String>(most.saturating_add(1))
    })?;
    count(&[outer, &[width]].concat())?;
    let all = x.ints();
    let mut result = Vec::new();
    for row in all.chunks(*len.max(&1)) {
        let mut counts = vec![0.0; width];
        let mut column = 0;
        for (place, start) in starts.iter().enumerate() {
            let size = place + 1;
            let end = starts.get(place + 1).copied().unwrap_or(pool.len() as i64);
            let grams = pool[*start as usize..end as usize].chunks_exact(size);
            for gram in grams {
                let to = columns[column] as usize;
                column += 1;
                if (size as i64) < low || size as i64 > high {
                    continue;
                }
                // A sequence of one element has no gaps.
                let gaps = if size == 1 {
                    0
                } else {
                    skips.clamp(0, *len as i64)
                };
                for by in 1..=gaps as usize + 1 {
                    for first in 0..row.len() {
                        let mut places = (0..size).map(|at| row.get(first + at * by));
                        if places
                            .by_ref()
                            .zip(gram)
                            .all(|(one, wanted)| one == Some(wanted))
                        {
                            counts[to] += 1.0;
                        }
                    }
                }
            }
        }
        for (at, one) in counts.iter_mut().enumerate() {
            let weight = weights
                .as_ref()
                .and_then(|all| all.get(at))
                .copied()
                .unwrap_or(1.0);
            *one = match mode {
                "TF" => *one,
                "IDF" => {
                    if *one > 0.0 {
                        weight
                    } else {
                        0.0
                    }
                }
                "TFIDF" => *one * weight,
                other => return call.refuse("mode", other),
            };
        }
        result.extend(counts);
    }
    Ok(Tensor::float(
        DType::F32,
        &[outer, &[width]].concat(),
        result,
    ))
}

/// `PRelu`, whose slopes are repeated to the shape of the operand.
pub(crate) fn slopes(call: &Call<'_>) -> One {
    let whole = |a: i128, b: i128| if a < 0 { a * b } else { a };
    combine(
        call.tensor(0)?,
        call.tensor(1)?,
        |a, b| if a < 0.0 { a * b } else { a },
        whole,
    )
}
