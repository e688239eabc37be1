//! Products of matrices that are added up.

use super::super::matmul::check_types;
use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::dtype::SINGLE;
use crate::op::plan::Plan;
use crate::op::product::{Matrix, MatrixMut, multiply_matrices};
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at};
use crate::op::shape::broadcast;
use crate::op::view::Views;

definitions! {
    aclnnAddmv = vector_sum;
    aclnnAddbmm, aclnnInplaceAddbmm = sum_of_batch;
    aclnnGemm = general;
}

/// A product of matrices that is added over its batches, and a matrix beside it.
struct Batches {
    factors: [Input; 2],
    are_transposed: [bool; 2],
    added: Input,
    out: Output,
    /// The number of batches, and of rows, of their length and of columns in each.
    sizes: [usize; 4],
    beta: f32,
    alpha: f32,
}

/// `aclnnAddbmm(self, batch1, batch2, beta, alpha, out, cubeMathType)`
fn sum_of_batch(call: &Call) -> Result<Plan, Refusal> {
    let left = call.input("batch1").of(SINGLE).ranked(3..=3)?;
    let right = call.input("batch2").of(SINGLE).ranked(3..=3)?;
    let of = |input: &Input, dim: usize| at(input.shape(), dim);
    let sizes = [of(&left, 0), of(&left, 1), of(&left, 2), of(&right, 2)];
    if right.shape() != [sizes[0], sizes[2], sizes[3]] {
        return Err(no_pair(&left, &right));
    }
    let batches = Batches {
        factors: [left, right],
        are_transposed: [false; 2],
        added: call.input("self").of(SINGLE)?,
        out: call.output("out").of(SINGLE)?,
        sizes,
        beta: call.scalar("beta")?.to_f32(),
        alpha: call.scalar("alpha")?.to_f32(),
    };
    batches.plan(call, &[sizes[1], sizes[3]])
}

/// `aclnnAddmv(self, mat, vec, alpha, beta, out, cubeMathType)`
fn vector_sum(call: &Call) -> Result<Plan, Refusal> {
    let left = call.input("mat").of(SINGLE).ranked(2..=2)?;
    let right = call.input("vec").of(SINGLE)?;
    let [rows, length] = [at(left.shape(), 0), at(left.shape(), 1)];
    if right.shape() != [length] {
        return Err(no_pair(&left, &right));
    }
    let batches = Batches {
        factors: [left, right],
        are_transposed: [false; 2],
        added: call.input("self").of(SINGLE)?,
        out: call.output("out").of(SINGLE)?,
        sizes: [1, rows, length, 1],
        beta: call.scalar("beta")?.to_f32(),
        alpha: call.scalar("alpha")?.to_f32(),
    };
    batches.plan(call, &[rows])
}

/// `aclnnGemm(A, B, C, alpha, beta, transA, transB, out, cubeMathType)`
fn general(call: &Call) -> Result<Plan, Refusal> {
    let left = call.input("A").of(SINGLE).ranked(2..=2)?;
    let right = call.input("B").of(SINGLE).ranked(2..=2)?;
    let are_transposed = [call.whole("transA")? != 0, call.whole("transB")? != 0];
    let sides = |input: &Input, is_transposed: bool| {
        let [one, other] = [at(input.shape(), 0), at(input.shape(), 1)];
        if is_transposed {
            [other, one]
        } else {
            [one, other]
        }
    };
    let [rows, length] = sides(&left, are_transposed[0]);
    let [depth, columns] = sides(&right, are_transposed[1]);
    if length != depth {
        return Err(no_pair(&left, &right));
    }
    // CAST: C passes single precision.
    let [beta, alpha] = [
        call.floating("beta")? as f32,
        call.floating("alpha")? as f32,
    ];
    let batches = Batches {
        factors: [left, right],
        are_transposed,
        added: call.input("C").of(SINGLE)?,
        out: call.output("out").of(SINGLE)?,
        sizes: [1, rows, length, columns],
        beta,
        alpha,
    };
    batches.plan(call, &[rows, columns])
}

fn no_pair(left: &Input, right: &Input) -> Refusal {
    Refusal::invalid(format_args!(
        "{} {:?} and {} {:?} do not go together",
        left.name,
        left.shape(),
        right.name,
        right.shape()
    ))
}

impl Batches {
    fn plan(self, call: &Call, shape: &[usize]) -> Result<Plan, Refusal> {
        let [left, right] = &self.factors;
        check_types(left, right)?;
        let out = self.out.shaped(shape)?;
        let shape = out.tensor.shape;
        if broadcast(&self.added.tensor.shape, &shape) != Some(shape) {
            return Err(no_pair(&self.added, left));
        }
        if out.elements() == 0 {
            return Ok(call.nothing());
        }
        call.plan(move |views| self.run(views))
    }

    fn run(&self, views: &Views<'_>) {
        let [batches, rows, length, columns] = self.sizes;
        let [left, right] = self.factors.map(|input| views.input(&input).all::<f32>());
        let mut sums = vec![0.0; rows * columns];
        for batch in 0..batches {
            let [of_left, of_right] = self.are_transposed;
            let left = one_of(&left, batch, [rows, length], of_left);
            let right = one_of(&right, batch, [length, columns], of_right);
            let factors = left.zip(right);
            let sums = MatrixMut::new(&mut sums, [rows, columns]);
            if let (Some((left, right)), Some(mut sums)) = (factors, sums) {
                multiply_matrices(left, right, &mut sums, true);
            }
        }
        for sum in &mut sums {
            *sum *= self.alpha;
        }
        if self.beta != 0.0 {
            let added = views
                .input(&self.added)
                .spread::<f32>(&self.out.tensor.shape);
            for (sum, one) in sums.iter_mut().zip(added) {
                *sum += self.beta * one;
            }
        }
        views.output(&self.out).put_all(&sums);
    }
}

/// Returns a matrix of a batch.
fn one_of(
    numbers: &[f32],
    batch: usize,
    [rows, columns]: [usize; 2],
    is_transposed: bool,
) -> Option<Matrix<'_>> {
    let own = numbers.get(batch * rows * columns..)?;
    match is_transposed {
        true => Matrix::new(own, [columns, rows]).map(Matrix::transposed),
        false => Matrix::new(own, [rows, columns]),
    }
}
