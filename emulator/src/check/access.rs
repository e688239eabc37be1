//! The check of one use of memory, and its record in the shadow of the allocation.

use std::ops::Range;
use std::sync::Arc;

use crate::space::heap::Maker;
use crate::space::{Location, ordinary, space};

use super::blocks::{self, Block};
use super::clock::Clock;
use super::finding::{Found, Mistake};
use super::guard::Guards;
use super::handles::GRAPH;
use super::shadow::Access;
use super::state::{Checker, Touch, User};
use super::usage::Usage;

/// Earlier work that makes a use of memory a mistake.
#[derive(Debug)]
enum Suspect {
    /// The work may not be over when the memory is used.
    Unordered(Access),
    /// The work should have written the bytes that are read, and it failed.
    Failed(Access),
}

impl Checker {
    /// Checks all accesses of some work, in their order.
    pub(super) fn touch(&mut self, user: User<'_>, work: &Usage) {
        // The unwritten bytes of the last read, counted from its first byte.
        let mut holes = Vec::new();
        for touch in work.touches.iter().filter(|touch| touch.len > 0) {
            #[cfg(feature = "kernels")]
            self.meet_launches(user, touch, &work.site);
            let found = self.touch_one(user, touch, work, &mut holes);
            self.found.extend(found);
        }
    }

    /// Reports registered memory that the program has unmapped. No call tells of that; the system knows it.
    pub(super) fn unmapped(&mut self, work: &Usage) {
        let is_gone = |touch: &&Touch| {
            let is_registered = matches!(space().locate(touch.address), Location::Registered(_));
            is_registered && !ordinary::is_all_there(touch.address, touch.len)
        };
        let Some(touch) = work.touches.iter().find(is_gone) else {
            return;
        };
        let text = format!(
            "{} {} {} bytes at {:#x} of memory that the program has registered, and unmapped since; \
             aclrtHostUnregister comes before the end of the memory",
            work.site.call(),
            if touch.write { "writes" } else { "reads" },
            touch.len,
            touch.address
        );
        let mut sites = vec![("used", Arc::clone(&work.site))];
        if let blocks::Found::Inside(_, block) = self.blocks.find(&touch.range()) {
            sites.push(("registered", Arc::clone(&block.allocated)));
        }
        self.find(Mistake::UsedAfterFree, text, sites);
    }

    fn touch_one(
        &mut self,
        user: User<'_>,
        touch: &Touch,
        work: &Usage,
        holes: &mut Vec<Range<usize>>,
    ) -> Vec<Found> {
        let (offset, block) = match self.blocks.find(&touch.range()) {
            blocks::Found::Inside(offset, block) => (offset, block),
            // It was queued in front of the free, in the same stream, and has waited for something until now.
            blocks::Found::Freed(_, freed) if freed.by.is_some_and(|last| user.is_up_to(last)) => {
                return Vec::new();
            }
            miss => return vec![missed(miss, touch, work)],
        };
        let inside = offset..offset + touch.len;
        #[cfg(feature = "kernels")]
        if touch.maybe {
            super::launches::may_touch(user, touch, &work.site, block, &inside);
            return Vec::new();
        }
        if let User::Task(task) = user
            && task.clock.is_excused()
        {
            // The work before it is not known, so no finding is made about it, nor about later work because of it.
            if touch.write {
                block.shadow.write(&inside, None, &[]);
            }
            return Vec::new();
        }
        let (memory, allocated) = (block.to_string(), Arc::clone(&block.allocated));
        let mut suspects =
            Vec::from_iter(unordered(user, touch, block, &inside, self.order.host()));
        if !touch.write {
            let failed = failed(
                user,
                block,
                &inside,
                touch.address,
                self.order.host(),
                &self.guards,
            );
            suspects.extend(failed);
        }
        let mut found = Vec::new();
        let access = match user {
            User::Host | User::Function(_) => None,
            User::Task(task) => Some(Access {
                stream: task.stream,
                number: task.number,
                write: touch.write,
                dense: touch.dense,
                scratch: touch.scratch,
                after_function: !touch.write && {
                    let mut writers = block.shadow.writers(&inside);
                    writers.any(|writer| self.guards.may_write_between(writer, task))
                },
                site: Arc::clone(&work.site),
            }),
        };
        if touch.write {
            // A copy also copies the unwritten bytes of its source. The host can write anywhere in its own memory.
            let mut copied = std::mem::take(holes);
            if !work.copies || block.kind == Maker::Host {
                copied.clear();
            }
            for hole in &mut copied {
                *hole = hole.start + offset..hole.end + offset;
            }
            if touch.scratch {
                copied.push(inside.clone());
            }
            block.shadow.write(&inside, access.as_ref(), &copied);
            if block.kind == Maker::Host {
                self.guards.rewritten(&touch.range());
            }
        } else {
            let unwritten = block.shadow.unwritten(&inside);
            holes.clone_from(&unwritten);
            for hole in holes.iter_mut() {
                *hole = hole.start - offset..hole.end - offset;
            }
            if !work.copies {
                found.extend(unwritten_read(touch, work, block, &inside, &unwritten));
            }
            if let Some(access) = &access {
                block.shadow.read(&inside, access);
            }
        }
        for suspect in suspects {
            let (mistake, part, text, other) = self.accuse(suspect, user, touch, work, &memory);
            let (does, made) = match (mistake, touch.write) {
                (Mistake::UnorderedRuns, _) => ("run", "created"),
                (_, true) => ("write", "allocated"),
                (_, false) => ("read", "allocated"),
            };
            let sites = vec![
                (does, Arc::clone(&work.site)),
                (part, other.site),
                (made, Arc::clone(&allocated)),
            ];
            found.push(Found {
                mistake,
                text,
                sites,
            });
        }
        found
    }

    /// Returns the mistake for a suspect, the role of the other call, and the text.
    fn accuse(
        &self,
        suspect: Suspect,
        user: User<'_>,
        touch: &Touch,
        work: &Usage,
        memory: &str,
    ) -> (Mistake, &'static str, String, Access) {
        let who = match user {
            User::Host | User::Function(_) => String::new(),
            User::Task(task) => format!(" on {}", self.name_of(task.stream)),
        };
        let start = format!(
            "{}{who} {} {} byte{} at {:#x} ({memory})",
            work.site.call(),
            if touch.write { "writes" } else { "reads" },
            touch.len,
            if touch.len == 1 { "" } else { "s" },
            touch.address
        );
        match suspect {
            Suspect::Unordered(other) if self.handles.is_graph(touch.address) => {
                let text = format!(
                    "{}{who} runs {GRAPH} {:#x}, of which a run on {} may not be over",
                    work.site.call(),
                    touch.address,
                    self.name_of(other.stream)
                );
                (Mistake::UnorderedRuns, "other", text, other)
            }
            Suspect::Unordered(other) => {
                let (mistake, part) = match user {
                    User::Host | User::Function(_) => (Mistake::NotSynchronised, "queued"),
                    User::Task(_) => (Mistake::Unordered, "other"),
                };
                let does = if other.write { "write" } else { "read" };
                let stream = self.name_of(other.stream);
                let text = format!("{start}, which a task of {stream} may still {does}");
                (mistake, part, text, other)
            }
            Suspect::Failed(other) => {
                let stream = self.name_of(other.stream);
                let text = format!(
                    "{start}, which a task of {stream} should have written; it failed, and the bytes are \
                     not its result"
                );
                (Mistake::FailedResult, "failed", text, other)
            }
        }
    }
}

/// Returns work that may not be over when a range of a block is used. `host` has the tasks that the host knows to be over.
fn unordered(
    user: User<'_>,
    touch: &Touch,
    block: &Block,
    inside: &Range<usize>,
    host: &Clock,
) -> Option<Suspect> {
    if !touch.dense {
        return None;
    }
    let ordered = |other: &Access| match user {
        // The bytes that a view with gaps touches are not known: other data may lie in its gaps.
        _ if !other.dense => true,
        User::Function(within) => {
            within.precedes(other.stream, other.number) || host.covers(other.stream, other.number)
        }
        User::Host => host.covers(other.stream, other.number),
        User::Task(task) => {
            other.stream == task.stream || task.clock.covers(other.stream, other.number)
        }
    };
    let other = block.shadow.conflict(inside, touch.write, &ordered);
    other.cloned().map(Suspect::Unordered)
}

/// Returns work that should have written a range of a block, which is read, and that failed. `address` is the first byte of
/// the range.
fn failed(
    user: User<'_>,
    block: &Block,
    inside: &Range<usize>,
    address: usize,
    host: &Clock,
    guards: &Guards,
) -> Option<Suspect> {
    let mut all = block.shadow.failed(inside);
    let found = all.find(|(range, failed)| {
        let start = address + (range.start - inside.start);
        // The program writes host memory without a call. Where no page is protected, the write is not seen.
        let is_seen = block.kind != Maker::Host || guards.has_failed(&(start..start + range.len()));
        let is_written = matches!(user, User::Task(task) if guards.may_write_between(failed, task));
        // A host that has not waited for the task cannot know yet that it failed.
        is_seen && !is_written && host.covers(failed.stream, failed.number)
    });
    found.map(|(_, failed)| Suspect::Failed(failed.clone()))
}

/// Returns the finding for a read of unwritten bytes. Each is reported once: from then on the bytes count as written.
fn unwritten_read(
    touch: &Touch,
    work: &Usage,
    block: &mut Block,
    inside: &Range<usize>,
    unwritten: &[Range<usize>],
) -> Option<Found> {
    let read = if touch.dense {
        unwritten.first()?.clone()
    } else {
        let ends = [inside.start..inside.start + 1, inside.end - 1..inside.end];
        ends.into_iter()
            .find(|end| !block.shadow.unwritten(end).is_empty())?
    };
    let scratch = block.shadow.writers(&read).find(|writer| writer.scratch);
    let text = format!(
        "{} reads {} bytes at {:#x} ({block}); the {} bytes from {:#x} on {}",
        work.site.call(),
        touch.len,
        touch.address,
        read.len(),
        touch.address + (read.start - inside.start),
        match scratch {
            Some(_) => "were the workspace of an operator and not written since",
            None => "were never written",
        }
    );
    let mut sites = vec![("read", Arc::clone(&work.site))];
    sites.extend(scratch.map(|writer| ("workspace of", Arc::clone(&writer.site))));
    sites.push(("allocated", Arc::clone(&block.allocated)));
    block.shadow.write(&read, None, &[]);
    Some(Found {
        mistake: Mistake::Uninitialised,
        text,
        sites,
    })
}

/// Returns the finding for a range that lies in no allocation.
pub(super) fn missed(miss: blocks::Found<'_>, touch: &Touch, work: &Usage) -> Found {
    let does = if touch.write { "writes" } else { "reads" };
    let start = format!(
        "{} {does} {} byte{} at {:#x}",
        work.site.call(),
        touch.len,
        if touch.len == 1 { "" } else { "s" },
        touch.address
    );
    let mut sites = vec![("used", Arc::clone(&work.site))];
    let (mistake, text) = match miss {
        blocks::Found::Beyond(address, block) => {
            sites.push(("allocated", Arc::clone(&block.allocated)));
            let beyond = touch.range().end - (address + block.size);
            let text = format!(
                "{start}, {beyond} bytes more than the allocation of {} bytes at {address:#x} has ({block})",
                block.size
            );
            (Mistake::OutOfBounds, text)
        }
        blocks::Found::Freed(address, freed) => {
            sites.push(("freed", Arc::clone(&freed.freed)));
            sites.push(("allocated", Arc::clone(&freed.allocated)));
            let size = freed.size;
            let text = format!("{start}, in the {size} bytes at {address:#x} that were freed");
            (Mistake::UsedAfterFree, text)
        }
        _ => (
            Mistake::OutOfBounds,
            format!("{start}, where nothing is allocated"),
        ),
    };
    Found {
        mistake,
        text,
        sites,
    }
}
