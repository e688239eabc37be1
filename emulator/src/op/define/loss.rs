//! Losses and their gradients: element-wise operators whose results are added up.

use super::alike::alike;
use super::definitions;
use crate::op::by_formula::formula;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{SINGLE, types};
use crate::op::elementwise::{Elementwise, Rules, common_shape};
use crate::op::lines::Line;
use crate::op::normal::{differences, softmax_logarithms};
use crate::op::number::Whole;
use crate::op::operands::Source;
use crate::op::plan::{Definition, Plan};
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, joined, put};
use crate::op::shape::Dims;
use crate::op::sums::product;
use crate::op::view::Views;

definitions! {
    aclnnL1Loss = loss(formula!(real |x, target, _reduction| "abs(x - target)").same(SINGLE));
    aclnnMseLoss = loss(
        formula!(real |x, target, _reduction| "d = x - target; d * d").takes(SINGLE).gives(SINGLE),
    );
    aclnnMseLossOut = loss(formula!(real |x, target, _reduction| "d = x - target; d * d").same(SINGLE));
    aclnnSmoothL1Loss = loss(formula!(real |x, target, _reduction, beta|
        "smooth(x - target, beta)").same(SINGLE));
    aclnnSoftMarginLoss = loss(formula!(real |x, target, _reduction| "softplus(-target * x)").same(SINGLE));
    aclnnKlDiv = loss(formula!(real |x, target, _reduction, log_target|
        "log_target ? exp(target) * (target - x) : target > 0 ? target * (ln(target) - x) : 0").same(SINGLE));
    aclnnBinaryCrossEntropy = loss(formula!(real |x, target, weight, _reduction|
        "weight * -(target * max(ln(x), -100) + (1 - target) * max(ln_1p(-x), -100))").same(SINGLE));
    aclnnBinaryCrossEntropyWithLogits = loss(formula!(real |x, target, weight, pos_weight, _reduction|
        "weight * ((1 - target) * x + (1 + (pos_weight - 1) * target) * softplus(-x))").same(SINGLE));
    aclnnL1LossBackward =
        gradient(formula!(real |grad, x, target, factor| "grad * sign(x - target) * factor").same(SINGLE));
    aclnnMseLossBackward =
        gradient(formula!(real |grad, x, target, factor| "grad * 2 * (x - target) * factor").same(SINGLE));
    aclnnSmoothL1LossBackward = gradient(formula!(real |grad, x, target, factor, beta|
        "smooth_slope(x - target, beta) * grad * factor").same(SINGLE));
    aclnnSoftMarginLossBackward = gradient(formula!(real |grad, x, target, factor|
        "-target * grad * sigmoid(-target * x) * factor").same(SINGLE));
    aclnnKlDivBackward = gradient(formula!(real |grad, x, target, factor, log_target|
        "(log_target ? -exp(target) : target > 0 ? -target : 0) * grad * factor").same(SINGLE));
    aclnnKlDivTargetBackward = gradient(formula!(real |grad, x, target, factor, log_target|
        "(log_target ? exp(target) * (target + 1 - x) : \
         target > 0 ? ln(target) + 1 - x : 0) * grad * factor").same(SINGLE));
    aclnnBinaryCrossEntropyBackward = gradient(formula!(real |grad, x, target, weight, factor|
        "grad * weight * (x - target) / max((1 - x) * x, 0.000000000001) * factor").same(SINGLE));
    aclnnBinaryCrossEntropyWithLogitsBackward = gradient(formula!(real |grad, x, target, weight, pos_weight, factor|
        "t = target * pos_weight; grad * weight * ((t + 1 - target) * sigmoid(x) - t) * factor").same(SINGLE));
    aclnnSoftmaxCrossEntropyWithLogits = cross_entropy;
    aclnnNLLLoss, aclnnNLLLoss2d = likelihood;
    aclnnNLLLossBackward, aclnnNLLLoss2dBackward = likelihood_gradient;
    aclnnBinaryCrossEntropyWithLogitsTargetBackward = gradient(formula!(real |grad, x, target, weight, pos_weight, factor|
        "grad * weight * ((pos_weight - 1) * softplus(-x) - x) * factor").same(SINGLE));
    aclnnL1LossGrad =
        gradient(formula!(real |grad, x, target, factor| "grad * sign(x - target) * factor").same(SINGLE));
    aclnnHuberLoss = loss(formula!(real |x, target, _reduction, delta|
        "d = abs(x - target); d <= delta ? 0.5 * d * d : delta * (d - 0.5 * delta)").same(SINGLE));
    aclnnHingeLoss = alike(formula!(real |x, target| "max(1 - target * x, 0)").same(SINGLE));
    aclnnHingeEmbeddingLoss = loss(formula!(real |x, target, margin, _reduction|
        "target > 0 ? x : max(margin - x, 0)").same(SINGLE));
    aclnnLpLoss = absolute;
    aclnnGaussianNllLoss = gaussian;
    aclnnL2Loss = half_of_squares;
}

/// A loss: each element for the `reduction` 0, the mean for 1 and the sum for 2. An operand that is null is 1.
struct Loss(Rules);

const fn loss<const N: usize>(operator: Elementwise<N>) -> Loss {
    Loss(operator.rules())
}

/// The gradient of a loss. The operand `reduction` is the factor of each element.
struct Gradient(Rules);

const fn gradient<const N: usize>(operator: Elementwise<N>) -> Gradient {
    Gradient(operator.rules())
}

/// Returns `reduction` with its factor of each element: for the mean 1 divided by the number of results, and for 3, which only
/// the divergence has, by that of rows.
fn factor(call: &Call, sources: &[Source]) -> Result<(i64, f64), Refusal> {
    let shape = common_shape(sources).unwrap_or_default();
    // CAST: a number of elements.
    let share = |count: Option<usize>| 1.0 / count.unwrap_or(1) as f64;
    let reduction = reduction(call)?;
    let factor = match reduction {
        0 | 2 => 1.0,
        1 => share(shape.elements()),
        3 if call.has("logTarget") => share(shape.iter().next()),
        other => {
            return Err(Refusal::invalid(format_args!(
                "reduction is {other}; it is 0, 1 or 2"
            )));
        }
    };
    Ok((reduction, factor))
}

/// Returns `reduction`, which some losses have as a word.
fn reduction(call: &Call) -> Result<i64, Refusal> {
    let is_word = |name: &&str| call.text(name).is_ok();
    let Some(name) = ["reduction", "reductionOptional"].into_iter().find(is_word) else {
        return call.whole("reduction");
    };
    match call.text(name)? {
        Some("none") => Ok(0),
        None | Some("mean") => Ok(1),
        Some("sum") => Ok(2),
        Some(other) => Err(Refusal::invalid(format_args!(
            "{name} is {other:?}; it is \"none\", \"mean\" or \"sum\""
        ))),
    }
}

impl Definition for Loss {
    fn plan(&self, call: &Call) -> Result<Plan, Refusal> {
        let (sources, out) = operands(call, None)?;
        self.plan_of(call, &sources, out)
    }
}

impl Loss {
    fn plan_of(&self, call: &Call, sources: &[Source], out: Output) -> Result<Plan, Refusal> {
        let (reduction, factor) = factor(call, sources)?;
        if reduction == 0 {
            return self.0.plan_of(call, sources, out);
        }
        self.0.plan_sum(call, sources, out, factor)
    }
}

impl Definition for Gradient {
    fn plan(&self, call: &Call) -> Result<Plan, Refusal> {
        let (sources, _) = operands(call, None)?;
        let (_, factor) = factor(call, &sources)?;
        let (sources, out) = operands(call, Some(factor))?;
        self.0.plan_of(call, &sources, out)
    }
}

/// Returns the operands, with a number in place of `reduction`, and 1 in place of null. A loss does not read the number.
fn operands(call: &Call, reduction: Option<f64>) -> Result<(Vec<Source>, Output), Refusal> {
    call.elements_of(0, &|name| match name {
        "reduction" | "reductionOptional" => Some(reduction.unwrap_or(0.0)),
        _ => call.is_null(name).then_some(1.0),
    })
}

/// `aclnnLpLoss(predict, label, p, reduction, out)`: `p` is 1.
fn absolute(call: &Call) -> Result<Plan, Refusal> {
    const ABSOLUTE: Loss =
        loss(formula!(real | x, target, _p, _reduction | "abs(x - target)").same(SINGLE));
    match call.whole("p")? {
        1 => ABSOLUTE.plan(call),
        p => Err(Refusal::invalid(format_args!("p is {p}; it is 1"))),
    }
}

/// `aclnnGaussianNllLoss(input, target, var, full, eps, reductionOptional, out)`: the variance has the shape of the input, 1 in
/// place of its last dimension, or not that dimension.
fn gaussian(call: &Call) -> Result<Plan, Refusal> {
    const GAUSSIAN: Loss = loss(formula!(real |x, target, var, full, eps, _reduction|
        "v = max(var, eps); d = x - target; 0.5 * (ln(v) + d * d / v) + (full ? 0.9189385332046727 : 0)").same(SINGLE));
    let epsilon = call.floating("eps")?;
    if !(epsilon.is_finite() && epsilon > 0.0) {
        return Err(Refusal::invalid(format_args!(
            "eps is {epsilon}; it is above 0"
        )));
    }
    let (mut sources, out) = operands(call, None)?;
    let input = call.input("input")?;
    if let Some(Source::Tensor(var)) = sources.get_mut(2)
        && let Some((_, rest)) = input.shape().split_last()
        && var.shape() == rest
    {
        let strides = var.tensor.strides;
        var.tensor.shape = Dims::new(rest.iter().copied().chain([1])).unwrap_or_default();
        var.tensor.strides = Dims::new(strides.iter().chain([0])).unwrap_or_default();
    }
    GAUSSIAN.plan_of(call, &sources, out)
}

/// `aclnnL2Loss(x, out)`: half the sum of the squares.
fn half_of_squares(call: &Call) -> Result<Plan, Refusal> {
    const SQUARES: Elementwise<1> = formula!(real | x | "x * x").same(SINGLE);
    let (sources, out) = call.elements()?;
    if call.input("x")?.elements() == 0 || out.elements() != 1 {
        return Err(Refusal::invalid("x has no element, or out more than one"));
    }
    SQUARES.rules().plan_sum(call, &sources, out, 0.5)
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
        let (features, labels) = (views.input(&features), views.input(&labels));
        // SAFETY: the kernel writes the outputs below, after the last use of these elements.
        let features = unsafe { features.numbers() };
        // SAFETY: as above.
        let labels = unsafe { labels.numbers() };
        let mut results = vec![0.0; features.len()];
        let mut losses = Vec::with_capacity(rows);
        for (index, results) in results.chunks_mut(columns).enumerate() {
            let row = index * columns..(index + 1) * columns;
            let labels = labels.get(row.clone()).unwrap_or_default();
            let row = features.get(row).unwrap_or_default();
            softmax_logarithms(&mut [Line::new(row, results)]);
            losses.push(-product(results, labels));
            differences(results, labels);
        }
        views.output(&loss).put_all(&losses);
        views.output(&gradient).put_all(&results);
    })
}

/// The operands that the negative log likelihood and its gradient share: the logarithms of classes for each target, and the
/// weight of each class.
struct Likelihood {
    input: Input,
    target: Input,
    weight: Input,
    rows: usize,
    classes: usize,
    /// The targets of one batch: those of an image, or one.
    area: usize,
    reduction: i64,
    ignored: i64,
}

impl Likelihood {
    fn new(call: &Call) -> Result<Self, Refusal> {
        let is_image = call.operator().contains("2d");
        let ranks = if is_image { 4..=4 } else { 1..=2 };
        let input = call.input("self").of(SINGLE).ranked(ranks)?;
        let dim = input
            .shape()
            .len()
            .saturating_sub(if is_image { 3 } else { 1 });
        let (batch, rest) = input.shape().split_at(dim);
        let (classes, image) = rest.split_at(1);
        let target = call.input("target").of(types!(s64 u8 s32));
        let target = target.shaped(&joined(batch, image))?;
        let weight = call.input("weight").like(&input).shaped(classes)?;
        let reduction = call.whole("reduction")?;
        if !(0..=2).contains(&reduction) {
            return Err(Refusal::invalid(format_args!(
                "reduction is {reduction}; it is 0, 1 or 2"
            )));
        }
        Ok(Self {
            input,
            target,
            weight,
            rows: target.elements(),
            classes: at(classes, 0),
            area: image.iter().product(),
            reduction,
            ignored: call.whole("ignoreIndex")?,
        })
    }

    /// Returns the shape of a tensor with a number for each target, or with one number. One number may have a dimension.
    fn reduced(&self, name: &str, shape: &[usize]) -> Result<(), Refusal> {
        let is_each = self.reduction == 0 && self.input.shape().len() > 1;
        let fits = if is_each {
            shape == self.target.shape()
        } else {
            matches!(shape, [] | [1])
        };
        if fits {
            return Ok(());
        }
        Err(Refusal::invalid(format_args!(
            "{name} has the shape {shape:?}; it has one number, or without a reduction one for each target"
        )))
    }

    /// Calls a function for each target that is not ignored, with its number, with the offset of the logarithm of its class, and
    /// with the weight of that.
    fn each(&self, views: &Views<'_>, mut visit: impl FnMut(usize, usize, f64)) {
        let weights = views.input(&self.weight).all::<f64>();
        let targets = views.input(&self.target);
        // SAFETY: the kernel writes its outputs behind the last use of these elements, or where no operand has memory.
        let targets = unsafe { targets.numbers::<Whole>() };
        let area = self.area.max(1);
        for (image, targets) in targets.chunks(area).enumerate() {
            for (pixel, target) in targets.iter().enumerate() {
                if target.0 == self.ignored {
                    continue;
                }
                if let Some(class) = views.below_in(&self.target, *target, self.classes) {
                    let place = (image * self.classes + class) * area + pixel;
                    visit(image * area + pixel, place, at(&weights, class));
                }
            }
        }
    }
}

/// `aclnnNLLLoss(self, target, weight, reduction, ignoreIndex, out, totalWeightOut)`
fn likelihood(call: &Call) -> Result<Plan, Refusal> {
    let loss = Likelihood::new(call)?;
    let out = call.output("out").like(&loss.input)?;
    loss.reduced("out", out.shape())?;
    let total = call.output("totalWeightOut").like(&loss.input)?;
    if total.elements() != 1 {
        return Err(Refusal::invalid(format_args!(
            "totalWeightOut has the shape {:?}; it has one number",
            total.shape()
        )));
    }
    call.plan(move |views| {
        let numbers = views.input(&loss.input);
        // SAFETY: the kernel writes the outputs below, after the last use of these elements.
        let numbers = unsafe { numbers.numbers::<f32>() };
        let each = if loss.reduction == 0 { loss.rows } else { 0 };
        let (mut losses, mut sum, mut weights) = (vec![0.0; each], 0.0, 0.0);
        loss.each(views, |row, place, weight| {
            let one = -weight * f64::from(at(&numbers, place));
            sum += one;
            weights += weight;
            put(&mut losses, row, one);
        });
        match loss.reduction {
            0 => views.output(&out).put_all(&losses),
            1 => views.output(&out).set(0, sum / weights),
            _ => views.output(&out).set(0, sum),
        }
        let weights = if loss.reduction == 0 { 0.0 } else { weights };
        views.output(&total).set(0, weights);
    })
}

/// `aclnnNLLLossBackward(gradOutput, self, target, weight, reduction, ignoreIndex, totalWeight, out)`
fn likelihood_gradient(call: &Call) -> Result<Plan, Refusal> {
    let loss = Likelihood::new(call)?;
    let gradient = call.input("gradOutput").like(&loss.input)?;
    loss.reduced("gradOutput", gradient.shape())?;
    let total = call.input("totalWeight").like(&loss.input)?;
    if total.elements() != 1 {
        return Err(Refusal::invalid(format_args!(
            "totalWeight has the shape {:?}; it has one number",
            total.shape()
        )));
    }
    let out = call
        .output("out")
        .like(&loss.input)
        .shaped(loss.input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let gradients = views.input(&gradient).all::<f64>();
        let divisor = match loss.reduction {
            1 => views.input(&total).get(0),
            _ => 1.0,
        };
        let mut results = vec![0.0_f32; out.elements()];
        loss.each(views, |row, place, weight| {
            if let Some(gradient) = gradients.get(row).or(gradients.first()) {
                // CAST: rounded once.
                put(&mut results, place, (-gradient * weight / divisor) as f32);
            }
        });
        views.output(&out).put_all(&results);
    })
}
