//! Page-locked host memory that queued work uses, kept from the program until the work is over.
//!
//! A program that dereferences a pointer makes no call. So what a queued task writes cannot be touched, and
//! what it reads cannot be written, before the host has waited for the task; what was freed cannot be
//! touched either. Who tries is met in `dereference`. The emulator reaches the same pages at other addresses.
//! What a task should have written that failed is kept until somebody writes it, so that a program which
//! overlooks the failure is met at its first read.
//!
//! Nothing is kept that a right program may touch:
//!
//! - Only pages that lie in the range of a task as a whole are kept, never the bytes beside it.
//! - A task behind a wait for what was not submitted yet keeps nothing: what the program does before it
//!   submits that comes first.
//! - From the moment when a function of the program is queued until the host knows it to be over, no task
//!   keeps anything more: the function comes before the tasks behind it.
//!
//! A system call that is given memory that is kept fails with `EFAULT`; behind a failed task also one that would
//! write there.

use std::collections::VecDeque;
use std::mem;
use std::ops::Range;
use std::sync::Arc;

use crate::space::heap::{GRANULE, Kind};
use crate::space::reserve::Access;
use crate::space::space;

use super::blocks::Found;
use super::clock::{Clock, StreamId};
use super::dereference;
use super::model::{Checker, Touch};
use super::site::Site;

/// Ranges that are kept at a time; the oldest is let go for another one.
const KEPT: usize = 1024;

/// Memory that is kept from the program.
#[derive(Debug)]
struct Guard {
    /// The task that uses it.
    stream: StreamId,
    number: u64,
    pages: Range<usize>,
    /// What the program may still do.
    access: Access,
    /// Whether the task failed, so that nobody has written the pages.
    failed: bool,
}

/// Whether the processor tells reads from writes. Otherwise who writes what a failed task left would be taken
/// for a reader.
const TELLS_WRITES: bool = cfg!(target_arch = "x86_64");

/// All memory that is kept from the program.
#[derive(Debug, Default)]
pub(super) struct Guards {
    /// The oldest first.
    kept: VecDeque<Guard>,
    /// Tasks that run functions of the program.
    functions: Vec<(StreamId, u64)>,
}

impl Guards {
    /// Keeps pages until a task is over.
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
        // What nobody may read is not to become readable.
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

    /// Keeps nothing more before this task is over, which runs a function of the program.
    pub(super) fn pause(&mut self, stream: StreamId, number: u64) {
        match self.functions.iter_mut().find(|(of, _)| *of == stream) {
            Some((_, last)) => *last = number.max(*last),
            None => self.functions.push((stream, number)),
        }
    }

    /// Lets go of what the host knows to be over.
    pub(super) fn learn(&mut self, host: &Clock) {
        self.functions
            .retain(|(stream, number)| !host.covers(*stream, *number));
        self.let_go(&|guard| !guard.failed && host.covers(guard.stream, guard.number));
    }

    /// A task has failed. Keeps the pages that `is_lost` says are not written.
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

    /// Somebody writes a range, so that nothing of it is left that a failed task should have written.
    pub(super) fn rewritten(&mut self, range: &Range<usize>) {
        self.let_go(&|guard| guard.failed && meets(&guard.pages, range));
    }

    /// Lets go of everything that meets a range.
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

    /// Gives pages back, but for what others keep of them.
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

    /// Whether something here may not even be read.
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

/// The pages of a range that hold nothing but it, and what nobody may use behind the end of its allocation.
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
    /// Keeps the page-locked host memory that a task touches, whose turn may come at any time from now on.
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
            if block.kind != Kind::Host {
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

    /// Host memory was allocated.
    pub(super) fn open_block(&mut self, address: usize, size: usize) {
        if dereference::is_seen() {
            protect(&whole_block(address, size), Access::All);
        }
    }

    /// Host memory is about to be freed: nobody may touch it.
    pub(super) fn close_block(&mut self, address: usize, size: usize) {
        if dereference::is_seen() {
            let pages = whole_block(address, size);
            self.guards.release(&pages);
            protect(&pages, Access::None);
        }
    }

    /// The program touched host memory that was kept from it. From now on it may.
    pub(super) fn dereferenced(&mut self, address: usize, write: Option<bool>, site: Arc<Site>) {
        let write = write.unwrap_or(!self.guards.is_closed(address));
        let touch = Touch {
            write,
            ..Touch::read(address, 1)
        };
        self.use_now(vec![touch], false, site);
        let page = address - address % GRANULE;
        let page = page..page + GRANULE;
        self.guards.release(&page);
        // Even where nothing is known of a guard: the program has to come on.
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
