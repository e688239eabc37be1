//! Recordings: the memory that a graph takes, and what its work says.

use super::access::Mode;
use super::graph::{Graph, Recorded};
use super::limit::Limit;
use super::media::What;
use super::state::{Borrows, Form, Hold, Naming, Place, Value, View};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Beside, Part, Record, Records, Shape, Step, With};

impl Machine {
    /// The stream that records.
    pub(super) fn recording_stream(&mut self, step: &Step) -> Run<(usize, Borrows)> {
        let (stream, borrows) = self.stream(step, 1, Mode::Exclusive)?;
        let naming = self.state.streams.get(stream).map(|stream| stream.naming);
        if naming == Some(Naming::Default) {
            return Err(Rule::DefaultRecords);
        }
        let stops = self.stops(self.home_of(stream));
        self.note_if(stops, Strictness::Stopping);
        Ok((stream, borrows))
    }
    /// Takes the memory of a graph.
    fn given(&mut self, step: &Step, context: usize, shape: Shape) -> Run<(Vec<View>, Borrows)> {
        let (mut all, mut borrows) = (Vec::new(), Borrows::new());
        for index in 2..5 {
            let is_borrowed = shape == Shape::Borrowed && index == 2;
            let mode = if is_borrowed {
                Mode::Exclusive
            } else {
                Mode::Move
            };
            let (view, of) = self.view(step, index, mode)?;
            let place = self.place(&view)?;
            self.reaches(context, &view, Rule::DeviceOfStream)?;
            self.note_if(view.hold != Hold::Idle, Strictness::NotTaken);
            self.note_if(view.unverified, Strictness::NotVerified);
            self.note_if(view.fresh, Strictness::Form);
            let is_whole = matches!(view.form, Form::Whole | Form::Share);
            let is_plain = is_whole && place != Place::Rust && view.what == What::Numbers;
            self.note_if(!is_plain, Strictness::Types);
            if is_borrowed {
                self.note(Strictness::Borrowed);
                borrows.extend(Self::borrow(step, index, true));
            }
            borrows.extend(of);
            let history = Vec::new();
            all.push(View {
                hold: Hold::Idle,
                history,
                unverified: false,
                ..view
            });
        }
        if matches!(shape, Shape::Array | Shape::Vec) {
            let types: Vec<_> = all
                .iter()
                .map(|view| (self.is_host(view), view.form))
                .collect();
            let is_one = types.windows(2).all(|pair| pair.first() == pair.last());
            self.note_if(!is_one, Strictness::Types);
        }
        Ok((all, borrows))
    }
    pub(super) fn capture(
        &mut self,
        step: &Step,
        shape: Shape,
        (with, records): (With, &Records),
    ) -> Run {
        let (stream, _) = self.recording_stream(step)?;
        let context = self.home_of(stream);
        let (memory, borrows) = self.given(step, context, shape)?;
        let recorded = self.recorded(step, (with, 5), records, &memory)?;
        let has_group = records
            .iter()
            .any(|record| matches!(record, Record::Group(..)));
        self.state.graphs.push(Graph {
            memory,
            borrows_first: shape == Shape::Borrowed,
            recordings: vec![recorded],
            factor: has_group.then_some(Some(1)),
        });
        let graph = self.state.graphs.len() - 1;
        let mut view = self.new_memory(Place::Device(context), true);
        view.what = What::Graph { graph };
        view.hold = Hold::Queued(stream);
        self.give(step, 0, Value::Memory(view), borrows);
        Ok(())
    }

    /// A capture whose closure does not end well: the memory comes back behind a wait, or it is freed.
    pub(super) fn capture_fails(
        &mut self,
        step: &Step,
        shape: Shape,
        panics: bool,
        (with, records): (With, &Records),
    ) -> Run {
        let (stream, _) = self.recording_stream(step)?;
        let context = self.home_of(stream);
        let (memory, borrows) = self.given(step, context, shape)?;
        self.recorded(step, (with, 5), records, &memory)?;
        self.wait_for(stream, false, Limit::None)?;
        if panics {
            for (index, view) in memory.iter().enumerate() {
                if shape != Shape::Borrowed || index > 0 {
                    self.drop_view(view)?;
                }
            }
            return Ok(());
        }
        self.is_unspoilt(stream)?;
        self.wait_for(stream, true, Limit::None)?;
        for (index, view) in memory.into_iter().enumerate() {
            self.give(step, index, Value::Memory(view), borrows.clone());
        }
        Ok(())
    }

    /// What a recording says about its work. The index is that of what it needs besides.
    pub(super) fn recorded(
        &mut self,
        step: &Step,
        (with, index): (With, usize),
        records: &Records,
        memory: &[View],
    ) -> Run<Recorded> {
        let mut other = None;
        let side = match with {
            With::Side => Some(self.stream(step, index, Mode::Exclusive)?.0),
            _ => None,
        };
        if with == With::Side {
            self.note_if(step.of.get(1) == step.of.get(index), Strictness::Borrowed);
        }
        let place = |machine: &Self, part: Part| {
            let view = memory.get(usize::from(part)).ok_or(Rule::Stopped)?;
            Ok((machine.is_host(view), view.form))
        };
        for record in *records {
            if record.has_operator() {
                self.binding(step, 0)?;
            }
            let (reads, writes) = record.uses();
            self.note_if(
                record != Record::Touch(writes.first().copied().unwrap_or(0))
                    && reads.iter().any(|part| writes.contains(part)),
                Strictness::Borrowed,
            );
            for part in &writes {
                let (_, form) = place(self, *part)?;
                self.note_if(form == Form::Share, Strictness::Shared);
            }
            let hosts = |machine: &Self, parts: &[Part]| {
                let mut all = true;
                for part in parts {
                    all &= place(machine, *part)?.0;
                }
                Ok(all && !parts.is_empty())
            };
            match record {
                Record::Copy(to, from) | Record::Fork(to, from, _) if hosts(self, &[to, from])? => {
                    return Err(Rule::HostToHost);
                }
                Record::Add(to, from) | Record::Group(to, from)
                    if place(self, to)?.0 || place(self, from)?.0 =>
                {
                    return Err(Rule::OtherDevice);
                }
                Record::Touch(to) if !place(self, to)?.0 => return Err(Rule::HostTouchesDevice),
                Record::Fork(_, _, beside) => {
                    if side.is_none() {
                        return Err(Rule::Stopped);
                    }
                    match beside {
                        Beside::Nothing | Beside::Reads | Beside::Fills => {}
                        Beside::ReadsLent | Beside::WritesRead | Beside::SideWrites => {
                            return Err(Rule::Race);
                        }
                        Beside::Keeps => return Err(Rule::RecordedEscapes),
                        Beside::Waits => return Err(Rule::Records),
                    }
                }
                Record::OtherWaits => {
                    let side = side.ok_or(Rule::Stopped)?;
                    self.wait_for(side, true, Limit::None)?;
                }
                Record::Halts(_) | Record::Runs => return Err(Rule::Records),
                Record::DeviceWaits => {
                    self.binding(step, 0)?;
                    return Err(Rule::DeviceRecords);
                }
                Record::Keeps(_) | Record::KeepsTemporary => return Err(Rule::RecordedEscapes),
                Record::Outside(to) => {
                    let (view, _) = self.view(step, index, Mode::Shared)?;
                    if hosts(self, &[to])? && self.is_host(&view) {
                        return Err(Rule::HostToHost);
                    }
                    self.place(&view)?;
                    self.note(Strictness::NotAdopted);
                    other = Some(view);
                }
                _ => {}
            }
        }
        Ok(Recorded {
            records: *records,
            other,
        })
    }
}
