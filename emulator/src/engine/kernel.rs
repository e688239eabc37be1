//! Kernels: functions of an operator that work on device memory.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ascendcl_sys::{
    ACL_ERROR_RT_AICORE_EXCEPTION, ACL_ERROR_RT_PARAM_INVALID, aclError, aclrtStream,
};

use crate::check::{self, Touch, violated};
use crate::engine::scattered::{cut, gathered};
use crate::engine::submit::{find, own, push_told};
use crate::engine::task::{Fault, Task, fault};
use crate::engine::worker::LARGE;
use crate::error::fail;
use crate::observe::violation::What;
use crate::results::{every, list_of};
use crate::space::place::Place;
use crate::space::space;

/// A range of device memory that a kernel uses.
#[derive(Debug)]
pub(crate) struct Span {
    /// Device address of the first byte.
    pub(crate) address: usize,
    /// Length in bytes.
    pub(crate) len: usize,
    /// Whether the kernel writes the range.
    pub(crate) write: bool,
    /// Whether the kernel touches every byte of the range.
    pub(crate) dense: bool,
    /// Whether the range is a workspace, whose content nobody may use afterwards.
    pub(crate) scratch: bool,
}

impl From<&Span> for Touch {
    fn from(span: &Span) -> Touch {
        Touch {
            address: span.address,
            len: span.len,
            write: span.write,
            dense: span.dense,
            scratch: span.scratch,
            maybe: false,
        }
    }
}

/// A span while the kernel runs, at an address that the kernel can access.
///
/// # Invariants
///
/// `len` bytes at `pointer` are valid for reads and writes while the kernel runs. An empty span has a
/// dangling pointer.
#[derive(Debug)]
pub(crate) struct Mapped {
    /// Pointer to the first byte, with the alignment of the device address up to 4096.
    pub(crate) pointer: *mut u8,
    /// Length in bytes.
    pub(crate) len: usize,
}

/// The function of a kernel. It gets the spans in the order of the call that queued the kernel. A graph runs it more
/// than once.
pub(crate) type Kernel = Arc<dyn Fn(&[Mapped]) + Send + Sync>;

/// Queues a kernel on a stream.
///
/// The spans are looked up now. The task fails, and not this call, if a span does not lie in one allocation, or in mappings
/// without a gap, or if the memory is freed before the kernel runs.
pub(crate) fn submit_kernel(
    stream: aclrtStream,
    name: &'static str,
    spans: Vec<Span>,
    kernel: Kernel,
) -> aclError {
    let (spans, kernel) = match cut(&spans) {
        Some((pieces, counts)) => (pieces, gathered(counts, kernel)),
        None => (spans, kernel),
    };
    let bytes = spans
        .iter()
        .map(|span| span.len)
        .fold(0, usize::saturating_add);
    let places = spans.iter().map(|span| {
        let place = Place::new(space(), span.address, span.len);
        place.map(|place| (place, span.len)).ok_or(span)
    });
    match every(places) {
        Ok(places) => {
            let task = Task::Kernel(Box::new(KernelTask {
                name,
                places,
                kernel,
            }));
            match find(name, stream).and_then(|found| own(name, found)) {
                Ok(target) => {
                    let tell = |number| {
                        check::tell(name, &|checker, site| {
                            let touches = list_of(spans.iter().map(Touch::from));
                            checker.queued(target.stream.slot(), number, touches, false, site);
                        });
                    };
                    push_told(name, target, bytes >= LARGE, &tell, |_| task)
                }
                Err(code) => code,
            }
        }
        Err(Span {
            address,
            len,
            write,
            ..
        }) => fail(
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!(
                "{name} failed: {} {len} bytes at {address:#x}, which is no device memory; pass \
                 memory of aclrtMalloc",
                if *write { "it writes" } else { "it reads" }
            ),
        ),
    }
}

/// A kernel with its memory.
#[derive(Clone)]
pub(crate) struct KernelTask {
    pub(crate) name: &'static str,
    pub(crate) places: Vec<(Place, usize)>,
    pub(crate) kernel: Kernel,
}

/// Runs a kernel on its memory.
pub(crate) fn run_kernel(task: &KernelTask) -> Result<(), Fault> {
    let KernelTask {
        name,
        places,
        kernel,
    } = task;
    let space = space();
    let mut entered = Vec::with_capacity(places.len());
    let mut mapped = Vec::with_capacity(places.len());
    for &(place, len) in places {
        if len == 0 {
            mapped.push(Mapped {
                pointer: std::ptr::dangling_mut(),
                len,
            });
            continue;
        }
        let memory = place.enter(space).map_err(|gone| fault(name, gone))?;
        mapped.push(Mapped {
            pointer: memory.pointer(),
            len,
        });
        entered.push(memory);
    }
    // A panic must not end the thread: it may be a thread of the program, and hold locks.
    if catch_unwind(AssertUnwindSafe(|| kernel(&mapped))).is_err() {
        violated(
            name,
            What::KernelPanicked,
            format_args!(
                "the kernel has a defect: that of the program, if it registered this operator"
            ),
        );
        return Err(Fault(ACL_ERROR_RT_AICORE_EXCEPTION));
    }
    entered
        .into_iter()
        .try_for_each(|entered| entered.leave().map_err(|gone| fault(name, gone)))
}
