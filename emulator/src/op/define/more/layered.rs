//! Norms of rows by their mean and deviation, which are stored as bytes.

use super::super::normalize::trailing;
use super::joint::byte;
use crate::op::call::{Call, Input};
use crate::op::define::definitions;
use crate::op::dtype::{SINGLE, types};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at};

definitions! {
    aclnnLayerNormQuant = layers;
    aclnnAddLayerNormQuant = sums;
}

/// Returns the norm of each row, times `gamma`, and `beta`.
fn norms(elements: &[f64], gamma: &[f64], beta: &[f64], epsilon: f64) -> Vec<f64> {
    let mut results = Vec::with_capacity(elements.len());
    for row in elements.chunks(gamma.len().max(1)) {
        // CAST: a number of elements, which is exact.
        let count = row.len() as f64;
        let mean = row.iter().sum::<f64>() / count;
        let variance = row
            .iter()
            .map(|one| (one - mean) * (one - mean))
            .sum::<f64>()
            / count;
        let factor = 1.0 / (variance + epsilon).sqrt();
        for (one, (gamma, beta)) in row.iter().zip(gamma.iter().zip(beta)) {
            results.push((one - mean) * factor * gamma + beta);
        }
    }
    results
}

/// `aclnnLayerNormQuant(x, gamma, beta, scale, zeroPointsOptional, quantMode, epsilon, res, scaleOut)`: the norm divided by one scale.
/// `gamma` and `beta` are matrices with one row.
fn layers(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE)?.ranked(1..=8)?;
    let width = input.shape().last().copied().unwrap_or(0);
    let weights = |name: &str| call.input(name).like(&input)?.shaped(&[1, width]);
    let (gamma, beta) = (weights("gamma")?, weights("beta")?);
    let scale = call.input("scale").like(&input)?.shaped(&[1])?;
    let zero = match call.optional_input("zeroPointsOptional")? {
        Some(zero) => Some(zero.of(types!(s8))?.shaped(&[1])?),
        None => None,
    };
    let out = call.output("res").of(types!(s8))?.shaped(input.shape())?;
    let mode = call.whole("quantMode")?;
    if mode != 0 {
        return Err(Refusal::invalid(format_args!(
            "quantMode is {mode}; a card supports 0"
        )));
    }
    let epsilon = call.floating("epsilon")?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let read = |one: &Input| views.input(one).all::<f64>();
        let scale = at(&read(&scale), 0);
        let zero = zero.as_ref().map_or(0.0, |zero| at(&read(zero), 0));
        let mut results = norms(&read(&input), &read(&gamma), &read(&beta), epsilon);
        results
            .iter_mut()
            .for_each(|one| *one = byte(*one / scale + zero));
        views.output(&out).put_all(&results);
    })
}

/// `aclnnAddLayerNormQuant(x1, x2, gamma, beta, biasOptional, scales1Optional, scales2Optional, zeroPoints1Optional,
/// zeroPoints2Optional, quantMode, epsilon, additionalOutput, divMode, y1Out, y2Out, xOut, outScales1Out, outScales2Out)`: a scale for
/// each column if `quantMode` is static, and otherwise one for each row, after the columns were multiplied. Results that are not
/// computed stay as they are.
fn sums(call: &Call) -> Result<Plan, Refusal> {
    let one = call.input("x1").of(SINGLE)?.ranked(1..=8)?;
    let other = call.input("x2").like(&one)?.shaped(one.shape())?;
    let gamma = call.input("gamma").like(&one)?;
    let width = trailing("gamma", gamma.shape(), &one)?;
    let beta = call.input("beta").like(&one)?.shaped(gamma.shape())?;
    let bias = match call.optional_input("biasOptional")? {
        Some(bias) if bias.shape() == gamma.shape() => Some(bias.like(&one)?),
        Some(bias) => Some(bias.like(&one)?.shaped(one.shape())?),
        None => None,
    };
    let column = |name: &str| -> Result<Option<Input>, Refusal> {
        match call.optional_input(name)? {
            Some(given) => Ok(Some(given.of(SINGLE)?.shaped(gamma.shape())?)),
            None => Ok(None),
        }
    };
    let scales = [column("scales1Optional")?, column("scales2Optional")?];
    let zeros = [
        column("zeroPoints1Optional")?,
        column("zeroPoints2Optional")?,
    ];
    let is_static = match call.text("quantMode")? {
        Some("static") => true,
        Some("dynamic") => false,
        other => return Err(Refusal::invalid(format_args!("quantMode is {other:?}"))),
    };
    let has = |list: &[Option<Input>; 2]| [list[0].is_some(), list[1].is_some()];
    let fits = match (has(&scales), has(&zeros)) {
        ([first, second], given) if is_static => {
            first && (given == [false; 2] || given == [true, second])
        }
        (scales, [false, false]) => scales != [false, true] && gamma.shape().len() == 1,
        _ => false,
    };
    if !fits || (!is_static && one.shape().len() < 2) {
        return Err(Refusal::invalid(format_args!(
            "the scales, zero points and shapes are not those of quantMode static {is_static}"
        )));
    }
    let mut outs = Vec::new();
    for (index, [name, scale]) in [["y1Out", "outScales1Out"], ["y2Out", "outScales2Out"]]
        .into_iter()
        .enumerate()
    {
        if index == 1 && scales[1].is_none() {
            continue;
        }
        let out = call.output(name).of(types!(s8))?.shaped(one.shape())?;
        let outer = one.shape().split_last().map_or(&[][..], |(_, outer)| outer);
        let of_rows = match is_static {
            true => None,
            false => Some(call.output(scale).of(types!(f32))?.shaped(outer)?),
        };
        outs.push((out, of_rows));
    }
    let sum = match call.flag("additionalOutput")? {
        true => Some(call.output("xOut").like(&one)?.shaped(one.shape())?),
        false => None,
    };
    let (epsilon, divides) = (call.floating("epsilon")?, call.flag("divMode")?);
    if one.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let read = |one: &Input| views.input(one).all::<f64>();
        let mut elements = read(&one);
        for (to, other) in elements.iter_mut().zip(read(&other)) {
            *to += other;
        }
        if let Some(bias) = &bias {
            let bias = read(bias);
            for (index, to) in elements.iter_mut().enumerate() {
                *to += at(&bias, index % bias.len());
            }
        }
        let norms = norms(&elements, &read(&gamma), &read(&beta), epsilon);
        let mut stored = Vec::new();
        for (index, _) in outs.iter().enumerate() {
            let [scales, zeros] = [&scales, &zeros].map(|list| list.get(index).copied().flatten());
            let [scales, zeros] = [scales, zeros].map(|one| one.as_ref().map(read));
            let mut bytes = norms.clone();
            let mut of_rows = Vec::new();
            for row in bytes.chunks_mut(width) {
                for (column, one) in row.iter_mut().enumerate() {
                    let scale = scales.as_ref().map_or(1.0, |scales| at(scales, column));
                    let zero = zeros.as_ref().map_or(0.0, |zeros| at(zeros, column));
                    *one = if is_static && divides {
                        *one / scale + zero
                    } else {
                        *one * scale + zero
                    };
                }
                if !is_static {
                    let most = row.iter().fold(0.0_f64, |most, one| most.max(one.abs()));
                    let scale = most / 127.0;
                    let step = if scale == 0.0 { 1.0 } else { scale };
                    row.iter_mut().for_each(|one| *one /= step);
                    of_rows.push(scale);
                }
                row.iter_mut().for_each(|one| *one = byte(*one));
            }
            stored.push((bytes, of_rows));
        }
        if let Some(sum) = &sum {
            views.output(sum).put_all(&elements);
        }
        for ((out, scale), (bytes, of_rows)) in outs.iter().zip(&stored) {
            views.output(out).put_all(bytes);
            if let Some(scale) = scale {
                views.output(scale).put_all(of_rows);
            }
        }
    })
}
