//! The hooks of the checker: the emulator calls them at each event.

use std::sync::Arc;

use crate::observe::violation::What;
use crate::space::heap::Kind;
use crate::space::{Location, space};

use super::blocks;
use super::finding::Mistake;
use super::model::{Checker, StreamSlot, Touch, Work};
use super::site::Site;
use super::usage::Usage;

/// Memory.
impl Checker {
    /// What touches memory that the checker knows, or that is none. Ordinary host memory is the program's
    /// own affair.
    fn ours(&self, mut touches: Vec<Touch>) -> Vec<Touch> {
        let is_ours = |touch: &Touch| match space().locate(touch.address) {
            Location::Pageable => false,
            Location::Unmapped | Location::Device(_, None) | Location::Pinned(_, None) => true,
            Location::Registered(located)
            | Location::Device(_, Some(located))
            | Location::Pinned(_, Some(located)) => self.blocks.at(located.start).is_some(),
        };
        touches.retain(is_ours);
        touches
    }

    /// An allocation is about to be freed.
    pub(crate) fn free(&mut self, address: usize, site: &Arc<Site>) {
        self.freeing(address, site);
        if let Some(block) = self.blocks.at(address)
            && block.kind == Kind::Host
        {
            self.close_block(address, block.size);
        }
        self.values_freed(address);
        self.blocks.remove(address, site);
    }

    /// A call uses memory itself, now.
    pub(crate) fn use_now(&mut self, touches: Vec<Touch>, copies: bool, site: Arc<Site>) {
        let touches = self.ours(touches);
        self.host(&Work {
            touches,
            copies,
            site,
            operator: 0,
            is_update: false,
        });
    }

    /// A task that uses memory was queued.
    pub(crate) fn queued(
        &mut self,
        stream: StreamSlot,
        number: u64,
        touches: Vec<Touch>,
        copies: bool,
        site: Arc<Site>,
    ) {
        let usage = Usage {
            touches,
            copies,
            site,
            operator: 0,
        };
        if let Some(usage) = usage.or_kept() {
            self.uses(stream, number, usage);
        }
    }

    /// What a task does with memory that the checker knows.
    pub(super) fn work(&self, usage: Usage) -> Work {
        Work {
            touches: self.ours(usage.touches),
            copies: usage.copies,
            site: usage.site,
            operator: usage.operator,
            is_update: false,
        }
    }

    /// A task was queued that does this.
    pub(super) fn uses(&mut self, stream: StreamSlot, number: u64, usage: Usage) {
        let work = self.work(usage);
        let stream = self.stream(stream);
        self.values_touched(&work, Some((stream, number)));
        let placed = self.order.work(stream, number, work);
        self.place(placed);
    }

    /// A call was refused because it reaches beyond what it was told the memory has.
    pub(crate) fn too_much(&mut self, count: usize, room: usize, site: Arc<Site>) {
        let text = format!(
            "{} was to write {count} bytes where it was told that there are {room}; it was refused",
            site.call()
        );
        self.find(Mistake::OutOfBounds, text, vec![("used", site)]);
    }

    /// An allocation was made.
    pub(crate) fn allocate(&mut self, address: usize, size: usize, kind: Kind, site: Arc<Site>) {
        let device = match space().locate(address) {
            Location::Device(heap, _) => Some(heap.index()),
            _ => None,
        };
        if kind == Kind::Host {
            self.open_block(address, size);
        }
        self.allocated(address, size, kind, device, site);
    }

    /// Somebody who is not seen may write an allocation from now on.
    pub(crate) fn may_be_written(&mut self, start: usize) {
        if let blocks::Found::Inside(_, block) = self.blocks.find(&(start..start + 1)) {
            block.shadow.write(&(0..block.size), None, &[]);
        }
    }

    /// The program itself touched device memory.
    pub(super) fn reached_for_device(
        &mut self,
        address: usize,
        location: Location,
        write: Option<bool>,
        site: Arc<Site>,
    ) {
        let does = match write {
            Some(true) => "writes at",
            Some(false) => "reads from",
            None => "touches",
        };
        let block = match location {
            Location::Device(_, Some(located)) => self.blocks.at(located.start),
            _ => None,
        };
        let what = match (block, location) {
            (Some(block), _) => format!("{} bytes of {block}", block.size),
            (None, Location::Device(_, Some(_))) => "mapped device memory".to_owned(),
            _ => "device memory that is not allocated".to_owned(),
        };
        let text =
            format!("the program {does} {address:#x} ({what}), where the host has no memory");
        let mut sites = vec![("used", site)];
        sites.extend(block.map(|block| ("allocated", Arc::clone(&block.allocated))));
        self.find(Mistake::DeviceMemoryTouched, text, sites);
    }
}

/// Streams and contexts.
impl Checker {
    /// A stream was created.
    pub(crate) fn stream_created(&mut self, stream: StreamSlot, handle: usize, site: Arc<Site>) {
        self.name_stream(stream, format!("stream {handle:#x}"));
        self.handles.created(handle, "stream", site);
    }

    /// A context got its default stream. `context` is its handle, unless it is the device's own.
    pub(crate) fn default_stream(
        &mut self,
        stream: StreamSlot,
        device: u32,
        context: Option<usize>,
    ) {
        let name = match context {
            None => format!("the default stream of device {device}"),
            Some(context) => {
                format!("the default stream of context {context:#x} (device {device})")
            }
        };
        self.name_stream(stream, name);
    }

    /// Something with a handle was created.
    pub(crate) fn created(&mut self, handle: usize, kind: &'static str, site: Arc<Site>) {
        self.handles.created(handle, kind, site);
    }

    /// Something with a handle is gone.
    pub(crate) fn destroyed(&mut self, handle: usize, site: &Arc<Site>) {
        self.handles.destroyed(handle, site);
    }

    /// A call was given a handle that names nothing (any more).
    pub(crate) fn stale(&mut self, kind: &str, handle: usize, site: Arc<Site>) {
        if handle == 0 {
            return;
        }
        let call = site.call().to_owned();
        let (mistake, text, sites) = match self.handles.gone(handle) {
            Some((known, gone)) => {
                let mistake = if call.contains("Destroy") {
                    Mistake::DestroyedTwice
                } else {
                    Mistake::UsedAfterDestroy
                };
                let text =
                    format!("{call} was given {kind} {handle:#x}, which does not exist any more");
                let sites = vec![
                    ("used", site),
                    ("destroyed", Arc::clone(gone)),
                    ("created", Arc::clone(&known.created)),
                ];
                (mistake, text, sites)
            }
            None => {
                let (why, created) = match self.handles.get(handle) {
                    None => ("which never existed".to_owned(), None),
                    Some(known) if known.kind.contains(kind) => (
                        "which another thread destroys at the same time".to_owned(),
                        Some(Arc::clone(&known.created)),
                    ),
                    Some(known) => (
                        format!("which is no {kind} but another handle: {}", known.kind),
                        Some(Arc::clone(&known.created)),
                    ),
                };
                let text = format!("{call} was given {kind} {handle:#x}, {why}");
                let mut sites = vec![("used", site)];
                sites.extend(created.map(|created| ("created", created)));
                (Mistake::UsedAfterDestroy, text, sites)
            }
        };
        self.find(mistake, text, sites);
    }

    /// The host knows that a stream has completed so many tasks.
    pub(crate) fn synchronised(&mut self, stream: StreamSlot, number: u64) {
        let stream = self.stream(stream);
        let placed = self.order.learn(stream, number);
        self.guards.learn(self.order.host());
        self.place(placed);
    }

    /// A task was queued that runs a function of the program.
    pub(crate) fn calls_program(&mut self, stream: StreamSlot, number: u64) {
        let stream = self.stream(stream);
        self.guards.pause(stream, number);
    }

    /// A task has failed.
    pub(crate) fn task_failed(&mut self, stream: StreamSlot, number: u64) {
        self.failed(stream, number);
    }
}

/// Events.
impl Checker {
    /// An event was created. A stream that waits for a `flag` waits until somebody records it.
    pub(crate) fn event_created(&mut self, event: usize, is_flag: bool, site: Arc<Site>) {
        if is_flag {
            self.order.create_flag(event);
        }
        self.handles.created(event, "event", site);
    }

    /// An event is about to be destroyed.
    pub(crate) fn event_destroyed(&mut self, event: usize, site: &Arc<Site>) {
        if self.order.is_awaited(event) {
            let text = format!(
                "{} ends event {event:#x}, and a stream waits for a record of it that can never come",
                site.call()
            );
            let created = self.handles.get(event);
            let mut sites = vec![("destroyed", Arc::clone(site))];
            sites.extend(created.map(|known| ("created", Arc::clone(&known.created))));
            self.find(Mistake::AwaitedEventDestroyed, text, sites);
        }
        let placed = self.order.destroy(event);
        self.place(placed);
        self.handles.destroyed(event, site);
    }

    /// A record was queued.
    pub(crate) fn recorded(&mut self, stream: StreamSlot, number: u64, event: usize) {
        let stream = self.stream(stream);
        let placed = self.order.record(stream, number, event);
        self.place(placed);
    }

    /// A reset was queued.
    pub(crate) fn event_reset(&mut self, stream: StreamSlot, number: u64, event: usize) {
        let stream = self.stream(stream);
        let placed = self.order.reset(stream, number, event);
        self.place(placed);
    }

    /// A stream waits for an event, from its next task on.
    pub(crate) fn waits(&mut self, stream: StreamSlot, event: usize) {
        let stream = self.stream(stream);
        let placed = self.order.wait(stream, event);
        self.place(placed);
    }

    /// Nobody will wait for an event any more who does not already.
    pub(super) fn forget_event(&mut self, event: usize) {
        self.order.forget(event);
    }

    /// A stream was to wait for an event that was never recorded, and does not.
    pub(crate) fn waits_for_nothing(&mut self, event: usize, site: Arc<Site>) {
        let text = format!(
            "{} was given event {event:#x}, which no stream has recorded; the stream does not wait",
            site.call()
        );
        let created = self.handles.get(event);
        let mut sites = vec![("wait", site)];
        sites.extend(created.map(|known| ("created", Arc::clone(&known.created))));
        self.find(Mistake::UnrecordedWait, text, sites);
    }

    /// The host knows that an event was reached.
    pub(crate) fn event_reached(&mut self, event: usize) {
        let placed = self.order.learn_event(event);
        self.guards.learn(self.order.host());
        self.place(placed);
    }

    /// The emulator met something itself.
    pub(crate) fn violation(&mut self, what: What, text: &str, site: Arc<Site>) {
        let mistake = match what {
            What::EventUsedAfterReset => Mistake::EventAfterReset,
            // Found when the event was destroyed, the memory freed, or the work queued.
            What::EventDestroyedWhileAwaited
            | What::MemoryUsedAfterFree
            | What::MemoryOutOfBounds => return,
            // A defect of the emulator, not of the program.
            What::KernelPanicked => return,
        };
        self.find(mistake, text.to_owned(), vec![("used", site)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a use of a stream.
    fn said(checker: &mut Checker, handle: usize) -> String {
        checker.stale("stream", handle, Site::here("aclrtStreamAbort"));
        let found = checker.take_found().pop();
        let finding = found.map(super::super::finding::Found::finding);
        finding
            .map(|finding| finding.to_string())
            .unwrap_or_default()
    }

    #[test]
    fn a_stream_that_another_thread_destroyed_is_none_that_never_existed() {
        let mut checker = Checker::default();
        let (create, reset) = (
            Site::here("aclrtCreateStream"),
            Site::here("aclrtResetDevice"),
        );
        // The reset came before the creation was told.
        checker.destroyed(1, &reset);
        checker.created(1, "stream", Arc::clone(&create));
        let text = said(&mut checker, 1);
        assert!(text.contains("does not exist any more"), "{text}");
        assert!(text.contains("destroyed: aclrtResetDevice"), "{text}");
        // The use came before the reset was told.
        checker.created(2, "stream", Arc::clone(&create));
        let text = said(&mut checker, 2);
        assert!(text.contains("another thread destroys"), "{text}");
        assert!(text.contains("created: aclrtCreateStream"), "{text}");
        checker.created(3, "event", create);
        let text = said(&mut checker, 3);
        assert!(
            text.contains("no stream but another handle: event"),
            "{text}"
        );
        let text = said(&mut checker, 4);
        assert!(text.contains("never existed"), "{text}");
    }

    #[test]
    fn default_streams_of_two_contexts_have_two_names() {
        let streams = [StreamSlot(1), StreamSlot(2)];
        let mut checker = Checker::default();
        checker.default_stream(streams[0], 1, None);
        checker.default_stream(streams[1], 1, Some(0x43));
        let names = streams.map(|stream| {
            let id = checker.stream(stream);
            checker.name_of(id).to_owned()
        });
        let expected = [
            "the default stream of device 1",
            "the default stream of context 0x43 (device 1)",
        ];
        assert_eq!(names, expected);
    }
}
