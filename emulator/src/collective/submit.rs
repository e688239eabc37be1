//! The submission of the part of a rank.
//!
//! A part has four stages. A call makes a [`Pending`], with addresses. The checks make a [`Part`] of it, with places in memory
//! ([`Place`]). Then it takes a slot in the exchange of its operation, as an [`Entry`]. Its task ([`Attend`]) is queued last.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use ascendcl_sys::{ACL_SUCCESS, HCCL_E_RUNTIME, HcclResult, aclrtStream};

use super::captured::Captured;
use super::exchange::{Attend, Entry};
use super::group;
use super::handle::Communicator;
use super::key::{Key, Link};
use super::movement::{Part, Terms};
use super::shares::Shares;
use super::{unsupported, wrong};
use crate::check::{self, Touch};
use crate::engine::engine;
use crate::engine::slow_path::{self, Way};
use crate::engine::submit::{Target, find, own, push_told};
use crate::engine::task::Task;
use crate::engine::worker::LARGE;
use crate::graph::is_captured;
use crate::results::{every, list_of};
use crate::space::place::Place;
use crate::space::space;

/// Memory that a part uses, in bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Memory {
    pub(super) address: usize,
    pub(super) len: usize,
}

impl Memory {
    /// The memory at a pointer that the shares of the ranks reach.
    pub(super) fn of(pointer: *const c_void, shares: &Shares) -> Memory {
        Memory {
            address: pointer.addr(),
            len: shares.reach(),
        }
    }
}

/// The part of a rank before it is queued.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) terms: Terms,
    pub(super) send: Memory,
    pub(super) recv: Memory,
    pub(super) gives: Shares,
    pub(super) takes: Shares,
}

/// The operation of a part. The part gets its slot when it is queued.
#[derive(Debug, Clone, Copy)]
pub(super) enum Next {
    /// The next collective operation.
    Collective,
    /// The next message to or from another rank.
    Message {
        other: u32,
        sends: bool,
        in_batch: bool,
    },
}

impl Next {
    /// Gives the part of a rank its slot.
    fn entry(self, of: &Communicator, part: Part) -> Entry {
        let (key, parts, slot) = match self {
            Next::Collective => {
                let key = Key::Collective(of.next_operation());
                (key, of.size as usize, of.rank as usize)
            }
            Next::Message {
                other,
                sends,
                in_batch,
            } => {
                let (from, to) = if sends {
                    (of.rank, other)
                } else {
                    (other, of.rank)
                };
                let key = Key::Message {
                    from,
                    to,
                    number: of.next_message(other, sends, in_batch),
                    in_batch,
                };
                (key, 2, usize::from(!sends))
            }
        };
        Entry {
            key,
            exchange: of.world.exchange(key, parts),
            slot,
            part,
        }
    }
}

/// The parts of a rank in operations, which are one task.
#[derive(Debug, Clone)]
pub(super) struct Parts(Vec<(Next, Part)>);

impl Parts {
    /// Gives the parts their slots, in their order.
    pub(super) fn entries(self, of: &Communicator) -> Vec<Entry> {
        let entry = |(next, part): (Next, Part)| next.entry(of, part);
        list_of(self.0.into_iter().map(entry))
    }
}

/// Queues the part of a rank in a collective operation. The first operation of its kind waits for the other ranks. Inside of
/// a group nothing is queued before its end.
pub(super) fn collective(
    call: &'static str,
    communicator: &Arc<Communicator>,
    stream: aclrtStream,
    part: Pending,
) -> Result<(), HcclResult> {
    if group::is_open() {
        return group::add_operation(call, communicator, stream, part);
    }
    let parts = vec![(Next::Collective, part)];
    submit(
        call,
        communicator,
        stream,
        parts,
        Some(Link::Collective(call)),
    )
}

/// Queues parts of a rank as one task, or stores them in the graph of a captured stream. `link` connects the ranks before the
/// first one; a batch of messages has none, because its ranks do not wait for each other before it. The parts get their slots
/// after all checks: a refused call takes none.
pub(super) fn submit(
    call: &'static str,
    communicator: &Arc<Communicator>,
    stream: aclrtStream,
    parts: Vec<(Next, Pending)>,
    link: Option<Link>,
) -> Result<(), HcclResult> {
    communicator.check_running(call)?;
    let target = target(call, stream)?;
    let mut touches = Vec::new();
    let parts = parts
        .into_iter()
        .map(|(next, pending)| Ok((next, part(call, pending, &mut touches)?)));
    let parts = Parts(every(parts)?);
    if let Some(link) = link {
        let (rank, size) = (communicator.rank, communicator.size);
        communicator.world.connect(call, link, rank, size)?;
    }
    queue(call, communicator, target, parts, &touches)
}

/// Returns the stream, which has to belong to the current context.
fn target(call: &'static str, stream: aclrtStream) -> Result<Target, HcclResult> {
    let target = find(call, stream)
        .and_then(|found| own(call, found))
        .map_err(|_| HCCL_E_RUNTIME)?;
    match slow_path::recorder().map(|recorder| recorder.way(target)) {
        None | Some(Way::Queue) => Ok(target),
        Some(Way::Keep) if is_captured(target) => Ok(target),
        Some(Way::Keep) => Err(unsupported(
            call,
            format_args!(
                "the tasks of the stream are stored for an instance that is built by hand; capture the stream of the \
                 communication instead"
            ),
        )),
    }
}

/// Looks up the memory of a part, and adds it to `touches`.
fn part(
    call: &'static str,
    pending: Pending,
    touches: &mut Vec<Touch>,
) -> Result<Part, HcclResult> {
    let mut place = |memory: Memory, write: bool| {
        if memory.len == 0 {
            return Ok(None);
        }
        touches.push(Touch {
            write,
            ..Touch::read(memory.address, memory.len)
        });
        Place::new(space(), memory.address, memory.len)
            .map(Some)
            .ok_or_else(|| {
                wrong(
                    call,
                    format_args!(
                        "{:#x} is no device memory; pass memory of aclrtMalloc",
                        memory.address
                    ),
                )
            })
    };
    let (send, recv) = (place(pending.send, false)?, place(pending.recv, true)?);
    Ok(Part {
        call,
        terms: pending.terms,
        send,
        recv,
        gives: pending.gives,
        takes: pending.takes,
    })
}

fn queue(
    call: &'static str,
    communicator: &Arc<Communicator>,
    target: Target,
    parts: Parts,
    touches: &[Touch],
) -> Result<(), HcclResult> {
    let is_large = touches.iter().map(|touch| touch.len).sum::<usize>() >= LARGE;
    let tell = |number| {
        check::tell(call, &|checker, site| {
            let (handle, stream) = (
                communicator.handle.load(Ordering::Relaxed),
                target.stream.slot(),
            );
            checker.uses_object(handle, stream, number, Arc::clone(&site));
            checker.queued(stream, number, touches.to_vec(), false, site);
        });
    };
    if is_captured(target) {
        let stored = Captured::new(call, communicator, parts);
        let store = |_| Task::Other(Box::new(stored));
        return match push_told(call, target, is_large, &tell, store) {
            ACL_SUCCESS => Ok(()),
            _ => Err(HCCL_E_RUNTIME),
        };
    }
    let entries = parts.entries(communicator);
    let exchanges = list_of(entries.iter().map(|entry| entry.exchange.clone()));
    let world = communicator.world.clone();
    let pushed = push_told(call, target, is_large, &tell, |number| {
        let attend = Attend::new(call, world, entries, (target.stream, number));
        Task::Other(Box::new(attend))
    });
    if pushed != ACL_SUCCESS {
        // The other ranks need not wait for a part that never comes.
        for exchange in exchanges {
            exchange.give_up();
        }
        engine().announce();
        return Err(HCCL_E_RUNTIME);
    }
    // A thread that waits for the last part can run its stream now. One that waits for several parts sleeps on: to wake
    // all ranks for each part costs the square of their number.
    if exchanges.iter().any(|exchange| exchange.is_complete()) {
        engine().announce();
    }
    Ok(())
}
