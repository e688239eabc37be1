//! The numbers in memory: what the host has to find when it reads behind a proof.
//!
//! All steps compute element by element, so the first number of each half stands for the half. A number is unknown once a
//! failure could have changed it without an error that ends the program.

use super::Machine;
use super::state::{Place, View};
use crate::program::{Kernel, Operator};

/// What the text of a program has to find, place by place.
#[derive(Debug, Clone)]
pub(super) struct Expected<T> {
    /// The place that comes next.
    pub(super) next: usize,
    pub(super) all: Vec<Option<T>>,
}

impl<T> Default for Expected<T> {
    fn default() -> Self {
        Expected {
            next: 0,
            all: Vec::new(),
        }
    }
}

impl<T: PartialEq> Expected<T> {
    pub(super) fn find(&mut self, found: Option<T>) {
        match self.all.get_mut(self.next) {
            // A loop finds something else in its second turn.
            Some(before) if *before != found => *before = None,
            Some(_) => {}
            None => self.all.push(found),
        }
        self.next += 1;
    }
}

/// What a fill writes: four bytes with a 7.
pub(super) const FILLED: i32 = 0x0707_0707;

impl Machine {
    /// The first number of each half of a view; a view of one half has the first one only.
    pub(super) fn numbers(&self, view: &View) -> [Option<i32>; 2] {
        let memory = self.state.memory.get(view.memory);
        let [first, second] = memory.map_or([None; 2], |memory| memory.numbers);
        match view.halves {
            2 => [second, None],
            _ => [first, second],
        }
    }

    pub(super) fn set_numbers(&mut self, view: &View, numbers: [Option<i32>; 2]) {
        let halves = view.halves;
        self.change_memory(view, |memory| {
            let [first, second] = &mut memory.numbers;
            match halves {
                1 => *first = numbers[0],
                2 => *second = numbers[0],
                _ => (*first, *second) = (numbers[0], numbers[1]),
            }
        });
    }

    pub(super) fn copy_numbers(&mut self, to: &View, from: &View) {
        let numbers = self.numbers(from);
        self.set_numbers(to, numbers);
    }

    /// The result of an operator. What is too large for an element is unknown.
    pub(super) fn computed(&self, operator: Operator, reads: &[View]) -> [Option<i32>; 2] {
        let of = |index: usize| {
            reads
                .get(index)
                .map_or([None; 2], |view| self.numbers(view))
        };
        let result = |first: Option<i32>, second: Option<i32>| match operator {
            Operator::Add | Operator::InplaceAdd => first?.checked_add(second?),
            Operator::Mul => first?.checked_mul(second?),
            Operator::Relu => first.map(|first| first.max(0)),
        };
        let ([one, other], [second, last]) = (of(0), of(1));
        [result(one, second), result(other, last)]
    }

    /// The result of a kernel, whose arithmetic wraps around.
    pub(super) fn launched(
        &self,
        (kernel, factor): (Kernel, u8),
        from: &View,
        to: &View,
    ) -> [Option<i32>; 2] {
        let result = |x: Option<i32>, y: Option<i32>| match kernel {
            Kernel::Change => Some(y?.wrapping_add(i32::from(factor).wrapping_mul(x?))),
            Kernel::Make => x.map(|x| x.wrapping_add(1)),
        };
        let ([one, other], [second, last]) = (self.numbers(from), self.numbers(to));
        [result(one, second), result(other, last)]
    }

    /// A block that catches errors may have left out any of its steps.
    pub(super) fn forget_numbers(&mut self) {
        for memory in &mut self.state.memory {
            memory.numbers = [None; 2];
        }
        for pipeline in &mut self.state.pipelines {
            pipeline.is_known = false;
        }
        for graph in &mut self.state.graphs {
            graph.factor = graph.factor.map(|_| None);
        }
    }

    /// A copy of memory that is not page-locked has no limit in C.
    pub(super) fn note_unlocked(&mut self, place: Place) {
        self.unbounded |= place == Place::Rust;
    }
}
