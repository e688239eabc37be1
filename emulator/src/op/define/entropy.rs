//! The cross entropy of classes, its gradient, and the margin of several classes.

use super::definitions;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{SINGLE, types};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, put};
use crate::op::view::Views;

definitions! {
    aclnnCrossEntropyLoss = loss;
    aclnnCrossEntropyLossGrad = gradient;
    aclnnMultilabelMarginLoss = margins;
}

/// How the losses of rows become one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reduction {
    None,
    Mean,
    Sum,
}

/// What both operators are given: the classes of rows, and what each class weighs.
#[derive(Clone, Copy)]
struct Classes {
    target: Input,
    weight: Option<Input>,
    width: usize,
    reduction: Reduction,
    ignored: i64,
    smoothing: f64,
}

impl Classes {
    fn new(call: &Call, rows: &Input) -> Result<Self, Refusal> {
        let [count, width] = [0, 1].map(|dim| at(rows.shape(), dim));
        let target = call.input("target").of(types!(s32 s64)).shaped(&[count])?;
        let weight = match call.optional_input("weightOptional")? {
            Some(weight) => Some(weight.of(types!(f32))?.shaped(&[width])?),
            None => None,
        };
        let reduction = match call.text("reductionOptional")? {
            None | Some("mean") => Reduction::Mean,
            Some("sum") => Reduction::Sum,
            Some("none") => Reduction::None,
            Some(other) => {
                return Err(Refusal::invalid(format_args!(
                    "reduction is {other:?}; it is \"mean\", \"sum\" or \"none\""
                )));
            }
        };
        let smoothing = call.floating("labelSmoothing")?;
        if !(0.0..=1.0).contains(&smoothing) || call.floating("lseSquareScaleForZloss")? != 0.0 {
            return Err(Refusal::invalid(format_args!(
                "labelSmoothing is {smoothing}, and not 0 to 1, or lseSquareScaleForZloss is not 0"
            )));
        }
        Ok(Self {
            target,
            weight,
            width,
            reduction,
            ignored: call.whole("ignoreIndex")?,
            smoothing,
        })
    }

    /// Returns the class of each row, or `None` for one that is ignored, the weights of all classes, and what the sum of losses
    /// is divided by.
    fn read(&self, views: &Views<'_>) -> (Vec<Option<usize>>, Vec<f64>, f64) {
        let weights = match &self.weight {
            Some(weight) => views.input(weight).all(),
            None => vec![1.0; self.width],
        };
        let mut classes = Vec::new();
        for one in views.input(&self.target).all::<Whole>() {
            let is_counted = one.0 != self.ignored;
            classes.push(if is_counted {
                views.below_in(&self.target, one, self.width)
            } else {
                None
            });
        }
        let sum = classes.iter().flatten().map(|class| at(&weights, *class));
        let divisor = match self.reduction {
            Reduction::Mean => sum.sum(),
            _ => 1.0,
        };
        (classes, weights, divisor)
    }
}

/// `aclnnCrossEntropyLoss(input, target, weightOptional, reductionOptional, ignoreIndex, labelSmoothing, lseSquareScaleForZloss,
/// returnZloss, lossOut, logProbOut, zlossOut, lseForZlossOut)`
fn loss(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("input").of(SINGLE).ranked(2..=2)?;
    let classes = Classes::new(call, &input)?;
    if call.flag("returnZloss")? {
        return Err(Refusal::invalid("returnZloss is true; it has to be false"));
    }
    let out = call.output("lossOut").like(&input)?;
    let rows = at(input.shape(), 0);
    let expected = match classes.reduction {
        Reduction::None => rows,
        _ => 1,
    };
    if out.elements() != expected || out.shape().len() > 1 {
        return Err(Refusal::invalid(format_args!(
            "lossOut has the shape {:?}; it has {expected} elements",
            out.shape()
        )));
    }
    let all: Output = call
        .output("logProbOut")
        .like(&input)?
        .shaped(input.shape())?;
    if all.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut elements = views.input(&input).all::<f64>();
        let (found, weights, divisor) = classes.read(views);
        let share = classes.smoothing / classes.width as f64;
        let mut losses = Vec::with_capacity(rows);
        for (row, class) in elements.chunks_mut(classes.width).zip(&found) {
            super::softmax::soften(row, true);
            losses.push(class.map_or(0.0, |class| {
                let smooth = row.iter().zip(&weights).map(|(one, weight)| one * weight);
                let own = at(row, class) * at(&weights, class);
                -own * (1.0 - classes.smoothing) - share * smooth.sum::<f64>()
            }));
        }
        if classes.reduction != Reduction::None {
            losses = vec![losses.iter().sum::<f64>() / divisor];
        }
        views.output(&out).put_all(&losses);
        views.output(&all).put_all(&elements);
    })
}

/// `aclnnCrossEntropyLossGrad(gradLoss, logProb, target, weightOptional, gradZlossOptional, lseForZlossOptional, reductionOptional,
/// ignoreIndex, labelSmoothing, lseSquareScaleForZloss, out)`
fn gradient(call: &Call) -> Result<Plan, Refusal> {
    let given = call.input("gradLoss").of(SINGLE)?;
    let input = call.input("logProb").like(&given)?.ranked(2..=2)?;
    let classes = Classes::new(call, &input)?;
    let rows = at(input.shape(), 0);
    let expected = match classes.reduction {
        Reduction::None => rows,
        _ => 1,
    };
    if given.elements() != expected {
        return Err(Refusal::invalid(format_args!(
            "gradLoss has the shape {:?}; it has {expected} elements",
            given.shape()
        )));
    }
    let out = call.output("out").like(&given)?.shaped(input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut elements = views.input(&input).all::<f64>();
        let gradients = views.input(&given).all::<f64>();
        let (found, weights, divisor) = classes.read(views);
        let share = classes.smoothing / classes.width as f64;
        let sum: f64 = weights.iter().sum();
        let rows = elements.chunks_mut(classes.width).zip(&found).enumerate();
        for (index, (row, class)) in rows {
            let Some(class) = *class else {
                row.fill(0.0);
                continue;
            };
            let gradient = match gradients.as_slice() {
                [one] => *one,
                gradients => at(gradients, index),
            } / divisor;
            let own = at(&weights, class) * (1.0 - classes.smoothing);
            for (place, (one, weight)) in row.iter_mut().zip(&weights).enumerate() {
                let hit = if place == class { own } else { 0.0 } + share * weight;
                *one = gradient * ((own + share * sum) * one.exp() - hit);
            }
        }
        views.output(&out).put_all(&elements);
    })
}

/// `aclnnMultilabelMarginLoss(self, target, reduction, out, isTarget)`: the classes of a row end in front of the first -1.
fn margins(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(types!(f32 f16)).ranked(1..=2)?;
    let target = call.input("target").of(types!(s32 s64));
    let target = target.shaped(input.shape())?;
    let reduction = match call.whole("reduction")? {
        0 => Reduction::None,
        1 => Reduction::Mean,
        2 => Reduction::Sum,
        other => {
            return Err(Refusal::invalid(format_args!(
                "reduction is {other}; it is 0, 1 or 2"
            )));
        }
    };
    let (width, outer) = input.shape().split_last().unwrap_or((&0, &[]));
    let (width, count) = (*width, outer.iter().product::<usize>());
    let out = call.output("out").like(&input)?;
    let out = out.shaped(match reduction {
        Reduction::None => outer,
        _ => &[],
    })?;
    let marks = call
        .output("isTarget")
        .like(&input)?
        .shaped(input.shape())?;
    if marks.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let elements = views.input(&input).all::<f64>();
        let found = views.input(&target).all::<Whole>();
        let mut is_target = vec![0.0; elements.len()];
        let mut losses = Vec::with_capacity(count);
        let rows = elements.chunks(width).zip(found.chunks(width));
        for ((row, found), marks) in rows.zip(is_target.chunks_mut(width)) {
            let found = found.iter().take_while(|one| one.0 >= 0);
            let found: Vec<_> = found
                .filter_map(|one| views.below_in(&target, *one, width))
                .collect();
            for class in &found {
                put(marks, *class, 1.0);
            }
            let mut loss = 0.0;
            for (one, mark) in row.iter().zip(&*marks) {
                for class in found.iter().filter(|_| *mark == 0.0) {
                    loss += (1.0 - at(row, *class) + one).max(0.0);
                }
            }
            // CAST: a number of classes, which is exact.
            losses.push(loss / width as f64);
        }
        // CAST: as above.
        let divisor = if reduction == Reduction::Mean {
            count as f64
        } else {
            1.0
        };
        if reduction != Reduction::None {
            losses = vec![losses.iter().sum::<f64>() / divisor];
        }
        views.output(&out).put_all(&losses);
        views.output(&marks).put_all(&is_target);
    })
}
