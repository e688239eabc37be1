//! Two products with a function between them, as the layers of language models have them.

use crate::op::call::{Call, Input};
use crate::op::define::definitions;
use crate::op::dtype::types;
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, joined};

definitions! {
    aclnnFFN = |call: &Call| feed(call, "");
    aclnnFFNV2 = |call: &Call| feed(call, "");
    aclnnFFNV3 = |call: &Call| feed(call, "Optional");
}

/// `aclnnFFN(x, weight1, weight2, expertTokens, bias1, bias2, ..)` with floating-point numbers: `activation(x * weight1 + bias1) *
/// weight2 + bias2`. With experts, `expertTokens` has the number of rows of each one, or the end of its rows if `tokensIndexFlag`.
/// `ending` is that of the names of optional tensors.
fn feed(call: &Call, ending: &str) -> Result<Plan, Refusal> {
    for name in [
        "scale",
        "offset",
        "deqScale1",
        "deqScale2",
        "antiquantScale1",
        "antiquantScale2",
    ] {
        if call.optional_input(&format!("{name}{ending}"))?.is_some() {
            return Err(Refusal::invalid(format_args!(
                "{name} is given, and the emulator models products without scales"
            )));
        }
    }
    let activate: fn(f64) -> f64 = match call.text("activation")? {
        Some("relu") => |one| one.max(0.0),
        Some("silu") => |one| one / (1.0 + (-one).exp()),
        Some("fastgelu") => |one| one / (1.0 + (-1.702 * one).exp()),
        // 1.595769.. is twice the root of 2 / pi: the form of GELU with a hyperbolic tangent.
        Some("gelu") => |one| {
            one / (1.0 + (-1.595_769_121_605_730_8 * (one + 0.044_715 * one * one * one)).exp())
        },
        other => {
            return Err(Refusal::invalid(format_args!(
                "activation is {other:?}; the emulator models relu, silu, fastgelu and gelu"
            )));
        }
    };
    let input = call.input("x").of(types!(f16 bf16))?.ranked(2..=8)?;
    let [first, second] = ["weight1", "weight2"].map(|name| call.input(name).like(&input));
    let (first, second) = (first?.ranked(2..=3)?, second?.ranked(2..=3)?);
    let rank = first.shape().len();
    let experts = if rank == 3 { at(first.shape(), 0) } else { 1 };
    let [length, inner] = [2, 1].map(|behind| at(first.shape(), rank - behind));
    let width = second.shape().last().copied().unwrap_or(0);
    let front = first.shape().get(..rank - 2).unwrap_or_default();
    let second = second.shaped(&joined(front, &[inner, width]))?;
    let bias = |name: &str, width: usize| -> Result<Option<Input>, Refusal> {
        match call.optional_input(&format!("{name}{ending}"))? {
            Some(one) => {
                let one = one.of(types!(f16 f32))?;
                Ok(Some(one.shaped(&joined(front, &[width]))?))
            }
            None => Ok(None),
        }
    };
    let (early, late) = (bias("bias1", inner)?, bias("bias2", width)?);
    let Some((own, outer)) = input.shape().split_last() else {
        return Err(Refusal::invalid("x has no dimensions"));
    };
    let rows = outer.iter().product::<usize>();
    let out = call
        .output("y")
        .like(&input)?
        .shaped(&joined(outer, &[width]))?;
    let counts = match ending {
        "" => Err(Vec::from_iter(
            call.ints("expertTokens")?.iter().map(|one| Whole(*one)),
        )),
        _ => match call.optional_input("expertTokensOptional")? {
            Some(counts) => Ok(counts.of(types!(s64))?.shaped(&[experts])?),
            None => Err(Vec::new()),
        },
    };
    let has_ends = call.has("tokensIndexFlag") && call.flag("tokensIndexFlag")?;
    let given = counts.as_ref().map_or_else(Vec::len, |_| experts);
    if *own != length || length == 0 || inner == 0 || (given != experts && (given > 0 || rank == 3))
    {
        return Err(Refusal::invalid(format_args!(
            "x {:?} does not go with weight1 {:?}, or expertTokens has {given} numbers",
            input.shape(),
            first.shape()
        )));
    }
    let ends = move |counts: &[Whole]| {
        let mut end = 0;
        Vec::from_iter(counts.iter().map(|Whole(one)| {
            // A number that is no number of rows counts none.
            let one = usize::try_from(*one).unwrap_or(0);
            end = if has_ends {
                one
            } else {
                one.saturating_add(end)
            };
            end.min(rows)
        }))
    };
    if let Err(counts) = &counts
        && given > 0
        && (ends(counts).last() != Some(&rows) || counts.iter().any(|Whole(one)| *one < 0))
    {
        return Err(Refusal::invalid(format_args!(
            "expertTokens is {counts:?}, and x has {rows} rows"
        )));
    }
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let read = |one: &Input| views.input(one).all::<f64>();
        let elements = read(&input);
        let weights = [read(&first), read(&second)];
        let biases = [&early, &late].map(|one| one.as_ref().map(read));
        let ends = match &counts {
            _ if given == 0 => vec![rows],
            Ok(counts) => ends(&views.input(counts).all::<Whole>()),
            Err(counts) => ends(counts),
        };
        let mut results = vec![0.0; rows * width];
        let mut middle = vec![0.0; inner];
        let mut expert = 0;
        let lines = elements.chunks(length).zip(results.chunks_mut(width));
        for (row, (line, results)) in lines.enumerate() {
            while ends.get(expert).is_some_and(|end| *end <= row) {
                expert += 1;
            }
            if expert >= ends.len() {
                break;
            }
            multiply(line, &weights[0], biases[0].as_deref(), expert, &mut middle);
            middle.iter_mut().for_each(|one| *one = activate(*one));
            multiply(&middle, &weights[1], biases[1].as_deref(), expert, results);
        }
        views.output(&out).put_all(&results);
    })
}

/// Stores the product of a row and the matrix of an expert, and its bias.
fn multiply(row: &[f64], weights: &[f64], bias: Option<&[f64]>, expert: usize, to: &mut [f64]) {
    let width = to.len();
    for (column, to) in to.iter_mut().enumerate() {
        *to = bias.map_or(0.0, |bias| at(bias, expert * width + column));
    }
    let own = weights.chunks(width).skip(expert * row.len());
    for (one, weights) in row.iter().zip(own) {
        for (to, weight) in to.iter_mut().zip(weights) {
            *to += one * weight;
        }
    }
}
