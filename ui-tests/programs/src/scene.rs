//! Scenes: steps that come into a program together, at one place.
//!
//! Random steps seldom come in the order that a rule is about. A scene has this order, among the other steps of a program.

use crate::program::{ACL, Flags, Layout, Name, Op, Operator, Program, Sort, Step};
use crate::random::Random;

/// The number of the name of a second stream.
const OTHER: u8 = 6;

/// A stream, and the binding that has made it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site {
    pub(crate) binding: Name,
    pub(crate) stream: Name,
    /// The token of the thread of the binding, and its device.
    pub(crate) thread: Option<Name>,
    pub(crate) device: Option<Name>,
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
        let steps = program.steps.clone();
        let mut places = Vec::new();
        for at in program.blocks() {
            for (index, step) in program.block(&at)?.iter().enumerate() {
                if let Op::CreateStream { .. } = step.op {
                    let binding = *step.of.first()?;
                    let site = Site {
                        binding,
                        stream: *step.to.first()?,
                        thread: of_binding(&steps, binding, Sort::Thread),
                        device: of_binding(&steps, binding, Sort::Device),
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
        self.make_with(op, of, op.results()).first().copied()
    }

    /// Adds a step whose results its kind determines, and returns all of them.
    pub(crate) fn make_all(&mut self, op: Op, of: &[Name]) -> Vec<Name> {
        self.make_with(op, of, op.results())
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
        self.steps.push(Step::new(op, of, &to));
        to
    }

    /// Adds a block, and returns what `fill` returns, which adds the steps in it.
    pub(crate) fn block<R>(
        &mut self,
        op: Op,
        of: &[Name],
        fill: impl FnOnce(&mut Scene, Name) -> Option<R>,
    ) -> Option<R> {
        let given = self.make(op, of)?;
        let head = self.steps.pop()?;
        let before = std::mem::take(&mut self.steps);
        let filled = fill(self, given);
        let body = std::mem::replace(&mut self.steps, before);
        self.steps.push(Step { body, ..head });
        filled
    }

    /// Adds a thread of its own with one step, whose results nobody uses.
    pub(crate) fn make_on_thread(&mut self, op: Op, of: &[Name]) -> Option<()> {
        self.make(op, of);
        let step = self.steps.pop()?;
        let mut thread = Step::new(Op::Spawn, &[], &[]);
        thread.body.push(step);
        self.steps.push(thread);
        Some(())
    }

    /// Adds a step that writes fresh memory, which comes behind the first operand. Returns the written memory.
    pub(crate) fn write(&mut self, op: Op, of: &[Name]) -> Option<Name> {
        self.make_with(op, of, &[Sort::Memory]).first().copied()
    }

    /// Adds a stream with a name that random steps do not use.
    pub(crate) fn other_stream(&mut self, binding: Name) -> Option<Name> {
        self.make(Op::CreateStream { name: OTHER }, &[binding])
    }

    /// A scene behind the step that gives a channel to a stream, with the names of the media engine and of the channel.
    pub(crate) fn behind_channel(
        program: &mut Program,
        random: &mut Random,
    ) -> Option<(Scene, Site, [Name; 2])> {
        let mut places = Vec::new();
        for at in program.blocks() {
            let block = program.block(&at)?;
            for (index, step) in block.iter().enumerate() {
                let made =
                    |other: &&Step| other.op == Op::Channel && other.to.first() == step.of.get(1);
                if step.op == Op::Adopt
                    && let Some(made) = block.iter().find(made)
                {
                    let site = Site {
                        binding: *made.of.get(1)?,
                        stream: *step.of.first()?,
                        thread: None,
                        device: None,
                    };
                    let names = [*made.of.first()?, *step.to.first()?];
                    places.push((at.clone(), index + 1, site, names));
                }
            }
        }
        let (at, index, site, names) = random.pick(&places)?.clone();
        Some((Scene::new(program, at, index), site, names))
    }

    /// Adds a picture that a task of a channel has made.
    pub(crate) fn cropped(&mut self, site: Site, [media, channel]: [Name; 2]) -> Option<Name> {
        let of = [media, site.binding];
        let fresh = self.make(Op::Picture, &of)?;
        let painted = self.make(Op::Paint, &[site.binding, fresh])?;
        let from = self.make(Op::Adopt, &[site.stream, painted])?;
        let fresh = self.make(Op::Picture, &of)?;
        let to = self.make(Op::Adopt, &[site.stream, fresh])?;
        self.write(Op::Crop, &[channel, site.stream, from, to])
    }

    /// Adds the way of a picture from its task to the host, perhaps as a share, and the read of its status. Without
    /// `proves` no wait proves that the task has run.
    pub(crate) fn checked(
        &mut self,
        site: Site,
        names: [Name; 2],
        proves: bool,
        random: &mut Random,
    ) -> Option<Name> {
        let mut picture = self.cropped(site, names)?;
        let is_shared = random.chance(60);
        if is_shared {
            picture = self.make(Op::Share, &[picture])?;
        }
        let accept = |scene: &mut Scene, picture| {
            if proves {
                let proof = scene.make(Op::Synchronize, &[site.stream])?;
                return scene.make(Op::Verify, &[proof, picture]);
            }
            scene.make(Op::Accept, &[picture])
        };
        picture = match random.below(3) {
            0 => {
                let proof = self.make(Op::Drain, &[site.stream])?;
                let taken = self.make(Op::Take, &[proof, picture])?;
                accept(self, taken)?
            }
            1 => {
                let event = self.make(Op::CreateEvent(Flags::Order), &[site.binding])?;
                let fence = self.make(Op::Fence, &[site.stream, event, picture])?;
                let reached = self.make(Op::SynchronizeFence, &[fence])?;
                accept(self, reached)?
            }
            _ => {
                let other = self.other_stream(site.binding)?;
                let event = self.make(Op::CreateEvent(Flags::Order), &[site.binding])?;
                picture = self.make(Op::Handoff, &[site.stream, other, event, picture])?;
                if !proves {
                    picture = self.make(Op::Accept, &[picture])?;
                }
                let proof = self.make(Op::Synchronize, &[other])?;
                let taken = self.make(Op::Take, &[proof, picture])?;
                if proves { accept(self, taken)? } else { taken }
            }
        };
        if is_shared {
            picture = self.make(Op::TryUnwrap, &[picture])?;
        }
        self.make(Op::Check, &[picture])
    }

    /// Adds a plan of the binding, on memory that was written.
    pub(crate) fn planned(&mut self, binding: Name, layout: Layout) -> Option<[Name; 4]> {
        let mut memory = Vec::new();
        for _ in 0..3 {
            let fresh = self.make(Op::Malloc, &[binding])?;
            memory.push(self.write(Op::Memset, &[binding, fresh])?);
        }
        let op = Op::Plan {
            operator: Operator::Add,
            fresh: false,
            layout,
        };
        let of = [&[binding], memory.as_slice()].concat();
        let plan = self.make(op, &of)?;
        Some([plan, *memory.first()?, *memory.get(1)?, *memory.get(2)?])
    }

    /// Adds device memory of a stream that queued work writes.
    pub(crate) fn written_on(&mut self, stream: Name) -> Option<Name> {
        let fresh = self.make(Op::MallocOn, &[stream])?;
        self.write(Op::MemsetAsync, &[stream, fresh])
    }

    /// Adds memory of the host into which queued work copies memory that it has written before.
    pub(crate) fn copied(&mut self, stream: Name) -> Option<Name> {
        let written = self.written_on(stream)?;
        let host = self.make(Op::MallocHostOn, &[stream])?;
        self.make(Op::MemcpyAsync, &[stream, host, written]);
        Some(host)
    }

    /// Adds the way of written memory from one stream to another one, by an event.
    pub(crate) fn moved(&mut self, site: Site, random: &mut Random) -> Option<(Name, Name)> {
        let (from, to) = (site.stream, self.other_stream(site.binding)?);
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

    /// Adds another device, which is current from then on, and a binding to it. Its name is one that random steps do not
    /// use.
    pub(crate) fn other_device(&mut self, thread: Name) -> Option<Name> {
        let device = self.make(Op::SetDevice { slot: 3, id: 2 }, &[ACL, thread])?;
        self.make(Op::Bind, &[thread, device])
    }

    /// Adds the steps to the program, and removes those behind them, which could make the same mistake.
    pub(crate) fn end_block(self, program: &mut Program) -> Option<()> {
        program.block(&self.at)?.truncate(self.index);
        self.end(program)
    }

    /// Adds the steps to the program.
    pub(crate) fn end(self, program: &mut Program) -> Option<()> {
        let Scene { index, steps, .. } = self;
        program.block(&self.at)?.splice(index..index, steps);
        Some(())
    }
}

/// The token of the thread of a binding, or its device.
fn of_binding(steps: &[Step], binding: Name, sort: Sort) -> Option<Name> {
    let within = |step: &Step| {
        if step.to.contains(&binding) {
            return step.of.iter().find(|name| name.sort == sort).copied();
        }
        of_binding(&step.body, binding, sort)
    };
    steps.iter().find_map(within)
}
