//! Operators by name: those of the list, and those that no list knows.
//!
//! A card runs more operators than this crate declares: newer ones, those of other packages, and those that a program
//! brings (as `msopgen` makes them, in a `libcust_opapi.so`). All of them have the same two phases, so that a name is
//! enough to find both. A search is slow, so a caller keeps its result.

use core::ffi::{CStr, c_void};
use core::fmt;
use core::ptr::NonNull;
use std::ffi::CString;
use std::sync::OnceLock;

use crate::functions::op::OpTable;
use crate::structs::aclOpExecutor;
use crate::types::{aclnnStatus, aclrtStream};

/// The second phase of any operator: queues what the executor of the first phase prepared.
pub type aclnnLaunch = unsafe extern "C" fn(
    workspace: *mut c_void,
    workspaceSize: u64,
    executor: *mut aclOpExecutor,
    stream: aclrtStream,
) -> aclnnStatus;

/// Both functions of an operator.
#[derive(Clone, Copy)]
pub struct Operator {
    /// The first phase, `aclnnXxxGetWorkspaceSize`.
    ///
    /// Every operator has parameters of its own here, followed by `uint64_t *workspaceSize` and
    /// `aclOpExecutor **executor`; it returns an [`aclnnStatus`]. The caller casts it to its signature.
    pub prepare: NonNull<c_void>,
    /// The second phase, `aclnnXxx`.
    pub launch: aclnnLaunch,
}

impl fmt::Debug for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let launch = self.launch as *const c_void;
        write!(f, "Operator({:p}, {launch:p})", self.prepare)
    }
}

/// How a backend finds an operator that is not in its table, by the name of the second phase.
pub type FindOperator = fn(&CStr) -> Option<Operator>;

/// How the backend of this process finds operators, once there is a backend.
static INSTALLED: OnceLock<FindOperator> = OnceLock::new();

/// Stores how the backend of this process finds operators. Only the first call has an effect.
pub(crate) fn install(find: FindOperator) {
    let _ = INSTALLED.set(find);
}

/// Finds an operator of the libraries that the program was linked with, or of one that the program opened for all
/// (`RTLD_GLOBAL`).
#[cfg(feature = "linked")]
pub(crate) fn linked(name: &CStr) -> Option<Operator> {
    Operator::resolve(name, crate::link::find)
}

/// Finds an operator by the name of its second phase, as in `operator(c"aclnnAdd")`.
///
/// - A loaded CANN is searched in the order of its own tools: the `libcust_opapi.so` of each package in
///   `ASCEND_CUSTOM_OPP_PATH`; those of the vendors in `vendors/config.ini` below `ASCEND_OPP_PATH` (or `opp` below
///   `ASCEND_HOME_PATH`); the `libcust_opapi.so` that the system's loader finds; `libopapi.so` and its parts.
///   Libraries are opened by the first search.
/// - A linked CANN is searched through what the program was linked with, and what it opened for all (`RTLD_GLOBAL`).
/// - A backend in Rust is asked (the emulator knows what the program registered there).
///
/// Last comes the table of the backend. `None` for an operator that lacks one of its two functions, and as long as no
/// backend is installed. A search takes locks and compares texts: keep what it found.
#[must_use]
pub fn operator(name: &CStr) -> Option<Operator> {
    find(name).or_else(|| {
        let table = OpTable::installed();
        Operator::resolve(name, |symbol| table.find(symbol))
    })
}

/// Asks the backend.
fn find(name: &CStr) -> Option<Operator> {
    match INSTALLED.get() {
        Some(find) => find(name),
        // Calls go to the linked functions then, whether something was installed or not.
        #[cfg(all(feature = "linked", not(feature = "dispatch")))]
        None => linked(name),
        #[cfg(not(all(feature = "linked", not(feature = "dispatch"))))]
        None => None,
    }
}

impl Operator {
    /// Both functions of the operator with this name, in one library.
    pub(crate) fn resolve(
        name: &CStr,
        symbol: impl Fn(&CStr) -> Option<NonNull<c_void>>,
    ) -> Option<Operator> {
        let launch = symbol(name)?;
        let mut first = name.to_bytes().to_vec();
        first.extend_from_slice(b"GetWorkspaceSize");
        let prepare = symbol(&CString::new(first).ok()?)?;
        Some(Operator {
            prepare,
            // SAFETY: not null, which is all that a pointer to a function must be as long as nobody calls it. Calling
            // it is unsafe, and who does vouches that the name is that of an operator.
            launch: unsafe { core::mem::transmute::<*mut c_void, aclnnLaunch>(launch.as_ptr()) },
        })
    }
}
