//! The model: a transformer that reads a token and predicts the next one.
//!
//! All numbers stay on the device, and the host waits for nothing in here. The keys and values of the text so far are
//! in memory that was allocated once, for the longest text.

use ascendcl::bounds::AnyStream;
use ascendcl::op::{self, CubeMath, Extreme};
use ascendcl::{HostSide, Result};

use crate::layer::{Layer, Rotations, Scratch, rotations};
use crate::machine::{In, Machine, Memory, View, input, queue, row};
use crate::weights::{Shape, Tensors};

/// What a piece of memory has at first.
pub(crate) enum Content<'n> {
    /// A matrix or a row of the file, by its name and its sides.
    Weights(&'n str, &'n [usize]),
    /// The matrices of [`Rotations`].
    Rotations,
    /// So many zeros.
    Zeros(usize),
}

/// Where memory comes from, piece by piece.
pub(crate) type Source<'s, V, E> = dyn FnMut(Content<'_>) -> Result<V, E> + 's;

/// The weights but those of the embedding, and everything that a text needs. `V` is memory, or a part of it that work uses.
pub(crate) struct Model<V> {
    pub(crate) shape: Shape,
    layers: Vec<Layer<V>>,
    norm: V,
    rotations: Rotations<V>,
    pub(crate) scratch: Scratch<V>,
    /// How likely each token is to be the next one.
    pub(crate) logits: V,
}

/// The memory of a model on the device.
pub(crate) struct Loaded<'d> {
    pub(crate) shape: Shape,
    /// A row for each token, for its way in and for its prediction.
    pub(crate) embedding: Memory<'d, f32>,
    /// That of a [`Model`].
    pub(crate) memory: Vec<Memory<'d, f32>>,
}

impl<'d> Loaded<'d> {
    /// Copies the weights to the device and allocates the rest.
    pub(crate) fn new(
        machine: &mut Machine<'_, '_, 'd>,
        host: HostSide<'d>,
        file: &Tensors<'_>,
        shape: Shape,
    ) -> crate::Result<Loaded<'d>> {
        let sides = [shape.vocabulary, shape.width];
        let embedding = machine.load(host, file, "embedding", &sides)?;
        let mut memory = Vec::new();
        Model::of(shape, &mut |content| {
            memory.push(match content {
                Content::Weights(name, sides) => machine.load(host, file, name, sides)?,
                Content::Rotations => machine.upload(host, &rotations(shape))?,
                Content::Zeros(len) => machine.zeros(len)?,
            });
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>(())
        })?;
        Ok(Loaded {
            shape,
            embedding,
            memory,
        })
    }
}

impl<V> Model<V> {
    /// A model with memory of this source.
    pub(crate) fn of<E>(shape: Shape, source: &mut Source<'_, V, E>) -> Result<Self, E> {
        let layers = (0..shape.layers).map(|number| Layer::of(shape, number, source));
        Ok(Model {
            shape,
            layers: layers.collect::<Result<_, E>>()?,
            norm: source(Content::Weights("norm", &[shape.width]))?,
            rotations: Rotations(source(Content::Rotations)?),
            scratch: Scratch::of(shape, source)?,
            logits: source(Content::Zeros(shape.vocabulary))?,
        })
    }

    /// A model over the memory that [`Model::of`] has asked for, in the same order. There is none if some is missing.
    pub(crate) fn over(shape: Shape, memory: impl IntoIterator<Item = V>) -> Option<Self> {
        let mut memory = memory.into_iter();
        Model::of(shape, &mut |_| memory.next().ok_or(())).ok()
    }
}

impl<S: AnyStream> Model<View<'_, S>> {
    /// Queues the work for the token at `position`, whose row of the embedding is in `scratch.x`: its keys and values, behind
    /// those of the tokens in front.
    pub(crate) fn read(
        &mut self,
        machine: &mut Machine<'_, '_, '_, S>,
        position: usize,
    ) -> Result<()> {
        for layer in &mut self.layers {
            let scratch = &mut self.scratch;
            layer.attend(machine, scratch, &self.rotations, self.shape, position)?;
            layer.feed(machine, scratch, self.shape)?;
        }
        Ok(())
    }

    /// Queues the logits of the token behind the one that was read last.
    pub(crate) fn predict(
        &mut self,
        machine: &mut Machine<'_, '_, '_, S>,
        embedding: &In<'_, S>,
    ) -> Result<()> {
        self.scratch.norm(machine, &self.norm, self.shape)?;
        let normed = input(&self.scratch.normed, &[1, self.shape.width])?;
        let matrix = embedding.transpose(0, 1)?;
        queue!(machine => op::matmul(&normed, &matrix, row(&mut self.logits)?, CubeMath::Keep));
        Ok(())
    }

    /// Queues the search of the likeliest tokens, as many as there is memory for. Of one token only the number is found.
    pub(crate) fn find_best(
        &self,
        machine: &mut Machine<'_, '_, '_, S>,
        values: &mut View<'_, S>,
        numbers: &mut View<'_, S, i64>,
    ) -> Result<()> {
        let (k, logits) = (values.len(), input(&self.logits, &[self.shape.vocabulary])?);
        let numbers = numbers.tensor_mut(&[k])?;
        if k == 1 {
            queue!(machine => op::arg_max(&logits, 0, true, numbers));
        } else {
            let values = values.tensor_mut(&[k])?;
            queue!(machine => op::topk(&logits, k, 0, Extreme::Largest, values, numbers));
        }
        Ok(())
    }
}
