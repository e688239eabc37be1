//! Notifies that processes share (`acl/acl_rt.h`).
//!
//! A process exports a notify with a key, and others import it. An import is for records alone: only the process that
//! made the notify may wait for it (manual). Both sides have a file in memory with one byte. A record in another process
//! writes the byte, and a thread of the owner sets the flag of the notify when it finds it. So a wait is the same as for
//! a notify of one process.
//!
//! The keys are as those of memory (`memory/share`), and so are the codes, which is an assumption.

use std::ffi::{CStr, c_char};
use std::os::unix::fs::FileExt;
use std::ptr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use ascendcl_sys::{
    ACL_ERROR_RT_TS_ERROR, ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT,
    ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION, ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT,
    ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS, ACL_SUCCESS, aclError, aclrtNotify, aclrtStream,
};

use super::notify::{self, Notify};
use super::raise;
use crate::check;
use crate::engine::current::current;
use crate::engine::queue::Stream;
use crate::engine::submit::{self, own};
use crate::engine::task::{Fault, Task};
use crate::engine::work::Work;
use crate::error::null;
use crate::object_calls::{attempt, invalid_below};
use crate::space::pages::Pages;
use crate::space::share::{self, KEY, PROCESSES, Share, refused};
use crate::sync::{Mutex, lock, threads};

/// The start of a key; the number of its share follows.
const PREFIX: &str = "ascendcl-notify-";
/// The time between two looks at the signals of other processes.
const LOOK: Duration = Duration::from_millis(1);

/// A notify of this process that others may have imported.
#[derive(Debug)]
struct Exported {
    notify: usize,
    event: usize,
    is_open: bool,
    share: Share,
}

/// What this process exports.
#[derive(Debug)]
struct All {
    exported: Vec<Exported>,
    /// Whether a thread looks at the signals.
    is_seen_to: bool,
}

static ALL: Mutex<All> = Mutex::new(All {
    exported: Vec::new(),
    is_seen_to: false,
});

/// Ends the export of a notify that was destroyed.
pub(super) fn forget(notify: usize) {
    lock(&ALL).exported.retain(|one| one.notify != notify);
}

pub(crate) unsafe extern "C" fn aclrtNotifyGetExportKey(
    notify: aclrtNotify,
    key: *mut c_char,
    len: usize,
    flags: u64,
) -> aclError {
    let call = "aclrtNotifyGetExportKey";
    if notify.is_null() || key.is_null() {
        return null(call, "notify or key");
    }
    let known = [
        ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT,
        ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION,
    ];
    if len < KEY || !known.contains(&flags) {
        return invalid_below(
            call,
            format_args!(
                "len is {len}, flags is {flags:#x}; pass {KEY} for the key, and flags 0 or 2"
            ),
        );
    }
    let number = attempt!(export(
        call,
        notify,
        flags != ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT
    ));
    // SAFETY: not null; the caller's contract: valid for writes of `len` bytes, of which there are `KEY`.
    unsafe { share::write_key(PREFIX, number, key) };
    ACL_SUCCESS
}

/// Offers the file of a notify to other processes, and returns its number.
fn export(call: &str, notify: aclrtNotify, is_open: bool) -> Result<u64, aclError> {
    let event = notify::own(call, notify)?;
    current(call)?;
    let mut all = lock(&ALL);
    let of_it = |one: &&Exported| one.notify == notify.addr();
    // A notify has one key of each kind, however often a program asks.
    let mut known = all.exported.iter().filter(of_it);
    if let Some(known) = known.find(|one| one.is_open == is_open) {
        return Ok(known.share.number());
    }
    let same = all.exported.iter().find(of_it);
    let pages = match same {
        Some(one) => Ok(Arc::clone(&one.share.memory)),
        None => Pages::new(share::NAME, 1).map(Arc::new),
    };
    let share = pages.and_then(|pages| Share::new(pages, 1, is_open));
    let share = share.map_err(|error| {
        refused(
            call,
            format_args!("the system gave no file that processes can share: {error}"),
        )
    })?;
    let number = share.number();
    all.exported.push(Exported {
        notify: notify.addr(),
        event: event.addr(),
        is_open,
        share,
    });
    if !all.is_seen_to {
        all.is_seen_to = threads::start("ascendcl-notify".to_owned(), Box::new(see_to));
    }
    if all.is_seen_to {
        return Ok(number);
    }
    all.exported.pop();
    Err(refused(
        call,
        format_args!("the system has no more threads"),
    ))
}

/// Runs the thread that turns the signals of other processes into flags. It ends when nothing is exported any more.
fn see_to() {
    loop {
        thread::sleep(LOOK);
        let mut all = lock(&ALL);
        if all.exported.is_empty() {
            all.is_seen_to = false;
            return;
        }
        for one in &all.exported {
            let file = one.share.memory.file();
            let mut signal = [0];
            let is_set = file.read_exact_at(&mut signal, 0).is_ok() && signal != [0];
            // A second signal before the flag is set is one with the first, as on a card.
            if is_set && file.write_all_at(&[0], 0).is_ok() {
                raise(ptr::without_provenance_mut(one.event));
            }
        }
    }
}

pub(crate) unsafe extern "C" fn aclrtNotifySetImportPid(
    notify: aclrtNotify,
    pid: *mut i32,
    num: usize,
) -> aclError {
    let call = "aclrtNotifySetImportPid";
    if notify.is_null() || pid.is_null() {
        return null(call, "notify or pid");
    }
    // SAFETY: not null; the caller's contract: `num` process ids.
    let processes = attempt!(unsafe { share::processes(call, pid, num, "") });
    let mut all = lock(&ALL);
    let mut shares = all
        .exported
        .iter_mut()
        .filter(|one| one.notify == notify.addr())
        .peekable();
    if shares.peek().is_none() {
        return refused(
            call,
            format_args!("the notify has no key; call aclrtNotifyGetExportKey first"),
        );
    }
    if shares.all(|one| one.share.allow(processes)) {
        return ACL_SUCCESS;
    }
    refused(
        call,
        format_args!("a notify is for {PROCESSES} processes at most; export it without validation"),
    )
}

pub(crate) unsafe extern "C" fn aclrtNotifyImportByKey(
    notify: *mut aclrtNotify,
    key: *const c_char,
    flags: u64,
) -> aclError {
    let call = "aclrtNotifyImportByKey";
    if notify.is_null() || key.is_null() {
        return null(call, "notify or key");
    }
    // Access to the other device needs no flag: the emulator has no memory of it here.
    let known = [
        ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT,
        ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS,
    ];
    if !known.contains(&flags) {
        return invalid_below(call, format_args!("flags is {flags:#x}; pass 0 or 2"));
    }
    // SAFETY: not null; the caller's contract: a C string.
    let key = unsafe { CStr::from_ptr(key) };
    let imported = current(call).and_then(|_| {
        let number = share::number_of(PREFIX, key).ok_or_else(|| {
            refused(
                call,
                format_args!("{key:?} is no key of aclrtNotifyGetExportKey"),
            )
        })?;
        let found = share::find(number);
        let (_, pages) = found
            .map_err(|why| refused(call, format_args!("{}", why.text("the notify of the key"))))?;
        Ok(notify::insert(Notify::Imported(Arc::new(pages))))
    });
    let handle = attempt!(imported);
    check::tell(call, &|checker, site| {
        checker.created(handle.addr(), "notify", site);
    });
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { notify.write(handle) };
    ACL_SUCCESS
}

/// The record of a notify of another process.
#[derive(Debug, Clone)]
struct Signal(Arc<Pages>);

impl Work for Signal {
    fn call(&self) -> &'static str {
        "aclrtRecordNotify"
    }

    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        let written = self.0.file().write_all_at(&[1], 0);
        written.map_err(|_| Fault(ACL_ERROR_RT_TS_ERROR))
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }
}

/// Queues the record of an imported notify.
pub(super) fn record(call: &str, pages: Arc<Pages>, stream: aclrtStream) -> aclError {
    let target = submit::find(call, stream).and_then(|found| own(call, found));
    match target {
        Ok(target) => submit::push_told(call, target, false, &|_| {}, |_| {
            Task::Other(Box::new(Signal(pages)))
        }),
        Err(code) => code,
    }
}
