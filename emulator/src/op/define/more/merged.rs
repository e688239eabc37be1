//! Products of matrices that are joined with another operator.

use super::super::attention::lacking;
use crate::op::call::{Call, Input};
use crate::op::define::definitions;
use crate::op::dtype::SINGLE;
use crate::op::plan::Plan;
use crate::op::product::multiply;
use crate::op::real::Real as _;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at};
use crate::op::view::Views;

definitions! {
    aclnnFusedMatmul = fused;
    aclnnFusedMatmulGelu = gelu;
    aclnnMatmulAdd = |call: &Call| plain(call, ["a", "b", "bias", "yOut"], None);
    aclnnTransposeBatchMatMul = turned;
}

/// A function of each element of a product, and of the same element of another matrix.
type Each = fn(f32, f32) -> f32;

/// The elements of a matrix, with those of its columns behind each other.
fn columns(elements: &[f32], [rows, columns]: [usize; 2]) -> Vec<f32> {
    let mut turned = Vec::with_capacity(elements.len());
    for column in 0..columns {
        turned.extend((0..rows).map(|row| at(elements, row * columns + column)));
    }
    turned
}

/// The product of two matrices and what is added to its rows.
fn product(
    views: &Views<'_>,
    [left, right]: [&Input; 2],
    bias: Option<&Input>,
    sizes: [usize; 3],
    is_turned: bool,
) -> Vec<f32> {
    let [rows, length, width] = sizes;
    let left = views.input(left).all::<f32>();
    let mut right = views.input(right).all::<f32>();
    if is_turned {
        right = columns(&right, [width, length]);
    }
    let mut sums = vec![0.0; rows * width];
    multiply(&left, &right, &mut sums, sizes);
    if let Some(bias) = bias {
        let bias = views.input(bias).all::<f32>();
        for row in sums.chunks_mut(width.max(1)) {
            for (sum, one) in row.iter_mut().zip(&bias) {
                *sum += one;
            }
        }
    }
    sums
}

/// A product of two matrices, plus a vector, and a function of it and another matrix.
fn plain(
    call: &Call,
    names: [&str; 4],
    each: Option<(Each, Option<Input>)>,
) -> Result<Plan, Refusal> {
    let [left, right, bias, out] = names;
    let left = call.input(left).of(SINGLE).ranked(2..=2)?;
    let right = call.input(right).like(&left)?.ranked(2..=2)?;
    let [rows, length] = [0, 1].map(|dim| at(left.shape(), dim));
    let width = at(right.shape(), 1);
    let right = right.shaped(&[length, width])?;
    let bias = match call.optional_input(bias)? {
        Some(bias) => Some(bias.like(&left)?.shaped(&[width])?),
        None => None,
    };
    let out = call.output(out).like(&left)?.shaped(&[rows, width])?;
    let other = each.and_then(|(_, other)| other);
    let _ = other
        .map(|other| other.like(&left)?.shaped(out.shape()))
        .transpose()?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let sizes = [rows, length, width];
        let mut sums = product(views, [&left, &right], bias.as_ref(), sizes, false);
        if let Some((each, _)) = each {
            let others = other.map(|other| views.input(&other).all::<f32>());
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = each(
                    *sum,
                    others.as_ref().map_or(0.0, |others| at(others, index)),
                );
            }
        }
        views.output(&out).put_all(&sums);
    })
}

fn tanh_gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + (0.797_884_6 * (x + 0.044715 * x * x * x)).tanh())
}

/// `aclnnFusedMatmul(x1, x2, bias, x3, fusedOpType, cubeMathType, y)`
fn fused(call: &Call) -> Result<Plan, Refusal> {
    let (each, wants_other): (Option<Each>, bool) = match call.text("fusedOpType")? {
        None | Some("") => (None, false),
        Some("add") => (Some(|one, other| one + other), true),
        Some("mul") => (Some(|one, other| one * other), true),
        Some("relu") => (Some(|one, _| one.max(0.0)), false),
        Some("gelu_erf") => (Some(|one, _| one.gelu()), false),
        Some("gelu_tanh") => (Some(|one, _| tanh_gelu(one)), false),
        other => {
            return Err(Refusal::invalid(format_args!(
                "fusedOpType is {other:?}, which the emulator does not model"
            )));
        }
    };
    let other = call.optional_input("x3")?;
    if other.is_some() != wants_other {
        return Err(Refusal::invalid(
            "x3 is given without a function of two numbers, or is lacking for one",
        ));
    }
    let each = each.map(|each| (each, other));
    plain(call, ["x1", "x2", "bias", "y"], each)
}

/// `aclnnFusedMatmulGelu(x, weight, bias, approximate, y)`: the weights of each result are a row.
fn gelu(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE).ranked(1..=8)?;
    let weight = call.input("weight").like(&input)?.ranked(2..=2)?;
    let (length, outer) = input.shape().split_last().unwrap_or((&0, &[]));
    let (length, rows) = (*length, outer.iter().product::<usize>());
    let width = at(weight.shape(), 0);
    let weight = weight.shaped(&[width, length])?;
    let bias = match call.optional_input("bias")? {
        Some(bias) => Some(bias.like(&input)?.shaped(&[width])?),
        None => None,
    };
    let mut shape = outer.to_vec();
    shape.push(width);
    let out = call.output("y").like(&input)?.shaped(&shape)?;
    let kind = call.whole("approximate")?;
    if kind != 1 {
        return Err(Refusal::invalid(format_args!(
            "approximate is {kind}; a card supports 1"
        )));
    }
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let sizes = [rows, length, width];
        let mut sums = product(views, [&input, &weight], bias.as_ref(), sizes, true);
        sums.iter_mut().for_each(|one| *one = tanh_gelu(*one));
        views.output(&out).put_all(&sums);
    })
}

/// The order of three dimensions.
fn order(call: &Call, name: &str) -> Result<[usize; 3], Refusal> {
    let refused = || Refusal::invalid(format_args!("{name} is not an order of three dimensions"));
    let mut order = [3; 3];
    let given = call.ints(name)?;
    for (place, dim) in order.iter_mut().zip(given) {
        *place = usize::try_from(*dim).unwrap_or(3);
    }
    let is_order = (0..3).all(|dim| order.contains(&dim)) && given.len() == 3;
    is_order.then_some(order).ok_or_else(refused)
}

/// Returns the elements of a tensor with another order of its dimensions, and their sizes.
fn ordered<T: Copy + Default>(
    elements: &[T],
    sizes: [usize; 3],
    order: [usize; 3],
) -> (Vec<T>, [usize; 3]) {
    let steps = [sizes[1] * sizes[2], sizes[2], 1];
    let [zeroth, first, second] = order.map(|dim| (at(&sizes, dim), at(&steps, dim)));
    let mut results = Vec::with_capacity(elements.len());
    for one in 0..zeroth.0 {
        for other in 0..first.0 {
            let start = one * zeroth.1 + other * first.1;
            results.extend((0..second.0).map(|last| at(elements, start + last * second.1)));
        }
    }
    (results, [zeroth.0, first.0, second.0])
}

/// `aclnnTransposeBatchMatMul(x1, x2, bias, scale, permX1, permX2, permY, cubeMathType, batchSplitFactor, out)`
fn turned(call: &Call) -> Result<Plan, Refusal> {
    lacking(call, &["bias", "scale"])?;
    let factor = call.whole("batchSplitFactor")?;
    if factor != 1 {
        return Err(Refusal::invalid(format_args!(
            "batchSplitFactor is {factor}; the emulator models 1"
        )));
    }
    let left = call.input("x1").of(SINGLE).ranked(3..=3)?;
    let right = call.input("x2").like(&left)?.ranked(3..=3)?;
    let orders = [
        order(call, "permX1")?,
        order(call, "permX2")?,
        order(call, "permY")?,
    ];
    let sizes = [left, right].map(|input| [0, 1, 2].map(|dim| at(input.shape(), dim)));
    let ordered_sizes = |sizes: &[usize; 3], order: [usize; 3]| order.map(|dim| at(sizes, dim));
    let [batches, rows, length] = ordered_sizes(&sizes[0], orders[0]);
    let [of_right, depth, width] = ordered_sizes(&sizes[1], orders[1]);
    if batches != of_right || length != depth {
        return Err(Refusal::invalid(format_args!(
            "x1 {:?} and x2 {:?} do not go together in the orders {orders:?}",
            left.shape(),
            right.shape()
        )));
    }
    let whole = [batches, rows, width];
    let out = call.output("out").like(&left)?;
    let out = out.shaped(&ordered_sizes(&whole, orders[2]))?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let read =
            |input: &Input, sizes, order| ordered(&views.input(input).all::<f32>(), sizes, order).0;
        let (left, right) = (
            read(&left, sizes[0], orders[0]),
            read(&right, sizes[1], orders[1]),
        );
        let mut sums = vec![0.0; batches * rows * width];
        for (batch, sums) in sums.chunks_mut(rows * width).enumerate() {
            let left = left.get(batch * rows * length..(batch + 1) * rows * length);
            let right = right.get(batch * length * width..(batch + 1) * length * width);
            let (left, right) = (left.unwrap_or_default(), right.unwrap_or_default());
            multiply(left, right, sums, [rows, length, width]);
        }
        views
            .output(&out)
            .put_all(&ordered(&sums, whole, orders[2]).0);
    })
}
