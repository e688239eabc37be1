//! Operands that share memory: what the checker learns about an output that lies in another operand.
//!
//! An output may be exactly the elements of an input, as in the operators in place. Any other shared element is read
//! and written in an order that no manual promises.

use core::ops::Range;

use super::call::Operand;
use super::dtype::element_size;
use super::plan::Plan;
use super::tensor::{MOST_COMPARED, Tensor};
use crate::check;
use crate::engine::kernel::Span;
use crate::results::list_of;

/// An operand and the bytes from its first element to the end of its last one.
type Placed<'a> = (&'a Operand, Range<usize>);

/// Reports the first output of a plan with an element that another operand has, too. `spans` has the memory of the
/// operands.
pub(super) fn look_for_overlaps(plan: &Plan, spans: &[Span]) {
    if !check::is_on() {
        return;
    }
    let operands = plan.operands.iter().zip(&plan.extents);
    let with_memory = operands.filter(|(_, extent)| extent.span.is_some());
    let placed: Vec<Placed<'_>> = list_of(with_memory.zip(spans).map(|((operand, _), span)| {
        let end = span.address.saturating_add(span.len);
        (operand, span.address..end)
    }));
    let outputs = placed
        .iter()
        .enumerate()
        .filter(|(_, one)| one.0.is_written);
    let pair = outputs.into_iter().find_map(|(number, out)| {
        let mut others = placed.iter().enumerate();
        // Two outputs meet once: the second one of them is compared with the first.
        let other = others.find(|(other, with)| {
            (*other < number || !with.0.is_written)
                && !is_in_place(out, with)
                && is_shared(out, with)
        });
        Some((out, other?.1))
    });
    let Some(((out, at), (other, of))) = pair else {
        return;
    };
    let name = plan.operator.name;
    check::tell(name, &|checker, site| {
        let text = format!(
            "{name} was given {} ({} bytes at {:#x}) as an output in the memory of {} ({} bytes at {:#x})",
            out.name,
            at.len(),
            at.start,
            other.name,
            of.len(),
            of.start
        );
        checker.shares(text, site);
    });
}

/// Returns whether an operand is read and written at the same elements in the same order.
fn is_in_place((out, at): &Placed<'_>, (other, of): &Placed<'_>) -> bool {
    let (one, two) = (&out.tensor, &other.tensor);
    let is_plain = one.is_contiguous() && two.is_contiguous();
    // The stride of a dimension with one position is never used.
    let used = |tensor: &Tensor| {
        let dims = tensor.shape.iter().zip(tensor.strides.iter());
        list_of(dims.filter(|(size, _)| *size > 1))
    };
    !other.is_written
        && at == of
        && element_size(one.dtype) == element_size(two.dtype)
        && (is_plain || used(one) == used(two))
}

/// Returns whether two operands have a byte in common. Operands of very many pieces are not compared.
fn is_shared((one, at): &Placed<'_>, (other, of): &Placed<'_>) -> bool {
    let (one, other) = (&one.tensor, &other.tensor);
    if !one.meets(at.start, at.len(), of) || !other.meets(of.start, of.len(), at) {
        return false;
    }
    // Each lies in the range of the other one, maybe in its gaps, as the halves of the rows of a matrix.
    let (Some((mine, length)), Some((theirs, other_length))) = (pieces(one, at), pieces(other, of))
    else {
        return false;
    };
    let (mut mine, mut theirs) = (mine.into_iter().peekable(), theirs.into_iter().peekable());
    while let (Some(&start), Some(&other_start)) = (mine.peek(), theirs.peek()) {
        if start + length <= other_start {
            mine.next();
        } else if other_start + other_length <= start {
            theirs.next();
        } else {
            return true;
        }
    }
    false
}

/// Returns the memory of an operand as pieces without gaps: their addresses in order, and their length. `None` if there
/// are too many.
fn pieces(tensor: &Tensor, at: &Range<usize>) -> Option<(Vec<usize>, usize)> {
    let Some(size) = element_size(tensor.dtype) else {
        return Some((vec![at.start], at.len()));
    };
    let (length, counts, strides) = tensor.runs();
    if counts.elements()? > MOST_COMPARED {
        return None;
    }
    let offsets = counts.offsets(strides);
    let mut starts: Vec<usize> = list_of(offsets.map(|offset| at.start + offset * size));
    starts.sort_unstable();
    Some((starts, length * size))
}
