//! Graphs: recordings, their runs, and their memory.
//!
//! A graph is a value as memory is: a stream has it, it is handed over, it comes back behind a wait. A run is a task that uses the
//! graph and the memory that its recording uses.

use super::access::Mode;
use super::media::What;
use super::state::{Form, Hold, Place, Value, View};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Name, Op, Part, Record, Records, Step};

/// A graph.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    /// Its memory; what it has only borrowed is not its own.
    pub(super) memory: Vec<View>,
    pub(super) borrows_first: bool,
    pub(super) recordings: Vec<Recorded>,
    /// The multiple of the operator that an update changes, if there is one and the model knows it.
    pub(crate) factor: Option<Option<u8>>,
}

/// A recording, and the memory that it uses besides that of the graph.
#[derive(Debug, Clone)]
pub(super) struct Recorded {
    pub(super) records: Records,
    pub(super) other: Option<View>,
}

impl Machine {
    pub(super) fn graph_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::Capture {
                shape,
                with,
                records,
            } => self.capture(step, shape, (with, &records))?,
            Op::CaptureFails {
                shape,
                with,
                panics,
                records,
            } => self.capture_fails(step, shape, panics, (with, &records))?,
            Op::Also { with, records } => {
                let (stream, _) = self.recording_stream(step)?;
                let (view, borrows) = self.view(step, 2, Mode::Move)?;
                self.is_on(&view, stream)?;
                let graph = self.graph(&view)?;
                let memory = graph.memory.clone();
                let recorded = self.recorded(step, (with, 3), &records, &memory)?;
                self.change_graph(&view, |graph| graph.recordings.push(recorded));
                self.give(step, 0, Value::Memory(view), borrows);
            }
            Op::LaunchGraph { number } => {
                let (view, _) = self.view(step, 0, Mode::Exclusive)?;
                let (stream, _) = self.stream(step, 1, Mode::Exclusive)?;
                self.run_graph(&view, stream, usize::from(number))?;
            }
            Op::UpdateGraph { number, to, from } => {
                self.update_graph(step, number, (to, from))?;
            }
            Op::FillPart(part) | Op::ReadPart(part) | Op::WritePart(part) => {
                self.between_runs(step, part)?;
            }
            Op::SeePart(part) | Op::SetPart(part) => {
                let (view, _) = self.view(step, 0, Mode::Exclusive)?;
                let graph = self.graph(&view)?;
                let part = part_of(&graph, &view, part)?;
                if matches!(self.place(&part)?, Place::Device(_)) {
                    return Err(Rule::HostTouchesDevice);
                }
                let numbers = self.numbers(&part);
                let writes = matches!(step.op, Op::SetPart(_));
                self.touch(&part, !writes, writes)?;
                self.note_if(view.form != Form::Whole, Strictness::Types);
                if writes {
                    self.set_numbers(&part, [Some(5), numbers[1]]);
                } else {
                    self.reads.find(numbers[0]);
                }
            }
            _ => {
                let (view, borrows) = self.view(step, 0, Mode::Move)?;
                let graph = self.graph(&view)?;
                self.free(&view)?;
                self.note_if(view.hold != Hold::Idle, Strictness::NotTaken);
                self.note_if(view.unverified, Strictness::NotVerified);
                self.note_if(view.form != Form::Whole, Strictness::Types);
                for (index, memory) in graph.memory.into_iter().enumerate() {
                    let borrows = borrows.clone();
                    self.give(step, index, Value::Memory(memory), borrows);
                }
            }
        }
        Ok(())
    }

    /// The graph of a handle.
    fn graph(&self, view: &View) -> Run<Graph> {
        self.place(view)?;
        let What::Graph { graph } = view.what else {
            return Err(Rule::Stopped);
        };
        let of = self.state.graphs.get(graph);
        of.cloned().ok_or(Rule::Stopped)
    }

    fn change_graph(&mut self, view: &View, f: impl FnOnce(&mut Graph)) {
        if let What::Graph { graph } = view.what
            && let Some(graph) = self.state.graphs.get_mut(graph)
        {
            f(graph);
        }
    }
    /// A graph is recorded again, changed and run on the stream that has it.
    fn is_on(&mut self, view: &View, stream: usize) -> Run {
        let graph = self.graph(view)?;
        drop(graph);
        match view.hold {
            Hold::Idle => self.note(Strictness::NotAdopted),
            Hold::Queued(home) => self.note_if(home != stream, Strictness::NotTaken),
        }
        self.note_if(view.unbranded, Strictness::Brand);
        self.note_if(view.unverified, Strictness::NotVerified);
        self.note_if(view.form != Form::Whole, Strictness::Types);
        Ok(())
    }

    pub(super) fn is_host(&self, view: &View) -> bool {
        !matches!(self.place(view), Ok(Place::Device(_)))
    }

    /// A run of a recording, as one task.
    fn run_graph(&mut self, view: &View, stream: usize, number: usize) -> Run {
        let graph = self.graph(view)?;
        self.is_on(view, stream)?;
        let Some(recorded) = graph.recordings.get(number) else {
            return Err(Rule::NoRecording);
        };
        let task = (stream, self.task(stream));
        self.queue_any(task, view, (true, true), true)?;
        for record in recorded.records {
            let (reads, writes) = record.uses();
            let mut from = None;
            for part in reads {
                let part = on_stream(&graph, stream, part)?;
                self.queue(task, &part, (true, false), true)?;
                from = Some(part);
            }
            if let (Record::Outside(_), Some(other)) = (record, &recorded.other) {
                let other = View {
                    hold: Hold::Queued(stream),
                    history: Vec::new(),
                    ..other.clone()
                };
                self.queue(task, &other, (true, false), true)?;
                from = Some(other);
            }
            let read = from.map_or([None; 2], |from| self.numbers(&from));
            let is_first = number == 0;
            for (index, part) in writes.into_iter().enumerate() {
                let part = on_stream(&graph, stream, part)?;
                self.queue(task, &part, (false, true), true)?;
                let factor = match record {
                    Record::Group(..) if is_first => graph.factor.unwrap_or_default(),
                    _ => Some(1),
                };
                let multiple = |number: Option<i32>| {
                    let product = i32::from(factor?).checked_mul(number?)?;
                    product.checked_add(number?)
                };
                let numbers = match record {
                    Record::Fill(_) => [Some(super::contents::FILLED); 2],
                    Record::Fork(..) if index == 1 => [Some(super::contents::FILLED); 2],
                    Record::Touch(_) => [Some(6), read[1]],
                    Record::Add(..) | Record::Group(..) => read.map(multiple),
                    _ => read,
                };
                self.set_numbers(&part, numbers);
            }
        }
        Ok(())
    }

    fn update_graph(&mut self, step: &Step, number: u8, (to, from): (Part, Part)) -> Run {
        let (other, _) = self.view(step, 2, Mode::Shared)?;
        let (view, _) = self.view(step, 1, Mode::Exclusive)?;
        let (stream, _) = self.stream(step, 3, Mode::Exclusive)?;
        let (graph, of) = (self.graph(&view)?, self.graph(&other)?);
        if graph.factor.is_none() || of.factor.is_none() {
            return Err(Rule::Stopped);
        }
        self.binding(step, 0)?;
        self.is_on(&view, stream)?;
        self.note_if(other.unverified, Strictness::NotVerified);
        self.note_if(to == from, Strictness::Borrowed);
        let (read, written) = (part_of(&graph, &view, from)?, part_of(&graph, &view, to)?);
        if self.is_host(&read) || self.is_host(&written) {
            return Err(Rule::OtherDevice);
        }
        self.note_if(written.form == Form::Share, Strictness::Shared);
        let task = (stream, self.task(stream));
        self.queue_any(task, &view, (true, true), true)?;
        if view.what != other.what {
            return Err(Rule::OtherGraph);
        }
        self.change_graph(&view, |graph| {
            graph.factor = Some(Some(number));
            let records = graph.recordings.first_mut().map(|first| &mut first.records);
            for record in records.into_iter().flatten() {
                if let Record::Group(..) = record {
                    *record = Record::Group(to, from);
                }
            }
        });
        Ok(())
    }

    /// Work of a stream with a part of a graph.
    fn between_runs(&mut self, step: &Step, part: Part) -> Run {
        let (view, _) = self.view(step, 0, Mode::Exclusive)?;
        let (stream, _) = self.stream(step, 1, Mode::Exclusive)?;
        let graph = self.graph(&view)?;
        self.is_on(&view, stream)?;
        let part = part_of(&graph, &view, part)?;
        let task = |machine: &mut Self| (stream, machine.task(stream));
        match step.op {
            Op::FillPart(_) => {
                let task = task(self);
                self.queue_any(task, &view, (true, true), true)?;
                self.queue(task, &part, (false, true), true)?;
                self.set_numbers(&part, [Some(super::contents::FILLED); 2]);
            }
            Op::ReadPart(_) => {
                let (to, _) = self.target(step, 2)?;
                self.direction(&to, &part)?;
                self.note_if(to.fresh, Strictness::Form);
                let task = task(self);
                self.queue_any(task, &view, (true, true), true)?;
                self.queue(task, &part, (true, false), true)?;
                self.queue(task, &to, (false, true), true)?;
                self.copy_numbers(&to, &part);
            }
            _ => {
                let from = self.source(step, 2)?;
                self.direction(&part, &from)?;
                let task = task(self);
                self.queue_any(task, &view, (true, true), true)?;
                self.queue(task, &from, (true, false), true)?;
                self.queue(task, &part, (false, true), true)?;
                self.copy_numbers(&part, &from);
            }
        }
        Ok(())
    }

    /// The end of a graph: its memory ends as the graph does.
    pub(super) fn drop_memory_of(&mut self, view: &View) -> Run {
        let graph = self.graph(view)?;
        for (index, memory) in graph.memory.iter().enumerate() {
            if graph.borrows_first && index == 0 {
                continue;
            }
            let hold = view.hold;
            self.drop_view(&View {
                hold,
                ..memory.clone()
            })?;
        }
        Ok(())
    }

    /// A run may have failed, or an abort may have dropped it.
    pub(super) fn accept_graph(&mut self, view: &View) {
        if let Ok(graph) = self.graph(view) {
            for memory in &graph.memory {
                self.set_numbers(memory, [None; 2]);
            }
        }
    }

    /// The parts of the memory of a graph: whether each is of the host, and whether it is written.
    pub(crate) fn graph_parts(&self, name: Name) -> Option<Vec<(bool, bool)>> {
        let Value::Memory(view) = &self.state.variables.get(&name)?.value else {
            return None;
        };
        let graph = self.graph(view).ok()?;
        let known = |view: &View| (self.is_host(view), view.form != Form::Share);
        Some(graph.memory.iter().map(known).collect())
    }

    /// The number of recordings of a graph, and whether it has an operator that changes.
    pub(crate) fn recordings(&self, name: Name) -> Option<(usize, bool)> {
        let Value::Memory(view) = &self.state.variables.get(&name)?.value else {
            return None;
        };
        let graph = self.graph(view).ok()?;
        Some((graph.recordings.len(), graph.factor.is_some()))
    }
}

/// A part of the memory of a graph, as the graph is held.
fn part_of(graph: &Graph, view: &View, part: Part) -> Run<View> {
    let memory = graph.memory.get(usize::from(part)).ok_or(Rule::Stopped)?;
    Ok(View {
        hold: view.hold,
        history: view.history.clone(),
        unverified: view.unverified,
        unbranded: view.unbranded,
        ..memory.clone()
    })
}

/// A part of the memory of a graph, for a run on a stream.
fn on_stream(graph: &Graph, stream: usize, part: Part) -> Run<View> {
    let memory = graph.memory.get(usize::from(part)).ok_or(Rule::Stopped)?;
    Ok(View {
        hold: Hold::Queued(stream),
        ..memory.clone()
    })
}
