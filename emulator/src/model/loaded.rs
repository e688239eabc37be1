//! Loaded models: the map from ids to models.
//!
//! Ids count from 1 upward and are never used again; a load that fails after the checks of the file uses one, too. They
//! are valid on every thread. A model belongs to the context that was current when it was loaded. Neither a reset of
//! the device nor `aclFinalize` unloads it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ascendcl_sys::{
    ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, ACL_ERROR_GE_EXEC_NOT_INIT, ACL_ERROR_RT_MODEL_CONTEXT,
    aclError,
};

use super::program::Program;
use crate::check;
use crate::engine::current::Current;
use crate::object_calls::refused;
use crate::runtime;
use crate::sorted::Sorted;
use crate::sync::{Mutex, lock};

/// The way in which a model runs. The first run decides it, for the life of the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// `aclmdlExecute` and `aclmdlExecuteV2`.
    Blocking,
    /// `aclmdlExecuteAsync`.
    Queued,
}

/// Memory that the program has given to a model: an address with a size.
#[derive(Debug, Clone, Copy)]
pub(super) struct Given {
    pub(super) address: usize,
    pub(super) bytes: usize,
}

/// A loaded model.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) program: Arc<Program>,
    /// The context: its index and its generation.
    context: (u32, u32),
    pub(super) work: Option<Given>,
    pub(super) weights: Option<Given>,
    pub(super) state: Mutex<State>,
}

/// The changing part of a loaded model.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) mode: Option<Mode>,
    /// The gear that was set last, as a position.
    pub(super) gear: Option<usize>,
}

static MODELS: Mutex<Sorted<u32, Arc<Loaded>>> = Mutex::new(Sorted::new());
static LAST: AtomicU32 = AtomicU32::new(0);

/// The top byte of the numbers by which the checker knows models.
const TRACKED: usize = 0x6f;

/// Takes the next id.
pub(super) fn next_id() -> u32 {
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

impl Loaded {
    pub(super) fn new(program: Arc<Program>, current: &Current) -> Loaded {
        Loaded {
            program,
            context: (current.index, current.generation),
            work: None,
            weights: None,
            state: Mutex::default(),
        }
    }

    /// Refuses another context than the one that was current at the load.
    pub(super) fn check_context(&self, call: &str, current: &Current) -> Result<(), aclError> {
        if self.context == (current.index, current.generation) {
            return Ok(());
        }
        Err(refused(
            call,
            ACL_ERROR_RT_MODEL_CONTEXT,
            format_args!(
                "the model was loaded in another context than the calling thread's; call aclrtSetCurrentContext first"
            ),
        ))
    }
}

/// Enters a model.
pub(super) fn enter(call: &str, id: u32, loaded: Loaded) {
    lock(&MODELS).insert(id, Arc::new(loaded));
    check::tell(call, &|checker, site| {
        checker.created(tracked(id), "model", site)
    });
}

/// Returns the number by which the checker knows a model.
pub(super) fn tracked(id: u32) -> usize {
    TRACKED << 56 | id as usize
}

/// Returns the model with an id.
pub(super) fn find(call: &str, id: u32) -> Result<Arc<Loaded>, aclError> {
    lock(&MODELS)
        .get(&id)
        .cloned()
        .ok_or_else(|| unknown(call, id))
}

/// Removes the model with an id.
pub(super) fn remove(call: &str, id: u32) -> Result<(), aclError> {
    check::tell(call, &|checker, site| {
        checker.destroying(tracked(id), &site);
    });
    // The model ends without the lock: an engine may free a lot.
    let removed = lock(&MODELS).remove(&id);
    removed.map(drop).ok_or_else(|| unknown(call, id))?;
    check::tell(call, &|checker, site| checker.destroyed(tracked(id), &site));
    Ok(())
}

#[cold]
fn unknown(call: &str, id: u32) -> aclError {
    check::tell(call, &|checker, site| {
        checker.stale("model", tracked(id), site)
    });
    refused(
        call,
        ACL_ERROR_GE_EXEC_MODEL_ID_INVALID,
        format_args!("no model has the id {id}: it was unloaded, or never loaded"),
    )
}

/// Refuses a call before `aclInit` and after `aclFinalize`.
pub(super) fn initialised(call: &str) -> Result<(), aclError> {
    if runtime::is_initialised() {
        return Ok(());
    }
    Err(refused(
        call,
        ACL_ERROR_GE_EXEC_NOT_INIT,
        format_args!("AscendCL is not initialised, or was finalised; call aclInit first"),
    ))
}
