//! Tasks of the media engine: memory, a computation on it, and what becomes of the descriptions when it is over.
//!
//! A task that the device refuses fails its stream with 507018, and the reason becomes a violation. The description of
//! the output then has a status of its own.

use std::slice;
use std::sync::Arc;

use ascendcl_sys::{ACL_ERROR_RT_AICPU_EXCEPTION, ACL_SUCCESS, aclError, aclrtStream};

use super::picture::Refused;
use crate::check::{self, Touch, violated};
use crate::engine::kernel::{KernelTask, Mapped, run_kernel};
use crate::engine::queue::Stream;
use crate::engine::submit::{find, own, push_told};
use crate::engine::task::{Fault, Task, fault};
use crate::engine::work::Work;
use crate::observe::violation::What;
use crate::results::every_some;
use crate::space::place::{Gone, Place};
use crate::space::space;
use crate::sync::{Mutex, lock};

/// The memory of a task while it runs, in the order of its plan.
pub(super) struct Memory<'m>(&'m [Mapped]);

impl Memory<'_> {
    /// Returns a range for reading.
    pub(super) fn read(&self, index: usize) -> &[u8] {
        self.0.get(index).map_or(&[], |range| {
            // SAFETY: the range is readable while the task runs (invariant of `Mapped`), and nothing of `write` is
            // borrowed now. A program that writes it meanwhile breaks the rules of AscendCL, as for every kernel.
            unsafe { slice::from_raw_parts(range.pointer.cast_const(), range.len) }
        })
    }

    /// Returns a range for writing.
    pub(super) fn write(&mut self, index: usize) -> &mut [u8] {
        self.0.get(index).map_or(&mut [], |range| {
            // SAFETY: the range is writable while the task runs (invariant of `Mapped`), and nothing else of this
            // memory is borrowed now, because `self` is.
            unsafe { slice::from_raw_parts_mut(range.pointer, range.len) }
        })
    }
}

/// The computation of a task. A graph runs it more than once.
pub(super) type Job = dyn Fn(&mut Memory<'_>) -> Result<(), Refused> + Send + Sync;

/// What becomes of the descriptions; the argument is the status of the task.
pub(super) type Finish = dyn Fn(u32) + Send + Sync;

/// A task that the checks of the call have accepted.
pub(super) struct Accepted {
    pub(super) call: &'static str,
    /// The memory: an address and a number of bytes.
    pub(super) ranges: Vec<(usize, usize)>,
    pub(super) touches: Vec<Touch>,
    /// The computation, or the reason why the device refuses the task.
    pub(super) job: Result<Arc<Job>, Refused>,
    pub(super) finish: Arc<Finish>,
}

impl Accepted {
    /// Makes the task.
    fn task(&self) -> MediaTask {
        let failed = Arc::new(Mutex::new(None));
        let kernel = self.job.clone().map(|job| {
            let failed = Arc::clone(&failed);
            let kernel = move |mapped: &[Mapped]| {
                if let Err(why) = job(&mut Memory(mapped)) {
                    *lock(&failed) = Some(why);
                }
            };
            let places = self
                .ranges
                .iter()
                .map(|(address, bytes)| Some((Place::new(space(), *address, *bytes)?, *bytes)));
            every_some(places).map(|places| KernelTask {
                name: self.call,
                places,
                kernel: Arc::new(kernel),
            })
        });
        MediaTask {
            call: self.call,
            kernel,
            failed,
            finish: Arc::clone(&self.finish),
        }
    }

    /// Queues the task on a stream.
    pub(super) fn queue(self, stream: aclrtStream) -> Result<(), aclError> {
        let call = self.call;
        let target = find(call, stream).and_then(|found| own(call, found))?;
        let task = self.task();
        let tell = |number| {
            check::tell(call, &|checker, site| {
                let touches = self.touches.clone();
                checker.queued(target.stream.slot(), number, touches, false, site);
            });
        };
        match push_told(call, target, true, &tell, |_| Task::Other(Box::new(task))) {
            ACL_SUCCESS => Ok(()),
            code => Err(code),
        }
    }

    /// Runs the task in the calling thread, and returns its status.
    pub(super) fn now(&self) -> u32 {
        match self.task().compute() {
            Ok(()) => ACL_SUCCESS as u32,
            Err(failure) => failure.status,
        }
    }
}

/// The failure of a task.
struct Failure {
    fault: Fault,
    /// The status for the descriptions.
    status: u32,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        let Fault(code) = fault;
        Failure {
            fault: Fault(code),
            status: code as u32,
        }
    }
}

/// A task in a stream.
#[derive(Clone)]
struct MediaTask {
    call: &'static str,
    /// The computation with its memory, `None` if a range is no memory of a device.
    kernel: Result<Option<KernelTask>, Refused>,
    /// The reason why the computation has refused its data.
    failed: Arc<Mutex<Option<Refused>>>,
    finish: Arc<Finish>,
}

impl MediaTask {
    fn compute(&self) -> Result<(), Failure> {
        let kernel = match &self.kernel {
            Ok(Some(kernel)) => kernel,
            Ok(None) => return Err(fault(self.call, Gone::NeverThere).into()),
            Err(why) => return Err(self.refused(why)),
        };
        run_kernel(kernel)?;
        match lock(&self.failed).take() {
            None => Ok(()),
            Some(why) => Err(self.refused(&why)),
        }
    }

    fn refused(&self, why: &Refused) -> Failure {
        violated(
            self.call,
            What::PictureRefused,
            format_args!("{}", why.text),
        );
        Failure {
            fault: Fault(ACL_ERROR_RT_AICPU_EXCEPTION),
            status: why.code,
        }
    }
}

impl Work for MediaTask {
    fn call(&self) -> &'static str {
        self.call
    }

    fn run(&mut self, _stream: &'static Stream, _number: u64) -> Result<(), Fault> {
        match self.compute() {
            Ok(()) => {
                (self.finish)(ACL_SUCCESS as u32);
                Ok(())
            }
            Err(failure) => {
                (self.finish)(failure.status);
                Err(failure.fault)
            }
        }
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }
}
