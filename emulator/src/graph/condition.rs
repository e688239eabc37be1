//! Conditions of captured graphs: values in device memory that select the branches of a run.
//!
//! A condition belongs to the graph for which it was created. Its memory belongs to the runtime: the program cannot
//! free it, and it is freed with the graph.

use std::ptr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_INVALID_HANDLE, ACL_ERROR_RT_MEMORY_ALLOCATION,
    ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, ACL_SUCCESS, aclError, aclmdlRI, aclmdlRICondHandle,
    aclmdlRICondHandleFlag,
};

use super::{Graph, Inner, Origin, Phase, find, graphs, is_current};
use crate::check;
use crate::engine::current::{Current, current};
use crate::engine::queue::Stream;
use crate::engine::task::{Fault, fault};
use crate::engine::work::Work;
use crate::error::{fail, null};
use crate::object_calls::{attempt, invalid_below};
use crate::space::heap::{Heap, Located, Maker};
use crate::space::place::{Gone, Place};
use crate::space::space;

/// The top byte of a condition's handle; no address begins with it.
const TAG: usize = 0x49 << 56;
/// The bytes of a condition's value.
const SIZE: usize = size_of::<u64>();

/// A condition of a graph.
#[derive(Debug)]
pub(super) struct Condition {
    /// The number of the condition, which is never used again.
    number: u32,
    /// The value at the beginning of each run, if it has a default.
    default: Option<u64>,
    /// The address of the value.
    address: usize,
    /// The heap of the value's memory.
    heap: &'static Heap,
    memory: Located,
    /// The value's memory as a reference for tasks.
    ///
    /// # Invariants
    ///
    /// - The place has [`SIZE`] bytes at the start of a block, so it has the alignment of a `u64`.
    place: Place,
    /// Whether a conditional task uses the condition.
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
            let address = heap.allocate(space.blocks(), SIZE, Maker::Runtime)?;
            // INVARIANT: a block of this size begins at `address`, and the alignment of blocks is sufficient.
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

    /// Returns the current value.
    pub(super) fn value(&self) -> Result<u64, Gone> {
        let memory = self.place.enter(space())?;
        // SAFETY: the bytes of the place are an aligned `u64` (the invariant), and the place is entered.
        let value = unsafe { memory.pointer().cast::<u64>().read() };
        memory.leave()?;
        Ok(value)
    }

    fn set(&self, value: u64) -> Result<(), Gone> {
        let memory = self.place.enter(space())?;
        // SAFETY: the bytes of the place are an aligned `u64` (the invariant), and the place is entered.
        unsafe { memory.pointer().cast::<u64>().write(value) };
        memory.leave()
    }

    pub(super) fn has_default(&self) -> bool {
        self.default.is_some()
    }

    /// Sets the value to its default when a run begins.
    fn preset(&self) -> Result<(), Gone> {
        self.default.map_or(Ok(()), |value| self.set(value))
    }

    /// Frees the memory of the condition.
    pub(super) fn free(&self) {
        // This does nothing if the device has freed its memory meanwhile: the block then has another generation.
        self.heap.free(space().blocks(), &self.memory);
    }

    /// Reports the end of the condition to the checker.
    pub(super) fn tell_end(&self, call: &str) {
        check::tell(call, &|checker, site| {
            checker.destroyed(self.handle().addr(), &site);
        });
    }
}

/// The task that sets conditions to their defaults when a run begins.
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
    /// Returns the condition of this graph with this handle.
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
        return invalid_below(
            call,
            format_args!(
                "flag is {}; pass ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT (1), or 0 to \
                 set the value yourself",
                flag.0
            ),
        );
    }
    let default =
        (flag == ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT).then_some(u64::from(defaultLaunchValue));
    let created =
        find(call, modelRI).and_then(|graph| create(call, &graph, default, &current(call)?));
    let condition = attempt!(created);
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { handle.write(condition) };
    ACL_SUCCESS
}

/// Creates a condition for a graph that is being captured.
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
        return Err(invalid_below(
            call,
            format_args!(
                "model instance {} is not being captured; make its conditions between \
                 the capture's begin and its end",
                graph.id
            ),
        ));
    };
    capture.is_valid(call)?;
    let condition = Condition::new(call, graphs.take_id(), default, current)?;
    let handle = condition.handle();
    check::tell(call, &|checker, site| {
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
    let (_, condition) = attempt!(named(call, handle));
    let value = ptr::with_exposed_provenance_mut(condition.address);
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { ptr.write(value) };
    ACL_SUCCESS
}

/// Returns the condition of a handle and its graph, which must belong to the calling thread's context.
pub(super) fn named(
    call: &str,
    handle: aclmdlRICondHandle,
) -> Result<(Arc<Graph>, Arc<Condition>), aclError> {
    let found = graphs().all.iter().find_map(|graph| {
        let condition = Arc::clone(graph.lock().condition(handle)?);
        Some((Arc::clone(graph), condition))
    });
    let Some((graph, condition)) = found else {
        check::tell(call, &|checker, site| {
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
