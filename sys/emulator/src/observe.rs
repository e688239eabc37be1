//! Watching and disturbing the calls of a program: a journal, and faults.
//!
//! Both are asked for in [`EmulatorConfig`](crate::EmulatorConfig). Then [`api`](crate::api) gives tables
//! whose entries come here first; else it gives the plain ones, and this file costs nothing.

use std::fmt;
use std::sync::Mutex;

use ascendcl_sys::{Api, aclError, status};

use crate::calls;
use crate::chosen;
use crate::state::state;
use crate::strike;
use crate::sync::lock;
use crate::trace;

/// A call that the program made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The C function.
    pub name: &'static str,
    /// Its status code, if it returns one.
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

/// The calls so far, of all threads, in the order of their returns. Empty unless the configuration
/// asks for it ([`EmulatorConfig::with_journal`](crate::EmulatorConfig::with_journal)).
#[must_use]
pub fn journal() -> Vec<Call> {
    lock(&JOURNAL).clone()
}

/// Makes a call, unless it is to fail, and writes it down.
fn observe<T: Answer>(name: &'static str, call: impl FnOnce() -> T) -> T {
    let _running = calls::enter(name);
    // The first call settles the configuration, and with it whether there is a timeline.
    let _ = state();
    let start = trace::begin();
    let answer = match strike::call(name, T::HAS_CODE) {
        Some(code) => T::failure(code),
        None => call(),
    };
    if let Some(start) = start {
        trace::call(name, start, answer.code());
    }
    if chosen::peek_journal() {
        let code = answer.code();
        lock(&JOURNAL).push(Call { name, code });
    }
    answer
}

/// What a C function returns.
trait Answer {
    /// Whether it is a status code.
    const HAS_CODE: bool;
    /// What it returns when it fails.
    fn failure(code: aclError) -> Self;
    /// Its status code, if it is one.
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

/// Functions without a status code fail with nothing.
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
    u16 = 0;
    u32 = 0;
    usize = 0;
    f32 = 0.0;
    *mut T where T = std::ptr::null_mut();
    *const T where T = std::ptr::null();
}

/// Makes the table of one area whose entries are observed.
macro_rules! observed {
    (
        area $area:literal, $Table:ident;
        $(
            $(#[$doc:meta])*
            $([$newer:ident])? fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?;
        )*
    ) => {
        $(
            unsafe extern "C" fn $name($($arg: $ty),*) $(-> $ret)? {
                super::observe(stringify!($name), || {
                    // SAFETY: the caller's contract is that of the C function.
                    unsafe { (TABLE.$name)($($arg),*) }
                })
            }
        )*
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
                use std::ffi::{c_char, c_void};

                const TABLE: ascendcl_sys::$Table = crate::API.$area;
                ascendcl_sys::$functions!(observed);
            }
        )*

        /// The emulator with every call observed.
        pub(crate) const OBSERVED: Api = Api {
            $( $area: $area::OBSERVED, )*
            ..crate::API
        };
    };
}

areas! {
    runtime RuntimeTable runtime_functions,
    device DeviceTable device_functions,
    context ContextTable context_functions,
    stream StreamTable stream_functions,
    event EventTable event_functions,
    memory MemoryTable memory_functions,
    callback CallbackTable callback_functions,
    op OpTable op_functions,
    model ModelTable model_functions,
    media MediaTable media_functions,
}
