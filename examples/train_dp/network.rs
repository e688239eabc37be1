//! The perceptron: `relu(x * W + b) * V + c`, the loss of its answers, and the gradient of the loss.

use std::ops::Range;

use ascendcl::memory::{Dev, SliceMut, Uninit};
use ascendcl::op::{self, AdamWOptions, CubeMath, Tensor, TensorOut, Workspaces};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, DeviceTag, HostBuf, HostSide, Queued, Stream};

use crate::Result;
use crate::data::{CLASSES, ROWS, SEGMENTS, Share};

/// Device memory that the work of the stream uses.
type Memory<'d, D> = Queued<'d, (D, Main), DeviceBuf<'d, D, [f32]>>;
/// Numbers that an operator reads.
type In<'b, D> = Tensor<'b, (D, Main), f32>;
/// Numbers that an operator writes.
type Out<'b, D> = TensorOut<SliceMut<'b, Dev<D>, [f32], (D, Main)>>;

/// The units between inputs and classes.
const HIDDEN: usize = 16;
/// The largest weight in the beginning.
pub(crate) const WEIGHT: f32 = 0.5;
/// The places of the weights in memory: `W`, `b`, `V` and `c`.
const W: Range<usize> = 0..SEGMENTS * HIDDEN;
const B: Range<usize> = W.end..W.end + HIDDEN;
const V: Range<usize> = B.end..B.end + HIDDEN * CLASSES;
const C: Range<usize> = V.end..V.end + CLASSES;
/// The number of weights.
pub(crate) const PARAMETERS: usize = C.end;
/// The place of the loss, behind the gradient.
const LOSS: Range<usize> = PARAMETERS..PARAMETERS + 1;

/// A device, with the one stream that all work goes to.
pub(crate) struct Machine<'t, 'd, D: DeviceTag> {
    current: Current<'t, 'd, D>,
    host: HostSide<'d>,
    pub(crate) stream: Stream<'t, 'd, D>,
    workspaces: Workspaces<'d, D>,
}

impl<'t, 'd, D: DeviceTag> Machine<'t, 'd, D> {
    pub(crate) fn new(current: Current<'t, 'd, D>, host: HostSide<'d>) -> Result<Self> {
        Ok(Machine {
            current,
            host,
            stream: current.create_stream()?,
            workspaces: Workspaces::new(),
        })
    }

    /// Releases the stream.
    pub(crate) fn end(self) -> Result<()> {
        drop(self.workspaces);
        Ok(self.stream.destroy()?)
    }

    /// Copies numbers to the device.
    fn upload(&mut self, numbers: &[f32]) -> Result<Memory<'d, D>> {
        let staged = self.stream.malloc_host_from(self.host, numbers)?;
        let fresh: Queued<'d, (D, Main), DeviceBuf<'d, D, [f32], Uninit>> =
            self.stream.malloc(numbers.len())?;
        Ok(self.stream.memcpy_async(fresh, &staged)?)
    }

    /// Memory for `len` numbers, all of them zero.
    fn zeros(&mut self, len: usize) -> Result<Memory<'d, D>> {
        let fresh: Queued<'d, (D, Main), DeviceBuf<'d, D, [f32], Uninit>> =
            self.stream.malloc(len)?;
        Ok(self.stream.memset_async(fresh, 0)?)
    }
}

/// Prepares an operator and queues it, with the workspace of those before it.
macro_rules! queue {
    ($machine:expr => $($operator:ident)::+($($argument:expr),+ $(,)?)) => {
        $($operator)::+($machine.current, $($argument),+)?
            .launch_in(&mut $machine.stream, &mut $machine.workspaces)?
    };
}

/// Elements of the memory as an operand.
fn input<'b, D: DeviceTag>(
    memory: &'b Memory<'_, D>,
    at: Range<usize>,
    shape: &[usize],
) -> Result<In<'b, D>> {
    Ok(memory.slice(at)?.tensor(shape)?)
}

/// Elements of the memory as an output.
fn output<'b, D: DeviceTag>(
    memory: &'b mut Memory<'_, D>,
    at: Range<usize>,
    shape: &[usize],
) -> Result<Out<'b, D>> {
    Ok(memory.slice_mut(at)?.into_tensor(shape)?)
}

/// A matrix in memory of its own.
struct Matrix<'d, D: DeviceTag> {
    memory: Memory<'d, D>,
    shape: [usize; 2],
}

impl<D: DeviceTag> Matrix<'_, D> {
    fn input(&self) -> Result<In<'_, D>> {
        input(&self.memory, 0..self.memory.len(), &self.shape)
    }

    fn output(&mut self) -> Result<Out<'_, D>> {
        let all = 0..self.memory.len();
        output(&mut self.memory, all, &self.shape)
    }
}

/// The network of a rank, with its examples.
pub(crate) struct Network<'d, D: DeviceTag> {
    /// All weights.
    pub(crate) weights: Memory<'d, D>,
    /// The gradient of each weight, and the loss. The ranks add up all of it in one call.
    pub(crate) gradient: Memory<'d, D>,
    /// What AdamW remembers of the gradients: their means, and the means of their squares.
    means: Memory<'d, D>,
    squares: Memory<'d, D>,
    /// The number of steps.
    steps: Queued<'d, (D, Main), DeviceBuf<'d, D, [i64; 1]>>,
    inputs: Matrix<'d, D>,
    labels: Matrix<'d, D>,
    hidden: Matrix<'d, D>,
    answers: Matrix<'d, D>,
    /// How the loss changes with the hidden units, with what they are made of, and with the answers.
    unit_slope: Matrix<'d, D>,
    hidden_slope: Matrix<'d, D>,
    answers_slope: Matrix<'d, D>,
    losses: Memory<'d, D>,
    read: Queued<'d, (D, Main), HostBuf<'d, [f32]>>,
}

impl<'d, D: DeviceTag> Network<'d, D> {
    pub(crate) fn new(
        machine: &mut Machine<'_, 'd, D>,
        weights: &[f32],
        share: &Share,
    ) -> Result<Self> {
        let rows = share.rows;
        let matrix = |machine: &mut Machine<'_, 'd, D>, columns| {
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>(Matrix {
                memory: machine.zeros(rows * columns)?,
                shape: [rows, columns],
            })
        };
        Ok(Network {
            weights: machine.upload(weights)?,
            gradient: machine.zeros(LOSS.end)?,
            means: machine.zeros(PARAMETERS)?,
            squares: machine.zeros(PARAMETERS)?,
            steps: {
                let fresh = machine.stream.malloc_as::<[i64; 1]>()?;
                machine.stream.memset_async(fresh, 0)?
            },
            inputs: Matrix {
                memory: machine.upload(&share.inputs)?,
                shape: [rows, SEGMENTS],
            },
            labels: Matrix {
                memory: machine.upload(&share.labels)?,
                shape: [rows, CLASSES],
            },
            hidden: matrix(machine, HIDDEN)?,
            answers: matrix(machine, CLASSES)?,
            unit_slope: matrix(machine, HIDDEN)?,
            hidden_slope: matrix(machine, HIDDEN)?,
            answers_slope: matrix(machine, CLASSES)?,
            losses: machine.zeros(rows)?,
            read: machine
                .stream
                .adopt(machine.current.malloc_host(machine.host, 1)?),
        })
    }

    /// Queues the gradient and the loss of the own examples, as parts of those of all examples.
    pub(crate) fn differentiate(&mut self, machine: &mut Machine<'_, 'd, D>) -> Result<()> {
        self.answer(machine)?;
        // CAST: few rows.
        let part = 1.0 / ROWS as f32;
        let rows = self.losses.len();
        let losses = output(&mut self.losses, 0..rows, &[rows])?;
        let (answers, labels) = (self.answers.input()?, self.labels.input()?);
        let slope = self.answers_slope.output()?;
        queue!(machine => op::softmax_cross_entropy_with_logits(&answers, &labels, losses, slope));
        queue!(machine => op::inplace_muls(self.answers_slope.output()?, part));
        queue!(machine => op::inplace_muls(output(&mut self.losses, 0..rows, &[rows])?, part));
        let losses = input(&self.losses, 0..rows, &[rows])?;
        let loss = output(&mut self.gradient, LOSS, &[1])?;
        queue!(machine => op::reduce_sum(&losses, &[0], true, loss));

        // V and c: how each answer depends on the hidden units.
        let slope = self.answers_slope.input()?;
        let hidden = self.hidden.input()?.permute(&[1, 0])?;
        let v = output(&mut self.gradient, V, &[HIDDEN, CLASSES])?;
        queue!(machine => op::matmul(&hidden, &slope, v, CubeMath::Keep));
        let c = output(&mut self.gradient, C, &[CLASSES])?;
        queue!(machine => op::reduce_sum(&slope, &[0], false, c));

        // The hidden units: only those that are above 0 have a slope.
        let v = input(&self.weights, V, &[HIDDEN, CLASSES])?.permute(&[1, 0])?;
        let units = self.unit_slope.output()?;
        queue!(machine => op::matmul(&slope, &v, units, CubeMath::Keep));
        let (units, hidden) = (self.unit_slope.input()?, self.hidden.input()?);
        let slope = self.hidden_slope.output()?;
        queue!(machine => op::threshold_backward(&units, &hidden, 0.0, slope));

        // W and b.
        let slope = self.hidden_slope.input()?;
        let inputs = self.inputs.input()?.permute(&[1, 0])?;
        let w = output(&mut self.gradient, W, &[SEGMENTS, HIDDEN])?;
        queue!(machine => op::matmul(&inputs, &slope, w, CubeMath::Keep));
        let b = output(&mut self.gradient, B, &[HIDDEN])?;
        queue!(machine => op::reduce_sum(&slope, &[0], false, b));
        Ok(())
    }

    /// Queues the answers to the own examples.
    fn answer(&mut self, machine: &mut Machine<'_, 'd, D>) -> Result<()> {
        let w = input(&self.weights, W, &[SEGMENTS, HIDDEN])?;
        let (inputs, hidden) = (self.inputs.input()?, self.hidden.output()?);
        queue!(machine => op::matmul(&inputs, &w, hidden, CubeMath::Keep));
        let b = input(&self.weights, B, &[HIDDEN])?;
        queue!(machine => op::inplace_add(self.hidden.output()?, &b, 1.0));
        queue!(machine => op::inplace_relu(self.hidden.output()?));
        let v = input(&self.weights, V, &[HIDDEN, CLASSES])?;
        let (hidden, answers) = (self.hidden.input()?, self.answers.output()?);
        queue!(machine => op::matmul(&hidden, &v, answers, CubeMath::Keep));
        let c = input(&self.weights, C, &[CLASSES])?;
        queue!(machine => op::inplace_add(self.answers.output()?, &c, 1.0));
        Ok(())
    }

    /// Queues a step of AdamW.
    pub(crate) fn learn(&mut self, machine: &mut Machine<'_, 'd, D>, rate: f32) -> Result<()> {
        let steps = self.steps.slice_mut(0..1)?.into_tensor(&[1])?;
        queue!(machine => op::inplace_adds(steps, 1, 1));
        let all = 0..PARAMETERS;
        let gradient = input(&self.gradient, all.clone(), &[PARAMETERS])?;
        let weights = output(&mut self.weights, all.clone(), &[PARAMETERS])?;
        let means = output(&mut self.means, all.clone(), &[PARAMETERS])?;
        let squares = output(&mut self.squares, all, &[PARAMETERS])?;
        let options = AdamWOptions {
            lr: rate,
            ..AdamWOptions::default()
        };
        let steps = self.steps.tensor(&[1])?;
        queue!(machine => op::apply_adam_w_v2(weights, means, squares, &gradient, &steps, &options));
        Ok(())
    }

    /// Returns the loss of all examples, after the work that is queued.
    pub(crate) fn loss(&mut self, machine: &mut Machine<'_, 'd, D>) -> Result<f32> {
        let loss = self.gradient.slice(LOSS)?;
        machine.stream.memcpy_async(&mut self.read, loss)?;
        let idle = machine.stream.synchronize()?;
        let read = idle.get_mut(&mut self.read);
        Ok(read.first().copied().unwrap_or(f32::NAN))
    }
}
