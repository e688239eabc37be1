//! The movement of memory between the parts of the ranks.

use std::ops::Range;

use ascendcl_sys::{ACL_ERROR_RT_FFTS_PLUS_TIMEOUT, HcclDataType, HcclReduceOp};

use super::element::reduce;
use crate::check::violated;
use crate::engine::task::{Fault, fault};
use crate::observe::violation::What;
use crate::space::place::{Entered, Place};
use crate::space::space;

/// What the ranks have to agree about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Terms {
    /// The operation. Both sides of a message have one word.
    pub(super) operation: &'static str,
    pub(super) dtype: HcclDataType,
    /// The number of elements, for operations with one number for all ranks.
    pub(super) count: Option<u64>,
    pub(super) reduction: Option<HcclReduceOp>,
    pub(super) root: Option<u32>,
}

/// The part of a rank in an operation.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) call: &'static str,
    pub(super) terms: Terms,
    /// The memory that the rank sends, and that it receives into.
    pub(super) send: Option<Place>,
    pub(super) recv: Option<Place>,
    /// The bytes of `send` for each rank. They may be fewer than the ranks: the others get nothing.
    pub(super) gives: Vec<Range<usize>>,
    /// The bytes of `recv` from each rank; those of a reduction are the first.
    pub(super) takes: Vec<Range<usize>>,
}

/// Moves the memory of an operation whose parts are all there, in the order of the ranks.
pub(super) fn perform(parts: &[&Part]) -> Result<(), Fault> {
    let Some((first, others)) = parts.split_first() else {
        return Ok(());
    };
    for (rank, other) in (1..).zip(others) {
        if other.terms != first.terms {
            let text = differences(&first.terms, &other.terms);
            return Err(disagree(
                other.call,
                &format!("rank 0 and rank {rank}"),
                &text,
            ));
        }
    }
    // Every result is complete before the first one is written, because memory can be both sent and received into.
    let sources = entered(parts, |part| part.send)?;
    let mut results = Vec::new();
    for (rank, part) in parts.iter().enumerate() {
        if first.terms.reduction.is_some() {
            let Some(take) = part.takes.first().filter(|take| !take.is_empty()) else {
                continue;
            };
            results.push((
                rank,
                take.start,
                reduced(parts, &sources, rank, take.len())?,
            ));
            continue;
        }
        for (from, take) in part.takes.iter().enumerate() {
            let give = parts.get(from).and_then(|of| of.gives.get(rank));
            let give = give.cloned().unwrap_or(0..0);
            if give.len() != take.len() {
                let text = format!(
                    "one sends {} bytes and the other one receives {}",
                    give.len(),
                    take.len()
                );
                let ranks = format!("rank {from} and rank {rank}");
                return Err(disagree(part.call, &ranks, &text));
            }
            if !take.is_empty() {
                results.push((rank, take.start, bytes(&sources, from, &give)));
            }
        }
    }
    let targets = entered(parts, |part| part.recv)?;
    for (rank, start, bytes) in results {
        if let Some(Some(target)) = targets.get(rank) {
            let to = target.pointer().wrapping_add(start);
            // SAFETY: `takes` lies in the memory of `recv`, which is entered. `bytes` is memory of its own.
            unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        }
    }
    let all = parts.iter().zip(sources).chain(parts.iter().zip(targets));
    for (part, entered) in all {
        if let Some(entered) = entered {
            entered.leave().map_err(|gone| fault(part.call, gone))?;
        }
    }
    Ok(())
}

/// Pins memory of each part.
fn entered(
    parts: &[&Part],
    place: impl Fn(&Part) -> Option<Place>,
) -> Result<Vec<Option<Entered>>, Fault> {
    let enter = |part: &&Part| {
        let entered = place(part).map(|place| place.enter(space()));
        entered.transpose().map_err(|gone| fault(part.call, gone))
    };
    parts.iter().map(enter).collect()
}

/// Returns a copy of bytes that a rank sends.
fn bytes(sources: &[Option<Entered>], rank: usize, range: &Range<usize>) -> Vec<u8> {
    let Some(Some(source)) = sources.get(rank) else {
        return Vec::new();
    };
    let mut bytes = vec![0; range.len()];
    let from = source.pointer().wrapping_add(range.start);
    // SAFETY: `gives` lies in the memory of `send`, which is entered. `bytes` is memory of its own.
    unsafe { from.copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len()) };
    bytes
}

/// Returns the reduction of the bytes that all ranks send to one.
fn reduced(
    parts: &[&Part],
    sources: &[Option<Entered>],
    to: usize,
    len: usize,
) -> Result<Vec<u8>, Fault> {
    let mut result: Option<Vec<u8>> = None;
    for (rank, part) in parts.iter().enumerate() {
        let give = part.gives.get(to).cloned().unwrap_or(0..0);
        if give.len() != len {
            let text = format!(
                "one sends {} bytes and the other one receives {len}",
                give.len()
            );
            return Err(disagree(
                part.call,
                &format!("rank {rank} and rank {to}"),
                &text,
            ));
        }
        let own = bytes(sources, rank, &give);
        match (&mut result, part.terms.reduction) {
            (Some(result), Some(op)) => reduce(part.terms.dtype, op, result, &own),
            _ => result = Some(own),
        }
    }
    Ok(result.unwrap_or_default())
}

fn differences(one: &Terms, other: &Terms) -> String {
    let mut found = Vec::new();
    if one.operation != other.operation {
        found.push(format!(
            "the operations are {} and {}",
            one.operation, other.operation
        ));
    }
    if one.count != other.count {
        let count = |terms: &Terms| terms.count.unwrap_or(0);
        found.push(format!(
            "the counts are {} and {}",
            count(one),
            count(other)
        ));
    }
    if one.dtype != other.dtype {
        found.push(format!(
            "the element types are {:?} and {:?}",
            one.dtype, other.dtype
        ));
    }
    if let (Some(one), Some(other)) = (one.reduction, other.reduction)
        && one != other
    {
        found.push(format!("the reductions are {one:?} and {other:?}"));
    }
    if let (Some(one), Some(other)) = (one.root, other.root)
        && one != other
    {
        found.push(format!("the roots are {one} and {other}"));
    }
    found.join(", ")
}

/// Reports that ranks disagree.
#[cold]
fn disagree(call: &'static str, ranks: &str, text: &str) -> Fault {
    violated(
        call,
        What::RanksDisagree,
        format_args!(
            "{ranks} do not agree: {text}; every rank has to make the same operations in the same order"
        ),
    );
    // The code of a wait for another rank that never ends: this is what the ranks see on a device.
    Fault(ACL_ERROR_RT_FFTS_PLUS_TIMEOUT)
}
