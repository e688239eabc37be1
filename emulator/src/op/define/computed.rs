//! Kernels that read whole tensors as real numbers and compute whole tensors: such an operator is a check and a function.

use std::borrow::Cow;

use crate::op::call::{Call, Input, Output};
use crate::op::number::Number;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::view::Views;
use crate::results::list_of;

/// The largest number of tensors that a kernel reads, and that it writes.
const MOST: usize = 8;
const RESULTS: usize = 5;

/// The numbers of all tensors of a kernel. A tensor that is not given has none.
pub(super) struct Numbers<'a, W = f64> {
    pub(super) inputs: [&'a [W]; MOST],
    /// The results, which are zeros before unless the kernel [`is_filled`](Computed::is_filled).
    pub(super) outs: [&'a mut [W]; RESULTS],
}

/// A checked kernel: its tensors, what else it was given, and its function. It gets numbers in double precision, or in single
/// precision if no tensor has others: those are read where they lie, and stored there.
#[derive(Clone, Copy)]
pub(super) struct Computed<W = f64> {
    inputs: [Option<Input>; MOST],
    outs: [Option<Output>; RESULTS],
    pub(super) sizes: [usize; 6],
    pub(super) numbers: [f64; 3],
    /// Whether the shapes and strides of inputs are others than those of the tensors that were given.
    pub(super) is_spread: bool,
    /// Whether the function stores each result, so that there need be no zeros before.
    pub(super) is_filled: bool,
    compute: Compute<W>,
}

type Compute<W> = fn(&Computed<W>, Numbers<'_, W>);

impl<W: Number> Computed<W> {
    /// Makes a kernel of its tensors and its function.
    pub(super) fn new(
        inputs: &[Option<Input>],
        outs: &[Option<Output>],
        compute: Compute<W>,
    ) -> Self {
        let mut computed = Self {
            inputs: [None; MOST],
            outs: [None; RESULTS],
            sizes: [0; 6],
            numbers: [0.0; 3],
            is_spread: false,
            is_filled: false,
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
        call.plan(move |views| self.run(views))
    }

    /// Stores numbers in a result of single precision, for the output with this number.
    #[cfg(feature = "training")]
    pub(super) fn store(&self, index: usize, results: &mut [f32], numbers: &[f64]) {
        let out = self.outs.get(index).copied().flatten();
        let are_halves = out.is_some_and(|out| out.dtype() != ascendcl_sys::ACL_FLOAT);
        super::weighted::store(results, numbers, are_halves);
    }

    /// Runs the kernel.
    pub(super) fn run(&self, views: &Views<'_>) {
        // Loops, since each `map` of an array is code of its own.
        let mut inputs = [const { None }; MOST];
        for (view, input) in inputs.iter_mut().zip(&self.inputs) {
            *view = input.as_ref().map(|input| (views.input(input), input));
        }
        let mut outs = [const { None }; RESULTS];
        for (view, out) in outs.iter_mut().zip(&self.outs) {
            *view = out.as_ref().map(|out| views.output(out));
        }
        let mut converted = [const { Vec::new() }; RESULTS];
        {
            let mut read = [const { Cow::Borrowed(&[] as &[W]) }; MOST];
            let mut numbers = Numbers {
                inputs: [&[]; MOST],
                outs: [&mut [], &mut [], &mut [], &mut [], &mut []],
            };
            for (read, one) in read.iter_mut().zip(&inputs) {
                let Some((view, input)) = one else { continue };
                *read = if self.is_spread {
                    let places = input.tensor.shape.offsets(input.tensor.strides);
                    Cow::Owned(list_of(places.map(|place| view.at(place))))
                } else {
                    // SAFETY: an output that shares memory with an input is written behind this block.
                    unsafe { view.numbers() }
                };
            }
            for (numbers, read) in numbers.inputs.iter_mut().zip(&read) {
                *numbers = read;
            }
            let places = self.outs.iter().zip(&mut outs).zip(&mut converted);
            for (numbers, place) in numbers.outs.iter_mut().zip(places) {
                let ((Some(out), Some(view)), converted) = place else {
                    continue;
                };
                // SAFETY: no other tensor of the kernel has these elements, and each output has one view.
                let own = self.is_alone(views, out).then(|| unsafe { view.own() });
                *numbers = match own.flatten() {
                    Some(place) => {
                        if !self.is_filled {
                            place.fill(W::ZERO);
                        }
                        place
                    }
                    None => {
                        *converted = vec![W::ZERO; out.elements()];
                        converted
                    }
                };
            }
            (self.compute)(self, numbers);
        }
        for (view, numbers) in outs.iter_mut().zip(&converted) {
            if let Some(view) = view {
                view.put_all(numbers);
            }
        }
    }

    /// Returns whether an output shares no memory with the other tensors.
    fn is_alone(&self, views: &Views<'_>, out: &Output) -> bool {
        let inputs = self.inputs.iter().flatten().map(|one| one.slot);
        let outs = self.outs.iter().flatten().map(|one| one.slot);
        let others = inputs.chain(outs.filter(|slot| *slot != out.slot));
        views.is_alone(out.slot, &list_of(others))
    }
}
