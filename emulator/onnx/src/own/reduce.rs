//! Operators that make one number of a row, or of several dimensions.

use super::call::{Call, Many, One, around, places, strided, strides};
use crate::dtype::DType;
use crate::tensor::{Data, Tensor};

/// Returns the positions of the elements behind each result, and the shape of the results with dimensions of 1.
fn groups(shape: &[usize], axes: &[usize]) -> (Vec<usize>, Vec<usize>, Vec<usize>) {
    let steps = strides(shape);
    let part = |is_inside: bool| -> (Vec<usize>, Vec<usize>) {
        let all = (0..shape.len()).filter(|at| axes.contains(at) == is_inside);
        all.map(|at| (shape[at], steps[at])).unzip()
    };
    let (inside, outside) = (part(true), part(false));
    let kept = (0..shape.len()).map(|at| if axes.contains(&at) { 1 } else { shape[at] });
    (
        strided(&outside.0, &outside.1),
        strided(&inside.0, &inside.1),
        kept.collect(),
    )
}

/// Reduces floating-point numbers by `float`, and whole ones by `whole`.
fn reduce_by(
    call: &Call<'_>,
    float: impl Fn(&[f64]) -> f64,
    whole: impl Fn(&[i128], DType) -> i128,
) -> One {
    let x = call.tensor(0)?;
    let axes = call.list(1, "axes").unwrap_or_default();
    if axes.is_empty() && call.int("noop_with_empty_axes", 0) != 0 {
        // The formula still holds for each element alone.
        let every: Vec<usize> = Vec::new();
        return over(x, &every, true, float, whole);
    }
    let axes = if axes.is_empty() {
        (0..x.shape.len()).collect()
    } else {
        places(&axes, x.shape.len())?
    };
    over(x, &axes, call.int("keepdims", 1) != 0, float, whole)
}

fn over(
    x: &Tensor,
    axes: &[usize],
    keeps: bool,
    float: impl Fn(&[f64]) -> f64,
    whole: impl Fn(&[i128], DType) -> i128,
) -> One {
    let (starts, steps, kept) = groups(&x.shape, axes);
    let shape = if keeps {
        kept
    } else {
        let left = (0..x.shape.len()).filter(|at| !axes.contains(at));
        left.map(|at| x.shape[at]).collect()
    };
    Ok(match &x.data {
        Data::Whole(data) => {
            let row = |start: &usize| -> Vec<i128> {
                steps.iter().map(|step| data[start + step]).collect()
            };
            let all = starts
                .iter()
                .map(|start| whole(&row(start), x.kind))
                .collect();
            Tensor::whole(x.kind, &shape, all)
        }
        _ => {
            let data = x.floats();
            let row = |start: &usize| -> Vec<f64> {
                steps.iter().map(|step| data[start + step]).collect()
            };
            let all = starts.iter().map(|start| float(&row(start))).collect();
            Tensor::number(x.kind, &shape, all)
        }
    })
}

fn whole_of(float: impl Fn(&[f64]) -> f64) -> impl Fn(&[i128], DType) -> i128 {
    move |row, _| {
        let row: Vec<f64> = row.iter().map(|one| *one as f64).collect();
        // CAST: towards zero.
        float(&row) as i128
    }
}

pub(crate) fn sum(call: &Call<'_>) -> One {
    reduce_by(call, |row| row.iter().sum(), |row, _| row.iter().sum())
}

pub(crate) fn product(call: &Call<'_>) -> One {
    let whole = |row: &[i128], kind: DType| {
        let all = row.iter();
        all.fold(1, |all: i128, one| kind.wrap(all.wrapping_mul(*one)))
    };
    reduce_by(call, |row| row.iter().product(), whole)
}

fn average(row: &[f64]) -> f64 {
    row.iter().sum::<f64>() / row.len() as f64
}

pub(crate) fn mean(call: &Call<'_>) -> One {
    reduce_by(call, average, whole_of(average))
}

pub(crate) fn largest(call: &Call<'_>) -> One {
    let float = |row: &[f64]| {
        row.iter()
            .copied()
            .fold(f64::NEG_INFINITY, super::math::larger)
    };
    reduce_by(call, float, |row, kind| {
        row.iter().copied().fold(kind.range().0, i128::max)
    })
}

pub(crate) fn smallest(call: &Call<'_>) -> One {
    let float = |row: &[f64]| {
        row.iter()
            .copied()
            .fold(f64::INFINITY, super::math::smaller)
    };
    reduce_by(call, float, |row, kind| {
        row.iter().copied().fold(kind.range().1, i128::min)
    })
}

pub(crate) fn sum_of_sizes(call: &Call<'_>) -> One {
    let float = |row: &[f64]| row.iter().map(|one| one.abs()).sum();
    reduce_by(call, float, |row, _| row.iter().map(|one| one.abs()).sum())
}

fn squares(row: &[f64]) -> f64 {
    row.iter().map(|one| one * one).sum()
}

pub(crate) fn sum_of_squares(call: &Call<'_>) -> One {
    reduce_by(call, squares, |row, _| {
        row.iter().map(|one| one * one).sum()
    })
}

pub(crate) fn length(call: &Call<'_>) -> One {
    let float = |row: &[f64]| squares(row).sqrt();
    reduce_by(call, float, whole_of(float))
}

pub(crate) fn log_sum(call: &Call<'_>) -> One {
    let float = |row: &[f64]| row.iter().sum::<f64>().ln();
    reduce_by(call, float, whole_of(float))
}

pub(crate) fn log_sum_exp(call: &Call<'_>) -> One {
    let float = |row: &[f64]| {
        let most = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if most.is_infinite() {
            return most;
        }
        most + row.iter().map(|one| (one - most).exp()).sum::<f64>().ln()
    };
    reduce_by(call, float, whole_of(float))
}

/// `ArgMax` and `ArgMin`.
pub(crate) fn position(call: &Call<'_>, is_largest: bool) -> One {
    let x = call.tensor(0)?;
    let axis = call.axis(0, x.shape.len())?;
    let takes_last = call.int("select_last_index", 0) != 0;
    let (outer, len, inner) = around(&x.shape, axis);
    let data = x.floats();
    let mut found = Vec::new();
    for row in 0..outer {
        for column in 0..inner {
            let at = |place: usize| data[(row * len + place) * inner + column];
            let mut best = 0;
            for place in 1..len {
                let (new, old) = (at(place), at(best));
                let is_better = if is_largest { new > old } else { new < old };
                if is_better || takes_last && new == old {
                    best = place;
                }
            }
            found.push(best as i128);
        }
    }
    let mut shape = x.shape.clone();
    if call.int("keepdims", 1) != 0 {
        shape[axis] = 1;
    } else {
        shape.remove(axis);
    }
    Ok(Tensor::whole(DType::I64, &shape, found))
}

/// Calls `each` with every row along an axis; it changes the row in place.
pub(crate) fn rows(
    shape: &[usize],
    axis: usize,
    data: &mut [f64],
    mut each: impl FnMut(&mut [f64]),
) {
    let (outer, len, inner) = around(shape, axis);
    let mut row = vec![0.0; len];
    for before in 0..outer {
        for behind in 0..inner {
            let at = |place: usize| (before * len + place) * inner + behind;
            for (place, one) in row.iter_mut().enumerate() {
                *one = data[at(place)];
            }
            each(&mut row);
            for (place, one) in row.iter().enumerate() {
                data[at(place)] = *one;
            }
        }
    }
}

/// `CumSum` and `CumProd`.
pub(crate) fn running(call: &Call<'_>, is_sum: bool) -> One {
    let x = call.tensor(0)?;
    let axis = call.tensor(1)?.ints().first().copied().unwrap_or(0);
    let axis = super::call::place(axis, x.shape.len())?;
    let (exclusive, reverse) = (call.int("exclusive", 0) != 0, call.int("reverse", 0) != 0);
    let mut data = x.floats();
    rows(&x.shape, axis, &mut data, |row| {
        if reverse {
            row.reverse();
        }
        let mut all = if is_sum { 0.0 } else { 1.0 };
        for one in row.iter_mut() {
            let next = if is_sum { all + *one } else { all * *one };
            *one = if exclusive { all } else { next };
            all = next;
        }
        if reverse {
            row.reverse();
        }
    });
    Ok(Tensor::number(x.kind, &x.shape, data))
}

/// Returns the axis of `Softmax` and its relatives, and the shape in which it is one dimension: before version 13 all
/// dimensions from the axis on count as one.
fn soft_axis(call: &Call<'_>, shape: &[usize]) -> Result<(Vec<usize>, usize), String> {
    if call.version >= 13 {
        return Ok((shape.to_vec(), call.axis(-1, shape.len())?));
    }
    let axis = call.axis(1, shape.len())?;
    let (front, behind) = shape.split_at(axis);
    Ok((vec![front.iter().product(), behind.iter().product()], 1))
}

/// `Softmax` and `LogSoftmax`.
pub(crate) fn softmax(call: &Call<'_>, is_log: bool) -> One {
    let x = call.tensor(0)?;
    let (shape, axis) = soft_axis(call, &x.shape)?;
    let mut data = x.floats();
    rows(&shape, axis, &mut data, |row| soften(row, is_log));
    Ok(Tensor::number(x.kind, &x.shape, data))
}

pub(crate) fn soften(row: &mut [f64], is_log: bool) {
    let most = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = row.iter().map(|one| (one - most).exp()).sum();
    for one in row {
        *one = if is_log {
            *one - most - sum.ln()
        } else {
            (*one - most).exp() / sum
        };
    }
}

pub(crate) fn hardmax(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let (shape, axis) = soft_axis(call, &x.shape)?;
    let mut data = x.floats();
    rows(&shape, axis, &mut data, |row| {
        let most = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let best = row.iter().position(|one| *one == most);
        for (place, one) in row.iter_mut().enumerate() {
            *one = if Some(place) == best { 1.0 } else { 0.0 };
        }
    });
    Ok(Tensor::number(x.kind, &x.shape, data))
}

/// The `k` largest or smallest elements, the first ones of equal elements.
pub(crate) fn top(call: &Call<'_>) -> Many {
    let x = call.tensor(0)?;
    let k = call
        .list(1, "k")
        .and_then(|all| all.first().copied())
        .unwrap_or(0);
    let axis = call.axis(-1, x.shape.len())?;
    let is_largest = call.int("largest", 1) != 0;
    let (outer, len, inner) = around(&x.shape, axis);
    let k = usize::try_from(k).ok().filter(|k| *k <= len);
    let k = k.ok_or_else(|| format!("it wants more elements than the {len} of a row"))?;
    let data = x.floats();
    let mut shape = x.shape.clone();
    shape[axis] = k;
    let mut from = vec![0; outer * k * inner];
    let mut indices = vec![0; from.len()];
    for before in 0..outer {
        for behind in 0..inner {
            let at = |place: usize| (before * len + place) * inner + behind;
            let mut order: Vec<_> = (0..len).collect();
            order.sort_by(|a, b| {
                let (a, b) = (data[at(*a)], data[at(*b)]);
                let (a, b) = if is_largest { (b, a) } else { (a, b) };
                a.partial_cmp(&b).unwrap_or(std::cmp::Ordering::Equal)
            });
            for (place, best) in order.into_iter().take(k).enumerate() {
                let to = (before * k + place) * inner + behind;
                from[to] = at(best);
                indices[to] = best as i128;
            }
        }
    }
    let indices = Tensor::whole(DType::I64, &shape, indices);
    Ok(vec![x.pick(&shape, &from), indices])
}
