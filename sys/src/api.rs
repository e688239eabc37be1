//! Backends as values: the functions of AscendCL, their origin, and the one backend of a process.

use std::fmt;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::OnceLock;

use crate::functions::{
    callback::CallbackTable, collective::CollectiveTable, context::ContextTable,
    device::DeviceTable, event::EventTable, for_each_area, graph::GraphTable, log::LogTable,
    media::MediaTable, memory::MemoryTable, model::ModelTable, op::OpTable,
    profiling::ProfilingTable, runtime::RuntimeTable, stream::StreamTable,
};
use crate::operator::{self, FindOperator};

/// An implementation of AscendCL: one table of functions per area, and where it came from.
///
/// A value of this type does nothing by itself. [`Api::install`] makes it the backend of this process, for all raw
/// calls and for good.
#[derive(Debug, Clone)]
pub struct Api {
    /// Where the functions came from.
    pub origin: Origin,
    /// Finds the operators that are not in the table [`op`](Self::op).
    pub find_operator: FindOperator,
    /// Process, error texts, data types.
    pub runtime: RuntimeTable,
    /// Devices.
    pub device: DeviceTable,
    /// Contexts.
    pub context: ContextTable,
    /// Streams.
    pub stream: StreamTable,
    /// Events.
    pub event: EventTable,
    /// Memory, copies and fills.
    pub memory: MemoryTable,
    /// Host functions and callbacks.
    pub callback: CallbackTable,
    /// Operators.
    pub op: OpTable,
    /// Captures and model instances.
    pub graph: GraphTable,
    /// Models and kernels.
    pub model: ModelTable,
    /// The media engine.
    pub media: MediaTable,
    /// Collective communication.
    pub collective: CollectiveTable,
    /// The profiler.
    pub profiling: ProfilingTable,
    /// The application log.
    pub log: LogTable,
}

/// Where an [`Api`] came from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// The program was linked with `libascendcl`.
    Linked,
    /// A library that was loaded from this file.
    Library(PathBuf),
    /// Functions written in Rust, under the name that they give themselves.
    Rust(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Linked => f.write_str("linked CANN"),
            Origin::Library(path) => write!(f, "{}", path.display()),
            Origin::Rust(name) => f.write_str(name),
        }
    }
}

impl Api {
    /// A backend without any function, to fill in by hand: a test double, a counter.
    #[must_use]
    pub const fn absent(name: &'static str) -> Api {
        macro_rules! absent {
            ($($area:ident $table:ident $functions:ident,)*) => {
                Api {
                    origin: Origin::Rust(name),
                    find_operator: |_| None,
                    $($area: $table::ABSENT,)*
                    log: LogTable::ABSENT,
                }
            };
        }
        for_each_area!(absent)
    }

    /// The functions of the `libascendcl` that the program was linked with. Those that are newer than
    /// CANN 8.1 are absent where the library lacks them.
    #[cfg(feature = "linked")]
    #[must_use]
    pub fn linked() -> Api {
        macro_rules! linked {
            ($($area:ident $table:ident $functions:ident,)*) => {
                Api {
                    origin: Origin::Linked,
                    find_operator: operator::linked,
                    $($area: $table::linked(),)*
                    log: LogTable::linked(),
                }
            };
        }
        for_each_area!(linked)
    }

    /// The C names of the functions that this backend lacks.
    ///
    /// Areas whose libraries load on first use count as present until then.
    pub fn missing(&self) -> impl Iterator<Item = &'static str> {
        macro_rules! missing {
            ($($area:ident $table:ident $functions:ident,)*) => {
                self.log.missing()$(.chain(self.$area.missing()))*
            };
        }
        for_each_area!(missing)
    }

    /// This backend, with those functions of another one whose names are chosen.
    #[must_use]
    pub fn with_functions_of(self, other: &Api, is_chosen: impl Fn(&str) -> bool) -> Api {
        macro_rules! chosen {
            ($($area:ident $table:ident $functions:ident,)*) => {
                Api {
                    $($area: self.$area.with_functions_of(other.$area, &is_chosen),)*
                    ..self
                }
            };
        }
        for_each_area!(chosen)
    }

    /// Makes raw calls go to these functions instead of those of the installed backend, which stays the backend of the
    /// process in all other respects.
    ///
    /// This only stores numbers, so a handler of `pthread_atfork` may call it.
    ///
    /// # Safety
    ///
    /// As for [`install`](Self::install), and these functions know what the handles of the installed backend mean.
    pub unsafe fn replace(&self) {
        #[cfg(feature = "dispatch")]
        {
            macro_rules! install {
                ($($area:ident $table:ident $functions:ident,)*) => {
                    $( self.$area.install(); )*
                };
            }
            for_each_area!(install);
        }
    }

    /// Makes this the backend of the process.
    ///
    /// There is no way back: handles of one backend mean nothing to another.
    ///
    /// # Safety
    ///
    /// Every function of the tables does what the C function of its name is documented to do: safe
    /// callers (the crate `ascendcl`) rely on it. A backend that only counts calls is fine as long as
    /// nobody uses the memory that it pretends to allocate.
    ///
    /// # Errors
    ///
    /// [`AlreadyInstalled`] when this process has a backend.
    pub unsafe fn install(self) -> Result<&'static Origin, AlreadyInstalled> {
        let _one_at_a_time = match INSTALLING.lock() {
            Ok(guard) => guard,
            Err(poisoned) => poisoned.into_inner(),
        };
        if let Some(installed) = INSTALLED.get() {
            return Err(AlreadyInstalled {
                installed,
                refused: self.origin,
            });
        }
        #[cfg(feature = "dispatch")]
        {
            macro_rules! install {
                ($($area:ident $table:ident $functions:ident,)*) => {
                    $( self.$area.install(); )*
                    self.log.install();
                };
            }
            for_each_area!(install);
        }
        operator::install(self.find_operator);
        Ok(INSTALLED.get_or_init(|| self.origin))
    }
}

static INSTALLED: OnceLock<Origin> = OnceLock::new();
static INSTALLING: Mutex<()> = Mutex::new(());

/// The backend of this process, once there is one.
#[must_use]
pub fn installed() -> Option<&'static Origin> {
    INSTALLED.get()
}

/// A process has one backend, and this one has it already.
#[derive(Clone, PartialEq, Eq)]
pub struct AlreadyInstalled {
    /// The backend that the process uses.
    pub installed: &'static Origin,
    /// The one that was to be installed.
    pub refused: Origin,
}

impl fmt::Display for AlreadyInstalled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "this process already uses {}, it cannot change to {}: handles of one backend mean nothing to another",
            self.installed, self.refused
        )
    }
}

/// A `main` that returns the error prints this text.
impl fmt::Debug for AlreadyInstalled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for AlreadyInstalled {}
