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
use super::short_rows::short_total;
use super::steps::{Computed as _, TENSORS, prepare};
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
    /// Computes the formula for each place of `shape`, to which the operands are broadcast, and adds up the results, those of
    /// a few places in single precision.
    fn sum(&self, lanes: &[Lane], shape: &Dims, views: &Views<'_>) -> f64 {
        let mut registers = vec![[0.0; CHUNK]; lanes.len()];
        let is_outer = |index| index + 1 < shape.rank();
        let (outer, mut tensors) = (shape.filtered(&is_outer), Vec::new());
        for (lane, register) in lanes.iter().zip(&mut registers) {
            let input = match lane {
                Lane::Constant(number) => {
                    *register = [number.to_f32(); CHUNK];
                    None
                }
                Lane::Tensor(input) => Some(input),
            };
            tensors.push(input.map(|input| {
                let strides = input.tensor.strides_in(shape);
                let step = strides.iter().next_back().unwrap_or(1);
                (views.input(input), strides.filtered(&is_outer), step)
            }));
        }
        prepare(self, &mut registers);
        let count = shape.iter().next_back().unwrap_or(1);
        let mut sum = 0.0;
        for row in 0..outer.elements().unwrap_or(0) {
            for first in (0..count).step_by(CHUNK) {
                let len = CHUNK.min(count - first);
                let mut lying = [None; TENSORS];
                let operands = registers.iter_mut().zip(&tensors).take(self.operands());
                for (lane, (register, tensor)) in operands.enumerate() {
                    let Some((view, strides, step)) = tensor else {
                        continue;
                    };
                    let start = outer.offset(strides, row).unwrap_or(0) + first * step;
                    if let (Some(place), 1, CHUNK) = (lying.get_mut(lane), *step, len) {
                        // SAFETY: the kernel writes its output behind the last use of these elements.
                        let own = unsafe { view.own(start, len) };
                        *place = own.and_then(|own| own.first_chunk());
                        if place.is_some() {
                            continue;
                        }
                    }
                    view.read(start, *step, register.get_mut(..len).unwrap_or_default());
                }
                f32::compute(self, &lying, &mut registers, None);
                let results = registers.last().and_then(|last| last.get(..len));
                sum += short_total(results.unwrap_or_default());
            }
        }
        sum
    }
}
