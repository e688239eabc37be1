//! Communicators: their handles, what they tell, and their end.

use std::ffi::{CStr, c_char};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};

use ascendcl_sys::{
    COMM_NAME_MAX_LENGTH, HCCL_E_PARA, HCCL_E_REMOTE, HCCL_E_SUSPENDING, HCCL_SUCCESS, HcclComm,
    HcclResult,
};

use super::world::World;
use super::{code, device, group, null, pointers, refuse, wrong};
use crate::check;
use crate::handles::registry::Registry;
use crate::sorted::Sorted;
use crate::sync::{Mutex, lock};

/// The word for a communicator.
pub(super) const KIND: &str = "communicator";

static COMMUNICATORS: Registry<Arc<Communicator>> = Registry::new(0x43);

/// A communicator: one rank of a world.
#[derive(Debug)]
pub(super) struct Communicator {
    pub(super) world: Arc<World>,
    pub(super) name: String,
    pub(super) rank: u32,
    pub(super) size: u32,
    /// The handle, as the program has it.
    pub(super) handle: AtomicUsize,
    /// The device of the rank.
    pub(super) device: u32,
    /// Whether all ranks of the process belong to it: it has no parent.
    pub(super) is_global: bool,
    /// The number of collective operations so far.
    operations: AtomicU64,
    /// The number of messages so far: by the other rank, whether they are sent, and whether they are in a batch.
    messages: Mutex<Sorted<(u32, bool, bool), u64>>,
    suspended: AtomicBool,
    /// The options of `HcclSetCommConfig`, by their number.
    pub(super) options: [AtomicI32; 2],
}

/// The names of the communicators of each device.
static NAMES: Mutex<Vec<(u32, String)>> = Mutex::new(Vec::new());

impl Communicator {
    /// Takes the name of a communicator on a device. Two communicators of a device have different names.
    pub(super) fn claim(call: &str, device: u32, name: &str) -> Result<(), HcclResult> {
        let mut names = lock(&NAMES);
        if names
            .iter()
            .any(|(of, taken)| *of == device && taken == name)
        {
            return Err(wrong(
                call,
                format_args!(
                    "device {device} has a communicator named {name:?} already; destroy it first, and give each \
                     rank a device of its own"
                ),
            ));
        }
        names.push((device, name.to_owned()));
        Ok(())
    }

    /// Gives the name back.
    pub(super) fn disclaim(device: u32, name: &str) {
        lock(&NAMES).retain(|(of, taken)| *of != device || taken != name);
    }

    /// Registers a rank of a world whose name was claimed. Returns the handle.
    pub(super) fn open(
        world: Arc<World>,
        name: String,
        (rank, size): (u32, u32),
        device: u32,
        is_global: bool,
    ) -> HcclComm {
        let communicator = Communicator {
            world,
            name,
            rank,
            size,
            handle: AtomicUsize::new(0),
            device,
            is_global,
            operations: AtomicU64::new(0),
            messages: Mutex::default(),
            suspended: AtomicBool::new(false),
            options: Default::default(),
        };
        let communicator = Arc::new(communicator);
        let handle = COMMUNICATORS.insert(Arc::clone(&communicator)).unwrap_or(0);
        communicator.handle.store(handle, Ordering::Relaxed);
        ptr::without_provenance_mut(handle)
    }

    /// Removes a communicator that the program has not got.
    pub(super) fn close(handle: usize) {
        if let Some(communicator) = COMMUNICATORS.get(handle) {
            Communicator::disclaim(communicator.device, &communicator.name);
            COMMUNICATORS.remove(handle);
            ended("HcclCommInitAll", handle);
        }
    }

    /// Returns the number of the next collective operation.
    pub(super) fn next_operation(&self) -> u64 {
        self.operations.fetch_add(1, Ordering::Relaxed)
    }

    /// Notes a collective call with a count of 0: the rank takes no part in the operation.
    pub(super) fn skip(comm: HcclComm, call: &'static str) {
        if let Some(communicator) = COMMUNICATORS.get(comm.addr()) {
            let next = communicator.operations.load(Ordering::Relaxed);
            communicator.world.skip(communicator.rank, call, next);
        }
    }

    /// Returns the number of the next message to or from another rank.
    pub(super) fn next_message(&self, other: u32, sends: bool, in_batch: bool) -> u64 {
        let mut messages = lock(&self.messages);
        let count = messages.get_or_insert_with((other, sends, in_batch), || 0);
        *count += 1;
        *count
    }

    /// Refuses an operation of a suspended communicator.
    pub(super) fn check_running(&self, call: &str) -> Result<(), HcclResult> {
        if !self.suspended.load(Ordering::Relaxed) {
            return Ok(());
        }
        Err(refuse(
            HCCL_E_SUSPENDING,
            format_args!("{call} failed: the communicator is suspended; call HcclCommResume first"),
        ))
    }
}

/// Reports the end of a communicator.
fn ended(call: &str, handle: usize) {
    check::tell(call, &|checker, site| checker.destroyed(handle, &site));
}

/// Returns the communicator of a handle that is not null.
pub(super) fn find(call: &str, comm: HcclComm) -> Result<Arc<Communicator>, HcclResult> {
    COMMUNICATORS.get(comm.addr()).ok_or_else(|| {
        check::tell(call, &|checker, site| {
            checker.stale(KIND, comm.addr(), site);
        });
        refuse(
            HCCL_E_PARA,
            format_args!("{call} failed: {comm:p} is no communicator, or was destroyed already"),
        )
    })
}

/// Calls `look` with the communicator of a handle; refuses null.
fn with(
    call: &str,
    comm: HcclComm,
    (argument, is_null): (&str, bool),
    look: impl FnOnce(&Communicator),
) -> HcclResult {
    code(
        pointers(call, &[("comm", comm.is_null()), (argument, is_null)])
            .and_then(|()| find(call, comm))
            .map(|communicator| look(&communicator)),
    )
}

pub(crate) unsafe extern "C" fn HcclGetRankSize(comm: HcclComm, rankSize: *mut u32) -> HcclResult {
    with(
        "HcclGetRankSize",
        comm,
        ("rankSize", rankSize.is_null()),
        |of| {
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { rankSize.write(of.size) };
        },
    )
}

pub(crate) unsafe extern "C" fn HcclGetRankId(comm: HcclComm, rank: *mut u32) -> HcclResult {
    with("HcclGetRankId", comm, ("rank", rank.is_null()), |of| {
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { rank.write(of.rank) };
    })
}

pub(crate) unsafe extern "C" fn HcclGetCommName(
    comm: HcclComm,
    commName: *mut c_char,
) -> HcclResult {
    with(
        "HcclGetCommName",
        comm,
        ("commName", commName.is_null()),
        |of| {
            let name = of.name.as_bytes();
            let len = name.len().min(COMM_NAME_MAX_LENGTH - 1);
            // SAFETY: not null; the caller's contract: room for 128 bytes, of which at most 127 are written.
            unsafe {
                commName
                    .cast::<u8>()
                    .copy_from_nonoverlapping(name.as_ptr(), len)
            };
            // SAFETY: the byte behind them is inside of the same room.
            unsafe { commName.wrapping_add(len).write(0) };
        },
    )
}

pub(crate) unsafe extern "C" fn HcclGetCommAsyncError(
    comm: HcclComm,
    asyncError: *mut HcclResult,
) -> HcclResult {
    let argument = ("asyncError", asyncError.is_null());
    with("HcclGetCommAsyncError", comm, argument, |of| {
        let error = if of.world.has_failed() {
            HCCL_E_REMOTE
        } else {
            HCCL_SUCCESS
        };
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { asyncError.write(error) };
    })
}

pub(crate) unsafe extern "C" fn HcclCommSuspend(comm: HcclComm) -> HcclResult {
    with("HcclCommSuspend", comm, ("", false), |of| {
        of.suspended.store(true, Ordering::Relaxed);
    })
}

pub(crate) unsafe extern "C" fn HcclCommResume(comm: HcclComm) -> HcclResult {
    with("HcclCommResume", comm, ("", false), |of| {
        of.suspended.store(false, Ordering::Relaxed);
    })
}

/// Queued operations of the communicator run on; the library does not say what happens to them.
pub(crate) unsafe extern "C" fn HcclCommDestroy(comm: HcclComm) -> HcclResult {
    let call = "HcclCommDestroy";
    let destroy = || {
        let current = device(call)?;
        if comm.is_null() {
            return Ok(());
        }
        let communicator = find(call, comm)?;
        if current.device() != communicator.device {
            return Err(wrong(
                call,
                format_args!(
                    "the communicator belongs to device {}, and the current device is {}; call aclrtSetDevice first",
                    communicator.device,
                    current.device()
                ),
            ));
        }
        let handle = comm.addr();
        let end = move || {
            check::tell(call, &|checker, site| checker.destroying(handle, &site));
            if !COMMUNICATORS.remove(handle) {
                return Err(null(call, "comm"));
            }
            Communicator::disclaim(communicator.device, &communicator.name);
            communicator.world.leave(communicator.rank);
            ended(call, handle);
            Ok(())
        };
        if group::is_open() {
            group::add_job(current, Box::new(end));
            return Ok(());
        }
        end()
    };
    code(destroy())
}

/// The texts of the library, by number.
const TEXTS: [&CStr; 25] = [
    c"no error",
    c"parameter error",
    c"empty pointer",
    c"memory error",
    c"internal error",
    c"not support feature",
    c"not found specific resource",
    c"resource unavailable",
    c"call system interface error",
    c"timeout",
    c"open file fail",
    c"tcp connect fail",
    c"roce connect fail",
    c"tcp transfer fail",
    c"roce transfer fail",
    c"call runtime api fail",
    c"call driver api fail",
    c"call profiling api fail",
    c"call cce api fail",
    c"call network api fail",
    c"try again",
    c"error cqe",
    c"error communicator suspending",
    c"retry constraint",
    c"out of memory",
];

pub(crate) unsafe extern "C" fn HcclGetErrorString(code: HcclResult) -> *const c_char {
    let text = usize::try_from(code.0)
        .ok()
        .and_then(|code| TEXTS.get(code));
    text.copied().unwrap_or(c"unknown error").as_ptr()
}
