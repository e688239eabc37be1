//! The model: a transformer that reads a token and predicts the next one.
//!
//! All numbers stay on the device, and the host waits for nothing in here. The keys and values of the text so far are
//! in memory that was allocated once, for the longest text.

use ascendcl::op::{self, CubeMath, Extreme};

use crate::Result;
use crate::layer::{Layer, Rotations, Scratch};
use crate::machine::{Machine, Memory, input, queue, row};
use crate::weights::{Shape, Tensors};

/// The weights, and everything that a text needs.
pub(crate) struct Model<'d> {
    pub(crate) shape: Shape,
    /// A row for each token, for its way in and for its prediction.
    embedding: Memory<'d, f32>,
    layers: Vec<Layer<'d>>,
    norm: Memory<'d, f32>,
    rotations: Rotations<'d>,
    scratch: Scratch<'d>,
    /// How likely each token is to be the next one.
    pub(crate) logits: Memory<'d, f32>,
}

impl<'d> Model<'d> {
    /// Copies the weights to the device and allocates the rest.
    pub(crate) fn new(
        machine: &mut Machine<'_, 'd>,
        file: &Tensors<'_>,
        shape: Shape,
    ) -> Result<Model<'d>> {
        let (width, vocabulary) = (shape.width, shape.vocabulary);
        let layers = (0..shape.layers).map(|number| Layer::new(machine, file, shape, number));
        Ok(Model {
            shape,
            layers: layers.collect::<Result<_>>()?,
            embedding: machine.upload_half(&file.half("embedding", &[vocabulary, width])?)?,
            norm: machine.upload_half(&file.half("norm", &[width])?)?,
            rotations: Rotations::new(machine, shape)?,
            scratch: Scratch::new(machine, shape)?,
            logits: machine.zeros(vocabulary)?,
        })
    }

    /// Queues the work for the token at `position`: its keys and values, behind those of the tokens in front.
    pub(crate) fn read(
        &mut self,
        machine: &mut Machine<'_, 'd>,
        token: usize,
        position: usize,
    ) -> Result<()> {
        let width = self.shape.width;
        let embedded = self.embedding.slice(token * width..(token + 1) * width)?;
        let x = self.scratch.x.slice_mut(0..width)?;
        machine.stream.memcpy_async(x, embedded)?;
        for layer in &mut self.layers {
            let scratch = &mut self.scratch;
            layer.attend(machine, scratch, &self.rotations, self.shape, position)?;
            layer.feed(machine, scratch, self.shape)?;
        }
        Ok(())
    }

    /// Queues the logits of the token behind the one that was read last.
    pub(crate) fn predict(&mut self, machine: &mut Machine<'_, 'd>) -> Result<()> {
        let (width, vocabulary) = (self.shape.width, self.shape.vocabulary);
        self.scratch.norm(machine, &self.norm, self.shape)?;
        let normed = input(&self.scratch.normed, &[1, width])?;
        let matrix = input(&self.embedding, &[vocabulary, width])?.transpose(0, 1)?;
        queue!(machine => op::matmul(&normed, &matrix, row(&mut self.logits)?, CubeMath::Keep));
        Ok(())
    }

    /// Queues the choice of the likeliest token.
    pub(crate) fn find_likeliest(
        &self,
        machine: &mut Machine<'_, 'd>,
        number: &mut Memory<'d, i64>,
    ) -> Result<()> {
        let logits = input(&self.logits, &[self.shape.vocabulary])?;
        queue!(machine => op::arg_max(&logits, 0, true, number.tensor_mut(&[1])?));
        Ok(())
    }

    /// Queues the search of the likeliest tokens, as many as there is memory for.
    pub(crate) fn find_best(
        &self,
        machine: &mut Machine<'_, 'd>,
        values: &mut Memory<'d, f32>,
        numbers: &mut Memory<'d, i64>,
    ) -> Result<()> {
        let (k, logits) = (values.len(), input(&self.logits, &[self.shape.vocabulary])?);
        let (values, numbers) = (values.tensor_mut(&[k])?, numbers.tensor_mut(&[k])?);
        queue!(machine => op::topk(&logits, k, 0, Extreme::Largest, values, numbers));
        Ok(())
    }
}
