//! Losses, and the steps of optimisers.

use super::call::{Call, Many, One, around};
use super::reduce::rows;
use crate::tensor::Tensor;

/// Returns the loss of the logarithms of probabilities.
fn likelihood(call: &Call<'_>, logs: &Tensor) -> One {
    let target = call.tensor(1)?;
    let weights = call.maybe(2).map(Tensor::floats);
    let ignored = call
        .attribute("ignore_index")
        .map(|_| call.int("ignore_index", 0));
    if logs.shape.len() < 2 {
        return Err(format!("its operand has the shape {:?}", logs.shape));
    }
    let (_, classes, inner) = around(&logs.shape, 1);
    let data = logs.floats();
    let (mut losses, mut sum) = (Vec::new(), 0.0);
    for (at, class) in target.ints().into_iter().enumerate() {
        if Some(class) == ignored {
            losses.push(0.0);
            continue;
        }
        let class = usize::try_from(class).ok().filter(|class| *class < classes);
        let class = class.ok_or_else(|| format!("a class is outside of {classes}"))?;
        let weight = weights
            .as_ref()
            .and_then(|all| all.get(class))
            .copied()
            .unwrap_or(1.0);
        sum += weight;
        losses.push(-data[(at / inner * classes + class) * inner + at % inner] * weight);
    }
    let total: f64 = losses.iter().sum();
    Ok(match call.text("reduction", "mean") {
        "none" => Tensor::number(logs.kind, &target.shape, losses),
        "sum" => Tensor::number(logs.kind, &[], vec![total]),
        "mean" => Tensor::number(logs.kind, &[], vec![total / sum]),
        other => return call.refuse("reduction", other),
    })
}

pub(crate) fn negative_log_likelihood(call: &Call<'_>) -> One {
    likelihood(call, call.tensor(0)?)
}

pub(crate) fn cross_entropy(call: &Call<'_>) -> Many {
    let x = call.tensor(0)?;
    if x.shape.len() < 2 {
        return Err(format!("its operand has the shape {:?}", x.shape));
    }
    let mut data = x.floats();
    rows(&x.shape, 1, &mut data, |row| {
        super::reduce::soften(row, true)
    });
    let logs = Tensor::number(x.kind, &x.shape, data);
    Ok(vec![likelihood(call, &logs)?, logs])
}

/// The rate, the count of updates, and the tensors behind them: `each` gets those of one variable.
fn updates(call: &Call<'_>, kinds: usize, each: impl Fn(f64, f64, &mut [f64])) -> Many {
    let (rate, count) = (call.scalar(0).unwrap_or(0.0), call.scalar(1).unwrap_or(0.0));
    let all = (call.inputs.len() - 2) / kinds;
    let mut results: Vec<Vec<Tensor>> = vec![Vec::new(); kinds];
    for variable in 0..all {
        let mut parts = Vec::new();
        for kind in 0..kinds {
            parts.push(call.tensor(2 + kind * all + variable)?);
        }
        let data: Vec<_> = parts.iter().map(|one| one.floats()).collect();
        let mut new = data.clone();
        for at in 0..parts.first().map_or(0, |one| one.len()) {
            let mut numbers: Vec<_> = data.iter().map(|one| one[at]).collect();
            each(rate, count, &mut numbers);
            for (one, number) in new.iter_mut().zip(numbers) {
                one[at] = number;
            }
        }
        for ((kind, part), data) in parts.iter().enumerate().zip(new) {
            results[kind].push(Tensor::number(part.kind, &part.shape, data));
        }
    }
    // The gradients are operands alone.
    results.remove(1);
    Ok(results.into_iter().flatten().collect())
}

pub(crate) fn adagrad(call: &Call<'_>) -> Many {
    let (decay, epsilon) = (call.float("decay_factor", 0.0), call.float("epsilon", 0.0));
    let norm = call.float("norm_coefficient", 0.0);
    updates(call, 3, |rate, count, all| {
        let rate = rate / (1.0 + count * decay);
        let gradient = norm * all[0] + all[1];
        all[2] += gradient * gradient;
        all[0] -= rate * gradient / (all[2].sqrt() + epsilon);
    })
}

pub(crate) fn adam(call: &Call<'_>) -> Many {
    let (alpha, beta) = (
        call.float("alpha", f64::from(0.9_f32)),
        call.float("beta", f64::from(0.999_f32)),
    );
    let (epsilon, norm) = (
        call.float("epsilon", 0.0),
        call.float("norm_coefficient", 0.0),
    );
    let after = call.float("norm_coefficient_post", 0.0);
    updates(call, 4, |rate, count, all| {
        let gradient = norm * all[0] + all[1];
        all[2] = alpha * all[2] + (1.0 - alpha) * gradient;
        all[3] = beta * all[3] + (1.0 - beta) * gradient * gradient;
        let rate = match count {
            0.0 => rate,
            count => rate * (1.0 - beta.powf(count)).sqrt() / (1.0 - alpha.powf(count)),
        };
        let new = all[0] - rate * all[2] / (all[3].sqrt() + epsilon);
        all[0] = (1.0 - after) * new;
    })
}

pub(crate) fn momentum(call: &Call<'_>) -> Many {
    let (alpha, beta) = (call.float("alpha", 0.0), call.float("beta", 0.0));
    let norm = call.float("norm_coefficient", 0.0);
    let is_nesterov = call.text("mode", "standard") == "nesterov";
    updates(call, 3, |rate, count, all| {
        let gradient = norm * all[0] + all[1];
        let share = if count > 0.0 { beta } else { 1.0 };
        all[2] = alpha * all[2] + share * gradient;
        let by = if is_nesterov {
            gradient + alpha * all[2]
        } else {
            all[2]
        };
        all[0] -= rate * by;
    })
}

/// `Binarizer` of `ai.onnx.ml`.
pub(crate) fn binarizer(call: &Call<'_>) -> One {
    let limit = call.float("threshold", 0.0);
    super::math::map(call, |x| if x > limit { 1.0 } else { 0.0 })
}
