//! The same text by graphs: one recording for each position, so that a token is one launch and one wait.
//!
//! What changes from token to token is the token alone. Between two runs the host writes its row of the embedding to memory that
//! the recording copies. The recordings of all positions use the same memory, and a longer program would write many
//! texts with them.

use ascendcl::graph::{Graph, Recording};
use ascendcl::memory::{Host, SliceMut};
use ascendcl::op::Workspaces;
use ascendcl::stream::GraphBrand;
use ascendcl::{Current, DeviceBuf, Error, HostBuf, HostSide, Stream};
use half::f16;

use crate::Result;
use crate::machine::{D, Machine, View};
use crate::model::{Loaded, Model};
use crate::sample::{Best, Choice};
use crate::weights::Shape;

/// The memory of all recordings.
type Held<'d> = (
    Vec<DeviceBuf<'d, D, [f32]>>,
    DeviceBuf<'d, D, [f32]>,
    HostBuf<'d, [f32]>,
    (DeviceBuf<'d, D, [f32]>, DeviceBuf<'d, D, [i64]>),
    (HostBuf<'d, [f32]>, HostBuf<'d, [i64]>),
);

/// What a recording sees of it.
type Parts<'g> = (
    Vec<View<'g, GraphBrand<'g>>>,
    View<'g, GraphBrand<'g>>,
    Here<'g, f32>,
    (View<'g, GraphBrand<'g>>, View<'g, GraphBrand<'g>, i64>),
    (Here<'g, f32>, Here<'g, i64>),
);
type Here<'g, T> = SliceMut<'g, Host, [T], (D, GraphBrand<'g>)>;

/// The recorded work of each position of a text. It is idle between two tokens, so the host has its memory.
pub(crate) struct Recorded<'d> {
    graph: Graph<'d, D, Held<'d>>,
    /// The rows of the embedding: the host puts that of the token where the recorded copy finds it.
    embedding: Vec<f16>,
}

impl<'d> Recorded<'d> {
    /// Records the work of the first `count` positions. The memory is that of `loaded`, which no stream uses now.
    pub(crate) fn new<'t>(
        current: Current<'t, 'd, D>,
        host: HostSide<'d>,
        stream: &mut Stream<'t, 'd, D>,
        loaded: Loaded<'d>,
        embedding: Vec<f16>,
        best: Best<'d>,
        count: usize,
    ) -> Result<Recorded<'d>> {
        let shape = loaded.shape;
        let idle = stream.synchronize()?;
        let held: Held<'d> = (
            loaded
                .memory
                .into_iter()
                .map(|one| idle.take(one))
                .collect(),
            idle.take(loaded.embedding),
            current.malloc_host(host, shape.width)?,
            (idle.take(best.logits), idle.take(best.numbers)),
            (idle.take(best.logits_here), idle.take(best.numbers_here)),
        );
        let mut graph = stream
            .capture(held, |recording, parts| {
                record(current, recording, parts, shape, 0)
            })
            .map_err(Error::from)?;
        for position in 1..count {
            graph = graph
                .also(stream, |recording, parts| {
                    record(current, recording, parts, shape, position)
                })
                .map_err(Error::from)?;
        }
        let graph = stream.synchronize()?.take(graph);
        Ok(Recorded { graph, embedding })
    }

    /// Runs the recording of a position with this token, and waits. Returns the likeliest tokens to come.
    pub(crate) fn read(
        mut self,
        stream: &mut Stream<'_, 'd, D>,
        token: usize,
        position: usize,
    ) -> Result<Self> {
        let (_, _, mut embedded, _, _) = self.graph.memory();
        let width = embedded.len();
        let row = self.embedding.iter().skip(token * width);
        for (number, half) in embedded.iter_mut().zip(row) {
            *number = half.to_f32();
        }
        let mut graph = stream.adopt(self.graph);
        graph.launch_nth(position, stream)?;
        self.graph = stream.synchronize()?.take(graph);
        Ok(self)
    }

    /// Chooses the token behind the one that was read last.
    pub(crate) fn choose(&mut self, choice: &mut Choice) -> Result<usize> {
        let (.., (logits, numbers)) = self.graph.memory();
        choice.next(&logits, &numbers)
    }
}

/// Runs a recording for each token.
pub(crate) struct Writer<'m, 't, 'd> {
    pub(crate) graph: Recorded<'d>,
    pub(crate) stream: &'m mut Stream<'t, 'd, D>,
    pub(crate) choice: Choice,
    pub(crate) position: usize,
}

impl crate::Writer for Writer<'_, '_, '_> {
    fn next(mut self, tokens: &[usize]) -> Result<(Self, usize)> {
        for token in tokens {
            self.graph = self.graph.read(self.stream, *token, self.position)?;
            self.position += 1;
        }
        let token = self.graph.choose(&mut self.choice)?;
        Ok((self, token))
    }
}

/// Records the work of a token at `position`.
fn record<'t, 'd, 'g>(
    current: Current<'t, 'd, D>,
    recording: &mut Recording<'t, 'd, 'g, D>,
    parts: Parts<'g>,
    shape: Shape,
    position: usize,
) -> ascendcl::Result<()> {
    let (memory, embedding, embedded, (mut logits, mut numbers), here) = parts;
    let Some(mut model) = Model::over(shape, memory) else {
        unreachable!("the memory of a model");
    };
    let mut machine = Machine {
        current,
        stream: recording,
        workspaces: Workspaces::new(),
    };
    let x = &mut model.scratch.x;
    machine.stream.memcpy_async(x, &embedded)?;
    let embedding = embedding.tensor(&[shape.vocabulary, shape.width])?;
    model.read(&mut machine, position)?;
    model.predict(&mut machine, &embedding)?;
    model.find_best(&mut machine, &mut logits, &mut numbers)?;
    machine.stream.memcpy_async(here.0, &logits)?;
    machine.stream.memcpy_async(here.1, &numbers)
}
