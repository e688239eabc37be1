//! Observation of the calls of a program (journal, timeline, checker) and injection of faults.
//!
//! If [`EmulatorConfig`](crate::EmulatorConfig) asks for one of these, [`api`](crate::api()) returns tables whose
//! functions pass through this file first. Otherwise it returns the plain tables, and this file costs nothing.

#[cfg(feature = "operators")]
use core::ffi::c_void;
use std::fmt;

#[cfg(feature = "graphs")]
use ascendcl_sys::aclmdlRI;
#[cfg(all(feature = "graphs", not(feature = "operators")))]
use ascendcl_sys::aclrtStream;
use ascendcl_sys::{
    ACL_DT_UNDEFINED, ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_FORMAT_UNDEFINED, ACL_SUBSCRIBE_NONE,
    Api, BORDER_CONSTANT, H265_MAIN_LEVEL, HCCL_E_NOT_SUPPORT, HcclResult, PIXEL_FORMAT_UNKNOWN,
    absent, aclDataType, aclError, aclFormat, acldvppBorderType, acldvppPixelFormat,
    acldvppStreamFormat, aclprofSubscribeOpFlag, status,
};
#[cfg(feature = "operators")]
use ascendcl_sys::{OpTable, aclOpExecutor, aclnnLaunch, aclnnStatus, aclrtStream};

use crate::api::withheld;
use crate::check;
use crate::config::chosen;
use crate::engine::engine;
use crate::fork;
use crate::observe::calls::{self, Running};
use crate::observe::{inject, trace};
use crate::sync::{Mutex, lock};

/// A call of a C function by the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The name of the C function.
    pub name: &'static str,
    /// The status code of the call, if the function returns one.
    pub code: Option<aclError>,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            None | Some(0) => f.write_str(self.name),
            Some(code) => {
                let name = status::name(code).unwrap_or("unknown status");
                write!(f, "{} -> {code} ({name})", self.name)
            }
        }
    }
}

static JOURNAL: Mutex<Vec<Call>> = Mutex::new(Vec::new());

/// Returns the calls of all threads so far, in the order of their returns.
///
/// The result is empty unless the configuration asks for a journal
/// ([`EmulatorConfig::with_journal`](crate::EmulatorConfig::with_journal)).
#[must_use]
pub fn journal() -> Vec<Call> {
    lock(&JOURNAL).clone()
}

/// A running call of the program that is observed.
///
/// The tables have many entries. So their common code is here and is compiled once, or once for each type of answer. What an
/// entry calls has the calling convention of C, although only Rust calls it: a panic ends the process there, and no entry
/// needs code for it.
struct Observed {
    name: &'static str,
    start: Option<trace::Start>,
    running: Running,
    /// Whether the function of the emulator is called: not in a child of `fork`, and not if an injected fault makes it fail.
    is_made: bool,
}

impl Observed {
    /// Begins a call. `has_code` says whether its answer is a status code.
    #[expect(improper_ctypes_definitions, reason = "only Rust calls it")]
    extern "C" fn begin(name: &&'static str, has_code: bool) -> Observed {
        let running = calls::enter(name);
        // The first call fixes the configuration, which decides whether there is a timeline.
        let _ = engine();
        let in_child = fork::parent().is_some();
        if !in_child && calls::in_function() {
            check::called_in_function(name);
        }
        let mut is_made = !in_child;
        if is_made && let Some(struck) = inject::call(name, has_code) {
            is_made = !withheld::fail_next(struck.code);
            if struck.loses_work {
                for (_, stream) in engine().streams.iter() {
                    stream.lose_tasks(struck.code);
                }
            }
        }
        Observed {
            name,
            start: trace::begin().filter(|_| !in_child),
            running,
            is_made,
        }
    }

    /// Returns the table with the function that is called: the one of the emulator, or one that refuses.
    #[inline(never)]
    extern "C" fn table<T>(&self, made: &'static T, refused: &'static T) -> &'static T {
        if self.is_made { made } else { refused }
    }

    /// A second phase that a fault makes fail ends its executor. A child of `fork` has none.
    #[cfg(feature = "operators")]
    extern "C" fn end_executor(&self, executor: *mut aclOpExecutor) {
        if !self.is_made && fork::parent().is_none() {
            crate::op::end_executor(executor);
        }
    }

    /// A fault that makes the end of a capture fail loses the capture. A child of `fork` has none.
    ///
    /// # Safety
    ///
    /// - `modelRI` is null or valid for a write.
    #[cfg(feature = "graphs")]
    unsafe extern "C" fn end_capture(&self, stream: aclrtStream, modelRI: *mut aclmdlRI) {
        if !self.is_made && fork::parent().is_none() {
            // SAFETY: the same contract.
            unsafe { crate::graph::fail_end(stream, modelRI) };
        }
    }

    /// Records the call and returns its answer.
    extern "C" fn end<T: Answer>(&self, answer: T) -> T {
        self.write(answer.code());
        answer
    }

    fn write(&self, code: Option<aclError>) {
        let name = self.name;
        if fork::parent().is_some() {
            // Another thread may have held the locks of the record at the fork.
            return;
        }
        if let Some(start) = self.start {
            trace::call(name, start, code);
        }
        if absent::peek() == Some(name) {
            check::not_modelled(name);
        }
        if chosen::peek_journal() {
            lock(&JOURNAL).push(Call { name, code });
        }
        calls::leave(self.running);
    }
}

/// Runs the second phase of an operator, whose entry lies `offset` bytes behind the first one of the table.
///
/// # Safety
///
/// - The entry is that of a second phase, and the contract is that of this C function.
#[cfg(feature = "operators")]
unsafe extern "C" fn launched(
    name: &&'static str,
    offset: usize,
    workspace: *mut c_void,
    size: u64,
    executor: *mut aclOpExecutor,
    stream: aclrtStream,
) -> aclnnStatus {
    let call = Observed::begin(name, true);
    call.end_executor(executor);
    let table: *const OpTable = call.table(&op::TABLE, &op::REFUSED);
    // SAFETY: the offset is that of an entry, by the caller's contract.
    let entry = unsafe { table.byte_add(offset) };
    // SAFETY: the entry is a function of this signature, by the caller's contract.
    let launch = unsafe { entry.cast::<aclnnLaunch>().read() };
    // SAFETY: the caller's contract is that of the C function.
    call.end(unsafe { launch(workspace, size, executor, stream) })
}

/// A return type of C functions.
pub(super) trait Answer {
    /// Whether the type is a status code.
    const HAS_CODE: bool;
    /// The code for a function that there is not.
    const UNSUPPORTED: aclError = ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
    /// Returns the value for a failed call.
    fn failure(code: aclError) -> Self;
    /// Returns the status code, if the type is one.
    fn code(&self) -> Option<aclError>;
}

impl Answer for i32 {
    const HAS_CODE: bool = true;
    fn failure(code: aclError) -> i32 {
        code
    }
    fn code(&self) -> Option<aclError> {
        Some(*self)
    }
}

impl Answer for HcclResult {
    const HAS_CODE: bool = true;
    const UNSUPPORTED: aclError = HCCL_E_NOT_SUPPORT.0;
    fn failure(code: aclError) -> HcclResult {
        HcclResult(code)
    }
    fn code(&self) -> Option<aclError> {
        Some(self.0)
    }
}

/// Implements [`Answer`] for types that are no status code: a failed call returns zero, null or nothing.
macro_rules! plain_answers {
    ($($type:ty $(where $T:ident)? = $failure:expr;)*) => { $(
        impl$(<$T>)? Answer for $type {
            const HAS_CODE: bool = false;
            fn failure(_: aclError) -> Self {
                $failure
            }
            fn code(&self) -> Option<aclError> {
                None
            }
        }
    )* };
}

plain_answers! {
    () = ();
    u8 = 0;
    u16 = 0;
    u32 = 0;
    u64 = 0;
    i64 = -1;
    usize = 0;
    f32 = 0.0;
    f64 = 0.0;
    aclDataType = ACL_DT_UNDEFINED;
    aclFormat = ACL_FORMAT_UNDEFINED;
    acldvppPixelFormat = PIXEL_FORMAT_UNKNOWN;
    acldvppStreamFormat = H265_MAIN_LEVEL;
    acldvppBorderType = BORDER_CONSTANT;
    aclprofSubscribeOpFlag = ACL_SUBSCRIBE_NONE;
    *mut T where T = std::ptr::null_mut();
    *const T where T = std::ptr::null();
    Option<T> where T = None;
}

/// Does the part of a call that happens although an injected fault makes it fail: no executor survives its second phase,
/// and no capture its end. Other functions do nothing.
macro_rules! struck {
    ($call:ident [stream modelRI] $stream:ident, $graph:ident) => {
        // SAFETY: the caller's contract is that of `aclmdlRICaptureEnd`, the only function with these parameters.
        #[cfg(feature = "graphs")]
        unsafe {
            $call.end_capture($stream, $graph);
        }
    };
    ($($other:tt)*) => {};
}
use struck;

/// Makes one entry of such a table. The second phases of operators have one signature, so they share their code.
macro_rules! observed_entry {
    ($(#[$doc:meta])* [$($mark:tt)*] fn $name:ident(
        workspace: $a:ty, workspaceSize: $b:ty, executor: $c:ty, stream: $d:ty $(,)?
    ) -> $ret:ty;) => {
        #[cfg(feature = "operators")]
        unsafe extern "C" fn $name(workspace: $a, size: $b, executor: $c, stream: $d) -> $ret {
            let offset = const { core::mem::offset_of!(ascendcl_sys::OpTable, $name) };
            // SAFETY: the caller's contract is that of the C function, and the offset is that of a second phase.
            unsafe { super::launched(&stringify!($name), offset, workspace, size, executor, stream) }
        }
    };
    ($(#[$doc:meta])* [$($mark:tt)*] fn $name:ident($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty;) => {
        unsafe extern "C" fn $name($($arg: $ty),*) -> $ret {
            let has_code = <$ret as super::Answer>::HAS_CODE;
            let call = super::Observed::begin(&stringify!($name), has_code);
            super::struck!(call [$($arg)*] $($arg),*);
            // SAFETY: the caller's contract is that of the C function.
            call.end(unsafe { (call.table(&TABLE, &REFUSED).$name)($($arg),*) })
        }
    };
}

/// Makes the table of one area whose entries are observed.
macro_rules! observed {
    (
        area $area:literal, $Table:ident;
        $( $(# $attribute:tt)+ fn $name:ident $parameters:tt -> $ret:ty; )*
    ) => {
        $( ascendcl_sys::function! { observed_entry; $(# $attribute)+ fn $name $parameters -> $ret; } )*
        pub(super) const OBSERVED: ascendcl_sys::$Table = ascendcl_sys::$Table { $($name),* };
    };
}

/// One module per area.
macro_rules! areas {
    ($($area:ident $Table:ident $functions:ident),* $(,)?) => {
        $(
            mod $area {
                #[allow(unused_imports, reason = "an area may need types of any other")]
                use ascendcl_sys::{structs::*, types::*};
                #[allow(unused_imports, reason = "an area may need types of any other")]
                use std::ffi::{c_char, c_int, c_void};

                // A static, because each mention of a constant copies the whole table.
                pub(super) static TABLE: ascendcl_sys::$Table = crate::api::API.$area;
                pub(super) static REFUSED: ascendcl_sys::$Table = super::withheld::ALL.$area;
                ascendcl_sys::$functions!(observed);
            }
        )*

        /// The emulator with every call observed.
        pub(crate) const OBSERVED: Api = Api {
            $( $area: $area::OBSERVED, )*
            ..super::API
        };
    };
}

ascendcl_sys::for_each_area!(areas);
