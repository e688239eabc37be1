//! The connectionist temporal classification: how likely sequences of classes are, whatever the lengths of their parts, and the
//! gradient.

use super::definitions;
use crate::op::call::{Call, Input};
use crate::op::dtype::types;
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, put};
use crate::op::view::Views;
use crate::results::every;

definitions! {
    aclnnCtcLoss = loss;
    aclnnCtcLossBackward = gradient;
}

/// The operands that the loss and its gradient share.
struct Sequences {
    /// Logarithms of probabilities: steps, batch and classes.
    numbers: Input,
    targets: Input,
    steps: Vec<usize>,
    lengths: Vec<usize>,
    blank: usize,
    is_zeroed: bool,
}

/// One sequence: the number of its steps, and its classes with blanks around each.
struct Sequence {
    index: usize,
    steps: usize,
    classes: Vec<usize>,
}

/// Returns the logarithm of the sum of numbers whose logarithms are given.
fn sum(numbers: &[f64]) -> f64 {
    let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    let parts = numbers.iter().map(|one| (one - most).exp());
    most + parts.sum::<f64>().ln()
}

impl Sequences {
    fn new(call: &Call) -> Result<Self, Refusal> {
        let numbers = call.input("logProbs").of(types!(f32 f64)).ranked(3..=3)?;
        let [steps, batch, classes] = [0, 1, 2].map(|dim| at(numbers.shape(), dim));
        let targets = call.input("targets").of(types!(s64 s32 bool f32 f16));
        let targets = targets.ranked(1..=2)?;
        let read = |name: &str, most: usize| {
            let given = call.ints(name)?;
            let sizes = every(given.iter().map(|size| count(name, *size)))?;
            if sizes.len() == batch && sizes.iter().all(|size| *size <= most) {
                return Ok(sizes);
            }
            Err(Refusal::invalid(format_args!(
                "{name} is {given:?}; it has {batch} numbers, each at most {most}"
            )))
        };
        let own = read("inputLengths", steps)?;
        let is_padded = targets.shape().len() == 2;
        let most = if is_padded {
            at(targets.shape(), 1)
        } else {
            targets.elements()
        };
        let lengths = read("targetLengths", most)?;
        let total = lengths.iter().sum::<usize>();
        if is_padded && at(targets.shape(), 0) != batch || !is_padded && targets.elements() != total
        {
            return Err(Refusal::invalid(format_args!(
                "targets {:?} has neither a row for each of {batch} sequences, nor the classes of all",
                targets.shape()
            )));
        }
        let blank = call.whole("blank")?;
        let is_class = |blank: &usize| *blank < classes;
        let Some(blank) = usize::try_from(blank).ok().filter(is_class) else {
            return Err(Refusal::invalid(format_args!(
                "blank is {blank}; it is one of {classes} classes"
            )));
        };
        Ok(Self {
            numbers,
            targets,
            steps: own,
            lengths,
            blank,
            is_zeroed: call.flag("zeroInfinity")?,
        })
    }

    /// Returns the number of sequences, and the largest number of steps.
    fn sizes(&self) -> [usize; 2] {
        [at(self.numbers.shape(), 1), at(self.numbers.shape(), 0)]
    }

    /// Checks the width of a table of the likelihoods of parts of sequences.
    fn width(&self, name: &str, shape: &[usize]) -> Result<usize, Refusal> {
        let [batch, steps] = self.sizes();
        let least = 2 * self.lengths.iter().copied().max().unwrap_or(0) + 1;
        match shape {
            [own, rows, width] if [*own, *rows] == [batch, steps] && *width >= least => Ok(*width),
            _ => Err(Refusal::invalid(format_args!(
                "{name} has the shape {shape:?}; it has to be [{batch}, {steps}, {least}], or wider"
            ))),
        }
    }

    /// Returns all sequences. A class outside of those that there are counts as the blank.
    fn all(&self, views: &Views<'_>) -> Vec<Sequence> {
        let targets = views.input(&self.targets).all::<Whole>();
        let classes = at(self.numbers.shape(), 2);
        let (mut sequences, mut first) = (Vec::with_capacity(self.steps.len()), 0);
        for (index, (steps, length)) in self.steps.iter().zip(&self.lengths).enumerate() {
            let start = match self.targets.shape() {
                [_, width] => index * width,
                _ => first,
            };
            first += length;
            let mut with_blanks = vec![self.blank];
            for class in targets.iter().skip(start).take(*length) {
                let class = views.below_in(&self.targets, *class, classes);
                with_blanks.extend([class.unwrap_or(self.blank), self.blank]);
            }
            sequences.push(Sequence {
                index,
                steps: *steps,
                classes: with_blanks,
            });
        }
        sequences
    }

    /// Returns the offset of the logarithm of a class.
    fn place(&self, sequence: usize, step: usize, class: usize) -> usize {
        let [batch, _] = self.sizes();
        (step * batch + sequence) * at(self.numbers.shape(), 2) + class
    }
}

impl Sequence {
    /// Whether a part can follow the one two in front of it, without the blank between them.
    fn skips(&self, part: usize) -> bool {
        part % 2 == 1 && part >= 2 && at(&self.classes, part) != at(&self.classes, part - 2)
    }

    /// Returns the logarithm of the likelihood from that of each part at the last step.
    fn likelihood(&self, last: &[f64]) -> f64 {
        let parts = self.classes.len();
        if self.steps == 0 {
            return if parts == 1 { 0.0 } else { f64::NEG_INFINITY };
        }
        let ends = parts.saturating_sub(2)..parts;
        sum(last.get(ends).unwrap_or_default())
    }
}

/// `aclnnCtcLoss(logProbs, targets, inputLengths, targetLengths, blank, zeroInfinity, negLogLikelihoodOut, logAlphaOut)`
fn loss(call: &Call) -> Result<Plan, Refusal> {
    let all = Sequences::new(call)?;
    let [batch, steps] = all.sizes();
    let out = call.output("negLogLikelihoodOut").like(&all.numbers)?;
    let out = out.shaped(&[batch])?;
    let table = call.output("logAlphaOut").like(&all.numbers)?;
    let width = all.width("logAlphaOut", table.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let numbers = views.input(&all.numbers).all::<f64>();
        let (mut losses, mut rows) = (Vec::new(), Vec::new());
        for sequence in all.all(views) {
            let mut own = vec![f64::NEG_INFINITY; steps * width];
            for step in 0..sequence.steps {
                let (before, rest) = own.split_at_mut(step * width);
                let before = before.chunks(width).next_back();
                for (part, class) in sequence.classes.iter().enumerate() {
                    let number = at(&numbers, all.place(sequence.index, step, *class));
                    let before = match before {
                        None if part < 2 => 0.0,
                        None => f64::NEG_INFINITY,
                        Some(before) => {
                            let first =
                                part.saturating_sub(if sequence.skips(part) { 2 } else { 1 });
                            sum(before.get(first..=part).unwrap_or_default())
                        }
                    };
                    put(rest, part, before + number);
                }
            }
            let last = own.chunks(width).nth(sequence.steps.saturating_sub(1));
            let loss = -sequence.likelihood(last.unwrap_or_default());
            losses.push(if all.is_zeroed && loss.is_infinite() {
                0.0
            } else {
                loss
            });
            rows.extend(own);
        }
        views.output(&out).put_all(&losses);
        views.output(&table).put_all(&rows);
    })
}

/// `aclnnCtcLossBackward(gradOut, logProbs, targets, inputLengths, targetLengths, negLogLikelihood, logAlpha, blank,
/// zeroInfinity, out)`
fn gradient(call: &Call) -> Result<Plan, Refusal> {
    let all = Sequences::new(call)?;
    let [batch, steps] = all.sizes();
    let gradient = call.input("gradOut").like(&all.numbers).shaped(&[batch])?;
    let losses = call.input("negLogLikelihood").like(&all.numbers);
    let losses = losses.shaped(&[batch])?;
    let table = call.input("logAlpha").like(&all.numbers)?;
    let width = all.width("logAlpha", table.shape())?;
    let out = call.output("out").like(&all.numbers)?;
    let out = out.shaped(all.numbers.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let numbers = views.input(&all.numbers).all::<f64>();
        let gradients = views.input(&gradient).all::<f64>();
        let losses = views.input(&losses).all::<f64>();
        let table = views.input(&table).all::<f64>();
        let classes = at(all.numbers.shape(), 2);
        let mut results = vec![0.0; numbers.len()];
        for sequence in all.all(views) {
            let own = table.chunks(steps * width).nth(sequence.index);
            let own = own.unwrap_or_default();
            let last = own.chunks(width).nth(sequence.steps.saturating_sub(1));
            let likelihood = sequence.likelihood(last.unwrap_or_default());
            let (loss, gradient) = (at(&losses, sequence.index), at(&gradients, sequence.index));
            if all.is_zeroed && (loss.is_infinite() || likelihood == f64::NEG_INFINITY) {
                continue;
            }
            let parts = sequence.classes.len();
            let mut behind: Vec<f64> = Vec::new();
            for step in (0..sequence.steps).rev() {
                let mut next = vec![f64::NEG_INFINITY; parts];
                for (part, class) in sequence.classes.iter().enumerate() {
                    let rest = if behind.is_empty() {
                        if part + 2 >= parts {
                            0.0
                        } else {
                            f64::NEG_INFINITY
                        }
                    } else {
                        let skips = sequence.skips(part + 2) && part + 2 < parts;
                        let end = (part + if skips { 3 } else { 2 }).min(parts);
                        sum(behind.get(part..end).unwrap_or_default())
                    };
                    let number = at(&numbers, all.place(sequence.index, step, *class));
                    put(&mut next, part, rest + number);
                }
                let mut sums = vec![f64::NEG_INFINITY; classes];
                for (part, class) in sequence.classes.iter().enumerate() {
                    let both = at(own, step * width + part) + at(&next, part);
                    let all = sum(&[at(&sums, *class), both]);
                    put(&mut sums, *class, all);
                }
                for (class, both) in sums.into_iter().enumerate() {
                    let place = all.place(sequence.index, step, class);
                    let number = at(&numbers, place);
                    let slope = number.exp() - (both + loss - number).exp();
                    put(&mut results, place, slope * gradient);
                }
                behind = next;
            }
        }
        views.output(&out).put_all(&results);
    })
}
