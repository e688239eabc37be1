//! Tasks and calls on memory, and the waits for them.

use super::limit::Limit;
use super::media::What;
use super::ranks::Action;
use super::state::{Clock, Form, Hold, Memory, Place, Use, View, join};
use super::{Machine, Rule, Run, Strictness};

impl Machine {
    fn memory(&self, view: &View) -> Run<Memory> {
        let memory = self
            .state
            .memory
            .get(view.memory)
            .cloned()
            .ok_or(Rule::Stopped)?;
        if !memory.alive {
            return Err(Rule::MemoryGone);
        }
        if let Form::Lease { scope } | Form::ReadonlyLease { scope } = view.form
            && !self.state.open_scopes.contains(&scope)
        {
            return Err(Rule::LeaseEscapes);
        }
        Ok(memory)
    }

    pub(super) fn change_memory(&mut self, view: &View, f: impl FnOnce(&mut Memory)) {
        if let Some(memory) = self.state.memory.get_mut(view.memory) {
            f(memory);
        }
    }

    fn is_over(&self, used: &Use) -> bool {
        self.is_done(used.stream, used.task)
    }

    pub(super) fn is_done(&self, stream: usize, task: u64) -> bool {
        let over = self.state.over.get(&stream);
        over.is_some_and(|over| *over >= task)
    }

    pub(super) fn is_proven(&self, stream: usize, task: u64) -> bool {
        self.state
            .streams
            .get(stream)
            .is_some_and(|stream| stream.proven >= task)
    }

    /// Whether all tasks that exclude a use by the host are over.
    pub(super) fn is_quiet(&self, view: &View, writes: bool) -> Run {
        let memory = self.memory(view)?;
        let busy = memory.uses.iter().any(|used| {
            used.halves & view.halves != 0 && (writes || used.writes) && !self.is_over(used)
        });
        if busy {
            Err(Rule::TouchedInUse)
        } else {
            Ok(())
        }
    }

    fn is_lease(view: &View) -> bool {
        view.form.is_lease()
    }

    fn note_use(&mut self, view: &View, writes: bool) {
        self.note_if(writes && view.form == Form::Share, Strictness::Shared);
        let readonly = matches!(view.form, Form::ReadonlyPart | Form::ReadonlyLease { .. });
        self.note_if(writes && readonly, Strictness::Readonly);
    }

    /// Only steps of pictures use pictures, and only the front of counted numbers is known.
    fn note_what(&mut self, view: &View) {
        self.note_if(view.what != What::Numbers, Strictness::Types);
    }

    /// A use of numbers by the host or by a blocking call. The contents are read if `reads`.
    pub(super) fn touch(&mut self, view: &View, reads: bool, writes: bool) -> Run {
        self.touch_any(view, reads, writes)?;
        self.note_what(view);
        Ok(())
    }

    /// A use of anything by the host or by a blocking call.
    pub(super) fn touch_any(&mut self, view: &View, reads: bool, writes: bool) -> Run {
        let memory = self.memory(view)?;
        self.is_quiet(view, writes)?;
        if reads {
            if memory.written & view.halves != view.halves {
                return Err(Rule::Unwritten);
            }
            if let Hold::Queued(_) = view.hold
                && memory
                    .uses
                    .iter()
                    .any(|used| used.writes && !self.is_proven(used.stream, used.task))
            {
                return Err(Rule::Unverified);
            }
            if view
                .history
                .iter()
                .any(|(stream, task)| !self.is_proven(*stream, *task))
            {
                return Err(Rule::Unverified);
            }
        }
        self.note_if(view.hold != Hold::Idle, Strictness::NotTaken);
        self.note_if(view.unverified, Strictness::NotVerified);
        self.note_if(Self::is_lease(view), Strictness::Returned);
        self.note_use(view, writes);
        if writes {
            let halves = view.halves;
            self.change_memory(view, |memory| memory.written |= halves);
            self.set_numbers(view, [None; 2]);
        }
        Ok(())
    }

    /// Memory that a call in a context uses: it belongs to the device of the context.
    pub(super) fn reaches(&mut self, context: usize, view: &View, rule: Rule) -> Run {
        let memory = self.memory(view)?;
        if let Place::Device(home) = memory.place {
            if self.device_of(home) != self.device_of(context) {
                return Err(rule);
            }
            self.note_if(home != context, Strictness::Contexts);
        }
        Ok(())
    }

    /// The place of memory.
    pub(super) fn place(&self, view: &View) -> Run<Place> {
        Ok(self.memory(view)?.place)
    }

    /// The number of the next task of a stream.
    pub(super) fn task(&mut self, stream: usize) -> u64 {
        let Some(of) = self.state.streams.get_mut(stream) else {
            return 0;
        };
        of.tasks += 1;
        of.after.insert(stream, of.tasks);
        of.tasks
    }

    /// The context of a stream.
    pub(super) fn home_of(&self, stream: usize) -> usize {
        let of = self.state.streams.get(stream);
        of.map_or(usize::MAX, |stream| stream.context)
    }

    pub(super) fn tasks(&self, stream: usize) -> u64 {
        self.state
            .streams
            .get(stream)
            .map_or(0, |stream| stream.tasks)
    }

    /// What a stream runs its next task after.
    pub(super) fn after(&self, stream: usize) -> Clock {
        let after = self
            .state
            .streams
            .get(stream)
            .map(|stream| stream.after.clone());
        after.unwrap_or_default()
    }

    /// A use of numbers by a task. `adopted` is false for operators that wait: their operands are idle.
    pub(super) fn queue(
        &mut self,
        task: (usize, u64),
        view: &View,
        uses: (bool, bool),
        adopted: bool,
    ) -> Run {
        self.queue_any(task, view, uses, adopted)?;
        self.note_what(view);
        Ok(())
    }

    /// A use of anything by a task.
    pub(super) fn queue_any(
        &mut self,
        (stream, task): (usize, u64),
        view: &View,
        (reads, writes): (bool, bool),
        adopted: bool,
    ) -> Run {
        let memory = self.memory(view)?;
        let context = self.home_of(stream);
        self.reaches(context, view, Rule::DeviceOfStream)?;
        if reads && memory.written & view.halves != view.halves {
            return Err(Rule::Unwritten);
        }
        let after = self.after(stream);
        let is_ordered = |used: &Use| {
            used.stream == stream
                || after
                    .get(&used.stream)
                    .is_some_and(|over| *over >= used.task)
                || self.is_over(used)
        };
        let mut uses = memory.uses.iter();
        if uses.any(|used| {
            used.halves & view.halves != 0 && (writes || used.writes) && !is_ordered(used)
        }) {
            return Err(Rule::Race);
        }
        match view.hold {
            Hold::Idle => self.note_if(adopted, Strictness::NotAdopted),
            Hold::Queued(home) => {
                self.note_if(home != stream || !adopted, Strictness::NotTaken);
                self.note_if(view.unbranded, Strictness::Brand);
            }
        }
        self.note_if(view.unverified, Strictness::NotVerified);
        self.note_use(view, writes);
        let halves = view.halves;
        self.change_memory(view, |memory| {
            memory.uses.push(Use {
                stream,
                task,
                writes,
                halves,
            });
            if writes {
                memory.written |= halves;
            }
        });
        self.note_unlocked(memory.place);
        if writes {
            self.set_numbers(view, [None; 2]);
        }
        Ok(())
    }

    /// The host has waited for all tasks of a clock.
    pub(super) fn is_reached(&mut self, clock: &Clock) {
        join(&mut self.state.over, clock);
        join(&mut self.state.awaited, clock);
        self.act(Action::Wait(clock.clone()));
    }

    /// A wait of the host for all work of a stream.
    pub(super) fn wait_for(&mut self, stream: usize, proves: bool, limit: Limit) -> Run {
        let after = self.after(stream);
        self.note_wait(stream, &after, limit)?;
        let awaited = self.state.awaited.clone();
        self.is_reached(&after);
        if limit == Limit::OfDevice {
            self.state.awaited = awaited;
        }
        if let Some(stream) = self.state.streams.get_mut(stream) {
            stream.waits.clear();
            if proves && stream.aborts == 0 {
                stream.proven = stream.tasks;
            }
        }
        // Its records have happened.
        for other in &mut self.state.streams {
            other.waits.remove(&stream);
        }
        Ok(())
    }

    /// A wait of the host for all streams of a context.
    pub(super) fn wait_for_context(&mut self, context: usize, limit: Limit) -> Run {
        // The lanes of a pipeline that have failed may hang for ever.
        let mut pipelines = self.state.pipelines.iter();
        let has_lanes = pipelines.any(|of| of.context == context && of.uses > 0);
        self.unbounded |= has_lanes && limit == Limit::None;
        for stream in 0..self.state.streams.len() {
            let of = self.state.streams.get(stream);
            if of.is_some_and(|stream| stream.context == context && stream.alive) {
                self.wait_for(stream, true, limit)?;
            }
        }
        Ok(())
    }

    /// The length of memory in halves.
    pub(super) fn halves_of(&self, view: &View) -> usize {
        match self.pieces_of(view) {
            Some(pieces) => 2 * pieces,
            None => view.halves.count_ones() as usize,
        }
    }

    /// Both sides of a copy.
    pub(super) fn direction(&self, to: &View, from: &View) -> Run {
        let on_device = |view: &View| Ok(matches!(self.place(view)?, Place::Device(_)));
        if !on_device(to)? && !on_device(from)? {
            return Err(Rule::HostToHost);
        }
        if self.halves_of(to) != self.halves_of(from) {
            return Err(Rule::Length);
        }
        Ok(())
    }
}
