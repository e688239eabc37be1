//! A layer: attention to the tokens in front, then a SwiGLU, each with the norm of what it reads, and each adding to
//! what goes from layer to layer.

use ascendcl::op::{self, CubeMath};

use crate::Result;
use crate::machine::{Machine, Matrix, Memory, Out, input, output, queue, row};
use crate::weights::{Shape, Tensors};

/// The weights of a layer, and its keys and values of the text so far.
pub(crate) struct Layer<'d> {
    attention_norm: Memory<'d, f32>,
    query: Matrix<'d>,
    key: Matrix<'d>,
    value: Matrix<'d>,
    output: Matrix<'d>,
    feed_norm: Memory<'d, f32>,
    gate: Matrix<'d>,
    up: Matrix<'d>,
    down: Matrix<'d>,
    /// [context, heads, head]; the positions so far are written.
    keys: Memory<'d, f32>,
    values: Memory<'d, f32>,
}

/// How queries and keys turn with their position: a matrix for each position, [context, head, head].
pub(crate) struct Rotations<'d>(Memory<'d, f32>);

/// Memory for the numbers in between. Operators run one after the other, so all layers share it.
pub(crate) struct Scratch<'d> {
    /// What goes from layer to layer.
    pub(crate) x: Memory<'d, f32>,
    pub(crate) normed: Memory<'d, f32>,
    scale: Memory<'d, f32>,
    row: Memory<'d, f32>,
    query: Memory<'d, f32>,
    /// [heads, 1, context].
    scores: Memory<'d, f32>,
    shares: Memory<'d, f32>,
    gate: Memory<'d, f32>,
    opened: Memory<'d, f32>,
    up: Memory<'d, f32>,
}

impl<'d> Layer<'d> {
    /// Copies the weights of layer `number` to the device.
    pub(crate) fn new(
        machine: &mut Machine<'_, 'd>,
        file: &Tensors<'_>,
        shape: Shape,
        number: usize,
    ) -> Result<Self> {
        let Shape {
            width,
            hidden,
            context,
            ..
        } = shape;
        let name = |weights: &str| format!("{number}.{weights}");
        let mut norm = |weights| machine.upload_half(&file.half(&name(weights), &[width])?);
        let (attention_norm, feed_norm) = (norm("attention_norm")?, norm("feed_norm")?);
        let mut matrix = |weights, sides| Matrix::load(machine, file, &name(weights), sides);
        Ok(Layer {
            attention_norm,
            query: matrix("query", [width, width])?,
            key: matrix("key", [width, width])?,
            value: matrix("value", [width, width])?,
            output: matrix("output", [width, width])?,
            feed_norm,
            gate: matrix("gate", [width, hidden])?,
            up: matrix("up", [width, hidden])?,
            down: matrix("down", [hidden, width])?,
            keys: machine.zeros(context * width)?,
            values: machine.zeros(context * width)?,
        })
    }

    /// Adds what the token takes over from the tokens in front of it, and from itself.
    pub(crate) fn attend(
        &mut self,
        machine: &mut Machine<'_, 'd>,
        scratch: &mut Scratch<'d>,
        rotations: &Rotations<'d>,
        shape: Shape,
        position: usize,
    ) -> Result<()> {
        let (width, heads, head) = (shape.width, shape.heads, shape.head());
        let count = position + 1;
        let new = position * width..count * width;
        scratch.norm(machine, &self.attention_norm, shape)?;

        // The new token's key and value go where they stay.
        machine.product(&scratch.normed, &self.key, row(&mut scratch.row)?)?;
        let key = self.keys.slice_mut(new.clone())?;
        let key = key.into_tensor(&[heads, head])?;
        rotations.turn(machine, &scratch.row, key, shape, position)?;
        let value = self.values.slice_mut(new)?.into_tensor(&[1, width])?;
        machine.product(&scratch.normed, &self.value, value)?;

        machine.product(&scratch.normed, &self.query, row(&mut scratch.row)?)?;
        let query = output(&mut scratch.query, &[heads, head])?;
        rotations.turn(machine, &scratch.row, query, shape, position)?;

        // How well the query fits each key, for each head. There are no keys of later tokens, so none is masked.
        let each = [heads, 1, count];
        let query = input(&scratch.query, &[heads, 1, head])?;
        let keys = input(&self.keys, &[count, heads, head])?.permute(&[1, 2, 0])?;
        let scores = output(&mut scratch.scores, &each)?;
        queue!(machine => op::matmul(&query, &keys, scores, CubeMath::Keep));
        let (scores, scale) = (
            output(&mut scratch.scores, &each)?,
            (head as f32).sqrt().recip(),
        );
        queue!(machine => op::inplace_muls(scores, scale));

        // As shares of all tokens, and the mean of their values by these shares.
        let (scores, shares) = (
            input(&scratch.scores, &each)?,
            output(&mut scratch.shares, &each)?,
        );
        queue!(machine => op::softmax(&scores, -1, shares));
        let shares = input(&scratch.shares, &each)?;
        let values = input(&self.values, &[count, heads, head])?.permute(&[1, 0, 2])?;
        let mean = output(&mut scratch.row, &[heads, 1, head])?;
        queue!(machine => op::matmul(&shares, &values, mean, CubeMath::Keep));

        machine.add_product(&scratch.row, &self.output, row(&mut scratch.x)?)
    }

    /// Adds what the layer makes of the token by itself.
    pub(crate) fn feed(
        &self,
        machine: &mut Machine<'_, 'd>,
        scratch: &mut Scratch<'d>,
        shape: Shape,
    ) -> Result<()> {
        let hidden = [1, shape.hidden];
        scratch.norm(machine, &self.feed_norm, shape)?;
        machine.product(&scratch.normed, &self.gate, row(&mut scratch.gate)?)?;
        machine.product(&scratch.normed, &self.up, row(&mut scratch.up)?)?;
        let gate = input(&scratch.gate, &hidden)?;
        queue!(machine => op::silu(&gate, row(&mut scratch.opened)?));
        let opened = input(&scratch.opened, &hidden)?;
        queue!(machine => op::inplace_mul(row(&mut scratch.up)?, &opened));
        machine.add_product(&scratch.up, &self.down, row(&mut scratch.x)?)
    }
}

impl<'d> Scratch<'d> {
    pub(crate) fn new(machine: &mut Machine<'_, 'd>, shape: Shape) -> Result<Scratch<'d>> {
        let Shape {
            width,
            heads,
            hidden,
            context,
            ..
        } = shape;
        Ok(Scratch {
            x: machine.zeros(width)?,
            normed: machine.zeros(width)?,
            scale: machine.zeros(1)?,
            row: machine.zeros(width)?,
            query: machine.zeros(width)?,
            scores: machine.zeros(context * heads)?,
            shares: machine.zeros(context * heads)?,
            gate: machine.zeros(hidden)?,
            opened: machine.zeros(hidden)?,
            up: machine.zeros(hidden)?,
        })
    }

    /// Queues `normed = x / sqrt(mean(x * x) + epsilon) * gain`.
    pub(crate) fn norm(
        &mut self,
        machine: &mut Machine<'_, 'd>,
        gain: &Memory<'d, f32>,
        shape: Shape,
    ) -> Result<()> {
        let width = shape.width;
        let (x, gain) = (input(&self.x, &[1, width])?, input(gain, &[width])?);
        let normed = row(&mut self.normed)?;
        let scale = row(&mut self.scale)?;
        queue!(machine => op::rms_norm(&x, &gain, shape.epsilon, normed, scale));
        Ok(())
    }
}

impl<'d> Rotations<'d> {
    /// Element `i` of a head turns with element `i + head / 2`: by a radian for each position where `i` is 0, and by
    /// smaller angles behind it.
    pub(crate) fn new(machine: &mut Machine<'_, 'd>, shape: Shape) -> Result<Rotations<'d>> {
        let (head, half) = (shape.head(), shape.head() / 2);
        let mut matrices = vec![0.0; shape.context * head * head];
        for (position, matrix) in matrices.chunks_mut(head * head).enumerate() {
            for pair in 0..half {
                // CAST: small numbers; the angle is rounded once, at the end.
                let turns = 10000.0_f64.powf(-((2 * pair) as f64) / head as f64);
                let (sine, cosine) = (position as f64 * turns).sin_cos();
                let (first, second) = (pair, pair + half);
                for (row, column, value) in [
                    (first, first, cosine),
                    (first, second, sine),
                    (second, first, -sine),
                    (second, second, cosine),
                ] {
                    if let Some(element) = matrix.get_mut(row * head + column) {
                        *element = value as f32;
                    }
                }
            }
        }
        Ok(Rotations(machine.upload(&matrices)?))
    }

    /// Queues the rotation of all heads of `x` by the angles of a position.
    fn turn(
        &self,
        machine: &mut Machine<'_, 'd>,
        x: &Memory<'d, f32>,
        out: Out<'_>,
        shape: Shape,
        position: usize,
    ) -> Result<()> {
        let (heads, head) = (shape.heads, shape.head());
        let (start, area) = (position * head * head, head * head);
        let matrix = self.0.slice(start..start + area)?.tensor(&[head, head])?;
        queue!(machine => op::matmul(&input(x, &[heads, head])?, &matrix, out, CubeMath::Keep));
        Ok(())
    }
}
