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
    let placed: Vec<Placed<'_>> = with_memory
        .zip(spans)
        .map(|((operand, _), span)| {
            let end = span.address.saturating_add(span.len);
            (operand, span.address..end)
        })
        .collect();
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
    check::tell(name, |checker, site| {
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
        dims.filter(|(size, _)| *size > 1).collect::<Vec<_>>()
    };
    !other.is_written
        && at == of
        && element_size(one.dtype) == element_size(two.dtype)
        && (is_plain || used(one) == used(two))
}

/// Returns whether two operands have a byte in common.
fn is_shared((one, at): &Placed<'_>, (other, of): &Placed<'_>) -> bool {
    let (one, other) = (&one.tensor, &other.tensor);
    if !one.meets(at.start, at.len(), of) || !other.meets(of.start, of.len(), at) {
        return false;
    }
    if !one.has_gaps() || !other.has_gaps() {
        return true;
    }
    // Each lies in the range of the other one, maybe in its gaps, as the halves of the rows of a matrix.
    if one.elements().saturating_add(other.elements()) > MOST_COMPARED {
        return false;
    }
    let mut bytes = elements(one, at.start);
    bytes.extend(elements(other, of.start));
    bytes.sort_unstable_by_key(|range| range.start);
    let follows = |two: &[Range<usize>]| match two {
        [one, other] => other.start < one.end,
        _ => false,
    };
    bytes.windows(2).any(follows)
}

/// Returns the bytes of each element of a view whose elements are its own.
fn elements(tensor: &Tensor, start: usize) -> Vec<Range<usize>> {
    let size = element_size(tensor.dtype).unwrap_or(0);
    let offsets = tensor.shape.offsets(tensor.strides);
    let bytes = offsets.map(|offset| start + offset * size..start + (offset + 1) * size);
    bytes.collect()
}
