//! Histograms and maps of pixel values (`acldvppHist`, `acldvppLutMap`).
//!
//! The program gets addresses of their contents. A task keeps the content of its histogram alive, so a histogram that is
//! destroyed too early does no harm.

use std::cell::UnsafeCell;
use std::sync::Arc;

use ascendcl_sys::{ACL_SUCCESS, aclError, acldvppHist, acldvppLutMap};

use super::object::{self, newer, ready};
use crate::handles::registry::Fate;
use crate::object_calls::{Objects, invalid, not_null, status};

/// Numbers of each component that the program reads and writes by their address.
#[derive(Debug)]
pub(super) struct Shared<T>(UnsafeCell<[[T; 256]; 3]>);

// SAFETY: the numbers are plain, and tasks access them by `read` and `write` alone. That nobody else does so meanwhile is
// the contract of the C functions that give the address away, as for memory of a copy.
unsafe impl<T: Send> Sync for Shared<T> {}

impl<T: Copy> Shared<T> {
    fn new(number: T) -> Arc<Shared<T>> {
        Arc::new(Shared(UnsafeCell::new([[number; 256]; 3])))
    }

    /// The address of the numbers of a component.
    fn component(&self, index: usize) -> Option<*mut T> {
        let all: *mut [T; 256] = self.0.get().cast();
        // At most two steps of three.
        (index < 3).then(|| all.wrapping_add(index).cast())
    }

    /// Copies the numbers.
    fn read(&self) -> [[T; 256]; 3] {
        // SAFETY: a valid pointer; nobody writes there meanwhile (contract of the C function that gave the address away).
        unsafe { self.0.get().read_volatile() }
    }

    /// Replaces the numbers.
    pub(super) fn write(&self, numbers: [[T; 256]; 3]) {
        // SAFETY: a valid pointer; nobody uses it meanwhile (contract of the C function that gave the address away).
        unsafe { self.0.get().write_volatile(numbers) };
    }
}

/// A histogram.
#[derive(Debug, Clone)]
pub(super) struct Histogram {
    pub(super) counts: Arc<Shared<u32>>,
    ret_code: u32,
}

static HISTOGRAMS: Objects<Histogram> = Objects::new("acldvppHist", 0x77);
static MAPS: Objects<Arc<Shared<u8>>> = Objects::new("acldvppLutMap", 0x78);

/// Returns the counters of a histogram for a task.
pub(super) fn counters(call: &str, hist: *const acldvppHist) -> Result<Arc<Shared<u32>>, aclError> {
    HISTOGRAMS.with(call, "hist", hist, &mut |hist| Arc::clone(&hist.counts))
}

/// Writes the status of a task into its histogram, unless that was destroyed.
pub(super) fn finish(handle: usize, code: u32) {
    HISTOGRAMS.registry.visit(handle, &mut |hist| {
        hist.ret_code = code;
        (Fate::Keep, ())
    });
}

/// Copies a map.
pub(super) fn map(call: &str, map: *const acldvppLutMap) -> Result<[[u8; 256]; 3], aclError> {
    MAPS.with(call, "lutMap", map, &mut |map| map.read())
}

#[cold]
fn outside(call: &str, dim: u32) -> aclError {
    invalid(call, format_args!("dim is {dim}; there are 3 components"))
}

pub(crate) unsafe extern "C" fn acldvppCreateLutMap() -> *mut acldvppLutMap {
    let call = "acldvppCreateLutMap";
    if ready(call).is_err() || newer(call).is_err() {
        return std::ptr::null_mut();
    }
    MAPS.create(call, Shared::new(0))
}

pub(crate) unsafe extern "C" fn acldvppDestroyLutMap(lutMap: *mut acldvppLutMap) -> aclError {
    if lutMap.is_null() {
        return ACL_SUCCESS;
    }
    MAPS.destroy("acldvppDestroyLutMap", "lutMap", lutMap)
}

pub(crate) unsafe extern "C" fn acldvppGetLutMapDims(lutMap: *const acldvppLutMap) -> u32 {
    MAPS.with("acldvppGetLutMapDims", "lutMap", lutMap, &mut |_| 3)
        .unwrap_or(0)
}

pub(crate) unsafe extern "C" fn acldvppGetLutMapData(
    lutMap: *const acldvppLutMap,
    dim: u32,
    data: *mut *mut u8,
    len: *mut u32,
) -> aclError {
    let call = "acldvppGetLutMapData";
    status((|| {
        not_null(call, "lutMap", lutMap)?;
        not_null(call, "data", data)?;
        not_null(call, "len", len)?;
        let found = MAPS.with(call, "lutMap", lutMap, &mut |map| {
            map.component(dim as usize)
        })?;
        let found = found.ok_or_else(|| outside(call, dim))?;
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { data.write(found) };
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { len.write(256) };
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn acldvppCreateHist() -> *mut acldvppHist {
    let call = "acldvppCreateHist";
    if ready(call).is_err() || newer(call).is_err() {
        return std::ptr::null_mut();
    }
    let histogram = Histogram {
        counts: Shared::new(0),
        ret_code: 0,
    };
    object::create(&HISTOGRAMS, call, histogram)
}

pub(crate) unsafe extern "C" fn acldvppDestroyHist(hist: *mut acldvppHist) -> aclError {
    object::destroy(&HISTOGRAMS, "acldvppDestroyHist", "hist", hist)
}

pub(crate) unsafe extern "C" fn acldvppGetHistDims(hist: *mut acldvppHist) -> u32 {
    HISTOGRAMS
        .with("acldvppGetHistDims", "hist", hist, &mut |_| 3)
        .unwrap_or(0)
}

pub(crate) unsafe extern "C" fn acldvppGetHistData(
    hist: *mut acldvppHist,
    dim: u32,
    data: *mut *mut u32,
    len: *mut u16,
) -> aclError {
    let call = "acldvppGetHistData";
    status((|| {
        not_null(call, "hist", hist)?;
        not_null(call, "data", data)?;
        not_null(call, "len", len)?;
        let found = HISTOGRAMS.with(call, "hist", hist, &mut |hist| {
            hist.counts.component(dim as usize)
        })?;
        let found = found.ok_or_else(|| outside(call, dim))?;
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { data.write(found) };
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { len.write(256) };
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn acldvppGetHistRetCode(hist: *mut acldvppHist) -> u32 {
    let call = "acldvppGetHistRetCode";
    object::with(&HISTOGRAMS, call, "hist", hist, false, &mut |hist| {
        hist.ret_code
    })
    .unwrap_or(0)
}

pub(crate) unsafe extern "C" fn acldvppClearHist(hist: *mut acldvppHist) -> aclError {
    let call = "acldvppClearHist";
    status(object::with(
        &HISTOGRAMS,
        call,
        "hist",
        hist,
        true,
        &mut |hist| {
            hist.counts.write([[0; 256]; 3]);
            hist.ret_code = 0;
        },
    ))
}
