//! Operators that compute each element alone.

use super::call::{Call, One, common, spread};
use crate::dtype::DType;
use crate::tensor::{Data, Tensor};

/// Computes each element of floating-point numbers.
pub(crate) fn map(call: &Call<'_>, with: impl Fn(f64) -> f64) -> One {
    let x = call.tensor(0)?;
    let data = x.floats().into_iter().map(with).collect();
    Ok(Tensor::number(x.kind, &x.shape, data))
}

/// Computes each element of numbers of both sorts.
pub(crate) fn map_both(
    call: &Call<'_>,
    float: impl Fn(f64) -> f64,
    whole: impl Fn(i128) -> i128,
) -> One {
    let x = call.tensor(0)?;
    match &x.data {
        Data::Whole(data) => {
            let data = data.iter().map(|one| whole(*one)).collect();
            Ok(Tensor::whole(x.kind, &x.shape, data))
        }
        _ => map(call, float),
    }
}

/// Computes a truth of each element.
pub(crate) fn test(call: &Call<'_>, with: impl Fn(f64) -> bool) -> One {
    let x = call.tensor(0)?;
    Ok(Tensor::bools(&x.shape, x.floats().into_iter().map(with)))
}

/// Combines two arrays of one sort.
pub(crate) fn combine(
    a: &Tensor,
    b: &Tensor,
    float: impl Fn(f64, f64) -> f64,
    whole: impl Fn(i128, i128) -> i128,
) -> One {
    let shape = common(&[&a.shape, &b.shape])?;
    let (left, right) = (spread(&a.shape, &shape), spread(&b.shape, &shape));
    let pairs = left.iter().zip(&right);
    Ok(match (&a.data, &b.data) {
        (Data::Whole(a_data), Data::Whole(b_data)) => {
            let data = pairs.map(|(l, r)| whole(a_data[*l], b_data[*r])).collect();
            Tensor::whole(a.kind, &shape, data)
        }
        _ => {
            let (a_data, b_data) = (a.floats(), b.floats());
            let data = pairs.map(|(l, r)| float(a_data[*l], b_data[*r])).collect();
            Tensor::number(a.kind, &shape, data)
        }
    })
}

/// An operator of two arrays.
pub(crate) fn binary(
    call: &Call<'_>,
    float: impl Fn(f64, f64) -> f64,
    whole: impl Fn(i128, i128) -> i128,
) -> One {
    combine(call.tensor(0)?, call.tensor(1)?, float, whole)
}

/// An operator of any number of arrays.
pub(crate) fn variadic(
    call: &Call<'_>,
    float: impl Fn(f64, f64) -> f64,
    whole: impl Fn(i128, i128) -> i128,
) -> One {
    let all = call.tensors()?;
    let (first, rest) = all.split_first().ok_or("it has no operand")?;
    let mut result = (*first).clone();
    for one in rest {
        result = combine(&result, one, &float, &whole)?;
    }
    Ok(result)
}

/// A comparison.
pub(crate) fn compare(
    call: &Call<'_>,
    float: impl Fn(f64, f64) -> bool,
    whole: impl Fn(i128, i128) -> bool,
) -> One {
    let (a, b) = (call.tensor(0)?, call.tensor(1)?);
    if let (Data::Text(left), Data::Text(right)) = (&a.data, &b.data) {
        let shape = common(&[&a.shape, &b.shape])?;
        let (from, to) = (spread(&a.shape, &shape), spread(&b.shape, &shape));
        let pairs = from.iter().zip(&to);
        return Ok(Tensor::bools(
            &shape,
            pairs.map(|(l, r)| left[*l] == right[*r]),
        ));
    }
    let as_float = |one: bool| if one { 1.0 } else { 0.0 };
    let mut found = combine(
        a,
        b,
        |l, r| as_float(float(l, r)),
        |l, r| i128::from(whole(l, r)),
    )?;
    let truths = found.wholes();
    found.data = Data::Whole(truths);
    found.kind = DType::Bool;
    Ok(found)
}

pub(crate) fn mean(call: &Call<'_>) -> One {
    // CAST: a number of operands.
    let count = call.inputs.len() as f64;
    let mut sum = variadic(call, |a, b| a + b, i128::wrapping_add)?;
    let data = sum.floats().into_iter().map(|one| one / count).collect();
    sum = Tensor::number(sum.kind, &sum.shape, data);
    Ok(sum)
}

pub(crate) fn divide(call: &Call<'_>) -> One {
    // Whole numbers are divided towards zero.
    binary(call, |a, b| a / b, |a, b| a.checked_div(b).unwrap_or(0))
}

pub(crate) fn modulo(call: &Call<'_>) -> One {
    if call.int("fmod", 0) == 1 {
        return binary(call, |a, b| a % b, |a, b| a.checked_rem(b).unwrap_or(0));
    }
    // The result has the sign of the divisor.
    let float = |a: f64, b: f64| {
        let rest = a % b;
        if rest != 0.0 && (rest < 0.0) != (b < 0.0) {
            rest + b
        } else {
            rest
        }
    };
    let whole = |a: i128, b: i128| {
        let rest = a.checked_rem(b).unwrap_or(0);
        if rest != 0 && (rest < 0) != (b < 0) {
            rest + b
        } else {
            rest
        }
    };
    binary(call, float, whole)
}

pub(crate) fn power(call: &Call<'_>) -> One {
    let (a, b) = (call.tensor(0)?, call.tensor(1)?);
    let whole = |a: i128, b: i128| match u32::try_from(b) {
        Ok(b) => a.wrapping_pow(b),
        // CAST: one over a whole number, towards zero.
        Err(_) => (a as f64).powf(b as f64) as i128,
    };
    combine(a, b, f64::powf, whole)
}

pub(crate) fn shift(call: &Call<'_>) -> One {
    let is_left = call.text("direction", "") == "LEFT";
    // By a negative number or more than the width all bits go, and the sign stays.
    let whole = |a: i128, b: i128| match (u32::try_from(b).ok().filter(|by| *by < 64), is_left) {
        (Some(by), true) => a << by,
        (None, true) => 0,
        (by, false) => a >> by.unwrap_or(64),
    };
    binary(call, |a, _| a, whole)
}

pub(crate) fn choose(call: &Call<'_>) -> One {
    let (condition, a, b) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
    let shape = common(&[&condition.shape, &a.shape, &b.shape])?;
    let truths = condition.wholes();
    let is_first = spread(&condition.shape, &shape)
        .into_iter()
        .map(|at| truths[at] != 0);
    let places = spread(&a.shape, &shape)
        .into_iter()
        .zip(spread(&b.shape, &shape));
    let both = crate::own::layout::join(
        &[&a.clone().shaped(&[a.len()]), &b.clone().shaped(&[b.len()])],
        0,
    )?;
    let from: Vec<_> = is_first
        .zip(places)
        .map(|(is_first, (left, right))| if is_first { left } else { a.len() + right })
        .collect();
    Ok(both.pick(&shape, &from))
}

pub(crate) fn clip(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let bound = |index: usize, name: &str| match call.maybe(index) {
        Some(bound) => Some(bound.clone()),
        None => call
            .floats_one(name)
            .map(|one| Tensor::float(x.kind, &[], vec![one])),
    };
    let mut result = x.clone();
    if let Some(low) = bound(1, "min") {
        result = combine(&result, &low, larger, |a, b| a.max(b))?;
    }
    if let Some(high) = bound(2, "max") {
        result = combine(&result, &high, smaller, |a, b| a.min(b))?;
    }
    Ok(result)
}

impl Call<'_> {
    fn floats_one(&self, name: &str) -> Option<f64> {
        self.attribute(name).map(|_| self.float(name, 0.0))
    }
}

/// The larger number; what is no number stays.
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else {
        a.max(b)
    }
}

/// The smaller number; what is no number stays.
pub(crate) fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else {
        a.min(b)
    }
}

pub(crate) fn sign(call: &Call<'_>) -> One {
    let float = |one: f64| {
        if one == 0.0 || one.is_nan() {
            one
        } else {
            one.signum()
        }
    };
    map_both(call, float, i128::signum)
}

pub(crate) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

pub(crate) fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// The error function: its series for small arguments, and the continued fraction of its complement for larger ones.
pub(crate) fn erf(x: f64) -> f64 {
    let size = x.abs();
    if x.is_nan() {
        return x;
    }
    if size > 6.0 {
        return 1.0_f64.copysign(x);
    }
    let root_pi = std::f64::consts::PI.sqrt();
    let positive = if size < 2.5 {
        let (mut term, mut sum, mut n) = (size, size, 0.0);
        while term.abs() > 1e-18 {
            n += 1.0;
            term *= -size * size / n;
            sum += term / (2.0 * n + 1.0);
        }
        2.0 / root_pi * sum
    } else {
        let mut fraction = 0.0;
        for n in (1..=60).rev() {
            fraction = f64::from(n) / 2.0 / (size + fraction);
        }
        1.0 - (-size * size).exp() / root_pi / (size + fraction)
    };
    positive.copysign(x)
}

pub(crate) fn gelu(call: &Call<'_>) -> One {
    match call.text("approximate", "none") {
        "none" => map(call, |x| {
            0.5 * x * (1.0 + erf(x / std::f64::consts::SQRT_2))
        }),
        "tanh" => map(call, |x| {
            let inner = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x * x * x);
            0.5 * x * (1.0 + inner.tanh())
        }),
        other => call.refuse("approximate", other),
    }
}

pub(crate) fn elu(call: &Call<'_>) -> One {
    let alpha = call.float("alpha", 1.0);
    map(call, |x| if x < 0.0 { alpha * x.exp_m1() } else { x })
}

pub(crate) fn celu(call: &Call<'_>) -> One {
    let alpha = call.float("alpha", 1.0);
    map(call, |x| {
        x.max(0.0) + (alpha * (x / alpha).exp_m1()).min(0.0)
    })
}

pub(crate) fn selu(call: &Call<'_>) -> One {
    let alpha = call.float("alpha", 1.673_263_192_176_818_8);
    let gamma = call.float("gamma", 1.050_701_022_148_132_3);
    map(call, |x| {
        gamma * if x > 0.0 { x } else { alpha * x.exp_m1() }
    })
}

pub(crate) fn hard_sigmoid(call: &Call<'_>) -> One {
    let (alpha, beta) = (
        call.float("alpha", f64::from(0.2_f32)),
        call.float("beta", 0.5),
    );
    map(call, |x| (alpha * x + beta).clamp(0.0, 1.0))
}

pub(crate) fn shrink(call: &Call<'_>) -> One {
    let (bias, limit) = (call.float("bias", 0.0), call.float("lambd", 0.5));
    map(call, |x| {
        if x < -limit {
            x + bias
        } else if x > limit {
            x - bias
        } else {
            0.0
        }
    })
}

pub(crate) fn swiglu(call: &Call<'_>) -> One {
    let alpha = call.float("alpha", 1.0);
    binary(call, |a, b| a * sigmoid(alpha * a) * b, |a, _| a)
}

pub(crate) fn is_inf(call: &Call<'_>) -> One {
    let positive = call.int("detect_positive", 1) != 0;
    let negative = call.int("detect_negative", 1) != 0;
    test(call, |x| {
        x == f64::INFINITY && positive || x == f64::NEG_INFINITY && negative
    })
}

/// Converts an array to another type.
pub(crate) fn convert(x: &Tensor, kind: DType, saturates: bool) -> One {
    let of = |data: Data| Tensor {
        kind,
        shape: x.shape.clone(),
        data,
    };
    if kind == DType::Text || x.kind == DType::Text {
        return Err(
            "it converts texts, which AscendCL does not have; leave them outside of the model"
                .to_owned(),
        );
    }
    if kind.is_float() {
        let data = x.floats().into_iter().map(|one| kind.round(one, saturates));
        return Ok(of(Data::Float(data.collect())));
    }
    let data = match &x.data {
        Data::Float(data) if kind == DType::Bool => {
            data.iter().map(|one| i128::from(*one != 0.0)).collect()
        }
        _ => x.wholes(),
    };
    Ok(Tensor::whole(kind, &x.shape, data))
}

pub(crate) fn cast(call: &Call<'_>) -> One {
    let kind = call.kind("to")?.ok_or("it has no attribute `to`")?;
    convert(call.tensor(0)?, kind, call.int("saturate", 1) != 0)
}

pub(crate) fn cast_like(call: &Call<'_>) -> One {
    let kind = call.tensor(1)?.kind;
    convert(call.tensor(0)?, kind, call.int("saturate", 1) != 0)
}

pub(crate) fn bit_cast(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let kind = call.kind("to")?.ok_or("it has no attribute `to`")?;
    Tensor::read(kind, &x.shape, &x.bytes())
}
