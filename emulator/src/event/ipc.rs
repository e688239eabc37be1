//! Events that processes share (`acl/acl_rt.h`).
//!
//! An event with `ACL_EVENT_IPC` is a file in memory, which each process of the event opens. The file lists the records
//! whose work is not over yet, and says which record is the latest. A wait is for the record that is the latest at the
//! call, in whatever process it was made. As in the runtime's public source, there is nothing to wait for in front of
//! the first record, and a wait has no limit.
//!
//! The handles are found as the keys of memory (`memory/share`), and the driver's code for a wrong one is the same, which is an
//! assumption. If the process of a record ends in front of it, a wait for it fails here. On a card it may last for ever.

use std::ffi::CStr;
use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::process;
use std::ptr;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use ascendcl_sys::{
    ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, ACL_ERROR_RT_TASK_TIMEOUT, ACL_ERROR_RT_TS_ERROR,
    ACL_EVENT_IPC, ACL_SUCCESS, aclError, aclrtEvent, aclrtIpcEventHandle,
};

use super::{run_out, unsupported};
use crate::check;
use crate::engine::current::current;
use crate::engine::drive::nudge;
use crate::engine::queue::{Blocked, Stream};
use crate::engine::signal::EventKind;
use crate::engine::submit::{self, Target};
use crate::engine::task::{Fault, Point, Task};
use crate::engine::work::{Others, Work};
use crate::error::{fail, null};
use crate::graph;
use crate::object_calls::{attempt, invalid_below, not_null};
use crate::space::pages::Pages;
use crate::space::share::{self, KEY, Share, refused};
use crate::sync::{Mutex, MutexGuard, lock};

/// The start of a handle; the number of its share follows.
const PREFIX: &str = "ascendcl-event-";
/// The time between two looks at the file.
const LOOK: Duration = Duration::from_millis(1);
/// The most records of an event whose work is not over, as in the runtime.
const PLACES: u64 = 8192;
/// The bytes of a place.
const PLACE: u64 = 16;
/// Marks the process of a record that an abort has dropped: it never happens, and lasts until the event is recorded again.
const DROPPED: u64 = 1 << 63;

/// What is known of the work of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Over,
    Pending,
    /// The process of the record has ended in front of it.
    Lost,
}

/// A file of records that nobody else reads or writes meanwhile: 0 is the place of the latest record, with its number and its
/// place. Each other one is free (0), or has the number of a record whose work is not over, and its process.
struct Held<'a> {
    file: &'a File,
    /// A lock of a file is one of its process.
    _here: MutexGuard<'static, ()>,
}

impl<'a> Held<'a> {
    fn of(pages: &'a Pages) -> Held<'a> {
        static HERE: Mutex<()> = Mutex::new(());
        let here = lock(&HERE);
        let file = pages.file();
        // SAFETY: the call has only numbers as arguments.
        unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX) };
        Held { file, _here: here }
    }

    /// The two numbers of a place; zeros if it cannot be read.
    fn read(&self, place: u64) -> (u64, u64) {
        let mut bytes = [0; PLACE as usize];
        let _ = self.file.read_exact_at(&mut bytes, place * PLACE);
        let both = u128::from_le_bytes(bytes);
        // CAST: the two halves.
        ((both >> 64) as u64, both as u64)
    }

    /// Returns whether the system had the memory.
    fn write(&self, place: u64, first: u64, second: u64) -> bool {
        let both = u128::from(first) << 64 | u128::from(second);
        let written = self.file.write_all_at(&both.to_le_bytes(), place * PLACE);
        written.is_ok()
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // SAFETY: the call has only numbers as arguments.
        unsafe { libc::flock(self.file.as_raw_fd(), libc::LOCK_UN) };
    }
}

/// A record of an event, in any of its processes. It is also the task that makes it, or that waits for it.
struct Record {
    pages: Arc<Pages>,
    place: u64,
    /// It differs from the numbers of other records of the event.
    number: u64,
    /// The task that makes it, if this process has recorded last.
    local: Option<Point>,
    /// Whether this is the task that makes it. When that ends, the record is over, also if it did not run.
    makes: bool,
}

impl Record {
    /// Enters a record of this process; `None` if too many are not over, or the system has no memory.
    fn begin(pages: Arc<Pages>) -> Option<Record> {
        let held = Held::of(&pages);
        let number = held.read(0).0 + 1;
        let mut place = 1;
        loop {
            let (other, of) = held.read(place);
            // A record that an abort has dropped lasts until the next one.
            if other == 0 || of & DROPPED != 0 {
                break;
            }
            place += 1;
            if place > PLACES {
                return None;
            }
        }
        let is_entered =
            held.write(place, number, process::id().into()) && held.write(0, number, place);
        drop(held);
        is_entered.then_some(Record {
            pages,
            place,
            number,
            local: None,
            makes: true,
        })
    }

    /// Enters that the work is over.
    fn end(&self) -> bool {
        let held = Held::of(&self.pages);
        held.read(self.place).0 != self.number || held.write(self.place, 0, 0)
    }

    fn state(&self) -> State {
        let (number, process) = Held::of(&self.pages).read(self.place);
        if number != self.number {
            return State::Over;
        }
        let process = process & !DROPPED;
        // A process that was killed has no program any more, also while its parent has not learned of it.
        match fs::read_link(PathBuf::from(format!("/proc/{process}/exe"))) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => State::Lost,
            _ => State::Pending,
        }
    }

    /// The task of this process that makes the record, unless it is over.
    fn coming(&self) -> Option<Point> {
        match self.local {
            Some((stream, number)) if stream.completed() < number => Some((stream, number)),
            _ => None,
        }
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        if self.makes {
            self.end();
        }
    }
}

impl Work for Record {
    fn call(&self) -> &'static str {
        if self.makes {
            "aclrtRecordEvent"
        } else {
            "aclrtStreamWaitEvent"
        }
    }

    fn blocked(&mut self, _: &'static Stream, _: u64) -> Option<(Blocked, Option<Instant>)> {
        if self.makes || self.state() != State::Pending {
            return None;
        }
        let blocked = match self.coming() {
            Some((stream, number)) => Blocked::Stream(stream, number),
            None => Blocked::Elsewhere,
        };
        Some((blocked, Some(Instant::now() + LOOK)))
    }

    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        if self.makes {
            return if self.end() {
                Ok(())
            } else {
                Err(Fault(ACL_ERROR_RT_TS_ERROR))
            };
        }
        match self.state() {
            State::Lost => Err(Fault(ACL_ERROR_RT_TASK_TIMEOUT)),
            _ => Ok(()),
        }
    }

    fn lose(&mut self) {
        if self.makes {
            let held = Held::of(&self.pages);
            let (number, process) = held.read(self.place);
            self.makes =
                number != self.number || !held.write(self.place, number, process | DROPPED);
        }
    }

    /// No graph has such a task.
    fn again(&self) -> Box<dyn Work> {
        Box::new(Record {
            pages: Arc::clone(&self.pages),
            makes: false,
            ..*self
        })
    }

    fn others(&self) -> Others {
        Others::Streams
    }
}

/// An event of this process.
struct Shared {
    event: usize,
    pages: Arc<Pages>,
    /// What other processes find, as soon as the program has asked for a handle.
    share: Option<Share>,
    /// The number of the latest record by this process, and the task that makes it.
    own: (u64, Option<Point>),
}

static ALL: Mutex<Vec<Shared>> = Mutex::new(Vec::new());

fn place(all: &[Shared], event: aclrtEvent) -> usize {
    let found = all.iter().position(|shared| shared.event == event.addr());
    found.unwrap_or(usize::MAX)
}

/// Does something with an event.
fn with(
    call: &str,
    event: aclrtEvent,
    act: &mut dyn FnMut(&mut Shared) -> Result<(), aclError>,
) -> Result<(), aclError> {
    let mut all = lock(&ALL);
    let place = place(&all, event);
    match all.get_mut(place) {
        Some(shared) => act(shared),
        None => Err(submit::stale(call, "event", event.addr())),
    }
}

/// Returns the latest record of an event; `None` if there was none yet.
fn latest(call: &str, event: aclrtEvent) -> Result<Option<Record>, aclError> {
    let mut latest = None;
    with(call, event, &mut |shared| {
        let (number, place) = Held::of(&shared.pages).read(0);
        if number != 0 {
            let local = shared.own.1.filter(|_| shared.own.0 == number);
            latest = Some(Record {
                pages: Arc::clone(&shared.pages),
                place,
                number,
                local,
                makes: false,
            });
        }
        Ok(())
    })?;
    Ok(latest)
}

/// Creates an event of this process for a file.
fn enter(call: &str, pages: Pages) -> Result<aclrtEvent, aclError> {
    let mut event = ptr::null_mut();
    // SAFETY: a reference is valid for a write.
    let code = unsafe { super::create(call, &raw mut event, EventKind::Ex(ACL_EVENT_IPC), false) };
    if code != ACL_SUCCESS {
        return Err(code);
    }
    lock(&ALL).push(Shared {
        event: event.addr(),
        pages: Arc::new(pages),
        share: None,
        own: (0, None),
    });
    Ok(event)
}

#[cold]
fn no_file(call: &str, error: &io::Error) -> aclError {
    refused(
        call,
        format_args!("the system gave no file that processes can share: {error}"),
    )
}

/// Creates an event that other processes can open.
pub(super) fn create(call: &str) -> Result<aclrtEvent, aclError> {
    current(call)?;
    let bytes = (PLACES + 1) * PLACE;
    match Pages::new(share::NAME, bytes as usize) {
        Ok(pages) => enter(call, pages),
        Err(error) => Err(no_file(call, &error)),
    }
}

/// Ends what this process has of an event. Queued tasks have the file until they are over.
pub(super) fn forget(event: aclrtEvent) {
    let mut all = lock(&ALL);
    let place = place(&all, event);
    if place < all.len() {
        all.swap_remove(place);
    }
}

pub(crate) unsafe extern "C" fn aclrtIpcGetEventHandle(
    event: aclrtEvent,
    handle: *mut aclrtIpcEventHandle,
) -> aclError {
    let call = "aclrtIpcGetEventHandle";
    if handle.is_null() || event.is_null() {
        return null(call, "handle or event");
    }
    let mut key = [0; KEY];
    let number = attempt!(export(call, event));
    // SAFETY: an array of `KEY` characters.
    unsafe { share::write_key(PREFIX, number, key.as_mut_ptr()) };
    // A text with its zero is much shorter than both.
    if let Some(reserved) = key.first_chunk() {
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe {
            handle.write(aclrtIpcEventHandle {
                reserved: *reserved,
            });
        }
    }
    ACL_SUCCESS
}

/// Offers the file of an event to other processes, and returns its number. An event has one handle, however often a program
/// asks.
fn export(call: &'static str, event: aclrtEvent) -> Result<u64, aclError> {
    if !super::find(call, event)?.kind().is_ipc() {
        return Err(invalid_below(
            call,
            format_args!(
                "processes share events of aclrtCreateEventExWithFlag with ACL_EVENT_IPC; {event:p} is none"
            ),
        ));
    }
    let mut number = 0;
    with(call, event, &mut |shared| {
        if shared.share.is_none() {
            let pages = Arc::clone(&shared.pages);
            match Share::new(pages, shared.pages.len(), true) {
                Ok(share) => shared.share = Some(share),
                Err(error) => return Err(no_file(call, &error)),
            }
        }
        number = shared.share.as_ref().map_or(0, Share::number);
        Ok(())
    })?;
    Ok(number)
}

pub(crate) unsafe extern "C" fn aclrtIpcOpenEventHandle(
    handle: aclrtIpcEventHandle,
    event: *mut aclrtEvent,
) -> aclError {
    let call = "aclrtIpcOpenEventHandle";
    attempt!(not_null(call, "event", event));
    let opened = attempt!(open(call, &handle));
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { event.write(opened) };
    ACL_SUCCESS
}

fn open(call: &str, handle: &aclrtIpcEventHandle) -> Result<aclrtEvent, aclError> {
    current(call)?;
    let mut text = [0; KEY];
    if let Some(front) = text.first_chunk_mut() {
        *front = handle.reserved;
    }
    // SAFETY: the last character is the zero behind those of the handle.
    let text = unsafe { CStr::from_ptr(text.as_ptr()) };
    let Some(number) = share::number_of(PREFIX, text) else {
        return Err(refused(
            call,
            format_args!("the handle is none of aclrtIpcGetEventHandle"),
        ));
    };
    match share::find(number) {
        Ok((_, pages)) => enter(call, pages),
        Err(why) => Err(refused(
            call,
            format_args!("{}", why.text("the event of the handle")),
        )),
    }
}

/// Refuses streams whose tasks a graph stores.
fn not_kept(call: &str, stream: Target) -> Result<(), aclError> {
    if graph::is_kept(stream) {
        return Err(unsupported(
            call,
            "a graph has no events that processes share",
        ));
    }
    Ok(())
}

/// Queues a record.
pub(super) fn record(call: &str, event: aclrtEvent, stream: Target) -> Result<(), aclError> {
    not_kept(call, stream)?;
    let mut begun = None;
    with(call, event, &mut |shared| {
        begun = Record::begin(Arc::clone(&shared.pages));
        Ok(())
    })?;
    let record = begun.ok_or_else(|| run_out(call))?;
    let of_it = record.number;
    queue(call, stream, record, &|number| {
        let _ = with(call, event, &mut |shared| {
            shared.own = (of_it, Some((stream.stream, number)));
            Ok(())
        });
        check::note(&|checker| checker.recorded(stream.stream.slot(), number, event.addr()));
    })
}

/// Queues a task of a record. `tell` gets its number in front of its run.
fn queue(call: &str, stream: Target, task: Record, tell: &dyn Fn(u64)) -> Result<(), aclError> {
    let code = submit::push_told(call, stream, false, &|_| {}, |number| {
        tell(number);
        Task::Other(Box::new(task))
    });
    if code == ACL_SUCCESS {
        Ok(())
    } else {
        Err(code)
    }
}

/// Makes a stream wait for the latest record.
pub(super) fn wait(call: &str, event: aclrtEvent, stream: Target) -> Result<(), aclError> {
    not_kept(call, stream)?;
    let Some(record) = latest(call, event)? else {
        check::tell(call, &|checker, site| {
            checker.waits_for_nothing(event.addr(), site);
        });
        return Ok(());
    };
    check::note(&|checker| checker.waits(stream.stream.slot(), event.addr()));
    if record.state() != State::Over {
        return queue(call, stream, record, &|_| {});
    }
    submit::failure(call, stream.stream).map_or(Ok(()), Err)
}

/// Returns whether the work of the latest record is over, or there is no record.
pub(super) fn is_reached(call: &str, event: aclrtEvent) -> Result<bool, aclError> {
    let Some(record) = latest(call, event)? else {
        return Ok(true);
    };
    if let Some((stream, number)) = record.coming() {
        nudge(stream, number);
    }
    let is_over = record.state() == State::Over;
    if is_over {
        reached(event);
    }
    Ok(is_over)
}

fn reached(event: aclrtEvent) {
    check::note(&|checker| checker.event_reached(event.addr()));
}

/// Waits for the work of the record that is the latest at the call.
pub(super) fn synchronise(
    call: &str,
    event: aclrtEvent,
    deadline: Option<Instant>,
) -> Result<(), aclError> {
    let Some(record) = latest(call, event)? else {
        return Ok(());
    };
    let why = loop {
        match record.state() {
            State::Over => {
                reached(event);
                return Ok(());
            }
            State::Lost => break "the process of the record has ended in front of it",
            State::Pending => {}
        }
        if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            break "the event was not reached in time; wait again";
        }
        match record.coming() {
            Some((stream, number)) => {
                submit::not_inside(call, stream)?;
                // The state says whether it was in time.
                let _ = submit::drive_to(call, stream, number, deadline)?;
            }
            None => thread::sleep(LOOK),
        }
    };
    Err(fail(
        ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
        format_args!("{call} failed: {why}"),
    ))
}
