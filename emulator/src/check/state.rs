//! The state of the program in the checker, and the check of its next step.

use std::ops::Range;
use std::sync::Arc;

use crate::ordered::{Numbers, Ordered};
use crate::space::heap::Maker;

use super::blocks::{self, Block, Blocks};
use super::clock::StreamId;
use super::finding::{Found, Mistake};
use super::guard::{Guards, Within};
use super::handles::Handles;
#[cfg(feature = "kernels")]
use super::launches::Launches;
use super::order::{Order, Placed};
use super::shadow::{Access, Shadow};
use super::site::Site;
use super::usage::Usage;
use super::values::Values;
use crate::results::list_of;

/// An access of a call or a task to a range of bytes.
#[derive(Debug, Clone)]
pub(crate) struct Touch {
    pub(crate) address: usize,
    pub(crate) len: usize,
    pub(crate) write: bool,
    /// Whether the access touches every byte. For a view with gaps only the ends are certain.
    pub(crate) dense: bool,
    /// Whether the access is a write of bytes that nobody may read afterwards: those of a workspace.
    pub(crate) scratch: bool,
    /// Whether the task may leave out the access: that of a kernel, which tells when it has run (`launches`).
    pub(crate) maybe: bool,
}

impl Touch {
    pub(crate) fn read(address: usize, len: usize) -> Touch {
        Touch {
            address,
            len,
            write: false,
            dense: true,
            scratch: false,
            maybe: false,
        }
    }

    pub(crate) fn write(address: usize, len: usize) -> Touch {
        Touch {
            write: true,
            ..Touch::read(address, len)
        }
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.address..self.address.saturating_add(self.len)
    }
}

/// The number of the slot of a stream. It is the same for all streams that use the slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StreamSlot(pub(crate) usize);

/// The name of a stream in findings.
#[derive(Debug, Clone)]
pub(super) struct StreamName(pub(super) String);

/// The state of the checker.
#[derive(Debug, Default)]
pub(crate) struct Checker {
    pub(super) order: Order<Usage>,
    pub(super) blocks: Blocks,
    pub(super) handles: Handles,
    pub(super) values: Values,
    streams: Numbers,
    names: Vec<StreamName>,
    pub(super) guards: Guards,
    /// The accesses of operators of task groups that an update exchanged.
    pub(super) operators: Ordered<Usage>,
    /// The tasks of the complete graphs, with the handles of the graphs. Their memory has to live as long as the graphs.
    pub(super) graph_tasks: Vec<(usize, Usage)>,
    /// The launches of kernels that the host has not waited for.
    #[cfg(feature = "kernels")]
    pub(super) launches: Launches,
    pub(super) found: Vec<Found>,
    /// The call about a notify that is being made.
    pub(super) signal: Option<Arc<Site>>,
    /// Whether the host can write device memory without a call.
    pub(super) shared: bool,
    /// Whether a resource that a reset releases is a mistake.
    pub(super) left_to_reset: bool,
}

/// The user of memory.
#[derive(Debug, Clone, Copy)]
pub(super) enum User<'a> {
    Host,
    /// The program, in a function that a stream calls.
    Function(&'a Within),
    Task(&'a Placed<()>),
}

impl User<'_> {
    /// Whether this is the task or one in front of it in the same stream.
    pub(super) fn is_up_to(self, (stream, number): (StreamId, u64)) -> bool {
        matches!(self, Self::Task(task) if task.stream == stream && task.number <= number)
    }
}

impl Checker {
    /// Returns the findings since the last call.
    pub(super) fn take_found(&mut self) -> Vec<Found> {
        std::mem::take(&mut self.found)
    }

    pub(super) fn find(
        &mut self,
        mistake: Mistake,
        text: String,
        sites: Vec<(&'static str, Arc<Site>)>,
    ) {
        self.found.push(Found {
            mistake,
            text,
            sites,
        });
    }

    /// Returns the number of the stream in this slot. The number of a slot never changes.
    pub(super) fn stream(&mut self, StreamSlot(slot): StreamSlot) -> StreamId {
        let next = self.streams.len();
        let id = *self.streams.entry(slot).or_insert(next);
        if id == self.names.len() {
            self.names.push(StreamName(format!("stream {id}")));
        }
        id
    }

    /// Sets the name of the stream in a slot.
    pub(super) fn name_stream(&mut self, slot: StreamSlot, name: String) {
        let id = self.stream(slot);
        if let Some(entry) = self.names.get_mut(id) {
            *entry = StreamName(name);
        }
    }

    pub(super) fn name_of(&self, stream: StreamId) -> &str {
        self.names.get(stream).map_or("a stream", |name| &name.0)
    }

    /// Records an allocation.
    pub(super) fn allocated(
        &mut self,
        address: usize,
        size: usize,
        kind: Maker,
        device: Option<u32>,
        site: Arc<Site>,
    ) {
        // Writes by another process are not known.
        let written = matches!(kind, Maker::Host | Maker::Imported | Maker::Object) || self.shared;
        let block = Block {
            size,
            kind,
            device,
            allocated: site,
            shadow: Shadow::new(size, written),
        };
        self.blocks.insert(address, block);
    }

    /// Checks an allocation before it is freed.
    pub(super) fn freeing(&mut self, address: usize, site: &Arc<Site>) {
        let Some(block) = self.blocks.at(address) else {
            return;
        };
        let size = block.size;
        let freed = address..address + size;
        let does = |write| if write { "write" } else { "read" };
        let found = match self.user_of(address, block) {
            Some(user) => {
                let (does, stream) = (does(user.write), self.name_of(user.stream));
                let why = format!("a task of {stream} may still {does}");
                Some((Mistake::FreedInUse, why, "in use", user.site))
            }
            None => self.graph_user(&freed).map(|(task, write)| {
                let why = format!("a graph has a task to {}", does(write));
                (Mistake::FreedInGraph, why, "recorded", task)
            }),
        };
        if let Some((mistake, why, part, user)) = found {
            let call = site.call();
            let text = if block.kind == Maker::Object {
                format!("{call} ends {address:#x} ({block}) while {why} it")
            } else {
                format!("{call} frees {size} bytes at {address:#x} ({block}) while {why} them")
            };
            let sites = vec![
                ("freed", Arc::clone(site)),
                (part, user),
                ("allocated", Arc::clone(&block.allocated)),
            ];
            // This finding covers them; otherwise they would be reported again when their turn comes.
            self.order
                .retain_pending(|work| work.meets(&freed).is_none());
            self.find(mistake, text, sites);
        }
        // The driver accepts host memory in this function; the manual does not allow it.
        if site.call() == "aclrtFree"
            && let Some(block) = self.blocks.at(address)
            && block.kind == Maker::Host
        {
            let text = format!(
                "aclrtFree was given {address:#x}, which aclrtMallocHost returned; it goes to aclrtFreeHost"
            );
            let allocated = Arc::clone(&block.allocated);
            let sites = vec![("freed", Arc::clone(site)), ("allocated", allocated)];
            self.find(Mistake::WrongFree, text, sites);
        }
    }

    /// Returns a task that may still use an allocation.
    fn user_of(&self, address: usize, block: &Block) -> Option<Access> {
        let host = self.order.host();
        let placed = block.shadow.busy(&|a| host.covers(a.stream, a.number));
        let range = address..address + block.size;
        placed.cloned().or_else(|| self.pending_user(&range))
    }

    /// Returns a pending task that uses a range.
    fn pending_user(&self, range: &Range<usize>) -> Option<Access> {
        self.order.pending().find_map(|(stream, work)| {
            let touch = work.meets(range)?;
            Some(Access {
                stream,
                number: 0,
                write: touch.write,
                dense: touch.dense,
                scratch: touch.scratch,
                after_function: false,
                site: Arc::clone(&work.site),
            })
        })
    }

    /// Called when a free is refused.
    pub(crate) fn free_refused(&mut self, address: usize, why: &str, site: Arc<Site>) {
        let call = site.call().to_owned();
        let mut sites = vec![("freed", site)];
        if let Some(freed) = self.blocks.freed_at(address) {
            let text = format!(
                "{call} was given {address:#x}, which was freed before; since then it may have got a new owner"
            );
            sites.push(("freed before", Arc::clone(&freed.freed)));
            sites.push(("allocated", Arc::clone(&freed.allocated)));
            return self.find(Mistake::DoubleFree, text, sites);
        }
        let mut text = format!("{call} was given {address:#x}, which {why}");
        if let blocks::Found::Inside(offset, block) =
            self.blocks.find(&(address..address.saturating_add(1)))
        {
            sites.push(("allocated", Arc::clone(&block.allocated)));
            text = format!(
                "{text} (offset {offset} of {} bytes of {block})",
                block.size
            );
        }
        self.find(Mistake::WrongFree, text, sites);
    }

    /// Called when a device has released its memory.
    pub(crate) fn device_closed(&mut self, device: u32, site: &Arc<Site>) {
        for address in self.blocks.of_device(device) {
            self.left_block(address, site);
            self.values_freed(address);
            self.blocks.remove(address, site);
        }
        for handle in self.handles.of_device(device) {
            self.ended_with_context(handle, site);
        }
    }

    /// Checks the streams that a reset, or the end of a context, is about to wait for.
    pub(crate) fn ending(&mut self, slots: &[StreamSlot], site: &Arc<Site>) {
        let ids: Vec<StreamId> = list_of(slots.iter().map(|slot| self.stream(*slot)));
        let host = self.order.host();
        let busy = self.blocks.live().find_map(|(address, block)| {
            let user = block.shadow.busy(&|access| {
                !ids.contains(&access.stream) || host.covers(access.stream, access.number)
            });
            let range = address..address + block.size;
            let pending = || self.pending_user(&range);
            let user = user.cloned().or_else(pending)?;
            ids.contains(&user.stream).then_some((address, block, user))
        });
        let Some((address, block, user)) = busy else {
            return;
        };
        let text = format!(
            "{} came while a task of {} may still {} {} bytes at {address:#x} ({block}); it waits, and \
             nobody learns whether the task succeeded",
            site.call(),
            self.name_of(user.stream),
            if user.write { "write" } else { "read" },
            block.size,
        );
        let sites = vec![("ended", Arc::clone(site)), ("in use", user.site)];
        self.find(Mistake::ResetInUse, text, sites);
    }

    /// Checks work whose place in the order is known.
    pub(super) fn place(&mut self, placed: Vec<Placed<Usage>>) {
        self.report_lost();
        for one in placed {
            let Placed {
                stream,
                number,
                clock,
                work,
            } = one;
            if work.is_update {
                self.exchanged(work);
                continue;
            }
            let task = Placed {
                stream,
                number,
                clock,
                work: (),
            };
            if !task.clock.is_excused() {
                self.guard(stream, number, &work.touches);
            }
            #[cfg(feature = "kernels")]
            self.launch_placed(&task, &work);
            self.touch(User::Task(&task), &work);
        }
    }

    /// Checks a use of memory that is no task: by a call itself, or by the program.
    pub(super) fn host(&mut self, user: User<'_>, work: &Usage) {
        self.values_touched(work, None);
        self.touch(user, work);
    }

    /// Marks the result of a failed task, and of each task that read it, as failed.
    pub(super) fn failed(&mut self, slot: StreamSlot, number: u64) {
        let mut failed = vec![(self.stream(slot), number)];
        let mut seen = failed.clone();
        while let Some((stream, number)) = failed.pop() {
            for block in self.blocks.live_mut() {
                for reader in block.shadow.fail(stream, number) {
                    // A task that read a failed result has no valid result either.
                    let next = (reader.stream, reader.number);
                    if !seen.contains(&next) {
                        seen.push(next);
                        failed.push(next);
                    }
                }
            }
            let blocks = &mut self.blocks;
            self.guards.fail(stream, number, &mut |pages| {
                // The last page may reach beyond the end.
                match blocks.find(&(pages.start..pages.start + 1)) {
                    blocks::Found::Inside(offset, block) => {
                        let end = block.size.min(offset + pages.len());
                        block.shadow.is_failed(&(offset..end))
                    }
                    _ => false,
                }
            });
        }
    }
}
