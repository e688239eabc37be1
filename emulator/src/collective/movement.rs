//! The movement of memory between the parts of the ranks.

use std::borrow::Cow;

use ascendcl_sys::{ACL_ERROR_RT_FFTS_PLUS_TIMEOUT, HcclDataType, HcclReduceOp};

use super::byte_span::ByteSpan;
use super::shares::Shares;
use super::transfer::{self, Input, Transfer};
use crate::check::violated;
use crate::engine::task::{Fault, fault};
use crate::observe::violation::What;
use crate::results::{every, list_of};
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
    pub(super) gives: Shares,
    /// The bytes of `recv` from each rank; those of a reduction are the first.
    pub(super) takes: Shares,
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

impl<'a> Seen<'a> {
    /// Pins the memory that the rank sends, if it is a rank of this process.
    fn pin(&self) -> Result<Option<Pinned<'a>>, Fault> {
        match self {
            Seen::Here(part) => part.pin().map(Some),
            Seen::There(_) => Ok(None),
        }
    }

    fn terms(&self) -> &Terms {
        match self {
            Seen::Here(part) => &part.terms,
            Seen::There(part) => &part.terms,
        }
    }

    /// Returns the number of bytes that the rank sends to another one.
    fn gives(&self, to: usize) -> u64 {
        match self {
            Seen::Here(part) => part.gives.len(to),
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

    /// Returns the number of bytes that the rank sends to each of all ranks and receives from each, if it is known to be one.
    fn even(&self, all: usize, is_reduction: bool) -> Option<usize> {
        let Seen::Here(part) = self else { return None };
        let takes = if is_reduction { 1 } else { all };
        let gives = part.gives.each(all)?;
        (part.takes.each(takes) == Some(gives)).then_some(gives)
    }

    /// Returns the number of bytes that the rank receives from another one.
    fn takes(&self, from: usize) -> u64 {
        match self {
            Seen::Here(part) => part.takes.len(from),
            Seen::There(part) => part.takes.get(from).copied().unwrap_or(0),
        }
    }
}

impl Part {
    /// Returns the part without its memory, for ranks of other processes.
    pub(super) fn outline(&self) -> Remote {
        let lengths = |shares: &Shares| {
            let ranks = 0..shares.ranks();
            list_of(ranks.map(|rank| shares.len(rank)))
        };
        Remote {
            terms: self.terms.clone(),
            gives: lengths(&self.gives),
            takes: lengths(&self.takes),
            bytes: Vec::new(),
        }
    }

    /// Pins the memory that the rank sends.
    pub(super) fn pin(&self) -> Result<Pinned<'_>, Fault> {
        // INVARIANT: it is the memory of this part.
        Ok(Pinned {
            part: self,
            send: self.enter(self.send)?,
            recv: None,
        })
    }

    fn enter(&self, place: Option<Place>) -> Result<Option<Entered>, Fault> {
        let entered = place.map(|place| place.enter(space()));
        entered.transpose().map_err(|gone| fault(self.call, gone))
    }
}

/// A part with its memory, which is not allocated again while this exists.
///
/// # Invariants
///
/// - `send` and `recv` pin the places of the same names of `part`.
#[derive(Debug)]
pub(super) struct Pinned<'a> {
    part: &'a Part,
    send: Option<Entered>,
    recv: Option<Entered>,
}

impl Pinned<'_> {
    /// Pins the memory that the rank receives into, too.
    fn pin_received(&mut self) -> Result<(), Fault> {
        // INVARIANT: it is the memory of this part.
        self.recv = self.part.enter(self.part.recv)?;
        Ok(())
    }

    /// Returns the bytes for a rank, if there are any.
    pub(super) fn payload(&self, to: usize) -> Option<ByteSpan<'_>> {
        let range = self.part.gives.get(to)?;
        let memory = self.send.as_ref().filter(|_| !range.is_empty())?;
        // SAFETY: the range lies in `part.send`, by the invariant of the part, and `memory` pins it, by that of this type.
        Some(unsafe { ByteSpan::new(memory, range) })
    }

    /// Returns the place of the bytes from a rank, if there are any.
    fn room(&self, from: usize) -> Option<ByteSpan<'_>> {
        let range = self.part.takes.get(from)?;
        let memory = self.recv.as_ref().filter(|_| !range.is_empty())?;
        // SAFETY: the range lies in `part.recv`, by the invariant of the part, and `memory` pins it, by that of this type.
        Some(unsafe { ByteSpan::new(memory, range) })
    }

    /// Unpins the memory. Returns an error of this call if it was freed meanwhile.
    pub(super) fn leave(self, call: &'static str) -> Result<(), Fault> {
        let leave = |entered: Option<Entered>| entered.map_or(Ok(()), Entered::leave);
        let (sent, received) = (leave(self.send), leave(self.recv));
        sent.and(received).map_err(|gone| fault(call, gone))
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
    let pinned = parts.iter().map(Seen::pin);
    let mut pinned = every(pinned)?;
    for part in pinned.iter_mut().flatten() {
        part.pin_received()?;
    }
    let transfers = transfers(parts, &pinned, reduction.is_some());
    transfer::run(transfers, reduction.map(|op| (dtype, op)));
    pinned
        .into_iter()
        .flatten()
        .try_for_each(|part| part.leave(call))
}

/// Returns the transfers to the ranks of this process, in the order of the ranks. `pinned` has their parts.
fn transfers<'a>(
    parts: &[Seen<'a>],
    pinned: &'a [Option<Pinned<'_>>],
    is_reduction: bool,
) -> Vec<Transfer<'a>> {
    let mut transfers: Vec<Transfer<'_>> = Vec::new();
    // The rank that the latest transfer was made for.
    let mut latest = 0;
    let is_same = |part: &Seen<'_>| matches!(part, Seen::Here(part) if part.gives.are_same());
    let are_same = parts.iter().all(is_same);
    for (rank, receiver) in pinned.iter().enumerate() {
        let Some(receiver) = receiver else { continue };
        for from in 0..receiver.part.takes.ranks() {
            let Some(output) = receiver.room(from) else {
                continue;
            };
            let input = |(part, pinned): (&Seen<'a>, &'a Option<Pinned<'_>>)| {
                match (part, pinned) {
                    (_, Some(pinned)) => pinned.payload(rank).map(Input::Here),
                    (Seen::There(part), None) => Some(Input::Read(Cow::Borrowed(&part.bytes))),
                    (Seen::Here(_), None) => None,
                }
                .unwrap_or(Input::Read(Cow::default()))
            };
            let senders = parts.iter().zip(pinned);
            if !is_reduction {
                let inputs = senders.skip(from).take(1).map(input);
                transfers.extend(Transfer::new(list_of(inputs), output));
            } else if let Some(transfer) = transfers.last_mut()
                && (are_same || parts.iter().all(|part| part.gives_same(latest, rank)))
            {
                transfer.add(output);
            } else {
                transfers.extend(Transfer::new(list_of(senders.map(input)), output));
                latest = rank;
            }
        }
    }
    transfers
}

/// Checks that each rank receives as many bytes as the others send to it.
fn lengths(call: &'static str, parts: &[Seen<'_>], is_reduction: bool) -> Result<(), Fault> {
    // The usual operations are compared once for each rank, and the others once for each two of them.
    let even = |part: &Seen<'_>| part.even(parts.len(), is_reduction);
    let first = parts.first().and_then(even);
    if first.is_some() && parts.iter().all(|part| even(part) == first) {
        return Ok(());
    }
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

#[cfg(test)]
mod tests {
    use ascendcl_sys::HCCL_DATA_TYPE_FP32;

    use super::{Part, Seen, Terms, lengths};
    use crate::collective::shares::Shares;

    fn part(gives: &Shares, takes: &Shares) -> Part {
        Part {
            call: "HcclAllGather",
            terms: Terms {
                operation: "HcclAllGather",
                dtype: HCCL_DATA_TYPE_FP32,
                count: None,
                reduction: None,
                root: None,
            },
            send: None,
            recv: None,
            gives: gives.clone(),
            takes: takes.clone(),
        }
    }

    fn list(shares: &Shares) -> Shares {
        Shares::List(
            (0..shares.ranks())
                .filter_map(|rank| shares.get(rank))
                .collect(),
        )
    }

    #[test]
    fn lengths_that_are_compared_at_once_are_those_that_are_compared_one_by_one() {
        let apart = |len| Shares::Even {
            start: 0,
            len,
            step: len,
            ranks: 3,
        };
        let (same, one) = (|len| Shares::same(0..len, 3), |len| Shares::one(0..len));
        for other in [4, 8] {
            let cases = [
                (false, same(4), apart(4), same(other), apart(4)),
                (false, apart(4), apart(4), apart(4), apart(other)),
                (true, same(4), one(4), same(4), one(other)),
                (true, apart(4), one(4), apart(other), one(4)),
                (true, same(4), one(4), same(other), one(other)),
                (false, same(4), one(4), same(4), one(other)),
            ];
            for (number, (is_reduction, gives, takes, gives_last, takes_last)) in
                cases.iter().enumerate()
            {
                let usual = [
                    part(gives, takes),
                    part(gives, takes),
                    part(gives_last, takes_last),
                ];
                let listed = usual.each_ref().map(|part| Part {
                    gives: list(&part.gives),
                    takes: list(&part.takes),
                    ..part.clone()
                });
                let [usual, listed] = [&usual, &listed].map(|parts| {
                    let seen = parts.each_ref().map(Seen::Here);
                    lengths("HcclAllGather", &seen, *is_reduction).is_ok()
                });
                let agree = other == 4 && number < 5;
                assert_eq!((usual, listed), (agree, agree), "{number} {other}");
            }
        }
    }
}
