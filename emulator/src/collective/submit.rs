//! The submission of the part of a rank.

use std::iter;
use std::ops::Range;
use std::sync::Arc;

use ascendcl_sys::{HCCL_E_RUNTIME, HcclResult, aclrtStream};

use super::group;
use super::handle::Communicator;
use super::key::{Key, Link};
use super::meeting::{Attend, Place as Seat};
use super::movement::{Part, Terms};
use super::{unsupported, wrong};
use crate::check::{self, Touch};
use crate::engine::detour::{self, Way};
use crate::engine::engine;
use crate::engine::submit::{Target, find, own, push_told};
use crate::engine::task::Task;
use crate::engine::worker::LARGE;
use crate::space::place::Place;
use crate::space::space;

/// Memory that a part uses, in bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Memory {
    pub(super) address: usize,
    pub(super) len: usize,
}

/// The part of a rank before it is queued.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) terms: Terms,
    pub(super) send: Memory,
    pub(super) recv: Memory,
    pub(super) gives: Vec<Range<usize>>,
    pub(super) takes: Vec<Range<usize>>,
}

/// The bytes for one rank.
pub(super) fn one(range: Range<usize>) -> Vec<Range<usize>> {
    iter::once(range).collect()
}

/// Where a part belongs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Where {
    pub(super) key: Key,
    /// The number of parts, and the number of this one.
    pub(super) parts: u32,
    pub(super) slot: u32,
}

/// A part whose memory was found.
type Found = (Part, Vec<Touch>);

/// Queues the part of a rank in a collective operation. The first operation of its kind waits for the other ranks. Inside of
/// a group nothing is queued before its end.
pub(super) fn collective(
    call: &'static str,
    communicator: &Arc<Communicator>,
    stream: aclrtStream,
    plan: Plan,
) -> Result<(), HcclResult> {
    if group::is_open() {
        return group::add_operation(call, communicator, stream, plan);
    }
    communicator.is_running(call)?;
    let target = target(call, stream)?;
    let part = part(call, plan)?;
    let link = Link::Collective(call);
    let (rank, size) = (communicator.rank, communicator.size);
    communicator.world.connect(call, link, rank, size)?;
    let at = Where {
        key: Key::Collective(communicator.next_operation()),
        parts: size,
        slot: rank,
    };
    queue(call, communicator, target, vec![(at, part)])
}

/// Queues parts of a rank as one task. `link` connects the ranks before the first one. `place` gives each part its
/// place, in their order, after all checks: a refused call takes no place.
pub(super) fn messages(
    call: &'static str,
    communicator: &Communicator,
    stream: aclrtStream,
    plans: Vec<Plan>,
    link: Option<Link>,
    place: &dyn Fn(usize) -> Option<Where>,
) -> Result<(), HcclResult> {
    communicator.is_running(call)?;
    let target = target(call, stream)?;
    let parts = plans.into_iter().map(|plan| part(call, plan));
    let parts = parts.collect::<Result<Vec<_>, HcclResult>>()?;
    if let Some(link) = link {
        let (rank, size) = (communicator.rank, communicator.size);
        communicator.world.connect(call, link, rank, size)?;
    }
    let placed = parts.into_iter().enumerate();
    let placed = placed.filter_map(|(index, part)| Some((place(index)?, part)));
    queue(call, communicator, target, placed.collect())
}

/// Returns the stream, which has to belong to the current context.
fn target(call: &'static str, stream: aclrtStream) -> Result<Target, HcclResult> {
    let target = find(call, stream)
        .and_then(|found| own(call, found))
        .map_err(|_| HCCL_E_RUNTIME)?;
    match detour::keeper().map(|keeper| keeper.way(call, target)) {
        None | Some(Way::Queue) => Ok(target),
        Some(Way::Keep) => Err(unsupported(
            call,
            format_args!(
                "the stream is captured, and the emulator has no captured communication; end the capture first"
            ),
        )),
        Some(Way::Refuse(_)) => Err(HCCL_E_RUNTIME),
    }
}

/// Looks up the memory of a part.
fn part(call: &'static str, plan: Plan) -> Result<Found, HcclResult> {
    let mut touches = Vec::new();
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
    let (send, recv) = (place(plan.send, false)?, place(plan.recv, true)?);
    let part = Part {
        call,
        terms: plan.terms,
        send,
        recv,
        gives: plan.gives,
        takes: plan.takes,
    };
    Ok((part, touches))
}

fn queue(
    call: &'static str,
    communicator: &Communicator,
    target: Target,
    parts: Vec<(Where, Found)>,
) -> Result<(), HcclResult> {
    let (mut seats, mut touches) = (Vec::new(), Vec::new());
    for (at, (part, of_part)) in parts {
        seats.push(Seat {
            key: at.key,
            meeting: communicator.world.meeting(at.key, at.parts as usize),
            slot: at.slot as usize,
            part,
        });
        touches.extend(of_part);
    }
    let meetings: Vec<_> = seats.iter().map(|seat| seat.meeting.clone()).collect();
    let is_large = touches.iter().map(|touch| touch.len).sum::<usize>() >= LARGE;
    let tell = |number| {
        check::tell(call, |checker, site| {
            checker.queued(target.stream.slot(), number, touches.clone(), false, site);
        });
    };
    let world = communicator.world.clone();
    let pushed = push_told(call, target, is_large, &tell, |number| {
        let attend = Attend::new(call, world, seats, (target.stream, number));
        Task::Other(Box::new(attend))
    });
    if pushed != ascendcl_sys::ACL_SUCCESS {
        // The other ranks need not wait for a part that never comes.
        for meeting in meetings {
            meeting.give_up();
        }
        engine().progress.announce();
        return Err(HCCL_E_RUNTIME);
    }
    // A thread that waits for this part can run the stream now.
    engine().progress.announce();
    Ok(())
}
