//! Where the model computes: a device, a stream, and a workspace that all operators share.

use ascendcl::memory::{Dev, SliceMut, Uninit};
use ascendcl::op::{self, CubeMath, Tensor, TensorOut, Workspaces};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, HostBuf, HostSide, Npu, Queued, Stream};
use half::f16;

use crate::Result;
use crate::weights::Tensors;

/// The device.
pub(crate) type D = Npu<0>;
/// Device memory that the work of the stream uses.
pub(crate) type Memory<'d, T> = Queued<'d, (D, Main), DeviceBuf<'d, D, [T]>>;
/// Page-locked memory of the host that the work of the stream uses.
pub(crate) type Staged<'d, T> = Queued<'d, (D, Main), HostBuf<'d, [T]>>;
/// Device memory that nothing has written yet.
type Fresh<'d, T> = Queued<'d, (D, Main), DeviceBuf<'d, D, [T], Uninit>>;
/// Numbers that an operator reads.
pub(crate) type In<'b> = Tensor<'b, (D, Main), f32>;
/// Numbers that an operator writes.
pub(crate) type Out<'b> = TensorOut<SliceMut<'b, Dev<D>, [f32], (D, Main)>>;

/// A device, with the one stream that all work goes to.
pub(crate) struct Machine<'t, 'd> {
    pub(crate) host: HostSide<'d>,
    pub(crate) current: Current<'t, 'd, D>,
    pub(crate) stream: Stream<'t, 'd, D>,
    pub(crate) workspaces: Workspaces<'d, D>,
}

/// A matrix of weights.
pub(crate) struct Matrix<'d> {
    weights: Memory<'d, f32>,
    rows: usize,
    columns: usize,
}

/// Prepares an operator and queues it, with the workspace of those before it.
macro_rules! queue {
    ($machine:expr => $($operator:ident)::+($($argument:expr),+ $(,)?)) => {
        $($operator)::+($machine.current, $($argument),+)?
            .launch_in(&mut $machine.stream, &mut $machine.workspaces)?
    };
}
pub(crate) use queue;

/// The elements at the front of the memory as an operand.
pub(crate) fn input<'b>(memory: &'b Memory<'_, f32>, shape: &[usize]) -> Result<In<'b>> {
    Ok(memory.slice(0..shape.iter().product())?.tensor(shape)?)
}

/// The elements at the front of the memory as an output.
pub(crate) fn output<'b>(memory: &'b mut Memory<'_, f32>, shape: &[usize]) -> Result<Out<'b>> {
    let part = memory.slice_mut(0..shape.iter().product())?;
    Ok(part.into_tensor(shape)?)
}

/// All elements of the memory as an output: one row.
pub(crate) fn row<'b>(memory: &'b mut Memory<'_, f32>) -> Result<Out<'b>> {
    let len = memory.len();
    output(memory, &[1, len])
}

impl<'d> Matrix<'d> {
    /// Copies a matrix of a file to the device.
    pub(crate) fn load(
        machine: &mut Machine<'_, 'd>,
        file: &Tensors<'_>,
        name: &str,
        [rows, columns]: [usize; 2],
    ) -> Result<Matrix<'d>> {
        Ok(Matrix {
            weights: machine.upload_half(&file.half(name, &[rows, columns])?)?,
            rows,
            columns,
        })
    }

    /// The matrix as an operand.
    fn tensor(&self) -> Result<In<'_>> {
        input(&self.weights, &[self.rows, self.columns])
    }

    /// What the matrix is multiplied with from the left.
    fn row<'b>(&self, memory: &'b Memory<'_, f32>) -> Result<In<'b>> {
        input(memory, &[1, self.rows])
    }
}

impl<'d> Machine<'_, 'd> {
    /// Memory for `len` numbers, all of them zero.
    pub(crate) fn zeros<T: bytemuck::Pod>(&mut self, len: usize) -> Result<Memory<'d, T>> {
        let fresh: Fresh<'d, T> = self.stream.malloc(len)?;
        Ok(self.stream.memset_async(fresh, 0)?)
    }

    /// Copies numbers to the device.
    pub(crate) fn upload<T: bytemuck::Pod>(&mut self, values: &[T]) -> Result<Memory<'d, T>> {
        let staged = self.stream.malloc_host_from(self.host, values)?;
        let fresh: Fresh<'d, T> = self.stream.malloc(values.len())?;
        Ok(self.stream.memcpy_async(fresh, &staged)?)
    }

    /// Page-locked memory of the host for `len` numbers, all of them zero.
    pub(crate) fn staging<T: bytemuck::Pod>(&mut self, len: usize) -> Result<Staged<'d, T>> {
        Ok(self.stream.adopt(self.current.malloc_host(self.host, len)?))
    }

    /// Copies numbers of half precision to the device, and converts them there.
    pub(crate) fn upload_half(&mut self, values: &[f16]) -> Result<Memory<'d, f32>> {
        let shape = [values.len()];
        let halves = self.upload(values)?;
        let fresh: Fresh<'d, f32> = self.stream.malloc(values.len())?;
        let out = fresh.into_tensor(&shape)?;
        Ok(queue!(self => op::cast(&halves.tensor(&shape)?, out)))
    }

    /// Queues `out = row * matrix`.
    pub(crate) fn product(
        &mut self,
        row: &Memory<'d, f32>,
        matrix: &Matrix<'d>,
        out: Out<'_>,
    ) -> Result<()> {
        queue!(self => op::matmul(&matrix.row(row)?, &matrix.tensor()?, out, CubeMath::Keep));
        Ok(())
    }

    /// Queues `out += row * matrix`.
    pub(crate) fn add_product(
        &mut self,
        row: &Memory<'d, f32>,
        matrix: &Matrix<'d>,
        out: Out<'_>,
    ) -> Result<()> {
        let (row, matrix) = (matrix.row(row)?, matrix.tensor()?);
        queue!(self => op::inplace_addmm(out, &row, &matrix, 1.0, 1.0, CubeMath::Keep));
        Ok(())
    }
}
