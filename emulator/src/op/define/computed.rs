//! Kernels that read whole tensors as real numbers and compute whole tensors: such an operator is a check and a function.

use crate::op::call::{Call, Input, Output};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;

/// The largest number of tensors that a kernel reads, and that it writes.
const MOST: usize = 8;
const RESULTS: usize = 4;

/// The numbers of all tensors of a kernel. A tensor that is not given has none.
pub(super) struct Numbers {
    pub(super) inputs: [Vec<f64>; MOST],
    /// The results, which are zeros before.
    pub(super) outs: [Vec<f64>; RESULTS],
}

/// A checked kernel: its tensors, what else it was given, and its function.
#[derive(Clone, Copy)]
pub(super) struct Computed {
    inputs: [Option<Input>; MOST],
    outs: [Option<Output>; RESULTS],
    pub(super) sizes: [usize; 6],
    pub(super) numbers: [f64; 3],
    compute: fn(&Computed, &mut Numbers),
}

impl Computed {
    /// Makes a kernel of its tensors and its function.
    pub(super) fn new(
        inputs: &[Option<Input>],
        outs: &[Option<Output>],
        compute: fn(&Computed, &mut Numbers),
    ) -> Self {
        let mut computed = Self {
            inputs: [None; MOST],
            outs: [None; RESULTS],
            sizes: [0; 6],
            numbers: [0.0; 3],
            compute,
        };
        for (to, from) in computed.inputs.iter_mut().zip(inputs) {
            *to = *from;
        }
        for (to, from) in computed.outs.iter_mut().zip(outs) {
            *to = *from;
        }
        computed
    }

    /// Plans the kernel. It does nothing if no result has elements.
    pub(super) fn plan(self, call: &Call) -> Result<Plan, Refusal> {
        if self.outs.iter().flatten().all(|out| out.elements() == 0) {
            return Ok(call.nothing());
        }
        call.plan(move |views| {
            let mut numbers = Numbers {
                inputs: [const { Vec::new() }; MOST],
                outs: [const { Vec::new() }; RESULTS],
            };
            for (numbers, input) in numbers.inputs.iter_mut().zip(&self.inputs) {
                if let Some(input) = input {
                    *numbers = views.input(input).all::<f64>();
                }
            }
            for (numbers, out) in numbers.outs.iter_mut().zip(&self.outs) {
                *numbers = vec![0.0; out.as_ref().map_or(0, Output::elements)];
            }
            (self.compute)(&self, &mut numbers);
            for (numbers, out) in numbers.outs.iter().zip(&self.outs) {
                if let Some(out) = out {
                    views.output(out).put_all(numbers);
                }
            }
        })
    }
}
