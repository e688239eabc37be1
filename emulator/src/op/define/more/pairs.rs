//! Distances of pairs of rows, sums of products over named dimensions, and matrices that are scaled or inverted.

use super::super::computed::{Computed, Numbers};
use super::matrices::{check_exponent, line, norm};
use crate::op::call::{Call, Input};
use crate::op::define::definitions;
use crate::op::dtype::{SINGLE, types};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, put};
use crate::op::shape::{Dims, MAX_RANK};

definitions! {
    aclnnPdist, aclnnPdistForward = distances;
    aclnnSinkhorn = balance;
    aclnnEinsum = sums;
    aclnnInverse = inverse;
}

/// `aclnnPdist(self, p, out)` and `aclnnPdistForward(self, pScalar, out)`: the distance of each row and each later one.
fn distances(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(types!(f32 f16)).ranked(2..=2)?;
    let p = if call.has("p") {
        call.floating("p")?
    } else {
        call.scalar("pScalar")?.to_f64()
    };
    let p = check_exponent(p)?;
    let [rows, width] = [0, 1].map(|dim| at(input.shape(), dim));
    let pairs = rows * rows.saturating_sub(1) / 2;
    let out = call.output("out").like(&input)?.shaped(&[pairs])?;
    let mut computed = Computed::new(&[Some(input)], &[Some(out)], |computed, numbers| {
        let [rows, width, ..] = computed.sizes;
        let [elements, ..] = numbers.inputs;
        let pairs = (0..rows).flat_map(|one| (one + 1..rows).map(move |other| (one, other)));
        for (result, (one, other)) in numbers.outs[0].iter_mut().zip(pairs) {
            let (one, other) = (line(elements, one, width), line(elements, other, width));
            let differences = one.iter().zip(other).map(|(one, other)| one - other);
            *result = norm(differences, computed.numbers[0]);
        }
    });
    computed.sizes = [rows, width, 0, 0, 0, 0];
    computed.numbers[0] = p;
    computed.plan(call)
}

/// `aclnnSinkhorn(cost, tol, p)`: `exp(cost)` with its rows and columns scaled in turn, until a step changes the factors of the
/// columns by less than `tol` in the mean.
fn balance(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("cost").of(SINGLE).ranked(2..=2)?;
    let out = call.output("p").like(&input)?.shaped(input.shape())?;
    let limit = call.optional_scalar("tol")?;
    let limit = limit.map_or(1e-4, |limit| limit.to_f64());
    if limit.is_nan() || limit <= 0.0 {
        return Err(Refusal::invalid(format_args!(
            "tol is {limit}; it is above 0"
        )));
    }
    let mut computed = Computed::new(&[Some(input)], &[Some(out)], balanced);
    computed.sizes = [at(input.shape(), 0), at(input.shape(), 1), 0, 0, 0, 0];
    computed.numbers[0] = limit;
    computed.plan(call)
}

/// The most steps that are made where the factors do not come to rest, as with numbers that are not finite.
const MOST_STEPS: usize = 10_000;

fn balanced(computed: &Computed, numbers: Numbers<'_>) {
    let [rows, columns, ..] = computed.sizes;
    // CAST: numbers of rows and columns, which are exact.
    let [of_row, of_column] = [1.0 / rows as f64, 1.0 / columns as f64];
    let costs: Vec<_> = numbers.inputs[0].iter().map(|cost| cost.exp()).collect();
    let (mut left, mut right) = (vec![1.0; rows], vec![1.0; columns]);
    for _ in 0..MOST_STEPS {
        for (row, factor) in left.iter_mut().enumerate() {
            let costs = line(&costs, row, columns).iter().zip(&right);
            let sum: f64 = costs.map(|(cost, factor)| cost * factor).sum();
            *factor = of_row / (sum + 1e-8);
        }
        let mut change = 0.0;
        for (column, factor) in right.iter_mut().enumerate() {
            let costs = costs.iter().skip(column).step_by(columns).zip(&left);
            let sum: f64 = costs.map(|(cost, factor)| cost * factor).sum();
            let next = of_column / (sum + 1e-8);
            change += (next - *factor).abs() * of_column;
            *factor = next;
        }
        if change.is_nan() || change <= computed.numbers[0] {
            break;
        }
    }
    for (index, (result, cost)) in numbers.outs[0].iter_mut().zip(&costs).enumerate() {
        *result = at(&right, index % columns) * cost * at(&left, index / columns);
    }
}

/// `aclnnEinsum(tensors, equation, output)`: `"ij,jk->ik"` names the dimensions of two tensors and of the result. Dimensions that
/// the result lacks are summed up.
fn sums(call: &Call) -> Result<Plan, Refusal> {
    let equation = call.text("equation")?;
    let equation = equation.ok_or_else(|| Refusal::null("equation"))?;
    let refused = || {
        Refusal::invalid(format_args!(
            "equation {equation:?} does not name the dimensions of the tensors, as \"ij,jk->ik\" does"
        ))
    };
    let names: String = equation
        .chars()
        .filter(|one| !one.is_whitespace())
        .collect();
    let (terms, result) = names.split_once("->").ok_or_else(refused)?;
    let terms: Vec<&str> = terms.split(',').collect();
    let inputs = call.inputs("tensors")?;
    let (Some(first), 1..=2) = (inputs.first(), inputs.len()) else {
        return Err(refused());
    };
    if terms.len() != inputs.len() {
        return Err(refused());
    }
    // The size of each name, first those of the result.
    let mut sizes: Vec<(char, usize)> = result.chars().map(|name| (name, 0)).collect();
    for (term, input) in terms.iter().zip(&inputs) {
        let _ = input.of(SINGLE)?.like(first)?;
        if term.chars().count() != input.shape().len() {
            return Err(refused());
        }
        for (name, size) in term.chars().zip(input.shape()) {
            match sizes.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) if *known == 0 || known == size => *known = *size,
                Some(_) => return Err(refused()),
                None if name.is_ascii_alphabetic() => sizes.push((name, *size)),
                None => return Err(refused()),
            }
        }
    }
    let shape: Vec<usize> = sizes.iter().map(|(_, size)| *size).collect();
    let kept = result.chars().count();
    let out = call.output("output").like(first)?;
    let out = out.shaped(shape.get(..kept).unwrap_or_default())?;
    let whole = Dims::new(shape.iter().copied()).ok_or_else(refused)?;
    let is_known = shape.iter().take(kept).all(|size| *size > 0) || out.elements() == 0;
    if !is_known || whole.rank() > MAX_RANK {
        return Err(refused());
    }
    // Each tensor as one of all dimensions: those that it lacks have the stride 0.
    let all = |(term, input): (&&str, &Input)| {
        let mut input = *input;
        let mut strides = vec![0; shape.len()];
        for (name, stride) in term.chars().zip(input.tensor.strides.iter()) {
            let place = sizes.iter().position(|(known, _)| *known == name);
            let place = place.unwrap_or(0);
            let before = at(&strides, place);
            put(&mut strides, place, before + stride);
        }
        input.tensor.shape = whole;
        input.tensor.strides = Dims::new(strides).unwrap_or_default();
        Some(input)
    };
    let inputs: Vec<_> = terms.iter().zip(&inputs).map(all).collect();
    let mut computed = Computed::<f64>::new(&inputs, &[Some(out)], |computed, numbers| {
        let [one, other, ..] = numbers.inputs;
        let terms = one.chunks(computed.sizes[0].max(1)).enumerate();
        for (result, (index, row)) in numbers.outs[0].iter_mut().zip(terms) {
            let others = other.get(index * row.len()..).filter(|_| !other.is_empty());
            *result = match others {
                Some(others) => row.iter().zip(others).map(|(one, other)| one * other).sum(),
                None => row.iter().sum(),
            };
        }
    });
    computed.sizes[0] = shape.iter().skip(kept).product();
    computed.is_spread = true;
    computed.plan(call)
}

/// `aclnnInverse(self, out)`: a matrix without an inverse gives numbers that are not finite.
fn inverse(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(types!(f32 f16)).ranked(2..=8)?;
    let out = call.output("out").like(&input)?.shaped(input.shape())?;
    let [.., rows, columns] = *input.shape() else {
        return Err(Refusal::invalid("self has no matrices"));
    };
    if rows != columns {
        return Err(Refusal::invalid(format_args!(
            "self {:?} has no square matrices",
            input.shape()
        )));
    }
    let mut computed = Computed::new(&[Some(input)], &[Some(out)], |computed, numbers| {
        let size = computed.sizes[0];
        let ([elements, ..], [results, ..]) = (numbers.inputs, numbers.outs);
        let matrices = elements.chunks((size * size).max(1));
        for (matrix, result) in matrices.zip(results.chunks_mut((size * size).max(1))) {
            invert(matrix.to_vec(), result, size);
        }
    });
    computed.sizes[0] = rows;
    computed.plan(call)
}

/// Eliminates the columns of a matrix by its rows, those with the largest number first, and makes the same steps with the unit
/// matrix (Gauss and Jordan).
fn invert(mut matrix: Vec<f64>, result: &mut [f64], size: usize) {
    for index in 0..size {
        put(result, index * (size + 1), 1.0);
    }
    for column in 0..size {
        let value = |row: &usize| at(&matrix, row * size + column).abs();
        let best = (column..size).max_by(|one, other| value(one).total_cmp(&value(other)));
        for offset in 0..size {
            let best = best.unwrap_or(column);
            matrix.swap(column * size + offset, best * size + offset);
            result.swap(column * size + offset, best * size + offset);
        }
        let pivot = at(&matrix, column * (size + 1));
        for numbers in [&mut matrix[..], &mut *result] {
            let row = numbers.get_mut(column * size..(column + 1) * size);
            row.unwrap_or_default()
                .iter_mut()
                .for_each(|one| *one /= pivot);
        }
        for row in (0..size).filter(|row| *row != column) {
            let factor = at(&matrix, row * size + column);
            for numbers in [&mut matrix[..], &mut *result] {
                for offset in 0..size {
                    let change = factor * at(numbers, column * size + offset);
                    let before = at(numbers, row * size + offset);
                    put(numbers, row * size + offset, before - change);
                }
            }
        }
    }
}
