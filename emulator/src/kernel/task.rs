//! A launch in the queue of a stream, and its run.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ascendcl_sys::{ACL_ERROR_RT_AICORE_EXCEPTION, ACL_ERROR_RT_AICORE_TIMEOUT};

use super::barrier::Barrier;
use super::block::Why;
use super::blocks::{Pointer, Running};
use super::config::Config;
use super::function::Function;
use super::judge::{self, Before};
use super::launch;
use super::memory::{Memory, Spot};
use super::packed::Packed;
use crate::check::{self, Site};
use crate::engine::queue::Stream;
use crate::engine::task::{Fault, fault};
use crate::engine::work::Work;
use crate::observe::violation::What;
use crate::space::place::{Gone, Place};
use crate::space::space;

/// Arguments in device memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stored {
    pub(super) place: Place,
    pub(super) len: usize,
}

impl Stored {
    /// Returns the arguments that the memory has now.
    pub(super) fn read(&self) -> Result<Packed, Gone> {
        let entered = self.place.enter(space())?;
        // SAFETY: the place was made for these bytes and is entered. A program that writes them meanwhile breaks the rules of
        // AscendCL, as for every kernel.
        let bytes = unsafe { std::slice::from_raw_parts(entered.pointer(), self.len) };
        let packed = Packed::from_bytes(bytes);
        entered.leave()?;
        Ok(packed)
    }
}

/// The arguments of a launch.
#[derive(Debug, Clone)]
pub(super) enum Arguments {
    /// Copied by the call, with the memory behind the pointers.
    Packed {
        packed: Packed,
        memories: Vec<Memory>,
    },
    /// In device memory.
    Stored(Stored),
}

/// A queued launch.
#[derive(Debug, Clone)]
pub(super) struct Launch {
    pub(super) call: &'static str,
    pub(super) function: Arc<Function>,
    pub(super) blocks: u32,
    pub(super) config: Config,
    pub(super) arguments: Arguments,
    /// The call that has queued it, for the checker.
    pub(super) site: Option<Arc<Site>>,
}

impl Work for Launch {
    fn call(&self) -> &'static str {
        self.call
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }

    fn repeated(&self, stream: &'static Stream, number: u64) {
        if let Some(site) = &self.site {
            check::note(&|checker| {
                let binary = self.function.handle;
                checker.uses_object(binary, stream.slot(), number, Arc::clone(site));
            });
        }
    }

    fn run(&mut self, stream: &'static Stream, number: u64) -> Result<(), Fault> {
        let name = &self.function.kernel.name;
        if !self.function.binary.is_live() {
            let text = format!(
                "the binary of {name} was unloaded before the kernel ran; a card runs code that was freed: wait for the \
                 stream before aclrtBinaryUnLoad"
            );
            return Err(self.fails(What::BinaryUnloaded, text));
        }
        match &self.arguments {
            Arguments::Packed { packed, memories } => {
                self.run_on(packed.clone(), memories.clone(), stream, number)
            }
            Arguments::Stored(stored) => {
                let packed = stored.read().map_err(|gone| fault(self.call, gone))?;
                let memories = launch::memories_of(self.call, &self.function, &packed);
                match memories {
                    Ok(memories) => self.run_on(packed, memories, stream, number),
                    Err(why) => Err(self.fails(What::KernelArguments, why)),
                }
            }
        }
    }
}

impl Launch {
    /// Records why the task fails.
    #[cold]
    fn fails(&self, what: What, text: String) -> Fault {
        check::violated_later(self.call, self.site.as_ref(), what, text);
        Fault(ACL_ERROR_RT_AICORE_EXCEPTION)
    }

    /// Runs all blocks. `packed` are the arguments with the addresses of the program; the kernel gets those of this process.
    fn run_on(
        &self,
        mut packed: Packed,
        mut memories: Vec<Memory>,
        stream: &'static Stream,
        number: u64,
    ) -> Result<(), Fault> {
        let kernel = &self.function.kernel;
        let mut entered = Vec::with_capacity(memories.len());
        let mut pointers = Vec::with_capacity(memories.len());
        for memory in &mut memories {
            let pointer = match memory.spot {
                Spot::Device(place) => {
                    let one = place
                        .enter(space())
                        .map_err(|gone| fault(self.call, gone))?;
                    let pointer = one.pointer();
                    entered.push(one);
                    pointer
                }
                Spot::Arguments(offset) => {
                    let pointer = packed.pointer(offset);
                    memory.address = pointer.addr();
                    pointer
                }
            };
            pointers.push(Pointer(pointer));
        }
        for (memory, pointer) in memories.iter().zip(&pointers) {
            if let Some(parameter) = kernel.parameters.get(memory.parameter) {
                packed.put(
                    parameter.offset,
                    &pointer.0.expose_provenance().to_ne_bytes(),
                );
            }
        }
        // From here on the arguments stay where they are. Nobody looks at them but the kernel, whose blocks have the bytes of the
        // parameters and, by other pointers, those of placeholders.
        let arguments = packed.bytes().get(..kernel.end).unwrap_or_default();
        let is_watched = check::is_on();
        let mut holes = if is_watched {
            check::launch_begins(stream.slot(), number)
        } else {
            Vec::new()
        };
        let before = is_watched.then(|| Before::note(&memories, &pointers));
        // Nothing of an output may be read before the kernel has written it, whatever was there.
        let outputs = before.iter().flat_map(|before| before.outputs(&memories));
        holes.extend(outputs);
        let running = Running {
            kernel,
            count: self.blocks,
            arguments,
            memories: &memories,
            pointers: &pointers,
            holes: &holes,
            is_watched,
            deadline: self.config.limit.map(|limit| Instant::now() + limit),
            barrier: self.config.is_batch.then(|| Barrier::new(self.blocks)),
            is_over: AtomicBool::new(false),
        };
        let outcome = running.run();
        let is_whole = outcome.stop.is_none();
        if let (Some(before), Some(site)) = (&before, &self.site) {
            let told = judge::Told {
                kernel,
                memories: &memories,
                pointers: &pointers,
                used: &outcome.used,
                site,
            };
            told.judge(before, is_whole);
            check::launch_ran(stream.slot(), number, &told.exact());
        }
        for one in entered {
            one.leave().map_err(|gone| fault(self.call, gone))?;
        }
        let Some(stop) = outcome.stop else {
            return Ok(());
        };
        let what = match stop.why {
            Why::Bounds => What::KernelOutOfBounds,
            Why::Input => What::KernelWritesInput,
            Why::Panicked => What::KernelPanicked,
            Why::Rule | Why::Released => What::KernelRule,
            Why::Late => {
                let _ = self.fails(What::KernelLate, stop.text);
                return Err(Fault(ACL_ERROR_RT_AICORE_TIMEOUT));
            }
        };
        Err(self.fails(what, stop.text))
    }
}
