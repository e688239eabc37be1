//! A block of a running kernel: its number, its arguments, and the check of its accesses.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Instant;

use super::barrier::Met;
use super::blocks::Running;
use super::used::{How, Used};

/// Why a block has stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// It accessed memory that is none of its arguments.
    Bounds,
    /// It wrote memory that the program has declared for reading.
    Input,
    /// It broke another rule of kernels.
    Rule,
    /// It panicked.
    Panicked,
    /// The limit of the launch was over.
    Late,
    /// Another block has stopped, and this one was in a barrier.
    Released,
}

/// The reason for which a block has stopped, for the report.
#[derive(Debug, Clone)]
pub(super) struct Stop {
    pub(super) block: u32,
    pub(super) why: Why,
    pub(super) text: String,
}

/// The sign that a block has to end. The block has the reason.
#[derive(Debug)]
pub(super) struct Stopped;

impl Stopped {
    /// Ends the block. No hook for panics runs: this is no panic of the program.
    #[cold]
    pub(super) fn unwind(self) -> ! {
        resume_unwind(Box::new(self))
    }
}

/// The number of accesses between two looks at the clock.
const LOOK: u32 = 256;

/// A block of a running kernel.
pub struct Block<'a> {
    running: &'a Running<'a>,
    index: u32,
    /// The number of arguments that the kernel has taken.
    taken: Cell<usize>,
    /// The number of barriers that the block has passed.
    interval: Cell<u32>,
    /// The accesses until the next look at the clock.
    until_look: Cell<u32>,
    stop: RefCell<Option<Stop>>,
    /// The accesses of the block; only the checker wants them.
    used: Option<RefCell<Used>>,
}

impl fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kernel = &self.running.kernel.name;
        write!(
            f,
            "block {} of {} of {kernel}",
            self.index, self.running.count
        )
    }
}

/// What a kernel in Rust asks for.
impl Block<'_> {
    /// Returns the number of this block, from 0: `GetBlockIdx` of a kernel on a card.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index as usize
    }

    /// Returns the number of blocks: `GetBlockNum` of a kernel on a card.
    #[must_use]
    pub fn count(&self) -> usize {
        self.running.count as usize
    }

    /// Returns the part of `len` elements that this block works on, if each block works on a part of the same length.
    #[must_use]
    pub fn part(&self, len: usize) -> Range<usize> {
        let each = len.div_ceil(self.count().max(1));
        let start = each.saturating_mul(self.index()).min(len);
        start..start.saturating_add(each).min(len)
    }

    /// Waits until all blocks have come here: `SyncAll` of a kernel on a card. What the blocks have written before is there
    /// for all of them afterwards.
    ///
    /// It ends the block unless the kernel was launched with the schedule `batch`: no block of another launch has to run at
    /// the same time.
    pub fn sync(&self) {
        if let Err(stopped) = self.meet() {
            stopped.unwind();
        }
    }
}

impl<'a> Block<'a> {
    /// Runs a block, and returns its accesses and the reason for which it has stopped.
    pub(super) fn run(running: &'a Running<'a>, index: u32) -> (Option<Used>, Option<Stop>) {
        let used = running.is_watched.then(|| RefCell::new(Used::default()));
        let block = Block {
            running,
            index,
            taken: Cell::new(0),
            interval: Cell::new(0),
            until_look: Cell::new(LOOK),
            stop: RefCell::new(None),
            used,
        };
        // A panic must not end the thread: it may be a thread of the program, and hold locks.
        let outcome = catch_unwind(AssertUnwindSafe(|| (running.kernel.body)(&block)));
        if let Err(payload) = outcome
            && !payload.is::<Stopped>()
        {
            block.stop(Why::Panicked, &message(&*payload));
        }
        (block.used.map(RefCell::into_inner), block.stop.into_inner())
    }

    pub(super) fn running(&self) -> &'a Running<'a> {
        self.running
    }

    /// Returns the number of the next argument.
    pub(super) fn take(&self) -> usize {
        self.taken.replace(self.taken.get() + 1)
    }

    /// Returns the bytes of the next argument.
    pub(super) fn take_value(&self) -> &[u8] {
        let parameter = self.running.kernel.parameters.get(self.take());
        let bytes = parameter.and_then(|one| {
            let end = one.offset + one.size;
            self.running.arguments.get(one.offset..end)
        });
        bytes.unwrap_or_default()
    }

    /// Returns the number of the memory behind a pointer, and where the block finds it.
    pub(super) fn memory_of(&self, parameter: usize) -> Option<(usize, *mut u8)> {
        let mut memories = self.running.memories.iter();
        let memory = memories.position(|one| one.parameter == parameter)?;
        Some((memory, self.running.pointers.get(memory)?.0))
    }

    /// Returns a parameter as a report names it.
    pub(super) fn parameter(&self, number: usize) -> String {
        self.running.kernel.parameter(number)
    }

    /// Remembers why the block ends. The first reason counts.
    #[cold]
    pub(super) fn stop(&self, why: Why, what: &str) -> Stopped {
        let text = format!(
            "block {} of {}: {what}",
            self.index, self.running.kernel.name
        );
        let stop = Stop {
            block: self.index,
            why,
            text,
        };
        self.stop.borrow_mut().get_or_insert(stop);
        Stopped
    }

    /// Checks an access of `size` bytes of a memory, and enters it for the checker.
    #[inline]
    pub(super) fn touch(
        &self,
        memory: usize,
        start: usize,
        size: usize,
        how: How,
    ) -> Result<(), Stopped> {
        let Some(known) = self.running.memories.get(memory) else {
            return Err(self.stop(Why::Bounds, "an argument is missing"));
        };
        let is_inside = start <= known.len && size <= known.len - start;
        if !is_inside || (how.writes() && !known.is_writable()) {
            return Err(self.refuse(memory, start, size, how));
        }
        if self.running.deadline.is_some() {
            self.look()?;
        }
        if let Some(used) = &self.used {
            let (range, holes) = (
                known.address + start..known.address + start + size,
                self.running.holes,
            );
            let mut used = used.borrow_mut();
            used.enter(memory, self.interval.get(), range, how, holes);
        }
        Ok(())
    }

    /// Stops the block for an access that it must not make.
    #[cold]
    fn refuse(&self, memory: usize, start: usize, size: usize, how: How) -> Stopped {
        let Some(known) = self.running.memories.get(memory) else {
            return Stopped;
        };
        let does = if how.writes() { "writes" } else { "reads" };
        let (end, name) = (start.saturating_add(size), self.parameter(known.parameter));
        if end > known.len {
            let to = if known.is_exact {
                "which has"
            } else {
                "whose allocation ends after"
            };
            let text = format!(
                "it {does} bytes {start} to {end} of {name}, {to} {} bytes",
                known.len
            );
            return self.stop(Why::Bounds, &text);
        }
        let text = format!(
            "it writes bytes {start} to {end} of {name}, which the program has declared for reading"
        );
        self.stop(Why::Input, &text)
    }

    /// Looks at the clock now and then.
    fn look(&self) -> Result<(), Stopped> {
        let left = self.until_look.get();
        if left > 0 {
            self.until_look.set(left - 1);
            return Ok(());
        }
        self.until_look.set(LOOK);
        let deadline = self.running.deadline;
        if deadline.is_none_or(|deadline| Instant::now() < deadline) {
            return Ok(());
        }
        Err(self.late())
    }

    #[cold]
    fn late(&self) -> Stopped {
        self.stop(Why::Late, "the limit of the launch is over")
    }

    /// Waits for all blocks.
    pub(super) fn meet(&self) -> Result<(), Stopped> {
        let Some(barrier) = &self.running.barrier else {
            return Err(self.stop(
                Why::Rule,
                "it waits for all blocks (SyncAll), which need not run at the same time; launch with the schedule mode \
                 batch (ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE = 1)",
            ));
        };
        match barrier.meet(self.running.deadline) {
            Met::All => {
                self.interval.set(self.interval.get() + 1);
                Ok(())
            }
            Met::Late => Err(self.late()),
            Met::Stopped => Err(self.stop(Why::Released, "another block has stopped")),
            Met::Alone => Err(self.stop(
                Why::Rule,
                "it waits for all blocks (SyncAll), and another block has returned without this wait; on a card it never \
                 goes on",
            )),
        }
    }

    /// Checks an access to an address of this process, by a kernel in C++.
    pub(super) fn touch_at(&self, address: usize, size: usize, how: How) -> Result<(), Stopped> {
        // The memory that begins last at or before the address: one argument may lie inside of the memory of another. Of two
        // arguments with one address, the one that may be written.
        let places = self.running.pointers.iter().zip(self.running.memories);
        let before = places.enumerate().filter(|(_, (pointer, _))| {
            // Nothing that is farther away is one memory with the address.
            address.wrapping_sub(pointer.0.addr()) < FAR
        });
        let found = before.max_by_key(|(_, (pointer, known))| {
            let is_fit = !how.writes() || known.is_writable();
            (pointer.0.addr(), is_fit)
        });
        match found {
            Some((memory, (pointer, _))) => {
                self.touch(memory, address - pointer.0.addr(), size, how)
            }
            None => {
                let does = if how.writes() { "writes" } else { "reads" };
                let text = format!(
                    "it {does} {size} bytes at {address:#x}, which belongs to none of its arguments"
                );
                Err(self.stop(Why::Bounds, &text))
            }
        }
    }
}

/// More bytes than one allocation has.
const FAR: usize = 1 << 38;

/// Returns the text of a panic.
fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    match text {
        Some(text) => format!("it panicked: {text}"),
        None => "it panicked".to_owned(),
    }
}
