//! The movement of memory between the parts of the ranks.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

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
///
/// # Invariants
///
/// - The ranges of `gives` lie in `send`, and those of `takes` in `recv`.
#[derive(Debug, Clone)]
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

/// The part of a rank of another process in an operation.
#[derive(Debug)]
pub(super) struct Remote {
    pub(super) terms: Terms,
    /// The numbers of bytes that the rank sends to each rank, and that it receives from each one.
    pub(super) gives: Vec<u64>,
    pub(super) takes: Vec<u64>,
    /// The bytes that it sends to this rank.
    pub(super) bytes: Vec<u8>,
}

/// A part, as the others see it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Seen<'a> {
    Here(&'a Part),
    There(&'a Remote),
}

impl Seen<'_> {
    fn terms(&self) -> &Terms {
        match self {
            Seen::Here(part) => &part.terms,
            Seen::There(part) => &part.terms,
        }
    }

    /// Returns the number of bytes that the rank sends to another one.
    fn gives(&self, to: usize) -> u64 {
        match self {
            Seen::Here(part) => part.gives.get(to).map_or(0, |give| give.len() as u64),
            Seen::There(part) => part.gives.get(to).copied().unwrap_or(0),
        }
    }

    /// Returns whether the rank sends the same bytes to two ranks.
    fn gives_same(&self, one: usize, other: usize) -> bool {
        match self {
            Seen::Here(part) => part.gives.get(one) == part.gives.get(other),
            Seen::There(_) => one == other,
        }
    }

    /// Returns the number of bytes that the rank receives from another one.
    fn takes(&self, from: usize) -> u64 {
        match self {
            Seen::Here(part) => part.takes.get(from).map_or(0, |take| take.len() as u64),
            Seen::There(part) => part.takes.get(from).copied().unwrap_or(0),
        }
    }
}

impl Part {
    /// Returns the part without its memory, for ranks of other processes.
    pub(super) fn outline(&self) -> Remote {
        let lengths = |ranges: &[Range<usize>]| {
            let lengths = ranges.iter().map(|range| range.len() as u64);
            lengths.collect()
        };
        Remote {
            terms: self.terms.clone(),
            gives: lengths(&self.gives),
            takes: lengths(&self.takes),
            bytes: Vec::new(),
        }
    }

    /// Pins the memory that the rank sends.
    pub(super) fn enter(&self) -> Result<Option<Entered>, Fault> {
        let entered = self.send.map(|place| place.enter(space()));
        entered.transpose().map_err(|gone| fault(self.call, gone))
    }

    /// Returns the bytes for a rank, if there are any. `memory` is pinned memory of this part.
    pub(super) fn gift<'a>(&self, memory: Option<&'a Entered>, to: usize) -> Option<Gift<'a>> {
        let range = self.gives.get(to).cloned()?;
        (!range.is_empty()).then_some(Gift {
            memory: memory?,
            range,
        })
    }
}

/// Bytes that a rank sends to another one.
///
/// # Invariants
///
/// - `range` lies in the place that `memory` pins.
#[derive(Debug)]
pub(super) struct Gift<'a> {
    memory: &'a Entered,
    range: Range<usize>,
}

impl Gift<'_> {
    pub(super) fn len(&self) -> usize {
        self.range.len()
    }

    /// Copies the bytes from `start` on, at most as many as `into` has.
    pub(super) fn read(&self, start: usize, into: &mut [u8]) {
        let left = self.len().saturating_sub(start);
        let len = into.len().min(left);
        let from = self.memory.pointer().wrapping_add(self.range.start + start);
        // SAFETY: the range lies in the memory, which is pinned, and has `len` bytes from `start` on. `into` has as
        // many, and is memory of its own.
        unsafe { from.copy_to_nonoverlapping(into.as_mut_ptr(), len) };
    }
}

/// Moves the memory of an operation whose parts are all there, in the order of the ranks. Memory of other processes
/// is moved there.
pub(super) fn perform(call: &'static str, parts: &[Seen<'_>]) -> Result<(), Fault> {
    let Some((first, others)) = parts.split_first() else {
        return Ok(());
    };
    for (rank, other) in (1..).zip(others) {
        if other.terms() != first.terms() {
            let text = differences(first.terms(), other.terms());
            return Err(disagree(call, &format!("rank 0 and rank {rank}"), &text));
        }
    }
    let reduction = first.terms().reduction;
    let dtype = first.terms().dtype;
    lengths(call, parts, reduction.is_some())?;
    // Every result is complete before the first one is written, because memory can be both sent and received into.
    let sources = entered(parts, |part| part.send)?;
    let mut results = Vec::new();
    // The result of a reduction that the next rank may receive too, with the rank that it was made for.
    let mut latest: Option<(usize, Rc<Cow<'_, [u8]>>)> = None;
    for (rank, part) in parts.iter().enumerate() {
        let Seen::Here(part) = part else { continue };
        for (from, take) in part.takes.iter().enumerate() {
            if take.is_empty() {
                continue;
            }
            let bytes = match (reduction, &latest) {
                (None, _) => Rc::new(bytes(parts, &sources, (from, rank))),
                (Some(_), Some((known, sum)))
                    if parts.iter().all(|part| part.gives_same(*known, rank)) =>
                {
                    Rc::clone(sum)
                }
                (Some(op), _) => {
                    let each = (0..parts.len()).map(|from| bytes(parts, &sources, (from, rank)));
                    let sum = each.reduce(|mut sum, other| {
                        reduce(dtype, op, sum.to_mut(), &other);
                        sum
                    });
                    let sum = Rc::new(sum.unwrap_or_default());
                    latest = Some((rank, Rc::clone(&sum)));
                    sum
                }
            };
            // The lengths are equal, as `lengths` has found.
            if bytes.len() == take.len() {
                results.push((rank, take.start, bytes));
            }
        }
    }
    let targets = entered(parts, |part| part.recv)?;
    for (rank, start, bytes) in results {
        if let Some(Some(target)) = targets.get(rank) {
            let to = target.pointer().wrapping_add(start);
            // SAFETY: `takes` lies in the memory of `recv`, which is entered, and has as many bytes as `bytes`, which
            // is memory of its own.
            unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        }
    }
    for entered in sources.into_iter().chain(targets).flatten() {
        entered.leave().map_err(|gone| fault(call, gone))?;
    }
    Ok(())
}

/// Checks that each rank receives as many bytes as the others send to it.
fn lengths(call: &'static str, parts: &[Seen<'_>], is_reduction: bool) -> Result<(), Fault> {
    for (to, receiver) in parts.iter().enumerate() {
        for (from, sender) in parts.iter().enumerate() {
            // A reduction has one result of the bytes of all ranks.
            let takes = receiver.takes(if is_reduction { 0 } else { from });
            let gives = sender.gives(to);
            if gives != takes {
                let text = format!("one sends {gives} bytes and the other one receives {takes}");
                let ranks = format!("rank {from} and rank {to}");
                return Err(disagree(call, &ranks, &text));
            }
        }
    }
    Ok(())
}

/// Pins memory of each part of this process.
fn entered(
    parts: &[Seen<'_>],
    place: impl Fn(&Part) -> Option<Place>,
) -> Result<Vec<Option<Entered>>, Fault> {
    let enter = |part: &Seen<'_>| {
        let Seen::Here(part) = part else {
            return Ok(None);
        };
        let entered = place(part).map(|place| place.enter(space()));
        entered.transpose().map_err(|gone| fault(part.call, gone))
    };
    parts.iter().map(enter).collect()
}

/// Returns the bytes that a rank sends to another one.
fn bytes<'a>(
    parts: &[Seen<'a>],
    sources: &[Option<Entered>],
    (from, to): (usize, usize),
) -> Cow<'a, [u8]> {
    match parts.get(from) {
        Some(Seen::Here(part)) => {
            let memory = sources.get(from).and_then(Option::as_ref);
            let Some(gift) = part.gift(memory, to) else {
                return Cow::default();
            };
            let mut bytes = vec![0; gift.len()];
            gift.read(0, &mut bytes);
            Cow::Owned(bytes)
        }
        Some(Seen::There(part)) => Cow::Borrowed(&part.bytes),
        None => Cow::default(),
    }
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
