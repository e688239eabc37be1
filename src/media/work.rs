//! Tasks of a channel: the objects of C that a task uses until it is over, and the status that it leaves.
//!
//! A call copies descriptions to the device when the stream arrives at the task, and back after it. So they live until a
//! wait, as the memory does: the picture that a task writes owns them.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use ascendcl_sys as sys;

use crate::device::Shown;
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
    /// The place of the task in the order in which the tasks of the process were prepared.
    number: u64,
    /// The program has taken a result without a proof that the task has run. A status of 0 proves nothing then, because
    /// descriptions begin with it. No other status could be set before the call: if the description of a decoded frame is
    /// used again, the status of an earlier failure stays although the task succeeds (CANN manual, troubleshooting of
    /// `acldvppGetPicDescRetCode`).
    accepted: AtomicBool,
    /// What the waits for its stream have shown. A check of a result of the task shows as much.
    pub(super) shown: Arc<Shown>,
}

// SAFETY: the objects are plain memory of the host without a tie to a thread (host library of 2021, `dvpp.cpp`), and this
// value owns them. The pointers of `status` are those of the objects.
unsafe impl Send for Work {}
// SAFETY: a shared reference reads the status only, which nothing writes when the task is over (invariant).
unsafe impl Sync for Work {}

/// What is known of a task.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It may run.
    Open,
    /// It has succeeded.
    Good,
    /// It is over, and its status is that of a failure.
    Failed,
    /// It is over, and no wait will ever show that it has succeeded.
    InVain,
}

impl Work {
    pub(super) fn new(call: &'static str) -> Work {
        static TASKS: AtomicU64 = AtomicU64::new(0);
        Work {
            call,
            objects: Vec::new(),
            status: StatusOf::Stream,
            number: TASKS.fetch_add(1, Ordering::Relaxed),
            accepted: AtomicBool::new(false),
            shown: Arc::default(),
        }
    }

    /// Whether no wait will ever show the holder of a result that the task has succeeded.
    fn is_in_vain(&self) -> bool {
        self.accepted.load(Ordering::Relaxed) || self.shown.is_in_vain()
    }

    fn standing(&self) -> Standing {
        let has_succeeded = self.shown.has_succeeded();
        if self.is_in_vain() {
            // A program can take a result without a proof while the task is queued.
            let is_over = has_succeeded || self.shown.is_in_vain();
            return if is_over {
                Standing::InVain
            } else {
                Standing::Open
            };
        }
        match has_succeeded {
            false => Standing::Open,
            true if self.status() == 0 => Standing::Good,
            true => Standing::Failed,
        }
    }

    /// Returns the status of the task, which is over: 0, or that of the first picture that it has failed to write.
    fn status(&self) -> u32 {
        match &self.status {
            StatusOf::Stream => 0,
            StatusOf::Pictures(descriptions) => {
                let mut statuses = descriptions.iter().map(|description| {
                    // SAFETY: a live description, of a task that is over (invariant).
                    unsafe { sys::acldvppGetPicDescRetCode(description.as_ptr()) }
                });
                statuses.find(|status| *status != 0).unwrap_or(0)
            }
            // SAFETY: a live histogram, of a task that is over (invariant).
            StatusOf::Histogram(histogram) => unsafe {
                sys::acldvppGetHistRetCode(histogram.as_ptr())
            },
        }
    }

    /// Returns the error of the task, which is over, if its status says that it has failed.
    fn check(&self) -> Result<()> {
        match self.status() {
            0 => Ok(()),
            status => Err(Error::wait(self.call, status.cast_signed())),
        }
    }
}

/// Tasks in the order in which they were prepared.
#[derive(Debug)]
struct List {
    tasks: BTreeMap<u64, Arc<Work>>,
    /// The number of tasks with which the list is pruned again.
    limit: usize,
}

impl List {
    const NEW: List = List {
        tasks: BTreeMap::new(),
        limit: 0,
    };

    /// Adds tasks, except those that have succeeded.
    fn add<'a>(&mut self, more: impl Iterator<Item = &'a Arc<Work>>) {
        for task in more {
            if task.standing() != Standing::Good {
                self.tasks.insert(task.number, Arc::clone(task));
            }
        }
        if self.tasks.len() > self.limit {
            self.prune();
            self.limit = (2 * self.tasks.len()).max(8);
        }
    }

    /// Removes the tasks that a check does not need any more: those that have succeeded, all but the first one of those that
    /// have failed, and all but the last one of those that have run in vain.
    fn prune(&mut self) {
        let number = |task: &Arc<Work>| task.number;
        let stands = |standing| move |task: &&Arc<Work>| task.standing() == standing;
        let failed = self.iter().find(stands(Standing::Failed)).map(number);
        let in_vain = self.iter().rev().find(stands(Standing::InVain));
        let in_vain = in_vain.map(number);
        self.tasks.retain(|number, task| match task.standing() {
            Standing::Open => true,
            Standing::Good => false,
            Standing::Failed => Some(*number) == failed,
            Standing::InVain => Some(*number) == in_vain,
        });
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<Work>> {
        self.tasks.values()
    }
}

impl Default for List {
    fn default() -> List {
        List::NEW
    }
}

/// The tasks of which some contents are the result, except those that a wait has shown to have succeeded.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    /// The tasks for which the type of the contents vouches: on the stream of the contents, and on the streams that they
    /// were queued on before.
    own: List,
    /// The tasks of other streams, from whose pictures a task has read. A wait for the stream of the contents knows that
    /// they are over, and not that they have succeeded: a wait for their stream does, or a check of one of those pictures.
    foreign: List,
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
            own: List::NEW,
            foreign: List::NEW,
        };
        Behind {
            tasks: &NONE,
            is_foreign: false,
        }
    }
}

impl Tasks {
    /// Adds a task of the stream of the contents. It is not queued yet, so the list keeps it until more tasks are added: a file
    /// or a histogram, to which none is added, has the objects of its task as long as it lives.
    pub(super) fn push(&mut self, task: &Arc<Work>) {
        self.own.add(std::iter::once(task));
    }

    /// Adds the tasks of a picture that a task has read.
    pub(super) fn read(&mut self, behind: &Behind<'_>) {
        let own = if behind.is_foreign {
            &mut self.foreign
        } else {
            &mut self.own
        };
        own.add(behind.tasks.own.iter());
        self.foreign.add(behind.tasks.foreign.iter());
    }

    /// Returns the error of the last task of which nothing proves that it has run, or of the first one that has failed.
    /// The marks come first: the status of a task that may not have run is not read.
    pub(super) fn check(&self) -> Result<()> {
        let is_in_vain = |task: &&Arc<Work>| task.is_in_vain();
        if let Some(task) = self.own.iter().rev().find(is_in_vain) {
            return Err(MediaMismatch::Unproven { call: task.call }.into());
        }
        self.own.iter().try_for_each(|task| task.check())?;
        for task in self.own.iter() {
            task.shown.succeeded();
        }
        let is_open = |task: &&Arc<Work>| is_in_vain(task) || !task.shown.has_succeeded();
        if let Some(task) = self.foreign.iter().find(is_open) {
            return Err(MediaMismatch::OtherStream { call: task.call }.into());
        }
        self.foreign.iter().try_for_each(|task| task.check())
    }

    /// Notes that the program has taken the result of the tasks without a proof that they have run.
    pub(super) fn accepted(&self) {
        for task in self.own.iter() {
            task.accepted.store(true, Ordering::Relaxed);
        }
    }

    /// Parks the objects of tasks that may not be over.
    pub(super) fn park(self, parking: &Parking, users: &[User]) {
        if self.own.tasks.is_empty() && self.foreign.tasks.is_empty() {
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
