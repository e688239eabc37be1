//! Graphs in legal programs: what they need, recordings that fit their memory, and steps that come together.

use super::Generator;
use super::recorded::{OF_SCENE, Parts, THROUGH, memory, part, recorded, with_side};
use crate::model::{Hold, Known, Machine};
use crate::program::{Flags, Name, Op, Part, Program, Record, Records, Shape, Sort, Step, With};
use crate::random::Random;
use crate::scene::Scene;

impl Generator<'_> {
    /// A graph, and memory that the host has and that was written.
    pub(super) fn graph_supplies(&mut self, binding: &[Name], all: &mut Vec<Step>) {
        let is_stream = |step: &&Step| matches!(step.op, Op::CreateStream { .. });
        let streams: Vec<Vec<Name>> = all
            .iter()
            .filter(is_stream)
            .map(|step| step.to.clone())
            .collect();
        let Some(stream) = self.random.pick(&streams).cloned() else {
            return;
        };
        let (a, b) = (self.filled(binding, all), self.filled(binding, all));
        let host = self.make(Op::MallocHost, binding.to_vec());
        let of = [binding, &stream, &a, &b, &host.to].concat();
        all.push(host);
        let capture = Op::Capture {
            shape: Shape::Tuple,
            with: With::Nothing,
            records: recorded(OF_SCENE, false, self.random),
        };
        all.push(self.make(capture, of));
        for _ in 0..3 + self.random.below(4) {
            self.filled(binding, all);
        }
        for _ in 0..1 + self.random.below(3) {
            all.push(self.make(Op::MallocHost, binding.to_vec()));
        }
        if self.random.chance(40) {
            let shared = self.filled(binding, all);
            let adopt = self.make(Op::Adopt, [stream.clone(), shared].concat());
            let share = self.make(Op::Share, adopt.to.clone());
            let wait = self.make(Op::Synchronize, stream);
            let of = [wait.to.clone(), share.to.clone()].concat();
            let take = self.make(Op::Take, of);
            all.extend([adopt, share, wait, take]);
        }
    }

    /// Chooses the memory of a step with graphs, and what it records.
    pub(super) fn refine_graph(
        &mut self,
        machine: &Machine,
        op: &mut Op,
        of: &mut Vec<Name>,
    ) -> Option<()> {
        let all = machine.memories();
        match op {
            Op::Capture {
                shape,
                with,
                records,
            } => self.refine_capture(machine, &all, (shape, with, records), of)?,
            Op::CaptureFails {
                shape,
                with,
                panics,
                records,
            } => {
                *panics = self.random.chance(40);
                self.refine_capture(machine, &all, (shape, with, records), of)?;
            }
            Op::Also { with, records } => {
                let (graph, stream) = self.queued_graph(machine, &all)?;
                *of.get_mut(1)? = stream;
                *of.get_mut(2)? = graph;
                of.truncate(3);
                let side = self.side(machine, stream);
                *with = with_side(side);
                of.extend(side);
                *records = recorded(&machine.graph_parts(graph)?, side.is_some(), self.random);
            }
            Op::LaunchGraph { number } => {
                let (graph, stream) = self.queued_graph(machine, &all)?;
                of.clone_from(&vec![graph, stream]);
                let (recordings, _) = machine.recordings(graph)?;
                *number = u8::try_from(self.random.below(recordings)).ok()?;
            }
            Op::UpdateGraph { number, to, from } => {
                let (graph, stream) = self.queued_graph(machine, &all)?;
                machine.recordings(graph)?.1.then_some(())?;
                *of = vec![*of.first()?, graph, graph, stream];
                let parts = machine.graph_parts(graph)?;
                *from = self.part(&parts, |(is_host, _)| !is_host)?;
                let read = *from;
                *to = self.part_but(&parts, read, |(is_host, writes)| !is_host && writes)?;
                *number = u8::try_from(self.random.below(20)).ok()?;
            }
            Op::FillPart(part) | Op::ReadPart(part) | Op::WritePart(part) => {
                let reads = of.len() == 3;
                let (graph, stream) = self.queued_graph(machine, &all)?;
                *of.get_mut(0)? = graph;
                *of.get_mut(1)? = stream;
                let parts = machine.graph_parts(graph)?;
                *part = self.part(&parts, |(_, writes)| writes)?;
                if reads {
                    let is_host = parts.get(usize::from(*part))?.0;
                    let home = machine.stream_of(stream)?;
                    *of.get_mut(2)? = self.one(&all, |memory| {
                        let is_queued = memory.hold == Hold::Queued(home) && !memory.unbranded;
                        let is_written = memory.readable && !memory.fresh && memory.writable;
                        let is_plain = memory.plain && memory.whole;
                        is_queued && is_written && is_plain && (memory.on_device || !is_host)
                    })?;
                }
            }
            Op::SeePart(part) | Op::SetPart(part) => {
                let graph = self.idle_graph(&all)?;
                *of.get_mut(0)? = graph;
                let parts = machine.graph_parts(graph)?;
                *part = self.part(&parts, |(is_host, writes)| is_host && writes)?;
            }
            _ => *of.get_mut(0)? = self.idle_graph(&all)?,
        }
        Some(())
    }

    fn refine_capture(
        &mut self,
        machine: &Machine,
        all: &[Known],
        (shape, with, records): (&mut Shape, &mut With, &mut Records),
        of: &mut Vec<Name>,
    ) -> Option<()> {
        let is_idle = |memory: &Known| {
            let is_plain = memory.plain && memory.halves == 2 && memory.readable;
            let is_owned = memory.whole || !memory.writable;
            memory.hold == Hold::Idle && memory.unverified.is_none() && is_plain && is_owned
        };
        let mut chosen: Vec<Known> = Vec::new();
        for _ in 0..3 {
            let free = all.iter().filter(|memory| {
                is_idle(memory) && !memory.fresh && chosen.iter().all(|one| one.name != memory.name)
            });
            let free: Vec<Known> = free.copied().collect();
            chosen.push(*self.random.pick(&free)?);
        }
        let stream = *of.get(1)?;
        of.truncate(2);
        of.extend(chosen.iter().map(|memory| memory.name));
        let is_one = chosen
            .iter()
            .all(|memory| memory.on_device && memory.writable)
            || chosen
                .iter()
                .all(|memory| !memory.on_device && memory.writable);
        *shape = match self.random.below(5) {
            0 if is_one => Shape::Array,
            1 if is_one => Shape::Vec,
            2 => Shape::Nested,
            _ => Shape::Tuple,
        };
        let side = self.side(machine, stream);
        *with = with_side(side);
        of.extend(side);
        let known = |memory: &Known| (!memory.on_device, memory.writable);
        let parts: Vec<(bool, bool)> = chosen.iter().map(known).collect();
        *records = recorded(&parts, side.is_some(), self.random);
        Some(())
    }

    /// A second stream for a recording.
    fn side(&mut self, machine: &Machine, stream: Name) -> Option<Name> {
        let mut streams = machine.names(Sort::Stream);
        streams.retain(|other| *other != stream);
        self.random.chance(60).then_some(())?;
        self.random.pick(&streams).copied()
    }

    /// A graph and the stream that has it.
    fn queued_graph(&mut self, machine: &Machine, all: &[Known]) -> Option<(Name, Name)> {
        let graphs = all
            .iter()
            .filter(|memory| memory.graph && memory.whole && !memory.unbranded);
        let mut pairs = Vec::new();
        for graph in graphs {
            let Hold::Queued(home) = graph.hold else {
                continue;
            };
            let streams = machine.names(Sort::Stream).into_iter();
            let own = streams.filter(|stream| machine.stream_of(*stream) == Some(home));
            pairs.extend(own.map(|stream| (graph.name, stream)));
        }
        self.random.pick(&pairs).copied()
    }

    fn idle_graph(&mut self, all: &[Known]) -> Option<Name> {
        let is_idle = |memory: &Known| memory.hold == Hold::Idle && memory.unverified.is_none();
        self.one(all, |memory| {
            memory.graph && memory.whole && is_idle(memory)
        })
    }

    fn part(&mut self, parts: &Parts, fits: impl Fn((bool, bool)) -> bool) -> Option<Part> {
        part(parts, self.random, fits)
    }

    fn part_but(
        &mut self,
        parts: &Parts,
        other: Part,
        fits: impl Fn((bool, bool)) -> bool,
    ) -> Option<Part> {
        let found = self.part(parts, fits)?;
        (found != other).then_some(found)
    }
}

/// Adds a graph with runs, changes and work between them, whose numbers the host reads on its way or at its end.
pub(super) fn ran(program: &mut Program, random: &mut Random) -> Option<()> {
    let (mut scene, site) = Scene::behind_stream(program, random)?;
    let memory = memory(&mut scene, site.binding)?;
    let [a, b, c] = memory;
    let side = match random.chance(50) {
        true => Some(scene.make(Op::CreateStream { name: 7 }, &[site.binding])?),
        false => None,
    };
    let mut records = THROUGH;
    if random.chance(60) {
        records = recorded(OF_SCENE, side.is_some(), random);
    }
    let has_group = records
        .iter()
        .any(|record| matches!(record, Record::Group(..)));
    let mut of = vec![site.binding, site.stream, a, b, c];
    of.extend(side);
    let with = with_side(side);
    if random.chance(20) {
        let fails = Op::CaptureFails {
            shape: Shape::Tuple,
            with,
            panics: false,
            records,
        };
        let back = scene.make_all(fails, &of);
        of.splice(2..5, back);
    }
    let shape = *random.pick(&[Shape::Tuple, Shape::Nested])?;
    let op = Op::Capture {
        shape,
        with,
        records,
    };
    let mut graph = scene.make(op, &of)?;
    let mut stream = site.stream;
    let mut recordings = 1;
    if random.chance(50) {
        let mut of = vec![site.binding, stream, graph];
        of.extend(side);
        let records = recorded(OF_SCENE, side.is_some(), random);
        graph = scene.make(Op::Also { with, records }, &of)?;
        recordings = 2;
    }
    let mut is_moved = false;
    for _ in 0..2 + random.below(4) {
        let number = u8::try_from(random.below(recordings)).unwrap_or(0);
        scene.make(Op::LaunchGraph { number }, &[graph, stream]);
        match random.below(6) {
            0 if has_group => {
                let update = Op::UpdateGraph {
                    number: 1 + number,
                    to: 1,
                    from: 0,
                };
                scene.make(update, &[site.binding, graph, graph, stream]);
            }
            1 => drop(scene.make(Op::FillPart(0), &[graph, stream])),
            2 if !is_moved => {
                let other = scene.other_stream(site.binding)?;
                let event = scene.make(Op::CreateEvent(Flags::Order), &[site.binding])?;
                graph = scene.make(Op::Handoff, &[stream, other, event, graph])?;
                stream = other;
                is_moved = true;
            }
            3 if !is_moved => {
                let proof = scene.make(Op::Synchronize, &[stream])?;
                let idle = scene.make(Op::Take, &[proof, graph])?;
                scene.make(Op::SeePart(2), &[idle]);
                scene.make(Op::SetPart(2), &[idle]);
                graph = scene.make(Op::Adopt, &[stream, idle])?;
            }
            _ => {}
        }
    }
    if random.chance(25) {
        scene.make(*random.pick(&[Op::Drop, Op::Forget])?, &[graph]);
        return scene.end(program);
    }
    let proof = scene.make(Op::Synchronize, &[stream])?;
    let mut idle = scene.make(Op::Take, &[proof, graph])?;
    if is_moved {
        let proof = scene.make(Op::Synchronize, &[site.stream])?;
        idle = scene.make(Op::Verify, &[proof, idle])?;
    }
    scene.make(Op::SeePart(2), &[idle]);
    let back = scene.make_all(Op::DestroyGraph, &[idle]);
    scene.make(Op::Read, &[*back.get(2)?]);
    scene.end(program)
}
