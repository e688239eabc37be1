//! Events that processes share (`acl/acl_rt.h`).
//!
//! An event with `ACL_EVENT_IPC` is a file in memory, which each process of the event opens. The file lists the records
//! whose work is not over yet, and says which record is the latest. A wait is for the record that is the latest at the
//! call, in whatever process it was made. As in the runtime's public source, there is nothing to wait for in front of
//! the first record, and a wait has no limit.
//!
//! The handles are found as the keys of memory (`memory/share`), and the driver's code for a wrong one is the same, which is an
//! assumption. If the process of a record ends in front of it, a wait for it fails here. On a card it may last for ever.

use std::ffi::{CStr, c_char};
use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::process;
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use ascendcl_sys::{
    ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, ACL_ERROR_RT_TASK_TIMEOUT, ACL_ERROR_RT_TS_ERROR,
    ACL_EVENT_IPC, ACL_IPC_EVENT_HANDLE_SIZE, ACL_SUCCESS, aclError, aclrtEvent,
    aclrtIpcEventHandle,
};

use super::{run_out, unsupported};
use crate::check;
use crate::engine::current::current;
use crate::engine::drive::nudge;
use crate::engine::queue::{Blocked, Stream};
use crate::engine::signal::Kind;
use crate::engine::submit::{self, Target};
use crate::engine::task::{Fault, Point, Task};
use crate::engine::work::{Others, Work};
use crate::error::{fail, null};
use crate::graph;
use crate::object_calls::{attempt, invalid_below, not_null};
use crate::space::pages::Pages;
use crate::space::share::{self, KEY, Share, refused};
use crate::sync::lock;

/// The start of a handle; the number of its share follows.
const PREFIX: &str = "ascendcl-event-";
/// The time between two looks at the file.
const LOOK: Duration = Duration::from_millis(1);
/// The most records of an event whose work is not over, as in the runtime.
const PLACES: u64 = 8192;
/// The bytes of a place.
const PLACE: u64 = 16;

/// A record of an event, in any of its processes.
#[derive(Debug, Clone, Copy)]
struct Record {
    place: u64,
    /// It differs from the numbers of other records of the event.
    number: u64,
}

/// What is known of the work of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Over,
    Pending,
    /// The process of the record has ended in front of it.
    Lost,
}

/// The file of an event: 0 is the place of the latest record, with its number. Each other one is free (0), or has the number of
/// a record whose work is not over, and its process.
#[derive(Debug, Clone)]
struct Records(Arc<Pages>);

/// A file that nobody else reads or writes meanwhile.
struct Held<'a> {
    file: &'a File,
    /// A lock of a file is one of its process.
    _here: MutexGuard<'static, ()>,
}

impl Held<'_> {
    fn read(&self, place: u64) -> io::Result<(u64, u64)> {
        let mut bytes = [0; PLACE as usize];
        self.file.read_exact_at(&mut bytes, place * PLACE)?;
        let both = u128::from_le_bytes(bytes);
        // CAST: the two halves.
        Ok(((both >> 64) as u64, both as u64))
    }

    fn write(&self, place: u64, (first, second): (u64, u64)) -> io::Result<()> {
        let both = u128::from(first) << 64 | u128::from(second);
        self.file.write_all_at(&both.to_le_bytes(), place * PLACE)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // SAFETY: the call has only numbers as arguments.
        unsafe { libc::flock(self.file.as_raw_fd(), libc::LOCK_UN) };
    }
}

impl Records {
    fn new() -> io::Result<Records> {
        let bytes = (PLACES + 1) * PLACE;
        Ok(Records(Arc::new(Pages::new(share::NAME, bytes as usize)?)))
    }

    fn hold(&self) -> Held<'_> {
        static HERE: Mutex<()> = Mutex::new(());
        let here = lock(&HERE);
        let file = self.0.file();
        // SAFETY: the call has only numbers as arguments.
        unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX) };
        Held { file, _here: here }
    }

    /// Enters a record of this process; `None` if too many are not over.
    fn begin(&self) -> io::Result<Option<Record>> {
        let held = self.hold();
        let number = held.read(0)?.0 + 1;
        for place in 1..=PLACES {
            if held.read(place)?.0 == 0 {
                held.write(place, (number, process::id().into()))?;
                held.write(0, (number, place))?;
                return Ok(Some(Record { place, number }));
            }
        }
        Ok(None)
    }

    /// Enters that the work of a record is over.
    fn end(&self, record: Record) -> io::Result<()> {
        let held = self.hold();
        if held.read(record.place)?.0 == record.number {
            held.write(record.place, (0, 0))?;
        }
        Ok(())
    }

    /// The latest record; `None` if there was none yet.
    fn latest(&self) -> Option<Record> {
        let (number, place) = self.hold().read(0).ok()?;
        (number != 0).then_some(Record { place, number })
    }

    fn state(&self, record: Record) -> State {
        match self.hold().read(record.place) {
            Ok((number, process)) if number == record.number => {
                // A process that was killed has no program any more, also while its parent has not learned of it.
                match fs::read_link(format!("/proc/{process}/exe")) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => State::Lost,
                    _ => State::Pending,
                }
            }
            _ => State::Over,
        }
    }
}

/// An event of this process.
#[derive(Debug)]
struct Shared {
    event: usize,
    records: Records,
    /// What other processes find, as soon as the program has asked for a handle.
    share: Option<Share>,
    /// The latest record by this process, with its stream and its number there.
    own: Option<(Record, Point)>,
}

static ALL: Mutex<Vec<Shared>> = Mutex::new(Vec::new());

/// The records of an event, the latest one, and its task if this process has made it.
type Found = (Records, Option<(Record, Option<Point>)>);

/// Returns the records of an event, and the latest one with its task if this process has made it.
fn find(call: &str, event: aclrtEvent) -> Result<Found, aclError> {
    let all = lock(&ALL);
    let Some(shared) = all.iter().find(|shared| shared.event == event.addr()) else {
        return Err(submit::stale(call, "event", event.addr()));
    };
    let (records, own) = (shared.records.clone(), shared.own);
    drop(all);
    let latest = records.latest().map(|latest| {
        let own = own.filter(|(own, _)| own.number == latest.number);
        (latest, own.map(|(_, local)| local))
    });
    Ok((records, latest))
}

/// Creates an event of this process for a file.
fn enter(call: &str, records: Records) -> Result<aclrtEvent, aclError> {
    let mut event = ptr::null_mut();
    // SAFETY: a reference is valid for a write.
    let code = unsafe { super::create(call, &raw mut event, Kind::Ex(ACL_EVENT_IPC), false) };
    if code != ACL_SUCCESS {
        return Err(code);
    }
    lock(&ALL).push(Shared {
        event: event.addr(),
        records,
        share: None,
        own: None,
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
    let records = Records::new().map_err(|error| no_file(call, &error))?;
    enter(call, records)
}

/// Ends what this process has of an event. Queued tasks have the file until they are over.
pub(super) fn forget(event: aclrtEvent) {
    lock(&ALL).retain(|shared| shared.event != event.addr());
}

pub(crate) unsafe extern "C" fn aclrtIpcGetEventHandle(
    event: aclrtEvent,
    handle: *mut aclrtIpcEventHandle,
) -> aclError {
    let call = "aclrtIpcGetEventHandle";
    if handle.is_null() || event.is_null() {
        return null(call, "handle or event");
    }
    let number = attempt!(export(call, event));
    let mut key = [0; KEY];
    // SAFETY: an array of `KEY` characters.
    unsafe { share::write_key(PREFIX, number, key.as_mut_ptr()) };
    let mut reserved = [0; ACL_IPC_EVENT_HANDLE_SIZE];
    // A text with its zero is much shorter than both.
    reserved
        .iter_mut()
        .zip(key)
        .for_each(|(to, from)| *to = from);
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { handle.write(aclrtIpcEventHandle { reserved }) };
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
    let mut all = lock(&ALL);
    let Some(shared) = all.iter_mut().find(|shared| shared.event == event.addr()) else {
        return Err(submit::stale(call, "event", event.addr()));
    };
    if let Some(share) = &shared.share {
        return Ok(share.number());
    }
    let pages = Arc::clone(&shared.records.0);
    let len = pages.len();
    let share = Share::new(pages, len, true).map_err(|error| no_file(call, &error))?;
    Ok(shared.share.insert(share).number())
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
    let bytes = handle.reserved.map(c_char::to_ne_bytes);
    let text = CStr::from_bytes_until_nul(bytes.as_flattened());
    let number = text.ok().and_then(|text| share::number_of(PREFIX, text));
    let Some(number) = number else {
        return Err(refused(
            call,
            format_args!("the handle is none of aclrtIpcGetEventHandle"),
        ));
    };
    let found = share::find(number);
    let (_, pages) = found.map_err(|why| {
        refused(
            call,
            format_args!("{}", why.text("the event of the handle")),
        )
    })?;
    enter(call, Records(Arc::new(pages)))
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
    let (records, _) = find(call, event)?;
    let begun = records.begin().map_err(|error| no_file(call, &error))?;
    let record = begun.ok_or_else(|| run_out(call))?;
    let task = Arc::new(Done { records, record });
    let tell = |number| {
        check::note(&|checker| checker.recorded(stream.stream.slot(), number, event.addr()));
    };
    let code = submit::push_told(call, stream, false, &tell, |number| {
        let mut all = lock(&ALL);
        if let Some(shared) = all.iter_mut().find(|shared| shared.event == event.addr()) {
            shared.own = Some((record, (stream.stream, number)));
        }
        Task::Other(Box::new(task))
    });
    if code == ACL_SUCCESS {
        Ok(())
    } else {
        Err(code)
    }
}

/// The task of a record. When it ends, the record is over, also if it did not run.
struct Done {
    records: Records,
    record: Record,
}

impl Drop for Done {
    fn drop(&mut self) {
        let _ = self.records.end(self.record);
    }
}

impl Work for Arc<Done> {
    fn call(&self) -> &'static str {
        "aclrtRecordEvent"
    }

    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        let ended = self.records.end(self.record);
        ended.map_err(|_| Fault(ACL_ERROR_RT_TS_ERROR))
    }

    /// No graph has such a task.
    fn again(&self) -> Box<dyn Work> {
        Box::new(Arc::clone(self))
    }
}

/// Makes a stream wait for the latest record.
pub(super) fn wait(call: &str, event: aclrtEvent, stream: Target) -> Result<(), aclError> {
    not_kept(call, stream)?;
    let (records, latest) = find(call, event)?;
    let Some((record, local)) = latest else {
        check::tell(call, &|checker, site| {
            checker.waits_for_nothing(event.addr(), site);
        });
        return Ok(());
    };
    check::note(&|checker| checker.waits(stream.stream.slot(), event.addr()));
    if records.state(record) == State::Over {
        return submit::failure(call, stream.stream).map_or(Ok(()), Err);
    }
    let task = Await {
        records,
        record,
        local,
    };
    match submit::push_told(call, stream, false, &|_| {}, |_| {
        Task::Other(Box::new(task))
    }) {
        ACL_SUCCESS => Ok(()),
        code => Err(code),
    }
}

/// The task that waits for a record.
#[derive(Debug, Clone)]
struct Await {
    records: Records,
    record: Record,
    local: Option<Point>,
}

impl Work for Await {
    fn call(&self) -> &'static str {
        "aclrtStreamWaitEvent"
    }

    fn blocked(&mut self, _: &'static Stream, _: u64) -> Option<(Blocked, Option<Instant>)> {
        if self.records.state(self.record) != State::Pending {
            return None;
        }
        let local = self
            .local
            .filter(|(stream, number)| stream.completed() < *number);
        let blocked = local.map_or(Blocked::Elsewhere, |(stream, number)| {
            Blocked::Stream(stream, number)
        });
        Some((blocked, Some(Instant::now() + LOOK)))
    }

    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        if self.records.state(self.record) == State::Lost {
            return Err(Fault(ACL_ERROR_RT_TASK_TIMEOUT));
        }
        Ok(())
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }

    fn others(&self) -> Others {
        Others::Streams
    }
}

/// Returns whether the work of the latest record is over, or there is no record.
pub(super) fn is_reached(call: &str, event: aclrtEvent) -> Result<bool, aclError> {
    let (records, latest) = find(call, event)?;
    let Some((record, local)) = latest else {
        return Ok(true);
    };
    if let Some((stream, number)) = local {
        nudge(stream, number);
    }
    let is_over = records.state(record) == State::Over;
    if is_over {
        check::note(&|checker| checker.event_reached(event.addr()));
    }
    Ok(is_over)
}

/// Waits for the work of the record that is the latest at the call.
pub(super) fn synchronise(
    call: &str,
    event: aclrtEvent,
    deadline: Option<Instant>,
) -> Result<(), aclError> {
    let (records, Some((record, local))) = find(call, event)? else {
        return Ok(());
    };
    let late = |why: &str| {
        fail(
            ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
            format_args!("{call} failed: {why}"),
        )
    };
    loop {
        match records.state(record) {
            State::Over => break,
            State::Lost => return Err(late("the process of the record has ended in front of it")),
            State::Pending => {}
        }
        if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            return Err(late("the event was not reached in time; wait again"));
        }
        match local.filter(|(stream, number)| stream.completed() < *number) {
            Some((stream, number)) => {
                submit::not_inside(call, stream)?;
                // The state says whether it was in time.
                let _ = submit::drive_to(call, stream, number, deadline)?;
            }
            None => thread::sleep(LOOK),
        }
    }
    check::note(&|checker| checker.event_reached(event.addr()));
    Ok(())
}
