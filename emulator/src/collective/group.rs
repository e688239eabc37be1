//! Groups of calls: what a thread calls between `HcclGroupStart` and `HcclGroupEnd` runs at the end.
//!
//! The order is that of the published source. First come the communicators that begin or end. Then each communicator sends
//! and receives its messages as one batch, on the stream of the first one, and makes its collectives, the largest first;
//! those with a number of elements for each rank come last. The end waits for the streams of the collectives.
//!
//! These are choices of the emulator:
//!
//! - Each communicator runs on a thread of its own, so one thread of the program can have several ranks.
//! - The end returns the first error. The published source returns success, and the program finds its communicator unset.
//! - A barrier or a batch inside of a group is refused.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::sync::Arc;
use std::thread;

use ascendcl_sys::{
    ACL_SUCCESS, HCCL_E_INTERNAL, HCCL_E_RUNTIME, HCCL_SUCCESS, HcclResult, aclrtStream,
};

use super::element::bytes;
use super::handle::Communicator;
use super::point::{Side, batch};
use super::submit::{Plan, collective};
use super::{code, device, refuse, unsupported};
use crate::engine::current::{Current, choose};
use crate::error::unread_text;
use crate::stream::aclrtSynchronizeStream;

/// Work of a group on a thread of its own.
type Run = Box<dyn FnOnce() -> Result<(), HcclResult> + Send>;

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
    plan: Plan,
}

/// What a communicator does at the end of a group.
struct Member {
    communicator: Arc<Communicator>,
    current: Current,
    messages: Vec<(Side, usize)>,
    /// The stream of the first message.
    stream: usize,
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
    plan: Plan,
) -> Result<(), HcclResult> {
    let volume = match plan.terms.count {
        Some(count) => Some(count * bytes(call, count, plan.terms.dtype)? as u64),
        None => None,
    };
    change(call, communicator, |member| {
        member.operations.push(Operation {
            call,
            stream: stream.addr(),
            volume,
            plan,
        });
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

impl Member {
    /// Runs everything, and waits for the streams of the collectives.
    fn run(mut self) -> Result<(), HcclResult> {
        let stream = |address| std::ptr::without_provenance_mut(address);
        if !self.messages.is_empty() {
            let at = stream(self.stream);
            batch("HcclGroupEnd", &self.communicator, &self.messages, at)?;
        }
        // The order is stable, and an operation without a volume comes last.
        self.operations
            .sort_by_key(|operation| Reverse(operation.volume));
        let mut streams: Vec<usize> = Vec::new();
        for operation in self.operations {
            let at = stream(operation.stream);
            collective(operation.call, &self.communicator, at, operation.plan)?;
            if !streams.contains(&operation.stream) {
                streams.push(operation.stream);
            }
        }
        for address in streams {
            // SAFETY: the program's stream, in which an operation was queued just now.
            let waited = unsafe { aclrtSynchronizeStream(stream(address)) };
            if waited != ACL_SUCCESS {
                return Err(HCCL_E_RUNTIME);
            }
        }
        Ok(())
    }
}

/// Runs jobs, each on a thread of its own, and returns the first error with its text.
fn together(jobs: Vec<Job>) -> Result<(), (HcclResult, String)> {
    let run = |job: Job| {
        choose(job.current.handle(), -1);
        (job.run)().map_err(|code| (code, unread_text().unwrap_or_default()))
    };
    thread::scope(|threads| {
        let started: Vec<_> = jobs
            .into_iter()
            .map(|job| threads.spawn(move || run(job)))
            .collect();
        let ended = started.into_iter().map(thread::ScopedJoinHandle::join);
        let ended: Vec<_> = ended
            .map(|ended| ended.unwrap_or_else(|_| Err((HCCL_E_INTERNAL, String::new()))))
            .collect();
        ended.into_iter().collect()
    })
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
        let begun = together(group.jobs);
        let members = group.members.into_iter().map(|member| Job {
            current: member.current,
            run: Box::new(|| member.run()),
        });
        let made = together(members.collect());
        begun.and(made).map_err(|(code, text)| {
            refuse(
                code,
                format_args!("{call} failed: a call of the group has failed: {text}"),
            )
        })
    };
    code(end())
}
