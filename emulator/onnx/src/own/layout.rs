//! Operators that move elements and compute none.

use super::call::{
    Call, Many, One, Value, around, common, expand as expanded, place, places, strided, strides,
    walk,
};
use crate::dtype::DType;
use crate::graph::Attribute;
use crate::tensor::{Data, Tensor, count};

fn usizes(all: &[i64]) -> Result<Vec<usize>, String> {
    let one = |one: &i64| usize::try_from(*one).map_err(|_| format!("{one} is no size"));
    all.iter().map(one).collect()
}

pub(crate) fn reshape(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let wanted = call.list(1, "shape").ok_or("it has no shape")?;
    let keeps_zero = call.int("allowzero", 0) == 0;
    let mut shape = Vec::new();
    for (at, dim) in wanted.iter().enumerate() {
        shape.push(match dim {
            0 if keeps_zero => x.shape.get(at).copied().unwrap_or(0),
            -1 => 1,
            dim => usize::try_from(*dim).map_err(|_| format!("{dim} is no size"))?,
        });
    }
    if let Some(at) = wanted.iter().position(|dim| *dim == -1) {
        let others: usize = shape.iter().product();
        shape[at] = x.len().checked_div(others).unwrap_or(0);
    }
    if count(&shape)? != x.len() {
        return Err(format!(
            "{} elements do not have the shape {shape:?}",
            x.len()
        ));
    }
    Ok(x.clone().shaped(&shape))
}

pub(crate) fn flatten(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let axis = call.int("axis", 1);
    let rank = x.shape.len() as i64;
    let at = usize::try_from(if axis < 0 { axis + rank } else { axis }).unwrap_or(0);
    let (front, behind) = x.shape.split_at_checked(at).ok_or("its axis is outside")?;
    let shape = [front.iter().product(), behind.iter().product()];
    Ok(x.clone().shaped(&shape))
}

pub(crate) fn squeeze(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let axes = match call.list(1, "axes") {
        Some(axes) => places(&axes, x.shape.len())?,
        None => (0..x.shape.len()).filter(|at| x.shape[*at] == 1).collect(),
    };
    if let Some(at) = axes.iter().find(|at| x.shape[**at] != 1) {
        return Err(format!(
            "it removes dimension {at} of the shape {:?}",
            x.shape
        ));
    }
    let left = (0..x.shape.len()).filter(|at| !axes.contains(at));
    let shape: Vec<_> = left.map(|at| x.shape[at]).collect();
    Ok(x.clone().shaped(&shape))
}

pub(crate) fn unsqueeze(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let axes = call.list(1, "axes").ok_or("it has no axes")?;
    let rank = x.shape.len() + axes.len();
    let axes = places(&axes, rank)?;
    let mut old = x.shape.iter().copied();
    let shape: Vec<_> = (0..rank)
        .map(|at| {
            if axes.contains(&at) {
                1
            } else {
                old.next().unwrap_or(1)
            }
        })
        .collect();
    Ok(x.clone().shaped(&shape))
}

/// Reorders the dimensions.
pub(crate) fn permute(x: &Tensor, order: &[usize]) -> Tensor {
    let steps = strides(&x.shape);
    let (shape, steps): (Vec<_>, Vec<_>) =
        order.iter().map(|at| (x.shape[*at], steps[*at])).unzip();
    x.pick(&shape, &strided(&shape, &steps))
}

pub(crate) fn transpose(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let order = match call.ints("perm") {
        Some(order) => places(&order, x.shape.len())?,
        None => (0..x.shape.len()).rev().collect(),
    };
    if order.len() != x.shape.len() {
        return Err(format!(
            "its `perm` has {} dimensions of {}",
            order.len(),
            x.shape.len()
        ));
    }
    Ok(permute(x, &order))
}

pub(crate) fn expand(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let wanted = usizes(&call.tensor(1)?.ints())?;
    let shape = common(&[&x.shape, &wanted])?;
    Ok(expanded(x, &shape))
}

/// Joins arrays along an axis.
pub(crate) fn join(all: &[&Tensor], axis: usize) -> One {
    let first = all.first().ok_or("it has no operand")?;
    let mut shape = first.shape.clone();
    shape[axis] = all
        .iter()
        .map(|one| one.shape.get(axis).copied().unwrap_or(0))
        .sum();
    for one in all {
        let mut same = one.shape.clone();
        if same.len() == shape.len() {
            same[axis] = shape[axis];
        }
        if same != shape {
            return Err(format!(
                "its operands have the shapes {:?} and {:?}",
                first.shape, one.shape
            ));
        }
    }
    let (outer, _, inner) = around(&shape, axis);
    fn gather<T: Clone>(parts: &[(&[T], usize)], outer: usize) -> Vec<T> {
        let mut data = Vec::new();
        for row in 0..outer {
            for (part, len) in parts {
                data.extend_from_slice(&part[row * len..(row + 1) * len]);
            }
        }
        data
    }
    macro_rules! of {
        ($sort:ident) => {{
            let mut parts = Vec::new();
            for one in all {
                let Data::$sort(data) = &one.data else {
                    return Err("its operands have different types".to_owned());
                };
                parts.push((&data[..], one.shape[axis] * inner));
            }
            Data::$sort(gather(&parts, outer))
        }};
    }
    let data = match first.data {
        Data::Float(_) => of!(Float),
        Data::Whole(_) => of!(Whole),
        Data::Text(_) => of!(Text),
    };
    Ok(Tensor {
        kind: first.kind,
        shape,
        data,
    })
}

pub(crate) fn concat(call: &Call<'_>) -> One {
    let all = call.tensors()?;
    let rank = all.first().map_or(0, |one| one.shape.len());
    join(&all, call.axis(0, rank)?)
}

/// Returns the part of an array from `start` on along an axis.
pub(crate) fn part(x: &Tensor, axis: usize, start: usize, len: usize) -> Tensor {
    let mut shape = x.shape.clone();
    shape[axis] = len;
    let first = start * strides(&x.shape)[axis];
    let from = strided(&shape, &strides(&x.shape));
    let from: Vec<_> = from.into_iter().map(|at| at + first).collect();
    x.pick(&shape, &from)
}

/// Cuts an array along an axis.
pub(crate) fn cut(x: &Tensor, axis: usize, sizes: &[usize]) -> Vec<Tensor> {
    let mut start = 0;
    let mut all = Vec::new();
    for size in sizes {
        all.push(part(x, axis, start, *size));
        start += size;
    }
    all
}

pub(crate) fn split(call: &Call<'_>) -> Many {
    let x = call.tensor(0)?;
    let axis = call.axis(0, x.shape.len())?;
    let len = x.shape[axis];
    let sizes = match call.list(1, "split") {
        Some(sizes) => usizes(&sizes)?,
        None => {
            let outputs = call.node.outputs.len() as i64;
            let parts = call.int("num_outputs", outputs).max(1) as usize;
            let size = len.div_ceil(parts);
            (0..parts)
                .map(|at| size.min(len.saturating_sub(at * size)))
                .collect()
        }
    };
    if sizes.iter().sum::<usize>() != len {
        return Err(format!("its parts {sizes:?} are not the {len} of the axis"));
    }
    Ok(cut(x, axis, &sizes))
}

pub(crate) fn slice(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let starts = call.list(1, "starts").ok_or("it has no starts")?;
    let ends = call.list(2, "ends").ok_or("it has no ends")?;
    let axes = call
        .list(3, "axes")
        .unwrap_or_else(|| (0..starts.len() as i64).collect());
    let steps = call
        .list(4, "steps")
        .unwrap_or_else(|| vec![1; starts.len()]);
    let mut picked: Vec<Vec<usize>> = x.shape.iter().map(|dim| (0..*dim).collect()).collect();
    for (((axis, start), end), step) in axes.iter().zip(&starts).zip(&ends).zip(&steps) {
        let axis = place(*axis, x.shape.len())?;
        let len = x.shape[axis] as i64;
        let from_front = |one: i64| {
            if one < 0 {
                one.saturating_add(len)
            } else {
                one
            }
        };
        let (mut all, mut at, end) = (Vec::new(), from_front(*start), from_front(*end));
        if *step > 0 {
            (at, _) = (at.clamp(0, len), ());
            while at < end.min(len) {
                all.push(at as usize);
                at = at.saturating_add(*step);
            }
        } else if *step < 0 {
            at = at.min(len - 1);
            while at > end.max(-1) {
                all.push(at as usize);
                at = at.saturating_add(*step);
            }
        } else {
            return Err("its step is 0".to_owned());
        }
        picked[axis] = all;
    }
    Ok(at_places(x, &picked))
}

/// Returns the elements at these places of each dimension.
fn at_places(x: &Tensor, picked: &[Vec<usize>]) -> Tensor {
    let shape: Vec<_> = picked.iter().map(Vec::len).collect();
    let steps = strides(&x.shape);
    let mut from = Vec::new();
    walk(&shape, |index| {
        let places = index.iter().zip(picked).zip(&steps);
        from.push(places.map(|((at, of), by)| of[*at] * by).sum());
    });
    x.pick(&shape, &from)
}

pub(crate) fn pad(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let rank = x.shape.len();
    let pads = call.list(1, "pads").ok_or("it has no pads")?;
    let axes = match call.maybe(3) {
        Some(axes) => places(&axes.ints(), rank)?,
        None => (0..rank).collect(),
    };
    let mode = call.text("mode", "constant");
    if !matches!(mode, "constant" | "edge" | "reflect" | "wrap") {
        return call.refuse("mode", mode);
    }
    if pads.len() != 2 * axes.len() {
        return Err(format!(
            "it has {} pads for {} axes",
            pads.len(),
            axes.len()
        ));
    }
    let mut shape = x.shape.clone();
    for (at, axis) in axes.iter().enumerate() {
        let all = (shape[*axis] as i64)
            .saturating_add(pads[at])
            .saturating_add(pads[at + axes.len()]);
        shape[*axis] = usize::try_from(all).unwrap_or(0);
    }
    count(&shape)?;
    // A place behind the last element stands for the value of the edge.
    let outside = usize::MAX;
    let mut picked: Vec<Vec<usize>> = x.shape.iter().map(|dim| (0..*dim).collect()).collect();
    for (at, axis) in axes.iter().enumerate() {
        let (before, behind) = (pads[at], pads[at + axes.len()]);
        let len = x.shape[*axis] as i64;
        let places = (-before..len + behind).map(|at| {
            if (0..len).contains(&at) {
                return at as usize;
            }
            match mode {
                "edge" if len > 0 => at.clamp(0, len - 1) as usize,
                "wrap" if len > 0 => at.rem_euclid(len) as usize,
                "reflect" if len > 1 => {
                    let turn = at.rem_euclid(2 * (len - 1));
                    turn.min(2 * (len - 1) - turn) as usize
                }
                "reflect" if len == 1 => 0,
                _ => outside,
            }
        });
        picked[*axis] = places.collect();
    }
    let value = match call.maybe(2) {
        Some(value) => value.clone().shaped(&[1]),
        None => Tensor::number(x.kind, &[1], vec![call.float("value", 0.0)]),
    };
    let all = join(&[&x.clone().shaped(&[x.len()]), &value], 0)?;
    let shape: Vec<_> = picked.iter().map(Vec::len).collect();
    let steps = strides(&x.shape);
    let mut from = Vec::new();
    walk(&shape, |index| {
        let places: Vec<_> = index.iter().zip(&picked).map(|(at, of)| of[*at]).collect();
        from.push(if places.contains(&outside) {
            x.len()
        } else {
            places.iter().zip(&steps).map(|(at, by)| at * by).sum()
        });
    });
    Ok(all.pick(&shape, &from))
}

pub(crate) fn tile(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let repeats = usizes(&call.tensor(1)?.ints())?;
    let sizes = x
        .shape
        .iter()
        .zip(&repeats)
        .map(|(dim, times)| dim.saturating_mul(*times));
    count(&sizes.collect::<Vec<_>>())?;
    let picked: Vec<Vec<usize>> = x
        .shape
        .iter()
        .zip(&repeats)
        .map(|(dim, times)| (0..dim * times).map(|at| at % dim).collect())
        .collect();
    Ok(at_places(x, &picked))
}

pub(crate) fn shape(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let rank = x.shape.len() as i64;
    let clamp = |at: i64| (if at < 0 { at + rank } else { at }).clamp(0, rank) as usize;
    let (start, end) = (clamp(call.int("start", 0)), clamp(call.int("end", rank)));
    let dims = x.shape.get(start..end).unwrap_or_default();
    Ok(Tensor::list(dims.iter().map(|dim| *dim as i64)))
}

pub(crate) fn size(call: &Call<'_>) -> One {
    Ok(Tensor::list([call.tensor(0)?.len() as i64]).shaped(&[]))
}

/// `DepthToSpace`, and with `back` `SpaceToDepth`.
pub(crate) fn depth_and_space(call: &Call<'_>, back: bool) -> One {
    let x = call.tensor(0)?;
    let block = usize::try_from(call.int("blocksize", 1))
        .unwrap_or(1)
        .max(1);
    let [n, c, h, w] = x.shape[..] else {
        return Err(format!("its operand has the shape {:?}", x.shape));
    };
    let is_crd = call.text("mode", "DCR") == "CRD";
    if back {
        let split = x
            .clone()
            .shaped(&[n, c, h / block, block, w / block, block]);
        let order = if is_crd {
            [0, 1, 3, 5, 2, 4]
        } else {
            [0, 3, 5, 1, 2, 4]
        };
        let shape = [n, c * block * block, h / block, w / block];
        return Ok(permute(&split, &order).shaped(&shape));
    }
    let depth = c / (block * block);
    let (split, order) = if is_crd {
        ([n, depth, block, block, h, w], [0, 1, 4, 2, 5, 3])
    } else {
        ([n, block, block, depth, h, w], [0, 3, 4, 1, 5, 2])
    };
    let shape = [n, depth, h * block, w * block];
    Ok(permute(&x.clone().shaped(&split), &order).shaped(&shape))
}

pub(crate) fn constant(call: &Call<'_>) -> Result<Vec<Value>, String> {
    let name = call.node.attributes.keys().next();
    let made = match name.and_then(|name| call.attribute(name)) {
        Some(Attribute::Tensor(weights)) => return Ok(vec![Value::Tensor(weights.shared()?)]),
        Some(Attribute::Float(one)) => Tensor::float(DType::F32, &[], vec![f64::from(*one)]),
        Some(Attribute::Whole(one)) => Tensor::list([*one]).shaped(&[]),
        Some(Attribute::Floats(all)) => {
            let all: Vec<_> = all.iter().copied().map(f64::from).collect();
            Tensor::float(DType::F32, &[all.len()], all)
        }
        Some(Attribute::Wholes(all)) => Tensor::list(all.iter().copied()),
        Some(Attribute::Text(one)) => texts(&[], vec![one.clone()]),
        Some(Attribute::Texts(all)) => texts(&[all.len()], all.clone()),
        _ => return Err("it has no value".to_owned()),
    };
    Ok(vec![made.into()])
}

fn texts(shape: &[usize], all: Vec<String>) -> Tensor {
    Tensor {
        kind: DType::Text,
        shape: shape.to_vec(),
        data: Data::Text(all),
    }
}

pub(crate) fn constant_of_shape(call: &Call<'_>) -> One {
    let shape = usizes(&call.tensor(0)?.ints())?;
    let value = match call.attribute("value") {
        Some(Attribute::Tensor(weights)) => weights.tensor()?,
        _ => Tensor::float(DType::F32, &[1], vec![0.0]),
    };
    Ok(value.pick(&shape, &vec![0; count(&shape)?]))
}

pub(crate) fn range(call: &Call<'_>) -> One {
    let (start, limit, delta) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
    if let (Data::Whole(a), Data::Whole(b), Data::Whole(by)) =
        (&start.data, &limit.data, &delta.data)
    {
        let (Some(mut at), Some(end), Some(by)) = (a.first().copied(), b.first(), by.first())
        else {
            return Err("an operand has no number".to_owned());
        };
        let mut all = Vec::new();
        while *by > 0 && at < *end || *by < 0 && at > *end {
            count(&[all.len()])?;
            all.push(at);
            at += by;
        }
        return Ok(Tensor::whole(start.kind, &[all.len()], all));
    }
    let of = |index| call.scalar(index).ok_or("an operand has no number");
    let (start_at, end, by) = (of(0)?, of(1)?, of(2)?);
    // CAST: a number of elements.
    let len = ((end - start_at) / by).ceil().max(0.0) as usize;
    count(&[len])?;
    let all = (0..len).map(|at| start_at + at as f64 * by).collect();
    Ok(Tensor::number(start.kind, &[len], all))
}

pub(crate) fn eye(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let kind = call.kind("dtype")?.unwrap_or(x.kind);
    let k = call.int("k", 0);
    let mut data = Vec::new();
    walk(&x.shape, |at| {
        data.push(if at[1] as i64 - at[0] as i64 == k {
            1.0
        } else {
            0.0
        })
    });
    Ok(Tensor::number(kind, &x.shape, data))
}

pub(crate) fn triangle(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let k = call
        .maybe(1)
        .and_then(|k| k.ints().first().copied())
        .unwrap_or(0);
    let is_upper = call.int("upper", 1) != 0;
    let zero = Tensor::number(x.kind, &[1], vec![0.0]);
    let all = join(&[&x.clone().shaped(&[x.len()]), &zero], 0)?;
    let (mut from, mut next) = (Vec::new(), 0);
    walk(&x.shape, |index| {
        let [.., row, column] = index else { return };
        let beside = (*column as i64 - *row as i64).saturating_sub(k);
        let keeps = if is_upper { beside >= 0 } else { beside <= 0 };
        from.push(if keeps { next } else { x.len() });
        next += 1;
    });
    Ok(all.pick(&x.shape, &from))
}

pub(crate) fn center(call: &Call<'_>) -> One {
    let mut x = call.tensor(0)?.clone();
    let shape = usizes(&call.tensor(1)?.ints())?;
    let axes = match call.ints("axes") {
        Some(axes) => places(&axes, x.shape.len())?,
        None => (0..x.shape.len()).collect(),
    };
    for (axis, wanted) in axes.into_iter().zip(shape) {
        let len = x.shape[axis];
        if wanted <= len {
            x = part(&x, axis, (len - wanted) / 2, wanted);
        } else {
            count(&[wanted, x.len().checked_div(len).unwrap_or(0)])?;
            let fill = |size: usize| {
                let mut shape = x.shape.clone();
                shape[axis] = size;
                Tensor::number(x.kind, &shape, vec![0.0; shape.iter().product()])
            };
            let before = (wanted - len) / 2;
            x = join(&[&fill(before), &x, &fill(wanted - len - before)], axis)?;
        }
    }
    Ok(x)
}

pub(crate) fn reverse_sequence(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let lengths = usizes(&call.tensor(1)?.ints())?;
    let batch = place(call.int("batch_axis", 1), x.shape.len())?;
    let time = place(call.int("time_axis", 0), x.shape.len())?;
    let steps = strides(&x.shape);
    let mut from = Vec::new();
    walk(&x.shape, |index| {
        let len = lengths.get(index[batch]).copied().unwrap_or(0);
        let at = |axis: usize| match index[axis] {
            place if axis == time && place < len => len - 1 - place,
            place => place,
        };
        from.push((0..index.len()).map(|axis| at(axis) * steps[axis]).sum());
    });
    Ok(x.pick(&x.shape, &from))
}

pub(crate) fn compress(call: &Call<'_>) -> One {
    let keeps = call.tensor(1)?.wholes();
    let x = call.tensor(0)?;
    let (x, axis) = match call.attribute("axis") {
        Some(_) => (x.clone(), call.axis(0, x.shape.len())?),
        None => (x.clone().shaped(&[x.len()]), 0),
    };
    let mut picked: Vec<Vec<usize>> = x.shape.iter().map(|dim| (0..*dim).collect()).collect();
    picked[axis].retain(|at| keeps.get(*at).is_some_and(|one| *one != 0));
    Ok(at_places(&x, &picked))
}

pub(crate) fn non_zero(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let (data, mut at, mut found) = (x.floats(), 0, Vec::new());
    walk(&x.shape, |index| {
        if data[at] != 0.0 {
            found.push(index.to_vec());
        }
        at += 1;
    });
    let rank = x.shape.len();
    let all = (0..rank).flat_map(|axis| found.iter().map(move |index| index[axis] as i128));
    Ok(Tensor::whole(
        DType::I64,
        &[rank, found.len()],
        all.collect(),
    ))
}

pub(crate) fn one_hot(call: &Call<'_>) -> One {
    let (indices, values) = (call.tensor(0)?, call.tensor(2)?);
    let depth = call.scalar(1).unwrap_or(0.0) as i64;
    let rank = indices.shape.len();
    let axis = place(call.int("axis", -1), rank + 1)?;
    let mut shape = indices.shape.clone();
    shape.insert(axis, usize::try_from(depth).unwrap_or(0));
    count(&shape)?;
    let (all, steps) = (indices.ints(), strides(&indices.shape));
    let mut from = Vec::new();
    walk(&shape, |index| {
        let mut outer = index.to_vec();
        let here = outer.remove(axis) as i64;
        let at: usize = outer.iter().zip(&steps).map(|(at, by)| at * by).sum();
        let hot = if all[at] < 0 {
            all[at] + depth
        } else {
            all[at]
        };
        from.push(usize::from(hot == here));
    });
    Ok(values.pick(&shape, &from))
}
