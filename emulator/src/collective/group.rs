//! Groups of calls: what a thread calls between `HcclGroupStart` and `HcclGroupEnd` runs at the end.
//!
//! The order is that of the published source. First come the communicators that begin or end. Then the communicators queue
//! their work, in the order of their first calls. Each one sends and receives its messages as one batch, on the stream of
//! the first one, and makes its collectives, the largest first; those with a number of elements for each rank come last.
//! A refused call leaves out the later work of its communicator. In any case the end waits for the streams of the
//! collectives.
//!
//! These are choices of the emulator:
//!
//! - Each device has a thread of its own at the end, so one thread of the program can have several ranks.
//! - The end returns the first error. The published source returns success, and the program finds its communicator unset.
//! - A barrier or a batch inside of a group is refused.

use std::cell::RefCell;
use std::sync::Arc;

use ascendcl_sys::{
    ACL_SUCCESS, HCCL_E_INTERNAL, HCCL_E_RUNTIME, HCCL_SUCCESS, HcclResult, aclrtStream,
};

use super::element::bytes;
use super::handle::Communicator;
use super::p2p::{Side, batch};
use super::submit::{Pending, collective};
use super::{code, device, refuse, unsupported};
use crate::engine::current::{Current, choose};
use crate::error::unread_text;
use crate::results::list_of;
use crate::sorted::SortedSet;
use crate::stream::aclrtSynchronizeStream;
use crate::sync::threads::together;

/// The beginning or the end of a communicator.
type Run = Box<dyn FnOnce() -> Result<(), HcclResult> + Send>;

/// The code of a call that has failed, and its text.
type Failure = (HcclResult, String);

/// Work with the context that was current when the program called for it.
struct Job {
    current: Current,
    run: Run,
}

/// A collective operation of a group.
struct Operation {
    call: &'static str,
    stream: usize,
    /// The bytes by which the operations are ordered; `None` with a number of elements for each rank.
    volume: Option<u64>,
    plan: Pending,
}

/// What a communicator does at the end of a group.
struct Member {
    communicator: Arc<Communicator>,
    current: Current,
    messages: Vec<(Side, usize)>,
    /// The stream of the first message.
    stream: usize,
    /// The operations, the largest volume first; those of one volume in the order of their calls.
    operations: Vec<Operation>,
}

#[derive(Default)]
struct Group {
    depth: u32,
    jobs: Vec<Job>,
    members: Vec<Member>,
}

thread_local! {
    static GROUP: RefCell<Group> = RefCell::default();
}

/// Whether the calling thread is inside of a group.
pub(super) fn is_open() -> bool {
    // An ending thread has no group any more.
    let is_open = GROUP.try_with(|group| group.borrow().depth > 0);
    is_open.unwrap_or(false)
}

/// Refuses a call that a group cannot have.
pub(super) fn outside(call: &str) -> Result<(), HcclResult> {
    if !is_open() {
        return Ok(());
    }
    Err(unsupported(
        call,
        format_args!("a group of HcclGroupStart cannot have it; call it behind HcclGroupEnd"),
    ))
}

/// Adds the beginning or the end of a communicator.
pub(super) fn add_job(current: Current, run: Run) {
    GROUP.with_borrow_mut(|group| group.jobs.push(Job { current, run }));
}

/// Changes what a communicator does at the end of the group.
fn change(
    call: &str,
    communicator: &Arc<Communicator>,
    change: impl FnOnce(&mut Member),
) -> Result<(), HcclResult> {
    let current = device(call)?;
    GROUP.with_borrow_mut(|group| {
        let mut members = group.members.iter();
        let place = members.position(|member| Arc::ptr_eq(&member.communicator, communicator));
        let place = place.unwrap_or_else(|| {
            group.members.push(Member {
                communicator: Arc::clone(communicator),
                current,
                messages: Vec::new(),
                stream: 0,
                operations: Vec::new(),
            });
            group.members.len() - 1
        });
        if let Some(member) = group.members.get_mut(place) {
            change(member);
        }
    });
    Ok(())
}

/// Adds a collective operation, whose arguments are checked.
pub(super) fn add_operation(
    call: &'static str,
    communicator: &Arc<Communicator>,
    stream: aclrtStream,
    plan: Pending,
) -> Result<(), HcclResult> {
    let volume = match plan.terms.count {
        Some(count) => Some(count * bytes(call, count, plan.terms.dtype)? as u64),
        None => None,
    };
    let operation = Operation {
        call,
        stream: stream.addr(),
        volume,
        plan,
    };
    change(call, communicator, |member| {
        let mut operations = member.operations.iter();
        // An operation without a volume is less than all others.
        let place = operations.position(|later| later.volume < volume);
        let place = place.unwrap_or(member.operations.len());
        member.operations.insert(place, operation);
    })
}

/// Adds a message, whose arguments are checked.
pub(super) fn add_message(
    call: &'static str,
    communicator: &Arc<Communicator>,
    stream: aclrtStream,
    side: (Side, usize),
) -> Result<(), HcclResult> {
    change(call, communicator, |member| {
        if member.messages.is_empty() {
            member.stream = stream.addr();
        }
        member.messages.push(side);
    })
}

fn stream(address: usize) -> aclrtStream {
    std::ptr::without_provenance_mut(address)
}

/// Adds the text of a call that has failed on this thread.
fn with_text(code: HcclResult) -> Failure {
    (code, unread_text().unwrap_or_default())
}

impl Job {
    fn run(self) -> Result<(), Failure> {
        choose(self.current.handle(), -1);
        (self.run)().map_err(with_text)
    }
}

impl Member {
    /// Queues everything.
    fn queue(&mut self) -> Result<(), Failure> {
        choose(self.current.handle(), -1);
        if !self.messages.is_empty() {
            let at = stream(self.stream);
            batch("HcclGroupEnd", &self.communicator, &self.messages, at).map_err(with_text)?;
        }
        for operation in self.operations.drain(..) {
            let at = stream(operation.stream);
            collective(operation.call, &self.communicator, at, operation.plan)
                .map_err(with_text)?;
        }
        Ok(())
    }

    /// Returns the streams of the collectives.
    fn streams(&self) -> SortedSet<usize> {
        let streams = self.operations.iter().map(|operation| operation.stream);
        streams.collect()
    }
}

/// Queues the work of the communicators of a device one after the other, and waits for the streams of their collectives.
/// Returns the first error.
fn run_in_order(mut members: Vec<Member>) -> Result<(), Failure> {
    let streams = list_of(
        members
            .iter()
            .map(|member| (member.current, member.streams())),
    );
    let mut result = Ok(());
    for member in &mut members {
        result = result.and(member.queue());
    }
    for (current, streams) in streams {
        choose(current.handle(), -1);
        for &address in streams.keys() {
            // SAFETY: the program's stream, which a call of the group has named.
            let waited = unsafe { aclrtSynchronizeStream(stream(address)) };
            if waited != ACL_SUCCESS && result.is_ok() {
                result = Err(with_text(HCCL_E_RUNTIME));
            }
        }
    }
    result
}

/// Divides communicators by their device, in the order of their first calls.
fn by_device(members: Vec<Member>) -> Vec<Vec<Member>> {
    let mut devices: Vec<Vec<Member>> = Vec::new();
    for member in members {
        let device = member.communicator.device;
        let same = |of: &&mut Vec<Member>| {
            let mut others = of.iter();
            others.any(|other| other.communicator.device == device)
        };
        match devices.iter_mut().find(same) {
            Some(of) => of.push(member),
            None => devices.push(vec![member]),
        }
    }
    devices
}

/// A step of the end of a group.
type Step = Box<dyn FnOnce() -> Result<(), Failure> + Send>;

/// Takes all steps, each on a thread of its own, and returns the first error.
fn all(steps: Vec<Step>) -> Result<(), Failure> {
    for result in together(steps) {
        result.unwrap_or_else(|| Err((HCCL_E_INTERNAL, String::new())))?;
    }
    Ok(())
}

pub(crate) unsafe extern "C" fn HcclGroupStart() -> HcclResult {
    // An ending thread makes no calls for which a group could wait.
    let _ = GROUP.try_with(|group| group.borrow_mut().depth += 1);
    HCCL_SUCCESS
}

pub(crate) unsafe extern "C" fn HcclGroupEnd() -> HcclResult {
    let call = "HcclGroupEnd";
    let end = || {
        if !is_open() {
            return Err(unsupported(
                call,
                format_args!("this thread has not begun a group; call HcclGroupStart first"),
            ));
        }
        let group = GROUP.with_borrow_mut(|group| {
            group.depth -= 1;
            (group.depth == 0).then(|| std::mem::take(group))
        });
        // An inner group ends with the outer one.
        let Some(group) = group else { return Ok(()) };
        let mut steps: Vec<Step> = Vec::new();
        for job in group.jobs {
            steps.push(Box::new(|| job.run()));
        }
        let begun = all(steps);
        let mut steps: Vec<Step> = Vec::new();
        for members in by_device(group.members) {
            steps.push(Box::new(|| run_in_order(members)));
        }
        begun.and(all(steps)).map_err(|(code, text)| {
            refuse(
                code,
                format_args!("{call} failed: a call of the group has failed: {text}"),
            )
        })
    };
    code(end())
}
