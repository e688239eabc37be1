//! Element-wise operators whose results are added up, as those of losses are.

use super::call::{Call, Output};
use super::elementwise::{Rules, common_shape, no_broadcast};
use super::formula::Formula;
use super::number::CHUNK;
use super::operands::Source;
use super::pass::Lane;
use super::plan::Plan;
use super::refusal::Refusal;
use super::shape::Dims;
use super::steps::{Computed as _, prepare};
use super::view::Views;
use crate::results::list_of;

impl Rules {
    /// Checks these operands, and plans the sum of all results, times `factor`. It has one element.
    pub(super) fn plan_sum(
        &self,
        call: &Call,
        sources: &[Source],
        out: Output,
        factor: f64,
    ) -> Result<Plan, Refusal> {
        self.compute_type(sources, &out)?;
        let shape = common_shape(sources).ok_or_else(|| no_broadcast(sources, &Dims::default()))?;
        if out.elements() != 1 {
            return Err(Refusal::invalid(format_args!(
                "{} has the shape {:?}; a sum or a mean has one element",
                out.name,
                out.shape()
            )));
        }
        let Some(formula) = self.arithmetic.formula else {
            return Err(Refusal::no_parameter("out", "of a formula"));
        };
        let lanes = list_of(sources.iter().map(Lane::of));
        call.plan_boxed(Box::new(move |views| {
            let sum = formula.sum(&lanes, &shape, views);
            views.output(&out).set(0, sum * factor);
        }))
    }
}

impl Formula {
    /// Computes the formula in double precision for each place of `shape`, to which the operands are broadcast, and adds up
    /// the results.
    fn sum(&self, lanes: &[Lane], shape: &Dims, views: &Views<'_>) -> f64 {
        let elements = shape.elements().unwrap_or(0);
        let mut columns = Vec::with_capacity(lanes.len());
        for lane in lanes {
            columns.push(match lane {
                Lane::Constant(number) => vec![number.to_f64(); elements],
                Lane::Tensor(input) => views.input(input).spread(shape),
            });
        }
        let mut registers = vec![[0.0; CHUNK]; lanes.len()];
        prepare(self, &mut registers);
        let mut sum = 0.0;
        for first in (0..elements).step_by(CHUNK) {
            let len = CHUNK.min(elements - first);
            for (register, column) in registers.iter_mut().zip(&columns).take(self.operands()) {
                let from = column.get(first..first + len).unwrap_or(&[]);
                for (to, from) in register.iter_mut().zip(from) {
                    *to = *from;
                }
            }
            f64::compute(self, &mut registers);
            let results = registers.last().and_then(|last| last.get(..len));
            sum += results.unwrap_or(&[]).iter().sum::<f64>();
        }
        sum
    }
}
