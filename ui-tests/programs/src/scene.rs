//! Scenes: steps that come into a program together, at one place.
//!
//! Random steps seldom come in the order that a rule is about. A scene has this order, among the other steps of a program.

use crate::kinds::results;
use crate::program::{Flags, Name, Op, Program, Sort, Step};
use crate::random::Random;

/// The number of the name of a second stream.
const OTHER: u8 = 6;

/// A stream, and the binding that has made it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site {
    pub(crate) binding: Name,
    pub(crate) stream: Name,
}

/// A place in a program, and the steps that come there.
pub(crate) struct Scene {
    at: Vec<usize>,
    index: usize,
    steps: Vec<Step>,
    /// The number of the next name.
    next: u16,
}

impl Scene {
    /// A scene at a place.
    pub(crate) fn new(program: &Program, at: Vec<usize>, index: usize) -> Scene {
        Scene {
            at,
            index,
            steps: Vec::new(),
            next: program.free_number(),
        }
    }

    /// A scene behind the creation of a stream.
    pub(crate) fn behind_stream(
        program: &mut Program,
        random: &mut Random,
    ) -> Option<(Scene, Site)> {
        let mut places = Vec::new();
        for at in program.blocks() {
            for (index, step) in program.block(&at)?.iter().enumerate() {
                if let Op::CreateStream { .. } = step.op {
                    let site = Site {
                        binding: *step.of.first()?,
                        stream: *step.to.first()?,
                    };
                    places.push((at.clone(), index + 1, site));
                }
            }
        }
        let (at, index, site) = random.pick(&places)?.clone();
        Some((Scene::new(program, at, index), site))
    }

    /// Adds a step whose results its kind determines, and returns the first one.
    pub(crate) fn make(&mut self, op: Op, of: &[Name]) -> Option<Name> {
        self.make_with(op, of, results(op)).first().copied()
    }

    /// Adds a step with results of these sorts.
    fn make_with(&mut self, op: Op, of: &[Name], sorts: &[Sort]) -> Vec<Name> {
        let names = (self.next..).zip(sorts);
        let to: Vec<Name> = names
            .map(|(number, sort)| Name {
                sort: *sort,
                number,
            })
            .collect();
        self.next += u16::try_from(to.len()).unwrap_or(0);
        self.steps.push(Step {
            op,
            of: of.to_vec(),
            to: to.clone(),
            body: Vec::new(),
        });
        to
    }

    /// Adds a step that writes fresh memory, which comes behind the first operand. Returns the written memory.
    pub(crate) fn write(&mut self, op: Op, of: &[Name]) -> Option<Name> {
        self.make_with(op, of, &[Sort::Memory]).first().copied()
    }

    /// Adds a stream with a name that random steps do not use.
    pub(crate) fn other_stream(&mut self, site: Site) -> Option<Name> {
        self.make(Op::CreateStream { name: OTHER }, &[site.binding])
    }

    /// Adds device memory of a stream that queued work writes.
    pub(crate) fn written_on(&mut self, stream: Name) -> Option<Name> {
        let fresh = self.make(Op::MallocOn, &[stream])?;
        self.write(Op::MemsetAsync, &[stream, fresh])
    }

    /// Adds the way of written memory from one stream to another one, by an event.
    pub(crate) fn moved(&mut self, site: Site, random: &mut Random) -> Option<(Name, Name)> {
        let (from, to) = (site.stream, self.other_stream(site)?);
        let written = self.written_on(from)?;
        let event = self.make(Op::CreateEvent(Flags::Order), &[site.binding])?;
        let moved = if random.chance(50) {
            self.make(Op::Handoff, &[from, to, event, written])?
        } else {
            let fence = self.make(Op::Fence, &[from, event, written])?;
            self.make(Op::WaitFence, &[to, fence])?
        };
        Some((to, moved))
    }

    /// Adds the steps to the program.
    pub(crate) fn end(self, program: &mut Program) -> Option<()> {
        let Scene { index, steps, .. } = self;
        program.block(&self.at)?.splice(index..index, steps);
        Some(())
    }
}
