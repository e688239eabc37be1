//! The hooks of the checker. The emulator calls them when something happens.

use std::sync::Arc;

use crate::observe::violation::What;
use crate::space::heap::Maker;
use crate::space::{Location, space};

use super::blocks;
use super::finding::Mistake;
use super::order::Lost;
use super::site::Site;
use super::state::{Checker, StreamSlot, Touch, User};
use super::usage::Usage;
use crate::results::{joined, list_of};

/// Hooks for memory.
impl Checker {
    /// Returns the accesses that the checker checks: to memory that it tracks, and to addresses without memory. It
    /// does not track ordinary host memory.
    fn ours(&self, mut touches: Vec<Touch>) -> Vec<Touch> {
        let is_ours = |touch: &Touch| match space().locate(touch.address) {
            Location::Pageable => false,
            Location::Unmapped | Location::Device(_, None) | Location::Pinned(_, None) => true,
            Location::Registered(located)
            | Location::Device(_, Some(located))
            | Location::Pinned(_, Some(located)) => {
                // A pool keeps memory that the program has freed.
                let start = located.start;
                self.blocks.at(start).is_some() || self.blocks.freed_at(start).is_some()
            }
        };
        let is_object = |touch: &Touch| {
            let block = self.blocks.at(touch.address);
            block.is_some_and(|block| block.kind == Maker::Object)
        };
        touches.retain(|touch| is_object(touch) || is_ours(touch));
        touches
    }

    /// Called before an allocation is freed.
    pub(crate) fn free(&mut self, address: usize, site: &Arc<Site>) {
        self.freeing(address, site);
        if let Some(block) = self.blocks.at(address)
            && block.kind == Maker::Host
        {
            self.close_block(address, block.size);
        }
        self.values_freed(address);
        self.blocks.remove(address, site);
    }

    /// Called when a task gives out memory of a pool. Like the free, it counts as a write of bytes that nobody may read
    /// afterwards, so work is found that is not ordered behind it.
    pub(crate) fn pool_gives(
        &mut self,
        (stream, number): (StreamSlot, u64),
        address: usize,
        size: usize,
        site: Arc<Site>,
    ) {
        self.allocate(address, size, Maker::Device, Arc::clone(&site));
        self.queued(stream, number, vec![scratch(address, size)], false, site);
    }

    /// Called when a task takes memory of a pool back. Tasks that are queued from here on must not use it.
    pub(crate) fn pool_takes(
        &mut self,
        (stream, number): (StreamSlot, u64),
        address: usize,
        site: Arc<Site>,
    ) {
        let Some(size) = self.blocks.at(address).map(|block| block.size) else {
            return;
        };
        let all = vec![scratch(address, size)];
        self.queued(stream, number, all, false, Arc::clone(&site));
        self.values_freed(address);
        let by = (self.stream(stream), number);
        self.blocks.remove_by(address, &site, Some(by));
    }

    /// Called when a call uses memory itself, at once.
    pub(crate) fn use_now(&mut self, touches: Vec<Touch>, copies: bool, site: Arc<Site>) {
        self.use_as(User::Host, touches, copies, site);
    }

    /// Checks a use of memory by this user.
    pub(super) fn use_as(
        &mut self,
        user: User<'_>,
        touches: Vec<Touch>,
        copies: bool,
        site: Arc<Site>,
    ) {
        let work = self.tracked(Usage::new(touches, copies, site));
        self.unmapped(&work);
        self.host(user, &work);
    }

    /// Called when a task that uses memory is queued.
    pub(crate) fn queued(
        &mut self,
        stream: StreamSlot,
        number: u64,
        touches: Vec<Touch>,
        copies: bool,
        site: Arc<Site>,
    ) {
        if let Some(usage) = Usage::new(touches, copies, site).or_kept() {
            self.uses(stream, number, usage);
        }
    }

    /// Returns the accesses to memory that the checker tracks.
    pub(super) fn tracked(&self, mut usage: Usage) -> Usage {
        usage.touches = self.ours(usage.touches);
        usage
    }

    /// Records a queued task with these accesses.
    pub(super) fn uses(&mut self, stream: StreamSlot, number: u64, usage: Usage) {
        let work = self.tracked(usage);
        self.unmapped(&work);
        let stream = self.stream(stream);
        self.values_touched(&work, Some((stream, number)));
        let placed = self.order.work(stream, number, work);
        self.place(placed);
    }

    /// Called when a call is refused because its count exceeds the size of the memory that the call names.
    pub(crate) fn too_much(&mut self, count: usize, room: usize, site: Arc<Site>) {
        let text = format!(
            "{} should write {count} bytes to memory of {room} bytes, as its arguments say; it was refused",
            site.call()
        );
        self.find(Mistake::OutOfBounds, text, vec![("used", site)]);
    }

    /// Called when a call is refused because of memory that it cannot use. Reports memory that was freed, and returns
    /// whether it was.
    pub(crate) fn refused(&mut self, touch: Touch, site: Arc<Site>) -> bool {
        let is_freed = matches!(self.blocks.find(&touch.range()), blocks::Found::Freed(..));
        if is_freed {
            self.use_now(vec![touch], false, site);
        }
        is_freed
    }

    /// Called when memory is allocated.
    pub(crate) fn allocate(&mut self, address: usize, size: usize, kind: Maker, site: Arc<Site>) {
        let device = match space().locate(address) {
            Location::Device(heap, _) => Some(heap.index()),
            _ => None,
        };
        if kind == Maker::Host {
            self.open_block(address, size);
        }
        self.allocated(address, size, kind, device, site);
    }

    /// Called when a writer that the checker cannot see may write an allocation from now on.
    pub(crate) fn may_be_written(&mut self, start: usize) {
        if let blocks::Found::Inside(_, block) = self.blocks.find(&(start..start + 1)) {
            block.shadow.write(&(0..block.size), None, &[]);
        }
    }

    /// Reports that the program itself accessed device memory.
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

/// A write of bytes that nobody may read afterwards.
fn scratch(address: usize, len: usize) -> Touch {
    Touch {
        scratch: true,
        ..Touch::write(address, len)
    }
}

/// Hooks for streams and contexts.
impl Checker {
    /// Called when a stream is created.
    pub(crate) fn stream_created(&mut self, stream: StreamSlot, handle: usize, site: Arc<Site>) {
        self.name_stream(stream, format!("stream {handle:#x}"));
        self.handles.created(handle, "stream", site);
    }

    /// Called when a context gets its default stream. `context` is the handle of the context, or `None` for the
    /// context of the device.
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

    /// Called when an object with a handle is created.
    pub(crate) fn created(&mut self, handle: usize, kind: &'static str, site: Arc<Site>) {
        self.handles.created(handle, kind, site);
    }

    /// Called when an object with a handle is created that ends with its device.
    pub(crate) fn created_on(
        &mut self,
        device: u32,
        handle: usize,
        kind: &'static str,
        site: Arc<Site>,
    ) {
        self.handles.created(handle, kind, site);
        self.handles.ends_with(handle, device);
    }

    /// Called when an object with a handle is destroyed.
    pub(crate) fn destroyed(&mut self, handle: usize, site: &Arc<Site>) {
        self.forget_graph(handle);
        self.blocks.remove(handle, site);
        self.handles.destroyed(handle, site);
    }

    /// Called when a task is queued that uses an object with a handle.
    pub(crate) fn uses_object(
        &mut self,
        handle: usize,
        stream: StreamSlot,
        number: u64,
        site: Arc<Site>,
    ) {
        let stream = self.stream(stream);
        let host = self.order.host();
        self.handles.used(handle, (stream, number), site, host);
    }

    /// Called before an object with a handle is destroyed. The destroy may be refused.
    pub(crate) fn destroying(&mut self, handle: usize, site: &Arc<Site>) {
        let Some(known) = self.handles.get(handle) else {
            return;
        };
        let Some((stream, user)) = known.user(self.order.host()) else {
            return;
        };
        let text = format!(
            "{} was given {} {handle:#x}, which a task of {} may still use",
            site.call(),
            known.kind,
            self.name_of(stream)
        );
        let sites = vec![
            ("destroyed", Arc::clone(site)),
            ("in use", Arc::clone(user)),
            ("created", Arc::clone(&known.created)),
        ];
        self.find(Mistake::DestroyedInUse, text, sites);
    }

    /// Called when a call gets a handle of an object that does not exist, or not any more.
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

    /// Called when a call gets a handle of an object that does not exist, of a kind whose life is not followed.
    pub(crate) fn not_alive(&mut self, kind: &str, handle: usize, site: Arc<Site>) {
        let call = site.call();
        let mistake = if call.contains("Destroy") {
            Mistake::DestroyedTwice
        } else {
            Mistake::UsedAfterDestroy
        };
        let text = format!(
            "{call} was given {kind} {handle:#x}, which does not exist any more, or never existed"
        );
        self.find(mistake, text, vec![("used", site)]);
    }

    /// Called when the host knows that a stream has completed `number` tasks.
    pub(crate) fn synchronised(&mut self, stream: StreamSlot, number: u64) {
        let stream = self.stream(stream);
        let placed = self.order.learn(stream, number);
        self.guards.learn(self.order.host());
        self.place(placed);
    }

    /// Called when a task is queued that runs a function of the program.
    pub(crate) fn calls_program(&mut self, stream: StreamSlot, number: u64) {
        let stream = self.stream(stream);
        self.guards.pause(stream, number, self.order.submitted());
    }

    /// Called when a task has failed.
    pub(crate) fn task_failed(&mut self, stream: StreamSlot, number: u64) {
        self.failed(stream, number);
    }
}

/// Hooks for events.
impl Checker {
    /// Called when an event is created. A wait for a flag lasts until the event is recorded.
    pub(crate) fn event_created(&mut self, event: usize, is_flag: bool, site: Arc<Site>) {
        if is_flag {
            self.order.create_flag(event);
        }
        self.handles.created(event, "event", site);
    }

    /// Called when a notify is created, which is a flag with a handle of its own.
    pub(crate) fn notify_created(&mut self, notify: usize, flag: usize, site: Arc<Site>) {
        self.order.create_notify(flag, notify);
        self.handles.created(notify, "notify", site);
    }

    /// Called when the flag of a notify is cleared without a stream.
    pub(crate) fn notify_cleared(&mut self, flag: usize) {
        self.order.clear(flag);
    }

    /// Called before a notify is recorded or waited for.
    pub(crate) fn signal_begins(&mut self, site: Arc<Site>) {
        self.signal = Some(site);
    }

    /// Called behind such a call.
    pub(crate) fn signal_ends(&mut self) {
        self.report_lost();
        self.signal = None;
    }

    /// Reports the uses of notifies whose signals may go to other waits than their own.
    pub(super) fn report_lost(&mut self) {
        for Lost { notify, is_record } in self.order.take_lost() {
            let why = if is_record {
                "is recorded, and nothing orders the record behind the last wait for it: two signals may become one"
            } else {
                "is waited for by a stream while another wait for it may last: either one takes the signal of the other"
            };
            let used = self.signal.iter().map(|site| ("used", Arc::clone(site)));
            let created = self.handles.get(notify);
            let created = created.map(|known| ("created", Arc::clone(&known.created)));
            let sites = list_of(used.chain(created));
            self.find(
                Mistake::SignalLost,
                format!("notify {notify:#x} {why}"),
                sites,
            );
        }
    }

    /// Called before an event is destroyed. `handle` is the one that the program has.
    pub(crate) fn event_destroyed(&mut self, event: usize, handle: usize, site: &Arc<Site>) {
        if self.order.is_awaited(event) {
            let created = self.handles.get(handle);
            let text = format!(
                "{} ends {} {handle:#x}, and a stream waits for a record of it that can never come",
                site.call(),
                created.map_or("event", |known| known.kind)
            );
            let mut sites = vec![("destroyed", Arc::clone(site))];
            sites.extend(created.map(|known| ("created", Arc::clone(&known.created))));
            self.find(Mistake::AwaitedEventDestroyed, text, sites);
        }
        let placed = self.order.destroy(event);
        self.place(placed);
        self.handles.destroyed(handle, site);
    }

    /// Called when a record is queued.
    pub(crate) fn recorded(&mut self, stream: StreamSlot, number: u64, event: usize) {
        let stream = self.stream(stream);
        let placed = self.order.record(stream, number, event);
        self.place(placed);
    }

    /// Called when the reset of an event is queued.
    pub(crate) fn event_reset(&mut self, stream: StreamSlot, number: u64, event: usize) {
        let stream = self.stream(stream);
        let placed = self.order.reset(stream, number, event);
        self.place(placed);
    }

    /// Called when a stream waits for an event before its next task.
    pub(crate) fn waits(&mut self, stream: StreamSlot, event: usize) {
        let stream = self.stream(stream);
        let placed = self.order.wait(stream, event);
        self.place(placed);
    }

    /// Removes an event that no further stream will wait for. Streams that wait already continue to wait.
    pub(super) fn forget_event(&mut self, event: usize) {
        self.order.forget(event);
    }

    /// Called when a wait has no effect because the event was never recorded.
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

    /// Called when the host knows that the latest record of an event is complete.
    pub(crate) fn event_reached(&mut self, event: usize) {
        let placed = self.order.learn_event(event);
        self.guards.learn(self.order.host());
        self.place(placed);
    }

    /// Called when a process uses both generations of the media engine.
    pub(crate) fn mixed(&mut self, site: Arc<Site>) {
        let text = format!(
            "{} uses a generation of the media engine, and the process has used the other one",
            site.call()
        );
        self.find(Mistake::MediaMixed, text, vec![("used", site)]);
    }

    /// Called when a function of the program that a stream has called makes a call.
    pub(crate) fn called_in_function(&mut self, site: Arc<Site>) {
        let text = format!(
            "{} was called by a host function or callback, which a stream runs",
            site.call()
        );
        self.find(Mistake::CallInFunction, text, vec![("called", site)]);
    }

    /// Called before a thread sleeps in a wait that cannot end by itself. Each stream of the path waits for the next one, and
    /// the last one for an earlier one, or for the function of the stream `caller`, which makes the call.
    pub(crate) fn circle(
        &mut self,
        path: &[StreamSlot],
        caller: Option<StreamSlot>,
        site: Arc<Site>,
    ) {
        let ids = list_of(path.iter().map(|slot| self.stream(*slot)));
        let names = list_of(ids.iter().map(|id| self.name_of(*id)));
        let mut text = format!(
            "{} waits for {}",
            site.call(),
            joined(&names, ", which waits for ")
        );
        if caller.is_some() {
            text.push_str(": a function of this one makes the call, and has to return first");
        }
        self.find(Mistake::CircularWait, text, vec![("waits", site)]);
    }

    /// Called when the emulator detects a violation itself.
    pub(crate) fn violation(&mut self, what: What, text: &str, site: Arc<Site>) {
        let mistake = match what {
            What::EventUsedAfterReset => Mistake::EventAfterReset,
            What::RanksDisagree => Mistake::RanksDisagree,
            What::RankMissing => Mistake::RankMissing,
            What::IndexOutOfRange => Mistake::IndexOutOfRange,
            What::WrongWorkspace => Mistake::WrongWorkspace,
            What::RuntimeCrash => Mistake::RuntimeCrash,
            What::OtherContext => Mistake::OtherContext,
            What::KernelOutOfBounds => Mistake::KernelOutOfBounds,
            What::KernelWritesInput => Mistake::InputWritten,
            What::KernelArguments => Mistake::KernelArguments,
            What::KernelRule => Mistake::KernelRule,
            // Found when the event was destroyed, the memory freed, the binary unloaded, or the work queued.
            What::EventDestroyedWhileAwaited
            | What::BinaryUnloaded
            | What::MemoryUsedAfterFree
            | What::MemoryOutOfBounds => return,
            // A defect of the emulator or of its engine, or of an operator or a kernel of the program.
            What::KernelPanicked | What::ModelFailed => return,
            // The data may be damaged, or the machine slow; the program learns it from the wait.
            What::PictureRefused | What::KernelLate => return,
        };
        self.find(mistake, text.to_owned(), vec![("used", site)]);
    }
}

#[cfg(test)]
mod tests;
