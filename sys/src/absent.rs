//! Calls of functions that the installed backend lacks, or has with another signature only: the value that
//! they return, and the names of the functions.

use core::cell::Cell;
use std::sync::Mutex;

/// The functions of each area whose libraries did not all load, and those libraries with the message of the loader.
static UNLOADED: Mutex<Vec<Unloaded>> = Mutex::new(Vec::new());

/// The names of functions, and the libraries that may have them.
type Unloaded = (&'static [&'static str], Vec<String>);

thread_local! {
    static LAST: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// The function that this thread called last although its backend lacks it; reading clears it.
///
/// The call itself returned [`ACL_ERROR_API_NOT_SUPPORT`](crate::ACL_ERROR_API_NOT_SUPPORT),
/// [`HCCL_E_NOT_SUPPORT`](crate::HCCL_E_NOT_SUPPORT), null or zero. A real runtime may return that code too, for a function that it has. Then this returns `None`.
#[must_use]
pub fn take() -> Option<&'static str> {
    LAST.take()
}

/// Returns the function that [`take`] would return, and keeps it.
#[must_use]
pub fn peek() -> Option<&'static str> {
    LAST.get()
}

/// The libraries that may have this function and did not load, each with the message of the loader.
///
/// Operators, media, collective communication and the profiler have libraries of their own, which a backend of [`Api::load`](crate::Api::load) loads when the
/// first of their functions is called. Before that, and for other functions and backends, there are none.
#[must_use]
pub fn unloaded(function: &str) -> Vec<String> {
    let unloaded = match UNLOADED.lock() {
        Ok(guard) => guard,
        Err(poisoned) => poisoned.into_inner(),
    };
    let noted = unloaded.iter().find(|(names, _)| names.contains(&function));
    noted
        .map(|(_, libraries)| libraries.clone())
        .unwrap_or_default()
}

/// Stores for [`unloaded`] the libraries of the functions `names` that did not load.
#[cfg(feature = "loaded")]
pub(crate) fn note_unloaded(names: &'static [&'static str], libraries: Vec<String>) {
    let mut unloaded = match UNLOADED.lock() {
        Ok(guard) => guard,
        Err(poisoned) => poisoned.into_inner(),
    };
    unloaded.retain(|(noted, _)| *noted != names);
    unloaded.push((names, libraries));
}

/// Remembers `name` for [`take`] and gives the value that stands for "there is no such function".
///
/// Hundreds of stubs call it. With the calling convention of C none of them needs code for a panic.
#[cold]
pub(crate) extern "C" fn value<T: Absent>(name: &&'static str) -> T {
    LAST.set(Some(*name));
    T::ABSENT
}

/// The value that a missing function of this return type answers with.
pub(crate) trait Absent {
    const ABSENT: Self;
}

impl Absent for i32 {
    const ABSENT: i32 = crate::status::ACL_ERROR_API_NOT_SUPPORT;
}
impl Absent for i64 {
    // The only function with this result returns a size, and a size is not negative.
    const ABSENT: i64 = -1;
}
impl Absent for () {
    const ABSENT: () = ();
}
impl Absent for u16 {
    const ABSENT: u16 = 0;
}
impl Absent for u32 {
    const ABSENT: u32 = 0;
}
impl Absent for usize {
    const ABSENT: usize = 0;
}
impl Absent for crate::types::aclDataType {
    const ABSENT: Self = crate::types::ACL_DT_UNDEFINED;
}
impl Absent for crate::types::aclFormat {
    const ABSENT: Self = crate::types::ACL_FORMAT_UNDEFINED;
}
impl Absent for crate::types::acldvppPixelFormat {
    const ABSENT: Self = crate::types::PIXEL_FORMAT_UNKNOWN;
}
impl Absent for crate::types::acldvppStreamFormat {
    const ABSENT: Self = crate::types::H265_MAIN_LEVEL;
}
impl Absent for crate::types::acldvppBorderType {
    const ABSENT: Self = crate::types::BORDER_CONSTANT;
}
impl Absent for crate::types::aclprofSubscribeOpFlag {
    const ABSENT: Self = crate::types::ACL_SUBSCRIBE_NONE;
}
impl Absent for u8 {
    const ABSENT: u8 = 0;
}
impl Absent for u64 {
    const ABSENT: u64 = 0;
}
impl Absent for f32 {
    const ABSENT: f32 = 0.0;
}
impl Absent for f64 {
    const ABSENT: f64 = 0.0;
}
impl<T> Absent for Option<T> {
    const ABSENT: Option<T> = None;
}
impl Absent for crate::types::HcclResult {
    const ABSENT: Self = crate::types::HCCL_E_NOT_SUPPORT;
}
impl<T> Absent for *mut T {
    const ABSENT: *mut T = core::ptr::null_mut();
}
impl<T> Absent for *const T {
    const ABSENT: *const T = core::ptr::null();
}
