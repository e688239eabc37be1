//! A layer: attention to the tokens in front, then a SwiGLU, each with the norm of what it reads, and each adding to
//! what goes from layer to layer.

use ascendcl::Result;
use ascendcl::bounds::AnyStream;
use ascendcl::op::{self, CubeMath};

use crate::machine::{Machine, Matrix, Out, View, input, output, queue, row};
use crate::model::{Content, Source};
use crate::weights::Shape;

/// The weights of a layer, and its keys and values of the text so far.
pub(crate) struct Layer<V> {
    attention_norm: V,
    query: Matrix<V>,
    key: Matrix<V>,
    value: Matrix<V>,
    output: Matrix<V>,
    feed_norm: V,
    gate: Matrix<V>,
    up: Matrix<V>,
    down: Matrix<V>,
    /// [context, heads, head]; the positions so far are written.
    keys: V,
    values: V,
}

/// How queries and keys turn with their position: a matrix for each position, [context, head, head].
pub(crate) struct Rotations<V>(pub(crate) V);

/// Memory for the numbers in between. Operators run one after the other, so all layers share it.
pub(crate) struct Scratch<V> {
    /// What goes from layer to layer.
    pub(crate) x: V,
    pub(crate) normed: V,
    scale: V,
    row: V,
    query: V,
    /// [heads, 1, context].
    scores: V,
    shares: V,
    gate: V,
    opened: V,
    up: V,
}

impl<V> Layer<V> {
    /// Layer `number`, with memory of this source.
    pub(crate) fn of<E>(
        shape: Shape,
        number: usize,
        source: &mut Source<'_, V, E>,
    ) -> Result<Self, E> {
        let Shape {
            width,
            hidden,
            context,
            ..
        } = shape;
        let mut norm = |weights| {
            let name = format!("{number}.{weights}");
            source(Content::Weights(&name, &[width]))
        };
        let (attention_norm, feed_norm) = (norm("attention_norm")?, norm("feed_norm")?);
        let mut matrix = |weights, [rows, columns]: [usize; 2]| -> Result<Matrix<V>, E> {
            let name = format!("{number}.{weights}");
            Ok(Matrix {
                weights: source(Content::Weights(&name, &[rows, columns]))?,
                rows,
                columns,
            })
        };
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
            keys: source(Content::Zeros(context * width))?,
            values: source(Content::Zeros(context * width))?,
        })
    }
}

impl<S: AnyStream> Layer<View<'_, S>> {
    /// Adds what the token takes over from the tokens in front of it, and from itself.
    pub(crate) fn attend(
        &mut self,
        machine: &mut Machine<'_, '_, '_, S>,
        scratch: &mut Scratch<View<'_, S>>,
        rotations: &Rotations<View<'_, S>>,
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
        machine: &mut Machine<'_, '_, '_, S>,
        scratch: &mut Scratch<View<'_, S>>,
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

impl<V> Scratch<V> {
    pub(crate) fn of<E>(shape: Shape, source: &mut Source<'_, V, E>) -> Result<Self, E> {
        let Shape {
            width,
            heads,
            hidden,
            context,
            ..
        } = shape;
        let mut zeros = |len| source(Content::Zeros(len));
        Ok(Scratch {
            x: zeros(width)?,
            normed: zeros(width)?,
            scale: zeros(1)?,
            row: zeros(width)?,
            query: zeros(width)?,
            scores: zeros(context * heads)?,
            shares: zeros(context * heads)?,
            gate: zeros(hidden)?,
            opened: zeros(hidden)?,
            up: zeros(hidden)?,
        })
    }
}

impl<S: AnyStream> Scratch<View<'_, S>> {
    /// Queues `normed = x / sqrt(mean(x * x) + epsilon) * gain`.
    pub(crate) fn norm(
        &mut self,
        machine: &mut Machine<'_, '_, '_, S>,
        gain: &View<'_, S>,
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

/// The matrices of [`Rotations`]: element `i` of a head turns with element `i + head / 2`, by a radian for each position
/// where `i` is 0, and by smaller angles behind it.
pub(crate) fn rotations(shape: Shape) -> Vec<f32> {
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
    matrices
}

impl<S: AnyStream> Rotations<View<'_, S>> {
    /// Queues the rotation of all heads of `x` by the angles of a position.
    fn turn(
        &self,
        machine: &mut Machine<'_, '_, '_, S>,
        x: &View<'_, S>,
        out: Out<'_, S>,
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
