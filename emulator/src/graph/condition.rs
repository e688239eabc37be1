//! Conditions of captured graphs: values in device memory that choose the branches of a run.
//!
//! A condition belongs to the graph for which it was made. Its memory is the runtime's own: no free takes
//! it, and it goes when the graph does.

use std::ptr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_INVALID_HANDLE, ACL_ERROR_RT_MEMORY_ALLOCATION,
    ACL_ERROR_RT_PARAM_INVALID, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, ACL_SUCCESS, aclError,
    aclmdlRI, aclmdlRICondHandle, aclmdlRICondHandleFlag,
};

use super::{Graph, Inner, Origin, Phase, find, graphs, is_current};
use crate::check;
use crate::engine::current::{Current, current};
use crate::engine::queue::Stream;
use crate::engine::task::{Fault, fault};
use crate::engine::work::Work;
use crate::error::{fail, null};
use crate::space::heap::{Heap, Kind, Located};
use crate::space::place::{Gone, Place};
use crate::space::space;

/// The top byte of a condition's handle, with which no address begins.
const TAG: usize = 0x49 << 56;
/// Bytes of a condition's value.
const SIZE: usize = size_of::<u64>();

/// A condition of a graph.
#[derive(Debug)]
pub(super) struct Condition {
    /// Its number, which no other condition ever gets.
    number: u32,
    /// What its value is set to when a run begins.
    default: Option<u64>,
    /// Where the value is.
    address: usize,
    /// The same as memory of a heap.
    heap: &'static Heap,
    memory: Located,
    /// The same for tasks.
    ///
    /// # Invariants
    ///
    /// Made for [`SIZE`] bytes at the start of a block, which has the alignment of a `u64`.
    place: Place,
    /// Whether a conditional task depends on it.
    pub(super) used: AtomicBool,
}

impl Condition {
    /// Allocates a condition whose value is 0.
    fn new(
        call: &str,
        number: u32,
        default: Option<u64>,
        current: &Current,
    ) -> Result<Condition, aclError> {
        let space = space();
        let made = space.device(current.device()).and_then(|heap| {
            let address = heap.allocate(space.blocks(), SIZE, Kind::Runtime)?;
            // INVARIANT: a block of this size begins there, and a block's alignment is more than enough.
            let place = Place::new(space, address, SIZE)?;
            let (_, memory) = space.locate(address).whole(address)?;
            let condition = Condition {
                number,
                default,
                address,
                heap,
                memory,
                place,
                used: AtomicBool::new(false),
            };
            condition.set(0).is_ok().then_some(condition)
        });
        made.ok_or_else(|| {
            fail(
                ACL_ERROR_RT_MEMORY_ALLOCATION,
                format_args!(
                    "{call} failed: the {SIZE} bytes of the condition do not fit; free some device \
                     memory, or give the emulator more (ASCENDCL_EMULATOR_MEMORY)"
                ),
            )
        })
    }

    pub(super) fn handle(&self) -> aclmdlRICondHandle {
        ptr::without_provenance_mut(TAG | self.number as usize)
    }

    /// Its value now.
    pub(super) fn value(&self) -> Result<u64, Gone> {
        let memory = self.place.enter(space())?;
        // SAFETY: the place's bytes are a `u64` with its alignment (the invariant), and it is entered.
        let value = unsafe { memory.pointer().cast::<u64>().read() };
        memory.leave()?;
        Ok(value)
    }

    fn set(&self, value: u64) -> Result<(), Gone> {
        let memory = self.place.enter(space())?;
        // SAFETY: as in `value`.
        unsafe { memory.pointer().cast::<u64>().write(value) };
        memory.leave()
    }

    pub(super) fn has_default(&self) -> bool {
        self.default.is_some()
    }

    /// A run begins.
    fn preset(&self) -> Result<(), Gone> {
        self.default.map_or(Ok(()), |value| self.set(value))
    }

    /// Frees its memory, once.
    pub(super) fn free(&self) {
        // Nothing where the device has lost its memory meanwhile: the block lives another life.
        self.heap.free(space().blocks(), &self.memory);
    }

    /// Tells the checker that it is gone.
    pub(super) fn tell_end(&self, call: &str) {
        check::tell(call, |checker, site| {
            checker.destroyed(self.handle().addr(), &site);
        });
    }
}

/// Sets conditions to what they are when a run begins.
#[derive(Debug, Clone)]
pub(super) struct Defaults(pub(super) Box<[Arc<Condition>]>);

impl Work for Defaults {
    fn call(&self) -> &'static str {
        "aclmdlRICondHandleCreate"
    }

    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        self.0.iter().try_for_each(|condition| {
            let preset = condition.preset();
            preset.map_err(|gone| fault(self.call(), gone))
        })
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }
}

impl Drop for Condition {
    fn drop(&mut self) {
        self.free();
    }
}

impl Inner {
    /// The condition of this graph that a handle names.
    pub(super) fn condition(&self, handle: aclmdlRICondHandle) -> Option<&Arc<Condition>> {
        let named = |condition: &&Arc<Condition>| condition.handle() == handle;
        self.conditions.iter().find(named)
    }
}

pub(crate) unsafe extern "C" fn aclmdlRICondHandleCreate(
    modelRI: aclmdlRI,
    defaultLaunchValue: u32,
    flag: aclmdlRICondHandleFlag,
    handle: *mut aclmdlRICondHandle,
) -> aclError {
    let call = "aclmdlRICondHandleCreate";
    if modelRI.is_null() || handle.is_null() {
        return null(call, "modelRI or handle");
    }
    if flag > ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT {
        return fail(
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!(
                "{call} failed: flag is {}; pass ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT (1), or 0 to \
                 set the value yourself",
                flag.0
            ),
        );
    }
    let default =
        (flag == ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT).then_some(u64::from(defaultLaunchValue));
    let created =
        find(call, modelRI).and_then(|graph| create(call, &graph, default, &current(call)?));
    match created {
        Ok(condition) => {
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { handle.write(condition) };
            ACL_SUCCESS
        }
        Err(code) => code,
    }
}

/// Gives a graph that is being captured a condition.
fn create(
    call: &str,
    graph: &Graph,
    default: Option<u64>,
    current: &Current,
) -> Result<aclmdlRICondHandle, aclError> {
    let mut graphs = graphs();
    let mut inner = graph.lock();
    if matches!(
        inner.phase,
        Phase::Built { .. } | Phase::Complete(Origin::Build)
    ) {
        return Err(fail(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!(
                "{call} failed: model instance {} is built from persistent streams; only captured ones \
                 have conditions",
                graph.id
            ),
        ));
    }
    let Phase::Captured(capture) = &inner.phase else {
        return Err(fail(
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!(
                "{call} failed: model instance {} is not being captured; make its conditions between \
                 the capture's begin and its end",
                graph.id
            ),
        ));
    };
    capture.is_valid(call)?;
    graphs.last_id += 1;
    let condition = Condition::new(call, graphs.last_id, default, current)?;
    let handle = condition.handle();
    check::tell(call, |checker, site| {
        checker.created(handle.addr(), check::CONDITION, site);
    });
    inner.conditions.push(Arc::new(condition));
    Ok(handle)
}

pub(crate) unsafe extern "C" fn aclmdlRICondHandleGetCondPtr(
    handle: aclmdlRICondHandle,
    ptr: *mut *mut u64,
) -> aclError {
    let call = "aclmdlRICondHandleGetCondPtr";
    if handle.is_null() || ptr.is_null() {
        return null(call, "handle or ptr");
    }
    match named(call, handle) {
        Ok((_, condition)) => {
            let value = ptr::with_exposed_provenance_mut(condition.address);
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { ptr.write(value) };
            ACL_SUCCESS
        }
        Err(code) => code,
    }
}

/// The condition that a handle names, and the graph that it belongs to, of the calling thread's context.
pub(super) fn named(
    call: &str,
    handle: aclmdlRICondHandle,
) -> Result<(Arc<Graph>, Arc<Condition>), aclError> {
    let found = graphs().all.iter().find_map(|graph| {
        let condition = Arc::clone(graph.lock().condition(handle)?);
        Some((Arc::clone(graph), condition))
    });
    let Some((graph, condition)) = found else {
        check::tell(call, |checker, site| {
            checker.stale("condition", handle.addr(), site);
        });
        return Err(fail(
            ACL_ERROR_RT_INVALID_HANDLE,
            format_args!(
                "{call} failed: condition {handle:p} does not exist: its model instance was destroyed, \
                 its context has ended, or it never was one"
            ),
        ));
    };
    is_current(call, &graph)?;
    Ok((graph, condition))
}
