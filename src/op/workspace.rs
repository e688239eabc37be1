//! Workspaces: the device memory that operators use besides their operands.

use std::ffi::c_void;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::device::AnyDevice;
use crate::error::{Error, Result};
use crate::memory::alloc::malloc_device;
use crate::memory::{DeviceBuf, MallocPolicy, Uninit};
use crate::queue::Queued;
use crate::stream::{AnyStream, Main, Stream};

/// The memory of a workspace.
pub(super) type Memory<'dev, D> = DeviceBuf<'dev, D, [u8], Uninit>;

/// The workspace of a launched operator, still in use by its stream.
///
/// ```
/// use ascendcl::Npu;
/// use ascendcl::op::Workspace;
/// use ascendcl::stream::Main;
///
/// /// Keeps the workspaces of a batch until the stream was synchronised.
/// struct Batch<'dev> {
///     workspaces: Vec<Workspace<'dev, Npu<0>, Main>>,
/// }
/// ```
pub type Workspace<'dev, D, S> = Queued<'dev, (D, S), DeviceBuf<'dev, D, [u8], Uninit>>;

/// An operator that [`Plan::launch`](crate::op::Plan::launch) has queued.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::op;
///
/// let a = stream.memset_async(stream.malloc::<i32>(4)?, 1)?;
/// let out = stream.malloc(4)?.into_tensor(&[4])?;
/// let plan = op::mul(current, &a.tensor(&[4])?, &a.tensor(&[4])?, out)?;
/// let launched = plan.launch(&mut stream)?;
/// let idle = stream.synchronize()?;
/// let squares = idle.take(launched.output);
/// let workspace = launched.workspace.map(|memory| idle.take(memory)); // if the operator needed any
/// # });
/// ```
#[must_use = "keep the workspace for later operators, or leave it to the stream with `into_output`"]
#[derive(Debug)]
pub struct Launched<'dev, O, D: AnyDevice, S: AnyStream> {
    /// The output, written for later work of the stream: `()` if it was borrowed.
    pub output: O,
    /// The memory that the operator uses besides its operands until it is over, if it needs any. It comes back as
    /// other queued buffers do.
    pub workspace: Option<Workspace<'dev, D, S>>,
}

impl<O, D: AnyDevice, S: AnyStream> Launched<'_, O, D, S> {
    /// The output. The workspace is left to the stream: it is freed behind the next wait for the stream that succeeds.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let a = stream.memset_async(stream.malloc::<i32>(4)?, 1)?;
    /// let out = stream.malloc(4)?.into_tensor(&[4])?;
    /// let plan = op::mul(current, &a.tensor(&[4])?, &a.tensor(&[4])?, out)?;
    /// let squares = plan.launch(&mut stream)?.into_output(); // an operand of later work
    /// # });
    /// ```
    pub fn into_output(self) -> O {
        self.output
    }
}

/// A workspace that the operators of one stream use one after the other.
///
/// A stream is in order, so an operator may have the workspace of the one in front of it
/// ([`Plan::launch_in`](crate::op::Plan::launch_in), [`Plan::run_in`](crate::op::Plan::run_in)). It grows to what the
/// largest operator needs, and no launch allocates from then on. Operators of another stream need one of their own, which
/// the name of the stream in its type says. Dropped, and when it grows, its memory is freed behind the next wait for the
/// stream that succeeds.
///
/// ```
/// fn scale(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
///     use ascendcl::{Npu, Thread, op, stream::Main};
///     let mut thread = Thread::claim()?;
///     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
///     let current = thread.set_current(&device)?;
///     let mut stream = current.create_stream::<Main>()?;
///     let numbers = stream.adopt(current.memset(current.malloc::<i32>(6)?, 1)?);
///     let factor = stream.adopt(current.memset(current.malloc::<i32>(1)?, 2)?);
///     let mut out = stream.adopt(current.memset(current.malloc::<i32>(6)?, 0)?);
///
///     let mut workspaces = op::Workspaces::new();
///     for _ in 0..100 {
///         let (a, b) = (numbers.tensor(&[6])?, factor.tensor(&[])?);
///         let plan = op::mul(current, &a, &b, out.tensor_mut(&[6])?)?;
///         plan.launch_in(&mut stream, &mut workspaces)?;
///     }
///     stream.synchronize()?;
///     Ok(())
/// }
/// # ascendcl::example!(|acl| { scale(&acl)?; });
/// ```
#[derive(Debug)]
pub struct Workspaces<'dev, D: AnyDevice, S: AnyStream = Main> {
    memory: Option<Workspace<'dev, D, S>>,
}

impl<D: AnyDevice, S: AnyStream> Default for Workspaces<'_, D, S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'dev, D: AnyDevice, S: AnyStream> Workspaces<'dev, D, S> {
    /// One without memory: the first operator that needs some allocates it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let a = stream.memset_async(stream.malloc::<i32>(4)?, 1)?;
    /// let mut out = stream.memset_async(stream.malloc::<i32>(4)?, 0)?;
    /// let mut workspaces = op::Workspaces::new(); // without memory
    /// let plan = op::mul(current, &a.tensor(&[4])?, &a.tensor(&[4])?, out.tensor_mut(&[4])?)?;
    /// plan.launch_in(&mut stream, &mut workspaces)?;
    /// # });
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Workspaces { memory: None }
    }

    /// How many bytes it has.
    ///
    /// ```
    /// use ascendcl::op::Workspaces;
    /// use ascendcl::stream::Main;
    /// use ascendcl::Npu;
    ///
    /// let workspaces = Workspaces::<Npu<0>, Main>::new();
    /// assert_eq!(workspaces.bytes(), 0); // the first operator that needs memory allocates it
    /// ```
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.memory
            .as_ref()
            .map_or(0, |memory| memory.resource().len())
    }

    /// The memory, which comes back as other queued buffers do.
    ///
    /// ```
    /// use ascendcl::op::Workspaces;
    /// use ascendcl::stream::Main;
    /// use ascendcl::{Npu, Result, Stream};
    ///
    /// fn free<'dev>(
    ///     stream: &mut Stream<'_, 'dev, Npu<0>, Main>,
    ///     workspaces: Workspaces<'dev, Npu<0>, Main>,
    /// ) -> Result<()> {
    ///     match workspaces.into_inner() {
    ///         Some(memory) => stream.synchronize()?.take(memory).free(),
    ///         None => Ok(()),
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn into_inner(self) -> Option<Workspace<'dev, D, S>> {
        self.memory
    }

    /// The address of at least so many bytes; null for none. What was too small is parked, because earlier operators may
    /// be using it.
    #[inline(always)]
    pub(super) fn room(
        &mut self,
        stream: &Stream<'_, 'dev, D, S>,
        prepare: &'static str,
        bytes: u64,
    ) -> Result<*mut c_void> {
        match &self.memory {
            _ if bytes == 0 => Ok(core::ptr::null_mut()),
            Some(memory) if memory.resource().len() as u64 >= bytes => {
                Ok(memory.resource().as_raw().cast::<c_void>())
            }
            _ => self.grow(stream, prepare, bytes),
        }
    }

    #[cold]
    fn grow(
        &mut self,
        stream: &Stream<'_, 'dev, D, S>,
        prepare: &'static str,
        bytes: u64,
    ) -> Result<*mut c_void> {
        let Some(memory) = allocate::<D>(prepare, bytes)? else {
            return Ok(core::ptr::null_mut());
        };
        let address = memory.as_raw().cast::<c_void>();
        self.memory = Some(stream.queue(memory));
        Ok(address)
    }
}

/// Memory for a workspace of the size that the first phase `prepare` asked for, on the current device, which is `D`:
/// none for no bytes, which is a null pointer in the second phase (manual of aclnn, two-phase interface).
#[inline(always)]
pub(super) fn allocate<'dev, D: AnyDevice>(
    prepare: &'static str,
    bytes: u64,
) -> Result<Option<Memory<'dev, D>>> {
    match usize::try_from(bytes) {
        Ok(0) => Ok(None),
        Ok(bytes) => {
            let whole = |first| NonNull::slice_from_raw_parts(first, bytes);
            malloc_device(bytes, MallocPolicy::HugeFirst, whole).map(Some)
        }
        Err(_) => Err(Error::refused(prepare, sys::ACL_ERROR_BAD_ALLOC)),
    }
}

/// The address of at least so many bytes of the workspace at `room`, which a graph keeps: its address and its bytes. What was too
/// small stays with the graph, because earlier runs may be using it.
#[cfg(feature = "graphs")]
pub(crate) fn recorded_room<'dev, D: AnyDevice>(
    room: &mut (usize, usize),
    stream: &Stream<'_, 'dev, D, crate::stream::GraphBrand<'_>>,
    prepare: &'static str,
    bytes: u64,
) -> Result<*mut c_void> {
    if bytes > room.1 as u64 {
        let Some(memory) = allocate::<D>(prepare, bytes)? else {
            return Ok(core::ptr::null_mut());
        };
        *room = (memory.as_raw().addr(), memory.len());
        // Parked, and so the graph's.
        drop(stream.queue(memory));
    }
    Ok(match bytes {
        0 => core::ptr::null_mut(),
        _ => core::ptr::without_provenance_mut(room.0),
    })
}
