//! Softmax, its logarithm, and the cross entropy of both.

use ascendcl_sys::ACL_DOUBLE;

use super::definitions;
use crate::op::call::Call;
use crate::op::dtype::{FLOATING, SINGLE, is_half};
use crate::op::lines::{Line, each_line};
use crate::op::normal::{softmax_logarithms, softmaxes};
use crate::op::number::Number;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rows::{Group, each_row};
use crate::op::rule::{Checks as _, at, dimension};
use crate::op::short_rows;

definitions! {
    aclnnSoftmax = |call: &Call| softmax(call, false);
    aclnnLogSoftmax = |call: &Call| softmax(call, true);
    aclnnSoftmaxCrossEntropyWithLogits = cross_entropy;
}

/// `aclnnSoftmax(self, dim, out)` and `aclnnLogSoftmax(self, dim, out)`
fn softmax(call: &Call, is_logarithm: bool) -> Result<Plan, Refusal> {
    let input = call.input("self").of(FLOATING)?;
    let out = call.output("out").of(FLOATING).shaped(input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    if input.dtype() == ACL_DOUBLE {
        return call.plan(move |views| {
            let soften = |_, group: &mut Group<'_, f64>, _: &mut [f64]| {
                group.rows().for_each(|row| soften(row, is_logarithm));
            };
            each_row(views, (&input, &out), &|index| index == dim, &soften);
        });
    }
    if is_half(out.dtype()) && !is_logarithm {
        return call.plan(move |views| {
            let compute = |_, group: &mut Group<'_, f32>, factors: &mut [f32]| {
                short_rows::softmaxes(group, factors);
            };
            each_row(views, (&input, &out), &|index| index == dim, &compute);
        });
    }
    let compute: fn(&mut [Line<'_>]) = if is_logarithm {
        softmax_logarithms
    } else {
        softmaxes
    };
    call.plan(move |views| {
        each_line(
            views,
            (&input, &out),
            &|index| index == dim,
            !is_logarithm,
            &|_, lines| compute(lines),
        );
    })
}

/// Replaces numbers by their softmax or its logarithm.
pub(super) fn soften(row: &mut [f64], is_logarithm: bool) {
    let most = row.iter().copied().fold(f64::NEG_INFINITY, f64::larger);
    let sum: f64 = row.iter().map(|one| (one - most).exp()).sum();
    for one in row {
        *one = if is_logarithm {
            *one - most - sum.ln()
        } else {
            (*one - most).exp() / sum
        };
    }
}

/// `aclnnSoftmaxCrossEntropyWithLogits(features, labels, loss, backprop)`
fn cross_entropy(call: &Call) -> Result<Plan, Refusal> {
    let features = call.input("features").of(SINGLE)?;
    let labels = call.input("labels").of(SINGLE).like(&features)?;
    let (loss, gradient) = (
        call.output("loss").like(&features)?,
        call.output("backprop").like(&features)?,
    );
    let features = features.ranked(2..=2)?;
    let labels = labels.shaped(features.shape())?;
    let (rows, columns) = (at(features.shape(), 0), at(features.shape(), 1));
    let (loss, gradient) = (loss.shaped(&[rows])?, gradient.shaped(features.shape())?);
    if rows == 0 || columns == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut features = views.input(&features).all::<f64>();
        let labels = views.input(&labels).all::<f64>();
        let mut losses = Vec::with_capacity(rows);
        for (row, labels) in features.chunks_mut(columns).zip(labels.chunks(columns)) {
            soften(row, true);
            losses.push(
                -row.iter()
                    .zip(labels)
                    .map(|(one, label)| one * label)
                    .sum::<f64>(),
            );
            for (one, label) in row.iter_mut().zip(labels) {
                *one = one.exp() - label;
            }
        }
        views.output(&loss).put_all(&losses);
        views.output(&gradient).put_all(&features);
    })
}
