//! Tasks of a channel: the objects of C that a task uses until it is over, and the status that it leaves.
//!
//! A call copies descriptions to the device when the stream arrives at the task, and back after it. So they live until a
//! wait, as the memory does: the picture that a task writes owns them.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ascendcl_sys as sys;

use crate::error::{Error, MediaMismatch, Result};
use crate::park::{Parked, Parking, User};
use crate::release;

/// An object of C with the function that destroys it.
///
/// # Invariants
///
/// - `pointer` is a live object that `destroy` destroys, and nothing else destroys it.
#[derive(Debug)]
pub(super) struct Object {
    pointer: NonNull<c_void>,
    destroy: unsafe fn(*mut c_void) -> sys::aclError,
    call: &'static str,
}

impl Object {
    /// Takes a new object. Null is a failed allocation.
    ///
    /// # Safety
    ///
    /// - `pointer` is null, or a live object that `destroy` destroys, and nothing else destroys it.
    pub(super) unsafe fn new(
        create: &'static str,
        pointer: *mut c_void,
        destroy: unsafe fn(*mut c_void) -> sys::aclError,
        call: &'static str,
    ) -> Result<Object> {
        match NonNull::new(pointer) {
            Some(pointer) => Ok(Object {
                pointer,
                destroy,
                call,
            }),
            None => Err(Error::refused(create, sys::ACL_ERROR_BAD_ALLOC)),
        }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // SAFETY: a live object, destroyed once. The owner has a proof that no task uses it.
        let code = unsafe { (self.destroy)(self.pointer.as_ptr()) };
        release::status_in_drop(self.call, code);
    }
}

/// The place of the status of a task.
#[derive(Debug)]
pub(super) enum StatusOf {
    /// The call reports through the stream alone.
    Stream,
    /// The descriptions of the pictures that it writes.
    Pictures(Vec<NonNull<sys::acldvppPicDesc>>),
    /// The histogram that it writes.
    Histogram(NonNull<sys::acldvppHist>),
}

/// A task with its objects.
///
/// # Invariants
///
/// - The objects of `status` are among `objects`.
/// - The value is dropped, and its status is read, only after a proof that the task is over.
#[derive(Debug)]
pub struct Work {
    pub(super) call: &'static str,
    pub(super) objects: Vec<Object>,
    pub(super) status: StatusOf,
    /// The program has taken a result without a proof that the task has run. A status of 0 proves nothing then, because
    /// descriptions begin with it. No other status could be set before the call: if the description of a decoded frame is
    /// used again, the status of an earlier failure stays although the task succeeds (CANN manual, troubleshooting of
    /// `acldvppGetPicDescRetCode`).
    unproven: AtomicBool,
    /// A result of the task was checked, so a wait for its stream has succeeded.
    proven: AtomicBool,
}

// SAFETY: the objects are plain memory of the host without a tie to a thread (host library of 2021, `dvpp.cpp`), and this
// value owns them. The pointers of `status` are those of the objects.
unsafe impl Send for Work {}
// SAFETY: a shared reference reads the status only, which nothing writes when the task is over (invariant).
unsafe impl Sync for Work {}

impl Work {
    pub(super) fn new(call: &'static str) -> Work {
        Work {
            call,
            objects: Vec::new(),
            status: StatusOf::Stream,
            unproven: AtomicBool::new(false),
            proven: AtomicBool::new(false),
        }
    }

    /// Returns the error of the task if its status says that it has failed.
    fn check(&self) -> Result<()> {
        let read = |status: u32| {
            if status == 0 {
                return Ok(());
            }
            Err(Error::wait(self.call, status.cast_signed()))
        };
        match &self.status {
            StatusOf::Stream => Ok(()),
            StatusOf::Pictures(descriptions) => descriptions.iter().try_for_each(|description| {
                // SAFETY: a live description, of a task that is over (invariant).
                read(unsafe { sys::acldvppGetPicDescRetCode(description.as_ptr()) })
            }),
            StatusOf::Histogram(histogram) => {
                // SAFETY: a live histogram, of a task that is over (invariant).
                read(unsafe { sys::acldvppGetHistRetCode(histogram.as_ptr()) })
            }
        }
    }
}

/// The tasks of which some contents are the result.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    /// The tasks for which the type of the contents vouches: on the stream of the contents, and on the streams that they
    /// were queued on before.
    own: Vec<Arc<Work>>,
    /// The tasks of other streams, from whose pictures a task has read. A wait for the stream of the contents knows that
    /// they are over, and not that they have succeeded: a check of one of those pictures does.
    foreign: Vec<Arc<Work>>,
}

/// The tasks of a picture that a task reads.
#[derive(Debug)]
pub struct Behind<'a> {
    pub(super) tasks: &'a Tasks,
    /// Whether the picture was written on another stream, whose failures do not stop this one.
    pub(super) is_foreign: bool,
}

impl Behind<'_> {
    /// A task that reads no picture.
    pub(super) fn nothing() -> Behind<'static> {
        static NONE: Tasks = Tasks {
            own: Vec::new(),
            foreign: Vec::new(),
        };
        Behind {
            tasks: &NONE,
            is_foreign: false,
        }
    }
}

impl Tasks {
    /// Adds a task of the stream of the contents.
    pub(super) fn push(&mut self, task: &Arc<Work>) {
        self.own.push(Arc::clone(task));
    }

    /// Adds the tasks of a picture that a task has read.
    pub(super) fn read(&mut self, behind: &Behind<'_>) {
        let own = if behind.is_foreign {
            &mut self.foreign
        } else {
            &mut self.own
        };
        add(own, &behind.tasks.own);
        add(&mut self.foreign, &behind.tasks.foreign);
    }

    /// Returns the error of the first task that has failed, or of the first one of which nothing proves that it has run.
    pub(super) fn check(&self) -> Result<()> {
        let mut all = self.own.iter().chain(&self.foreign);
        all.try_for_each(|task| task.check())?;
        let is_accepted = |task: &&Arc<Work>| task.unproven.load(Ordering::Relaxed);
        if let Some(task) = self.own.iter().find(is_accepted) {
            return Err(MediaMismatch::Unproven { call: task.call }.into());
        }
        for task in &self.own {
            task.proven.store(true, Ordering::Relaxed);
        }
        let is_open = |task: &&Arc<Work>| is_accepted(task) || !task.proven.load(Ordering::Relaxed);
        match self.foreign.iter().find(is_open) {
            None => Ok(()),
            Some(task) => Err(MediaMismatch::OtherStream { call: task.call }.into()),
        }
    }

    /// Notes that the program has taken the result of the tasks without a proof that they have run.
    pub(super) fn accepted(&self) {
        for task in &self.own {
            task.unproven.store(true, Ordering::Relaxed);
        }
    }

    /// Parks the objects of tasks that may not be over.
    pub(super) fn park(self, parking: &Parking, users: &[User]) {
        if self.own.is_empty() && self.foreign.is_empty() {
            return;
        }
        let parked = Parked {
            pointer: NonNull::from(Box::leak(Box::new(self))).cast(),
            bytes: 0,
            free: drop_tasks,
            call: "acldvppDestroyPicDesc",
        };
        parking.park(users, parked);
    }
}

/// Adds tasks to a list that may have some of them already.
fn add(list: &mut Vec<Arc<Work>>, more: &[Arc<Work>]) {
    for task in more {
        if !list.iter().any(|known| Arc::ptr_eq(known, task)) {
            list.push(Arc::clone(task));
        }
    }
}

/// Drops the objects of parked tasks. An object that is not destroyed is reported by itself.
///
/// # Safety
///
/// - `tasks` comes from a leaked [`Box`] of [`Tasks`], and nothing else frees it.
/// - The tasks are over.
unsafe fn drop_tasks(tasks: NonNull<c_void>) -> sys::aclError {
    // SAFETY: the caller's contract.
    drop(unsafe { Box::from_raw(tasks.as_ptr().cast::<Tasks>()) });
    sys::ACL_SUCCESS
}
