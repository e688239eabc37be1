//! A run of a model: the work of a stream, or of a blocking call.

use std::sync::Arc;

use ascendcl_sys::{ACL_ERROR_RT_MODEL_EXECUTE, ACL_SUCCESS, aclError, aclrtStream};

use super::loaded::{Loaded, tracked};
use super::network::Array;
use super::program::{Program, Shapes};
use crate::check::{self, InPlace, Touch, violated};
use crate::engine::kernel::{KernelTask, Mapped, run_kernel};
use crate::engine::queue::Stream;
use crate::engine::submit::{find, own, push_told};
use crate::engine::task::{Fault, Task, fault};
use crate::engine::work::Work;
use crate::object_calls::refused;
use crate::observe::violation::{self, What};
use crate::results::{every_some, list_of};
use crate::space::place::{Gone, Place};
use crate::space::space;
use crate::sync::{Mutex, lock};

/// A range of memory that a run uses.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use {
    address: usize,
    bytes: usize,
    writes: bool,
    /// Whether the run uses every byte.
    dense: bool,
}

impl Use {
    pub(super) fn read(address: usize, bytes: usize) -> Use {
        Use {
            address,
            bytes,
            writes: false,
            dense: true,
        }
    }

    pub(super) fn write(address: usize, bytes: usize) -> Use {
        Use {
            address,
            bytes,
            writes: true,
            dense: true,
        }
    }

    /// Memory whose content has no meaning between runs.
    pub(super) fn scratch(address: usize, bytes: usize) -> Use {
        Use {
            address,
            bytes,
            writes: true,
            dense: false,
        }
    }

    /// Memory that the model reads, and that the program did not write.
    pub(super) fn scratch_read(address: usize, bytes: usize) -> Use {
        Use {
            address,
            bytes,
            writes: false,
            dense: false,
        }
    }
}

/// A run that was checked.
pub(super) struct Run {
    call: &'static str,
    /// The id of the model.
    id: u32,
    uses: Vec<Use>,
    task: ModelTask,
}

impl Run {
    pub(super) fn new(call: &'static str, id: u32, uses: Vec<Use>, model: Arc<Loaded>) -> Run {
        let places = places(&uses);
        let failed = Arc::new(Mutex::new(None));
        let kernel = {
            let failed = Arc::clone(&failed);
            move |mapped: &[Mapped]| {
                if let Err(why) = compute(&model.program, mapped) {
                    *lock(&failed) = Some(why);
                }
            }
        };
        let kernel = places.map(|places| KernelTask {
            name: call,
            places,
            kernel: Arc::new(kernel),
        });
        Run {
            call,
            id,
            uses,
            task: ModelTask {
                call,
                kernel,
                failed,
            },
        }
    }

    fn touches(&self) -> Vec<Touch> {
        let touch = |used: &Use| Touch {
            address: used.address,
            len: used.bytes,
            write: used.writes,
            dense: used.dense,
            scratch: false,
            maybe: false,
        };
        list_of(self.uses.iter().filter(|used| used.bytes > 0).map(touch))
    }

    /// Runs the model in the calling thread.
    pub(super) fn now(self) -> Result<(), aclError> {
        let call = self.call;
        check::tell(call, &|checker, site| {
            let touches = self.touches();
            checker.overlaps(&touches, InPlace::All, &site);
            checker.use_now(touches, false, site)
        });
        self.task.compute().map_err(|Fault(code)| {
            refused(
                call,
                code,
                format_args!(
                    "the run of the model failed; the emulator's `violations()` say why{}",
                    violation::cause()
                ),
            )
        })
    }

    /// Queues the run on a stream.
    pub(super) fn queue(self, stream: aclrtStream) -> Result<(), aclError> {
        let call = self.call;
        let target = find(call, stream).and_then(|found| own(call, found))?;
        let tell = |number| {
            check::tell(call, &|checker, site| {
                let touches = self.touches();
                checker.overlaps(&touches, InPlace::All, &site);
                let (model, slot) = (tracked(self.id), target.stream.slot());
                checker.uses_object(model, slot, number, Arc::clone(&site));
                checker.queued(target.stream.slot(), number, touches, false, site);
            });
        };
        let task = self.task.clone();
        match push_told(call, target, true, &tell, |_| Task::Other(Box::new(task))) {
            ACL_SUCCESS => Ok(()),
            code => Err(code),
        }
    }
}

/// Returns the places of the ranges; an empty range gets that of another one.
fn places(uses: &[Use]) -> Option<Vec<(Place, usize)>> {
    let any = uses.iter().find(|used| used.bytes > 0)?;
    let places = uses.iter().map(|used| {
        let real = if used.bytes == 0 { any } else { used };
        Some((Place::new(space(), real.address, real.bytes)?, used.bytes))
    });
    every_some(places)
}

/// The task of a run.
#[derive(Clone)]
struct ModelTask {
    call: &'static str,
    /// The computation with its memory; `None` if a range is no memory of a device.
    kernel: Option<KernelTask>,
    /// The reason why the engine has failed.
    failed: Arc<Mutex<Option<String>>>,
}

impl ModelTask {
    fn compute(&self) -> Result<(), Fault> {
        let Some(kernel) = &self.kernel else {
            return Err(fault(self.call, Gone::NeverThere));
        };
        run_kernel(kernel)?;
        match lock(&self.failed).take() {
            None => Ok(()),
            Some(why) => {
                violated(self.call, What::ModelFailed, format_args!("{why}"));
                Err(Fault(ACL_ERROR_RT_MODEL_EXECUTE))
            }
        }
    }
}

impl Work for ModelTask {
    fn call(&self) -> &'static str {
        self.call
    }

    fn run(&mut self, _stream: &'static Stream, _number: u64) -> Result<(), Fault> {
        self.compute()
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }
}

/// Computes the outputs of a model: `mapped` has its inputs, then its outputs.
fn compute(program: &Program, mapped: &[Mapped]) -> Result<(), String> {
    let (inputs, rest) = mapped
        .split_at_checked(program.inputs.len())
        .ok_or("an input is missing")?;
    let bytes: Vec<&[u8]> = inputs
        .iter()
        // SAFETY: the range is readable while the task runs (invariant of `Mapped`). A program that writes it meanwhile
        // breaks the rules of AscendCL, as for every kernel.
        .map(|input| unsafe { std::slice::from_raw_parts(input.pointer.cast_const(), input.len) })
        .collect();
    let shapes = shapes(program, bytes.last().copied())?;
    let mut arrays = Vec::new();
    for (index, shape) in shapes.inputs.iter().enumerate() {
        let needed = program.inputs.get(index).map_or(0, |tensor| tensor.unit())
            * shape.iter().product::<usize>();
        let bytes = bytes.get(index).and_then(|bytes| bytes.get(..needed));
        let bytes = bytes.ok_or_else(|| {
            format!("input {index} is smaller than the {needed} bytes of the gear")
        })?;
        arrays.push(Array { shape, bytes });
    }
    let outputs = program.network.run(&arrays)?;
    if outputs.len() != shapes.outputs.len() {
        return Err(format!("the engine has made {} outputs", outputs.len()));
    }
    for (index, ((output, shape), to)) in outputs.iter().zip(&shapes.outputs).zip(rest).enumerate()
    {
        let unit = program.outputs.get(index).map_or(0, |tensor| tensor.unit());
        if output.shape != *shape || output.bytes.len() != unit * shape.iter().product::<usize>() {
            return Err(format!(
                "output {index} has the shape {:?}, and the file says {shape:?}",
                output.shape
            ));
        }
        if output.bytes.len() > to.len {
            return Err(format!(
                "output {index} has {} bytes, and its buffer {}",
                output.bytes.len(),
                to.len
            ));
        }
        // SAFETY: the range is writable while the task runs (invariant of `Mapped`), and it is long enough.
        unsafe {
            to.pointer
                .copy_from_nonoverlapping(output.bytes.as_ptr(), output.bytes.len())
        };
    }
    Ok(())
}

/// Returns the shapes of the gear that the last input holds, or the only ones.
fn shapes<'p>(program: &'p Program, gear: Option<&[u8]>) -> Result<&'p Shapes, String> {
    let index = match &program.gears {
        None => 0,
        Some(gears) => {
            let (bytes, count) = (gear.unwrap_or_default(), gears.numbers());
            let width = if bytes.len() >= 8 * count { 8 } else { 4 };
            let number = |part: &[u8]| {
                part.iter()
                    .rev()
                    .fold(0, |number, byte| number << 8 | u64::from(*byte))
            };
            let values: Vec<u64> = list_of(bytes.chunks_exact(width).take(count).map(number));
            gears.find(&values).ok_or_else(|| {
                format!("the input for gears holds {values:?}, which is no gear of the model; set one before the run")
            })?
        }
    };
    program
        .shapes
        .get(index)
        .ok_or_else(|| "the model has no shapes".to_owned())
}
