//! Where the model computes: a stream, and a workspace that all operators share.

use ascendcl::bounds::AnyStream;
use ascendcl::memory::{Dev, SliceMut, Uninit};
use ascendcl::op::{self, CubeMath, Tensor, TensorOut, Workspaces};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, HostBuf, HostSide, Npu, Queued, Result, Stream};
use half::f16;

use crate::weights::Tensors;

/// The device.
pub(crate) type D = Npu<0>;
/// Device memory that the work of the stream uses.
pub(crate) type Memory<'d, T> = Queued<'d, (D, Main), DeviceBuf<'d, D, [T]>>;
/// Page-locked memory of the host that the work of the stream uses.
pub(crate) type Staged<'d, T> = Queued<'d, (D, Main), HostBuf<'d, [T]>>;
/// Device memory that nothing has written yet.
type Fresh<'d, T> = Queued<'d, (D, Main), DeviceBuf<'d, D, [T], Uninit>>;
/// Device memory that work of `S` uses: that of a stream, or that of a graph in the recording that makes it.
pub(crate) type View<'b, S, T = f32> = SliceMut<'b, Dev<D>, [T], (D, S)>;
/// Numbers that an operator reads.
pub(crate) type In<'b, S> = Tensor<'b, (D, S), f32>;
/// Numbers that an operator writes.
pub(crate) type Out<'b, S> = TensorOut<View<'b, S>>;

/// The one stream that all work goes to, or a recording of it.
pub(crate) struct Machine<'m, 't, 'd, S: AnyStream = Main> {
    pub(crate) current: Current<'t, 'd, D>,
    pub(crate) stream: &'m mut Stream<'t, 'd, D, S>,
    pub(crate) workspaces: Workspaces<'d, D, S>,
}

/// A matrix of weights.
pub(crate) struct Matrix<V> {
    pub(crate) weights: V,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

/// Prepares an operator and queues it, with the workspace of those before it.
macro_rules! queue {
    ($machine:expr => $($operator:ident)::+($($argument:expr),+ $(,)?)) => {
        $($operator)::+($machine.current, $($argument),+)?
            .launch_in(&mut *$machine.stream, &mut $machine.workspaces)?
    };
}
pub(crate) use queue;

/// The elements at the front of the memory as an operand.
pub(crate) fn input<'b, S: AnyStream>(
    memory: &'b View<'_, S>,
    shape: &[usize],
) -> Result<In<'b, S>> {
    memory.slice(0..shape.iter().product())?.tensor(shape)
}

/// The elements at the front of the memory as an output.
pub(crate) fn output<'b, S: AnyStream>(
    memory: &'b mut View<'_, S>,
    shape: &[usize],
) -> Result<Out<'b, S>> {
    let part = memory.slice_mut(0..shape.iter().product())?;
    part.into_tensor(shape)
}

/// All elements of the memory as an output: one row.
pub(crate) fn row<'b, S: AnyStream>(memory: &'b mut View<'_, S>) -> Result<Out<'b, S>> {
    let len = memory.len();
    output(memory, &[1, len])
}

impl<S: AnyStream> Matrix<View<'_, S>> {
    /// The matrix as an operand.
    fn tensor(&self) -> Result<In<'_, S>> {
        input(&self.weights, &[self.rows, self.columns])
    }

    /// What the matrix is multiplied with from the left.
    fn row<'b>(&self, memory: &'b View<'_, S>) -> Result<In<'b, S>> {
        input(memory, &[1, self.rows])
    }
}

impl<'d> Machine<'_, '_, 'd> {
    /// Memory for `len` numbers, all of them zero.
    pub(crate) fn zeros<T: bytemuck::Pod>(&mut self, len: usize) -> Result<Memory<'d, T>> {
        let fresh: Fresh<'d, T> = self.stream.malloc(len)?;
        self.stream.memset_async(fresh, 0)
    }

    /// Copies numbers to the device.
    pub(crate) fn upload<T: bytemuck::Pod>(
        &mut self,
        host: HostSide<'d>,
        values: &[T],
    ) -> Result<Memory<'d, T>> {
        let staged = self.stream.malloc_host_from(host, values)?;
        let fresh: Fresh<'d, T> = self.stream.malloc(values.len())?;
        self.stream.memcpy_async(fresh, &staged)
    }

    /// Page-locked memory of the host for `len` numbers, all of them zero.
    pub(crate) fn staging<T: bytemuck::Pod>(
        &mut self,
        host: HostSide<'d>,
        len: usize,
    ) -> Result<Staged<'d, T>> {
        Ok(self.stream.adopt(self.current.malloc_host(host, len)?))
    }

    /// Copies weights of a file, which have half precision, to the device, and converts them there.
    pub(crate) fn load(
        &mut self,
        host: HostSide<'d>,
        file: &Tensors<'_>,
        name: &str,
        sides: &[usize],
    ) -> crate::Result<Memory<'d, f32>> {
        let values: Vec<f16> = file.half(name, sides)?;
        let shape = [values.len()];
        let halves = self.upload(host, &values)?;
        let fresh: Fresh<'d, f32> = self.stream.malloc(values.len())?;
        let out = fresh.into_tensor(&shape)?;
        Ok(queue!(self => op::cast(&halves.tensor(&shape)?, out)))
    }
}

impl<S: AnyStream> Machine<'_, '_, '_, S> {
    /// Queues `out = row * matrix`.
    pub(crate) fn product(
        &mut self,
        row: &View<'_, S>,
        matrix: &Matrix<View<'_, S>>,
        out: Out<'_, S>,
    ) -> Result<()> {
        queue!(self => op::matmul(&matrix.row(row)?, &matrix.tensor()?, out, CubeMath::Keep));
        Ok(())
    }

    /// Queues `out += row * matrix`.
    pub(crate) fn add_product(
        &mut self,
        row: &View<'_, S>,
        matrix: &Matrix<View<'_, S>>,
        out: Out<'_, S>,
    ) -> Result<()> {
        let (row, matrix) = (matrix.row(row)?, matrix.tensor()?);
        queue!(self => op::inplace_addmm(out, &row, &matrix, 1.0, 1.0, CubeMath::Keep));
        Ok(())
    }
}
