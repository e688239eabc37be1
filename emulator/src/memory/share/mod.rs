//! Device memory that processes share (`acl/acl_rt.h`).
//!
//! The owner of an allocation offers it with a key. Another process imports it by the key. The import has an address
//! of that process, in the memory of its current device. The programs decide in which order they close them: the
//! pages exist for as long as any process has them.
//!
//! The checks of the arguments are those of the runtime's public source (`hicann/runtime`). Less is known about the
//! calls that the driver refuses with `ACL_ERROR_RT_DRV_INTERNAL_ERROR`; these are assumptions:
//!
//! - A process cannot import its own key. The manual says so for shareable handles; for keys it only implies it.
//! - An allocation is offered from its start, and up to the padding at its end.
//! - The buffer for a key has 65 characters or more; the manual requires 65.

mod handle;

use std::ffi::{CStr, c_char, c_void};
use std::fmt;
use std::ptr;
use std::sync::Arc;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_MEMORY_ALLOCATION,
    ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION,
    ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS, ACL_SUCCESS, aclError,
};

pub(crate) use handle::*;

use crate::check;
use crate::config::RunMode;
use crate::engine::current::{Current, current};
use crate::engine::engine;
use crate::error::{fail, null};
use crate::object_calls::{attempt, invalid_below, not_null};
use crate::space::heap::{Heap, Located, Maker};
use crate::space::pages::Pages;
use crate::space::share::{self, KEY, PROCESSES, Page, Share, Why, refused};
use crate::space::{Location, space};
use crate::sync::{Mutex, lock};

/// The start of a key; the number of its share follows.
const PREFIX: &str = "ascendcl-emulator-";
/// What follows the text about a number that is no process.
const REMEDY: &str = "; pass what aclrtDeviceGetBareTgid answers there";

/// The allocations that this process offers.
static OFFERED: Mutex<Vec<(Located, Share)>> = Mutex::new(Vec::new());

/// The imported memory of other processes, with the numbers of the shares, the oldest first. A key may be imported
/// more than once.
static IMPORTED: Mutex<Vec<(u64, Import)>> = Mutex::new(Vec::new());

/// Memory of another process, at an address of this one.
#[derive(Debug, Clone, Copy)]
struct Import {
    heap: &'static Heap,
    memory: Located,
}

/// Returns the current context; refuses in the run mode `Device`.
fn beside_devices(call: &str) -> Result<Current, aclError> {
    let current = current(call)?;
    on_the_host(call)?;
    Ok(current)
}

fn on_the_host(call: &str) -> Result<(), aclError> {
    if engine().config.run_mode == RunMode::Host {
        return Ok(());
    }
    Err(fail(
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        format_args!("{call} failed: processes cannot share memory in the run mode Device"),
    ))
}

/// Returns the number in a key.
///
/// # Safety
///
/// - `key` is a C string.
unsafe fn number(call: &str, key: *const c_char) -> Result<u64, aclError> {
    // SAFETY: the caller's contract.
    let key = unsafe { CStr::from_ptr(key) };
    share::number_of(PREFIX, key).ok_or_else(|| {
        refused(
            call,
            format_args!("{key:?} is no key of aclrtIpcMemGetExportKey"),
        )
    })
}

/// Moves the pages of an allocation to a file that other processes can open.
fn offer(
    call: &str,
    heap: &Heap,
    memory: &Located,
    len: usize,
    is_open: bool,
) -> Result<Share, aclError> {
    let failed = |why: &dyn fmt::Display| {
        refused(
            call,
            format_args!("the system gave no memory that processes can share: {why}"),
        )
    };
    let pages = Pages::new(share::NAME, Heap::capacity(memory)).map_err(|error| failed(&error))?;
    if !heap.share(memory, &pages, true) {
        return Err(failed(
            &"there is no room for it, or it was freed meanwhile",
        ));
    }
    // The checker gets no reports of writes by other processes.
    check::note(&|checker| checker.may_be_written(memory.start));
    Share::new(Arc::new(pages), len, is_open).map_err(|error| failed(&error))
}

/// Allocates memory of a device and maps the pages of another process there.
fn import(
    call: &str,
    device: u32,
    kind: Maker,
    page: &Page,
    pages: &Pages,
) -> Result<Import, aclError> {
    let space = space();
    let heap = space.device(device);
    let memory = heap.and_then(|heap| {
        let address = heap.allocate(space.blocks(), page.len, kind)?;
        Some((heap, heap.locate(space.blocks(), address)?))
    });
    let Some((heap, memory)) = memory else {
        return Err(fail(
            ACL_ERROR_RT_MEMORY_ALLOCATION,
            format_args!(
                "{call} failed: there are no addresses for {} bytes on device {device}; free some memory, or \
                 give the emulator more (ASCENDCL_EMULATOR_MEMORY)",
                page.len
            ),
        ));
    };
    if heap.share(&memory, pages, false) {
        return Ok(Import { heap, memory });
    }
    heap.free(space.blocks(), &memory);
    Err(refused(
        call,
        format_args!("the system did not map the memory of the other process"),
    ))
}

/// Reports, as the driver does, why a process cannot open a share.
#[cold]
fn denied(call: &str, what: &str, why: Why) -> aclError {
    refused(call, format_args!("{}", why.text(what)))
}

pub(crate) unsafe extern "C" fn aclrtIpcMemGetExportKey(
    devPtr: *mut c_void,
    size: usize,
    key: *mut c_char,
    len: usize,
    flags: u64,
) -> aclError {
    let call = "aclrtIpcMemGetExportKey";
    if devPtr.is_null() || key.is_null() {
        return null(call, "devPtr or key");
    }
    if size == 0 || len == 0 || flags > ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION {
        return invalid_below(
            call,
            format_args!(
                "size is {size}, len is {len}, flags is {flags:#x}; pass the bytes of the allocation, {KEY} \
                 for the key, and flags 0 or 1"
            ),
        );
    }
    let number = attempt!(export(call, devPtr.addr(), size, len, flags != 0));
    // SAFETY: not null; the caller's contract: valid for writes of `len` bytes, of which there are
    // enough (`export` looked).
    unsafe { share::write_key(PREFIX, number, key) };
    ACL_SUCCESS
}

fn export(
    call: &str,
    address: usize,
    size: usize,
    len: usize,
    is_open: bool,
) -> Result<u64, aclError> {
    beside_devices(call)?;
    if len < KEY {
        return Err(refused(
            call,
            format_args!("len is {len}; a key takes {KEY} bytes"),
        ));
    }
    let location = space().locate(address);
    let whole = location.whole(address).filter(|(_, memory)| {
        matches!(memory.kind, Maker::Device | Maker::Dvpp1 | Maker::Dvpp2)
            && size <= Heap::capacity(memory)
    });
    let Some((heap, memory)) = whole else {
        let what = match location {
            Location::Device(_, Some(memory)) if memory.shift != 0 => {
                "which the program mapped itself; export its handle \
                 (aclrtMemExportToShareableHandleV2)"
            }
            Location::Device(_, Some(memory)) if memory.kind == Maker::Imported => {
                "which another process exports"
            }
            Location::Device(_, Some(_)) => "which are not one allocation from its start on",
            _ => "which are no allocated device memory",
        };
        return Err(refused(
            call,
            format_args!("it was given {size} bytes at {address:#x}, {what}"),
        ));
    };
    let mut offered = lock(&OFFERED);
    let same = offered
        .iter()
        .find(|(other, _)| (other.index, other.generation) == (memory.index, memory.generation));
    let share = match same {
        Some((_, share)) => Share::new(Arc::clone(&share.memory), size, is_open)
            .map_err(|error| refused(call, format_args!("the system refused a key: {error}")))?,
        None => offer(call, heap, &memory, size, is_open)?,
    };
    let number = share.number();
    offered.push((memory, share));
    Ok(number)
}

pub(crate) unsafe extern "C" fn aclrtIpcMemSetImportPid(
    key: *const c_char,
    pid: *mut i32,
    num: usize,
) -> aclError {
    let call = "aclrtIpcMemSetImportPid";
    if key.is_null() || pid.is_null() {
        return null(call, "key or pid");
    }
    // SAFETY: not null; the caller's contract: a C string.
    let number = beside_devices(call).and_then(|_| unsafe { number(call, key) });
    let number = attempt!(number);
    // SAFETY: not null; the caller's contract: `num` process ids.
    let processes = unsafe { share::processes(call, pid, num, REMEDY) };
    let allowed = processes.and_then(|processes| {
        let mut offered = lock(&OFFERED);
        let found = offered
            .iter_mut()
            .find(|(_, share)| share.number() == number);
        let (_, share) = found.ok_or_else(|| {
            refused(
                call,
                format_args!("this process exports nothing under the key"),
            )
        })?;
        allow(call, share, processes)
    });
    allowed.err().unwrap_or(ACL_SUCCESS)
}

fn allow(call: &str, share: &mut Share, processes: &[i32]) -> Result<(), aclError> {
    if share.allow(processes) {
        return Ok(());
    }
    Err(refused(
        call,
        format_args!(
            "memory is for {PROCESSES} processes at most; export it without validation of processes"
        ),
    ))
}

pub(crate) unsafe extern "C" fn aclrtIpcMemImportByKey(
    devPtr: *mut *mut c_void,
    key: *const c_char,
    flags: u64,
) -> aclError {
    let call = "aclrtIpcMemImportByKey";
    if devPtr.is_null() || key.is_null() {
        return null(call, "devPtr or key");
    }
    // Access to the other device needs no flag: here the imported memory belongs to the current device.
    if flags > ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS {
        return invalid_below(call, format_args!("flags is {flags:#x}; pass 0 or 1"));
    }
    let current = attempt!(beside_devices(call));
    // SAFETY: not null; the caller's contract: a C string.
    let imported = unsafe { number(call, key) }.and_then(|number| {
        let (page, pages) =
            share::find(number).map_err(|why| denied(call, "the memory of the key", why))?;
        let import = import(call, current.device(), Maker::Imported, &page, &pages)?;
        lock(&IMPORTED).push((number, import));
        check::tell(call, &|checker, site| {
            checker.allocate(import.memory.start, page.len, Maker::Imported, site);
        });
        Ok(import.memory.start)
    });
    let address = attempt!(imported);
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { devPtr.write(ptr::with_exposed_provenance_mut(address)) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtIpcMemClose(key: *const c_char) -> aclError {
    let call = "aclrtIpcMemClose";
    attempt!(not_null(call, "key", key));
    // SAFETY: not null; the caller's contract: a C string.
    let number = beside_devices(call).and_then(|_| unsafe { number(call, key) });
    let number = attempt!(number);
    // If a key was imported several times, each close ends one import, the oldest first.
    let mut imported = lock(&IMPORTED);
    let oldest = imported.iter().position(|(of, _)| *of == number);
    let import = oldest.map(|place| imported.remove(place));
    drop(imported);
    if let Some((_, Import { heap, memory })) = import {
        // A reset of the device may have freed the memory already.
        if memory.is_alive() {
            check::tell(call, &|checker, site| checker.free(memory.start, &site));
            heap.free(space().blocks(), &memory);
        }
        return ACL_SUCCESS;
    }
    let mut offered = lock(&OFFERED);
    let place = offered
        .iter()
        .position(|(_, share)| share.number() == number);
    match place {
        Some(place) => {
            offered.swap_remove(place);
            ACL_SUCCESS
        }
        None => refused(
            call,
            format_args!(
                "this process neither exports nor imports anything under the key (any more)"
            ),
        ),
    }
}
