//! The end of values: frees, destructions and resets, by a call or by a drop.

use super::access::Mode;
use super::limit::Limit;
use super::media::What;
use super::state::{Form, Hold, Naming, Place, Value, Variable, View};
use super::{Machine, Rule, Run, Strictness};

impl Machine {
    /// Frees memory at once, as C does.
    pub(super) fn free(&mut self, view: &View) -> Run {
        if self.place(view)? == Place::Rust {
            return Ok(());
        }
        self.called()?;
        self.is_quiet(view, true).map_err(|rule| match rule {
            Rule::TouchedInUse => Rule::FreedInUse,
            other => other,
        })?;
        self.end_memory(view);
        Ok(())
    }

    fn end_memory(&mut self, view: &View) {
        self.change_memory(view, |memory| memory.alive = false);
        self.end_pieces(view);
    }

    /// The drop of a handle of memory.
    pub(super) fn drop_view(&mut self, view: &View) -> Run {
        if view.form == Form::Whole && matches!(view.what, What::Graph { .. }) {
            self.drop_memory_of(view)?;
        }
        match (view.form, view.hold) {
            (
                Form::Part | Form::ReadonlyPart | Form::Lease { .. } | Form::ReadonlyLease { .. },
                _,
            ) => Ok(()),
            (Form::Whole, Hold::Idle) => {
                if view.what.thread().is_some()
                    && let Place::Device(context) = self.place(view)?
                {
                    self.is_current(context)?;
                }
                self.free(view)
            }
            (Form::Whole, Hold::Queued(stream)) => {
                self.called()?;
                self.place(view)?;
                // The device frees it behind the work of the stream, which has to be behind all other uses.
                let after = self.after(stream);
                let memory = self.state.memory.get(view.memory);
                let uses = memory.map(|memory| memory.uses.clone()).unwrap_or_default();
                let covered = |stream: usize, task: u64| {
                    let over = |clock: &super::state::Clock| {
                        clock.get(&stream).is_some_and(|over| *over >= task)
                    };
                    over(&after) || over(&self.state.over)
                };
                if uses.iter().any(|used| !covered(used.stream, used.task)) {
                    return Err(Rule::FreedInUse);
                }
                self.end_memory(view);
                Ok(())
            }
            (Form::Share, Hold::Queued(_)) => Ok(()),
            (Form::Share, Hold::Idle) => {
                let mut last = false;
                self.change_memory(view, |memory| {
                    memory.shares = memory.shares.saturating_sub(1);
                    last = memory.shares == 0;
                });
                if last { self.free(view) } else { Ok(()) }
            }
        }
    }

    pub(super) fn reset(&mut self, device: usize) -> Run {
        self.called()?;
        let Some(of) = self.state.devices.get_mut(device) else {
            return Err(Rule::Stopped);
        };
        if !of.open {
            return Err(Rule::DeviceGone);
        }
        of.open = false;
        for context in 0..self.state.contexts.len() {
            if self.device_of(context) == device {
                self.end_context(context)?;
            }
        }
        self.end_pools(device);
        for index in 0..self.state.memory.len() {
            let place = self.state.memory.get(index).map(|memory| memory.place);
            if let Some(Place::Device(home)) = place
                && self.device_of(home) == device
                && let Some(memory) = self.state.memory.get_mut(index)
            {
                memory.alive = false;
            }
        }
        Ok(())
    }

    pub(super) fn destroy_context(&mut self, context: usize) -> Run {
        self.called()?;
        if !self
            .state
            .contexts
            .get(context)
            .is_some_and(|context| context.alive)
        {
            return Err(Rule::ContextGone);
        }
        self.end_context(context)
    }

    /// The end of a context waits for its work, and its streams and events end with it.
    fn end_context(&mut self, context: usize) -> Run {
        self.wait_for_context(context, Limit::OfDevice)?;
        for stream in &mut self.state.streams {
            if stream.context == context {
                stream.alive = false;
            }
        }
        for event in &mut self.state.events {
            if event.context == context {
                event.alive = false;
            }
        }
        self.end_counters_of(context);
        self.end_shared_of(context);
        for thread in &mut self.state.threads {
            if thread.current == Some(context) {
                thread.current = None;
            }
        }
        if let Some(context) = self.state.contexts.get_mut(context) {
            context.alive = false;
        }
        Ok(())
    }

    /// Destroys a stream. Its context has to be current, unless the stream is parked.
    pub(super) fn destroy_stream(&mut self, stream: usize, parked: bool) -> Run {
        self.called()?;
        self.is_alive(stream)?;
        let (context, naming) = match self.state.streams.get(stream) {
            Some(stream) => (stream.context, stream.naming),
            None => return Err(Rule::Stopped),
        };
        if naming != Naming::Default {
            if !parked {
                self.is_current(context)?;
            }
            self.wait_for(stream, true, Limit::OfDevice)?;
        }
        if let Some(stream) = self.state.streams.get_mut(stream) {
            stream.alive = false;
        }
        Ok(())
    }

    pub(super) fn destroy_event(&mut self, event: usize) -> Run {
        self.called()?;
        match self.state.events.get_mut(event) {
            Some(event) if event.alive => {
                event.alive = false;
                Ok(())
            }
            _ => Err(Rule::EventGone),
        }
    }

    /// The drop of a value.
    pub(super) fn drop_value(&mut self, variable: Variable) -> Run {
        match variable.value {
            Value::Thread { owned: false, .. } => Ok(()),
            Value::Thread { thread, .. } => {
                if let Some(thread) = self.state.threads.get_mut(thread) {
                    thread.claimed = false;
                }
                Ok(())
            }
            Value::Device(device) => self.reset(device),
            Value::Context(context) => self.destroy_context(context),
            Value::Stream {
                stream,
                attached: true,
                ..
            } => self.destroy_stream(stream, false),
            Value::Parked { stream, .. } => self.destroy_stream(stream, true),
            Value::Event(event) => self.destroy_event(event),
            Value::Memory(view) => self.drop_view(&view),
            Value::Fence { event, view, .. } => {
                self.drop_view(&view)?;
                self.destroy_event(event)
            }
            Value::Completed { view, .. } => self.drop_view(&view),
            Value::Pipeline { pipeline, .. } => self.drop_pipeline(pipeline),
            Value::Plan {
                writes, owns: true, ..
            } => self.drop_view(&writes),
            Value::Access(access) => self.disable_peer(access),
            Value::Binary { binary, .. } => self.drop_binary(binary),
            Value::Pool(pool) => self.end_pool(pool, false),
            Value::Counter(counter) => self.end_counter(counter),
            Value::Shared(shared) => self.end_shared(shared),
            Value::Comm {
                comm,
                hold: Hold::Queued(stream),
                ..
            } => self.park_comm(comm, stream),
            Value::Comm { comm, .. } | Value::Seat { comm } => self.end_comm(comm),
            Value::Hole(Some(inner)) => self.drop_value(*inner),
            Value::Hole(None) => {
                // The compiler does not know its type.
                self.note(Strictness::Types);
                Ok(())
            }
            Value::Acl => {
                self.called()?;
                self.state.finalized = true;
                Ok(())
            }
            Value::Media => {
                self.state.media = false;
                Ok(())
            }
            Value::Repeat { .. } => self.called(),
            Value::Stream { .. }
            | Value::Synchronized { .. }
            | Value::Outcome { .. }
            | Value::Function { .. }
            | Value::Plan { .. }
            | Value::Binding { .. }
            | Value::Point { .. }
            | Value::Done { .. }
            | Value::Proof { .. }
            | Value::Rank { .. }
            | Value::Root { .. }
            | Value::Batch { .. }
            | Value::Scope { .. } => Ok(()),
        }
    }

    /// Whether the end of a variable is a use of it.
    fn has_drop(variable: &Variable) -> bool {
        match &variable.value {
            Value::Memory(view) => match view.form {
                _ if matches!(view.what, What::Tensor { .. }) => true,
                Form::Whole | Form::Share => true,
                Form::Lease { .. } | Form::ReadonlyLease { .. } => view.hold != Hold::Idle,
                Form::Part | Form::ReadonlyPart => false,
            },
            Value::Stream { attached, .. } => *attached,
            Value::Binding { .. }
            | Value::Synchronized { .. }
            | Value::Outcome { .. }
            | Value::Function { .. }
            | Value::Point { .. }
            | Value::Done { .. }
            | Value::Proof { .. }
            | Value::Rank { .. }
            | Value::Root { .. }
            | Value::Batch { .. }
            | Value::Scope { .. } => false,
            Value::Hole(inner) => inner.as_ref().is_some_and(|inner| Self::has_drop(inner)),
            _ => true,
        }
    }

    /// The variables of the innermost block are dropped, the last one first.
    pub(super) fn end_of_block(&mut self) -> Run {
        for name in self
            .state
            .blocks
            .pop()
            .unwrap_or_default()
            .into_iter()
            .rev()
        {
            let Some(variable) = self.state.variables.remove(&name) else {
                continue;
            };
            if variable.gone {
                continue;
            }
            let has_drop = Self::has_drop(&variable);
            self.note_if(has_drop && variable.stale, Strictness::Borrowed);
            self.end_borrows(name, Mode::Move);
            self.drop_value(variable)?;
        }
        Ok(())
    }

    /// The drops of an early `return`, or of an error that `?` hands on.
    pub(super) fn leaves(&mut self, with_error: bool) -> Run {
        let mut left = self.clone();
        while !left.state.blocks.is_empty() {
            left.end_of_block()?;
            let Some(entered) = left.state.entered.pop() else {
                break;
            };
            left.leave(&entered)?;
            if entered.catches || (entered.is_closure && !with_error) {
                break;
            }
        }
        self.strict.append(&mut left.strict);
        Ok(())
    }
}
