//! What the checker reports about a launch that has run: blocks that race, memory that was read before it was written, outputs
//! that were not written as a whole, and inputs that were written.

use std::ops::Range;
use std::sync::Arc;

use super::blocks::Pointer;
use super::memory::Memory;
use super::registered::Kernel;
use super::used::{Access, How, Used, first_missing};
use crate::check::{self, Mistake, Site};
use crate::results::list_of;

/// The bytes of a word of [`mark`].
const WORD: usize = size_of::<u32>();

/// Returns what the word at an address of an output is before the kernel runs. No kernel writes it by chance.
fn mark(address: usize) -> [u8; WORD] {
    // The golden ratio, as hashes use it.
    let mixed = (address as u64 / WORD as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed >> 32) as u32).to_ne_bytes()
}

/// The memory of a launch before its blocks run.
pub(super) struct Before {
    /// The memories that are outputs as a whole and no other memory of the launch. Their bytes are marked.
    outputs: Vec<usize>,
    /// The inputs that no other pointer of the launch leads to for writing, with a number that depends on all bytes.
    inputs: Vec<(usize, u64)>,
}

impl Before {
    /// Marks the outputs, and notes the inputs.
    pub(super) fn note(memories: &[Memory], pointers: &[Pointer]) -> Before {
        let meets = |one: &Memory, other: &Memory| {
            one.parameter != other.parameter
                && one.address < other.end()
                && other.address < one.end()
        };
        let (mut outputs, mut inputs) = (Vec::new(), Vec::new());
        for (number, (memory, pointer)) in memories.iter().zip(pointers).enumerate() {
            let mut others = memories.iter().filter(|other| meets(memory, other));
            if memory.is_whole() && others.next().is_none() {
                fill(memory, pointer);
                outputs.push(number);
            } else if memory.is_exact
                && !memory.is_writable()
                && !others.any(|other| other.is_writable())
            {
                inputs.push((number, sum(memory, pointer)));
            }
        }
        Before { outputs, inputs }
    }

    /// Returns the addresses of the outputs.
    pub(super) fn outputs(&self, memories: &[Memory]) -> impl Iterator<Item = Range<usize>> {
        let outputs = self.outputs.iter();
        outputs
            .filter_map(|number| memories.get(*number))
            .map(|memory| memory.address..memory.end())
    }
}

/// Marks all words of a memory.
fn fill(memory: &Memory, pointer: &Pointer) {
    for offset in (0..memory.len / WORD).map(|word| word * WORD) {
        let bytes = mark(memory.address + offset);
        // SAFETY: a word of the memory, which is entered.
        let to = unsafe { pointer.0.add(offset) };
        // SAFETY: as above.
        unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), WORD) };
    }
}

/// Returns the bytes of a memory that no block uses any more, or none yet.
fn bytes<'m>(memory: &'m Memory, pointer: &'m Pointer) -> &'m [u8] {
    // SAFETY: the memory is entered, and no block runs. A copy that the program has not ordered with the launch may write it,
    // as for every operator.
    unsafe { std::slice::from_raw_parts(pointer.0, memory.len) }
}

/// Returns a number that depends on all bytes (FNV-1a over words).
fn sum(memory: &Memory, pointer: &Pointer) -> u64 {
    let (words, rest) = bytes(memory, pointer).as_chunks::<8>();
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x0100_0000_01b3);
    let start = 0xcbf2_9ce4_8422_2325;
    let sum = words.iter().fold(start, |sum, word| {
        mix(sum, u64::from_ne_bytes(*word)).rotate_left(23)
    });
    rest.iter()
        .fold(sum, |sum, byte| mix(sum, u64::from(*byte)))
}

/// What a launch has done.
pub(super) struct Told<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) memories: &'a [Memory],
    pub(super) pointers: &'a [Pointer],
    pub(super) used: &'a [(u32, Used)],
    pub(super) site: &'a Arc<Site>,
}

/// An access with its block.
#[derive(Debug, Clone, Copy)]
struct Step<'a> {
    access: &'a Access,
    how: How,
    block: u32,
}

impl Told<'_> {
    fn find(&self, mistake: Mistake, text: String) {
        check::kernel_found(mistake, text, self.site);
    }

    /// Reports the mistakes. `is_whole` says whether all blocks have run to their end.
    pub(super) fn judge(&self, before: &Before, is_whole: bool) {
        let mut steps = list_of(self.used.iter().flat_map(|(block, used)| {
            used.all().map(|(access, how)| Step {
                access,
                how,
                block: *block,
            })
        }));
        steps.sort_by_key(|step| (step.access.interval, step.access.range.start));
        self.races(&steps);
        self.unwritten(&steps);
        self.changed(before);
        if is_whole {
            self.gaps(before, &steps);
        }
    }

    /// Returns the parameter and the byte of an address, for a text.
    fn place(&self, address: usize) -> String {
        let mut memories = self.memories.iter();
        let found = memories.find(|one| (one.address..one.end()).contains(&address));
        match found {
            Some(one) => format!(
                "byte {} of {}",
                address - one.address,
                self.kernel.parameter(one.parameter)
            ),
            None => format!("the byte at {address:#x}"),
        }
    }

    /// Reports two blocks that use one byte between the same barriers, if one of them writes it.
    fn races(&self, steps: &[Step<'_>]) {
        // Of the accesses of each kind before the present one: the two that reach farthest, of two blocks.
        let mut reach: [(How, [Option<Step<'_>>; 2]); 3] =
            [How::Read, How::Write, How::Combine].map(|how| (how, [None, None]));
        let mut interval = 0;
        for step in steps {
            if step.access.interval != interval {
                interval = step.access.interval;
                for (_, known) in &mut reach {
                    *known = [None, None];
                }
            }
            let start = step.access.range.start;
            let others = reach.iter().filter(|(how, _)| how.races(step.how));
            let mut met = others.flat_map(|(_, known)| known.iter().flatten());
            let other = met.find(|one| one.block != step.block && one.access.range.end > start);
            if let Some(other) = other {
                let (writer, second) = if other.how.writes() {
                    (other, step)
                } else {
                    (step, other)
                };
                let does = match second.how {
                    How::Read => "reads",
                    How::Write => "writes",
                    How::Combine => "adds to",
                };
                let text = format!(
                    "blocks {} and {} of {} use {}, between the same barriers: block {} writes it, and block {} {does} it",
                    other.block,
                    step.block,
                    self.kernel.name,
                    self.place(start),
                    writer.block,
                    second.block,
                );
                return self.find(Mistake::BlocksUnordered, text);
            }
            let own = reach.iter_mut().find(|(how, _)| *how == step.how);
            if let Some((_, known)) = own {
                extend(known, *step);
            }
        }
    }

    /// Reports the first byte that a block reads and nothing has written before.
    fn unwritten(&self, steps: &[Step<'_>]) {
        let mut found: Option<(usize, u32)> = None;
        for (block, used) in self.used {
            for suspect in &used.unwritten {
                let is_before = |step: &&Step<'_>| {
                    let is_earlier = step.access.interval < suspect.interval;
                    // A write of another block between the same barriers is a race, which is reported.
                    let is_race = step.access.interval == suspect.interval
                        && step.block != *block
                        && step.how == How::Write;
                    step.how.writes() && (is_earlier || is_race)
                };
                let writes = steps.iter().filter(is_before);
                let mut writes = writes.map(|step| &step.access.range);
                let first = first_missing(&suspect.range, &mut writes);
                let first = first.map(|first| (first, *block));
                found = found.into_iter().chain(first).min();
            }
        }
        if let Some((first, block)) = found {
            let text = format!(
                "block {block} of {} reads {}, which was never written",
                self.kernel.name,
                self.place(first)
            );
            self.find(Mistake::Uninitialised, text);
        }
    }

    /// Reports an input that the kernel has written through a plain pointer.
    fn changed(&self, before: &Before) {
        for (number, known) in &before.inputs {
            if let (Some(memory), Some(pointer)) =
                (self.memories.get(*number), self.pointers.get(*number))
                && sum(memory, pointer) != *known
            {
                let text = format!(
                    "{} writes {}, which is for reading, through a plain pointer; which block it was is not known",
                    self.kernel.name,
                    self.kernel.parameter(memory.parameter)
                );
                return self.find(Mistake::InputWritten, text);
            }
        }
    }

    /// Reports an output of which a part was not written.
    fn gaps(&self, before: &Before, steps: &[Step<'_>]) {
        for number in &before.outputs {
            if let (Some(memory), Some(pointer)) =
                (self.memories.get(*number), self.pointers.get(*number))
                && let Some(gap) = self.gap(memory, pointer, steps)
            {
                let text = format!(
                    "{} leaves {} unwritten, of {} bytes that it was declared to write as a whole",
                    self.kernel.name,
                    self.place(gap),
                    memory.len
                );
                return self.find(Mistake::OutputUnwritten, text);
            }
        }
    }

    /// Returns the first byte of an output that was not written.
    fn gap(&self, memory: &Memory, pointer: &Pointer, steps: &[Step<'_>]) -> Option<usize> {
        let is_missing = |range: &Range<usize>| {
            let writes = steps.iter().filter(|step| step.how.writes());
            first_missing(range, &mut writes.map(|step| &step.access.range))
        };
        let missing = is_missing(&(memory.address..memory.end()))?;
        if self.kernel.is_seen {
            return Some(missing);
        }
        // The accesses of C++ through plain pointers are not known. Where one of them has written, the mark is gone.
        let words = bytes(memory, pointer).as_chunks::<WORD>().0.iter();
        let unchanged = words.enumerate().filter_map(|(word, bytes)| {
            let address = memory.address + word * WORD;
            (*bytes == mark(address)).then_some(address..address + WORD)
        });
        unchanged.filter_map(|word| is_missing(&word)).next()
    }

    /// Returns the bytes of device memory that the blocks have used, each with whether one of them has written it.
    pub(super) fn exact(&self) -> Vec<(Range<usize>, bool)> {
        let is_of_device = |range: &Range<usize>| {
            let mut memories = self.memories.iter().filter(|one| one.is_of_device());
            memories.any(|one| one.address <= range.start && range.end <= one.end())
        };
        let all = self.used.iter().flat_map(|(_, used)| used.all());
        let ours = all.filter(|(access, _)| is_of_device(&access.range));
        let mut exact = list_of(ours.map(|(access, how)| (access.range.clone(), how.writes())));
        // The writes come first: they say more.
        exact.sort_by_key(|(range, write)| (!*write, range.start));
        exact.dedup_by(|next, kept| {
            let joins = next.1 == kept.1 && next.0.start <= kept.0.end;
            if joins {
                kept.0.end = kept.0.end.max(next.0.end);
            }
            joins
        });
        exact
    }
}

/// Keeps the two accesses of different blocks that reach farthest.
fn extend<'a>(reach: &mut [Option<Step<'a>>; 2], step: Step<'a>) {
    let end = |one: &Option<Step<'_>>| one.map_or(0, |one| one.access.range.end);
    let is_new = |one: &Option<Step<'_>>| one.is_none_or(|one| one.block != step.block);
    let [first, second] = reach;
    if end(first) < step.access.range.end {
        if is_new(first) {
            *second = first.take();
        }
        *first = Some(step);
    } else if is_new(first) && end(second) < step.access.range.end {
        *second = Some(step);
    }
}
