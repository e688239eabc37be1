//! The protection of page-locked host memory from the program while queued work uses it.
//!
//! A program that dereferences a pointer makes no call. So the checker changes the access rights of pages until the
//! host has waited for the task: the program cannot access memory that a queued task writes, and it cannot write
//! memory that a queued task reads. It cannot access freed memory at all. A forbidden access faults (`dereference`).
//! The emulator uses the same pages at other addresses.
//!
//! If a task fails, the memory that it should have written stays protected until it is written. So the first read by
//! a program that overlooks the failure is found. A function of the program that a stream calls may write such memory
//! while the tasks behind it in the stream are queued, so its accesses are checked by its place among the tasks. Nothing is
//! reported about a task that reads such memory behind the function.
//!
//! Memory that a correct program may access is never protected:
//!
//! - A page is protected only if all of it lies in the range of a task.
//! - A task after a wait for a record that is not submitted yet protects nothing, because the program may use the
//!   memory before it submits the record.
//! - While a function of the program is queued and the host does not know that it is over, no task protects further
//!   memory. The function runs before the tasks after it and may use their memory.
//!
//! A system call that gets protected memory fails with `EFAULT`. After a failed task this includes a system call that
//! would write the memory.

use std::collections::VecDeque;
use std::mem;
use std::ops::Range;
use std::sync::Arc;

use crate::space::heap::{GRANULE, Maker};
use crate::space::reserve::Access;
use crate::space::space;

use super::blocks::Found;
use super::clock::{Clock, StreamId};
use super::dereference;
use super::order::Placed;
use super::shadow;
use super::site::Site;
use super::state::{Checker, Touch, User};

/// Maximum number of protected ranges. A further one releases the oldest.
const KEPT: usize = 1024;

/// A protected range of memory.
#[derive(Debug)]
struct Guard {
    /// The task that uses the memory.
    stream: StreamId,
    number: u64,
    pages: Range<usize>,
    /// The access that the program has.
    access: Access,
    /// Whether the task failed and the pages were not written since.
    failed: bool,
}

/// Whether the processor distinguishes reads from writes. If it does not, the checker would take a program that
/// writes the memory of a failed task for one that reads it.
const TELLS_WRITES: bool = cfg!(target_arch = "x86_64");

/// All protected ranges.
#[derive(Debug, Default)]
pub(super) struct Guards {
    /// The ranges, the oldest first.
    kept: VecDeque<Guard>,
    /// The streams with a queued function of the program.
    functions: Vec<Functions>,
}

/// The functions of the program that a stream calls and that are not known to be over.
#[derive(Debug)]
struct Functions {
    within: Within,
    /// The numbers of the first one and of the last one.
    first: u64,
    last: u64,
}

/// The place of a function of the program in the order of tasks.
#[derive(Debug, Clone, Default)]
pub(super) struct Within {
    stream: StreamId,
    /// The tasks that were submitted before the first function that the stream has yet to call.
    submitted: Clock,
}

impl Within {
    /// Returns whether the function may come before a task.
    ///
    /// Every task behind the function in its stream comes after it. A task of another stream that was submitted later
    /// may come after it too: the other stream can wait for an event.
    pub(super) fn precedes(&self, stream: StreamId, number: u64) -> bool {
        self.stream == stream || !self.submitted.covers(stream, number)
    }
}

impl Guards {
    /// Protects pages until a task is over.
    fn keep(&mut self, new: Guard) {
        let Guard { pages, access, .. } = &new;
        let is_same = |old: &&mut Guard| {
            old.stream == new.stream && old.pages == *pages && old.access == *access && !old.failed
        };
        let same = self.kept.iter_mut().find(is_same);
        if let Some(old) = same {
            old.number = old.number.max(new.number);
            return;
        }
        protect(pages, *access);
        // A page that must not be read stays unreadable.
        let stronger = |old: &&Guard| old.access == Access::None && meets(&old.pages, pages);
        for old in self.kept.iter().filter(stronger) {
            protect(&old.pages, old.access);
        }
        self.kept.push_back(new);
        if self.kept.len() > KEPT
            && let Some(oldest) = self.kept.pop_front()
        {
            self.open(&[oldest]);
        }
    }

    /// Stops new protection until this task, which runs a function of the program, is over.
    ///
    /// `submitted` are the tasks that were submitted until now.
    pub(super) fn pause(&mut self, stream: StreamId, number: u64, submitted: Clock) {
        let mut functions = self.functions.iter_mut();
        match functions.find(|functions| functions.within.stream == stream) {
            Some(functions) => functions.last = number.max(functions.last),
            None => self.functions.push(Functions {
                within: Within { stream, submitted },
                first: number,
                last: number,
            }),
        }
    }

    /// Returns the place of the function that a stream calls now.
    fn within(&self, stream: StreamId) -> Within {
        let mut functions = self.functions.iter();
        let known = functions.find(|functions| functions.within.stream == stream);
        known.map_or_else(
            || Within {
                stream,
                submitted: Clock::default(),
            },
            |functions| functions.within.clone(),
        )
    }

    /// Returns whether a function that the host does not know to be over may write memory between a write and a later task.
    pub(super) fn may_write_between(&self, writer: &shadow::Access, task: &Placed<()>) -> bool {
        self.functions.iter().any(|functions| {
            let stream = functions.within.stream;
            let is_before = task.clock.covers(stream, functions.first);
            let is_behind = stream != writer.stream || functions.last > writer.number;
            is_before && is_behind
        })
    }

    /// Releases the ranges of tasks that are over, as the host knows.
    pub(super) fn learn(&mut self, host: &Clock) {
        self.functions
            .retain(|functions| !host.covers(functions.within.stream, functions.last));
        self.let_go(&|guard| !guard.failed && host.covers(guard.stream, guard.number));
    }

    /// Keeps the pages of a failed task protected if `is_lost` returns that they are not written.
    pub(super) fn fail(
        &mut self,
        stream: StreamId,
        number: u64,
        is_lost: &mut dyn FnMut(&Range<usize>) -> bool,
    ) {
        for guard in &mut self.kept {
            let writes = guard.access == Access::None;
            if TELLS_WRITES && writes && guard.stream == stream && guard.number == number {
                guard.failed = is_lost(&guard.pages);
            }
        }
    }

    /// Returns whether a part of a range is protected because the task failed that should have written it.
    pub(super) fn has_failed(&self, range: &Range<usize>) -> bool {
        self.kept
            .iter()
            .any(|guard| guard.failed && meets(&guard.pages, range))
    }

    /// Releases the ranges of failed tasks that meet a range, because the range is written now.
    pub(super) fn rewritten(&mut self, range: &Range<usize>) {
        self.let_go(&|guard| guard.failed && meets(&guard.pages, range));
    }

    /// Releases every protected range that meets a range.
    pub(super) fn release(&mut self, range: &Range<usize>) {
        self.let_go(&|guard| meets(&guard.pages, range));
    }

    fn let_go(&mut self, is_over: &dyn Fn(&Guard) -> bool) {
        if !self.kept.iter().any(is_over) {
            return;
        }
        let mut over = Vec::new();
        for guard in mem::take(&mut self.kept) {
            if is_over(&guard) {
                over.push(guard);
            } else {
                self.kept.push_back(guard);
            }
        }
        self.open(&over);
    }

    /// Makes pages accessible, except those that other ranges protect.
    fn open(&self, over: &[Guard]) {
        for guard in over {
            protect(&guard.pages, Access::All);
        }
        let is_met = |guard: &&Guard| over.iter().any(|over| meets(&over.pages, &guard.pages));
        for access in [Access::Read, Access::None] {
            let left = self.kept.iter().filter(is_met);
            for guard in left.filter(|guard| guard.access == access) {
                protect(&guard.pages, access);
            }
        }
    }

    /// Returns whether an address must not be read.
    fn is_closed(&self, address: usize) -> bool {
        let closed = |guard: &Guard| guard.access == Access::None && guard.pages.contains(&address);
        self.kept.iter().any(closed)
    }
}

fn protect(pages: &Range<usize>, access: Access) {
    space().protect_host(pages, access);
}

fn meets(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Returns the pages that lie in a range as a whole. The rest of the last page after the end of the allocation counts
/// as part of the range.
fn whole_pages(range: &Range<usize>, block: &Range<usize>) -> Range<usize> {
    let start = if range.start == block.start {
        range.start
    } else {
        range.start.next_multiple_of(GRANULE)
    };
    let end = if range.end == block.end {
        range.end.next_multiple_of(GRANULE)
    } else {
        range.end - range.end % GRANULE
    };
    start..end
}

fn whole_block(address: usize, size: usize) -> Range<usize> {
    address..(address + size).next_multiple_of(GRANULE)
}

impl Checker {
    /// Protects the page-locked host memory that a task uses. The task can run at any time from now on.
    pub(super) fn guard(&mut self, stream: StreamId, number: u64, touches: &[Touch]) {
        let is_over = self.order.host().covers(stream, number);
        if !dereference::is_seen() || is_over || !self.guards.functions.is_empty() {
            return;
        }
        for touch in touches.iter().filter(|touch| touch.dense && touch.len > 0) {
            let range = touch.range();
            let Found::Inside(offset, block) = self.blocks.find(&range) else {
                continue;
            };
            if block.kind != Maker::Host {
                continue;
            }
            let start = range.start - offset;
            let pages = whole_pages(&range, &(start..start + block.size));
            if !pages.is_empty() {
                self.guards.keep(Guard {
                    stream,
                    number,
                    pages,
                    access: if touch.write {
                        Access::None
                    } else {
                        Access::Read
                    },
                    failed: false,
                });
            }
        }
    }

    /// Makes newly allocated host memory accessible.
    pub(super) fn open_block(&mut self, address: usize, size: usize) {
        if dereference::is_seen() {
            protect(&whole_block(address, size), Access::All);
        }
    }

    /// Makes host memory inaccessible before it is freed.
    pub(super) fn close_block(&mut self, address: usize, size: usize) {
        if dereference::is_seen() {
            let pages = whole_block(address, size);
            self.guards.release(&pages);
            protect(&pages, Access::None);
        }
    }

    /// Handles an access of the program to protected host memory, and makes the page accessible.
    pub(super) fn dereferenced(&mut self, address: usize, write: Option<bool>, site: Arc<Site>) {
        let write = write.unwrap_or(!self.guards.is_closed(address));
        let touch = Touch {
            write,
            ..Touch::read(address, 1)
        };
        match dereference::caller() {
            Some(stream) => {
                let stream = self.stream(stream);
                let within = self.guards.within(stream);
                self.use_as(User::Function(&within), vec![touch], false, site);
            }
            None => self.use_now(vec![touch], false, site),
        }
        let page = address - address % GRANULE;
        let page = page..page + GRANULE;
        self.guards.release(&page);
        // Also if no protected range is known: the program has to continue.
        protect(&page, Access::All);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_kept_only_where_all_of_it_is_used() {
        let block = 0x10000..0x13100;
        let pages = |start, end| whole_pages(&(start..end), &block);
        assert_eq!(pages(0x10000, 0x13100), 0x10000..0x14000, "all of it");
        assert_eq!(pages(0x10000, 0x11800), 0x10000..0x11000, "its start");
        assert_eq!(pages(0x10800, 0x13100), 0x11000..0x14000, "its end");
        assert_eq!(pages(0x11000, 0x12000), 0x11000..0x12000, "a page");
        assert!(pages(0x10800, 0x11800).is_empty(), "parts of two pages");
        assert!(pages(0x11100, 0x11200).is_empty(), "a part of one");
    }
}
