//! Launches.

use crate::device::AnyDevice;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, KernelMismatch};
use crate::kernel::argument::Arguments;
use crate::kernel::argument::pass::Launch;
use crate::kernel::binary::Function;
use crate::kernel::config::LaunchConfig;
use crate::kernel::declare::Kernel;
use crate::stream::{AnyStream, Stream};

/// A stream that runs kernels whose binary is loaded for `'bin`: any stream, and a recording for the functions that its graph has.
pub trait KernelStream<'bin>: AnyStream + on::On<'bin> {}
#[diagnostic::do_not_recommend]
impl<'bin, S: AnyStream + on::On<'bin>> KernelStream<'bin> for S {}

mod on {
    use crate::stream::StreamTag;

    crate::state::sealed! {
        "a graph would run kernels whose binary is gone";
        /// Seals [`KernelStream`](super::KernelStream).
        pub trait On<'bin> {}
    }
    impl<S: StreamTag> On<'_> for S {}
    #[cfg(feature = "graphs")]
    impl<'g> On<'g> for crate::stream::GraphBrand<'g> {}
}

impl<D: AnyDevice, S: AnyStream> Stream<'_, '_, D, S> {
    /// Queues a kernel on `blocks` blocks and returns at once (`aclrtLaunchKernelWithHostArgs`).
    ///
    /// `arguments` is a tuple with an argument for each parameter of the declaration; the table of
    /// [`Parameter`](crate::kernel::Parameter) says what goes where. The call gives back what the outputs write to: a fresh
    /// buffer comes back initialised, `()` for a borrowed one, and a tuple if there are several.
    ///
    /// ```
    /// # #[cfg(feature = "emulator")]
    /// # use ascendcl::emulator::kernel::{View, ViewMut};
    /// # #[cfg(feature = "emulator")]
    /// # ascendcl::emulator::kernel::register(ascendcl::emulator::kernel!(square(x: View<f32>, y: ViewMut<f32>) |block| {
    /// #     for i in block.part(64) { y.set(i, x.get(i) * x.get(i)); }
    /// # }));
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let binary = current.load_binary_from(b"a kernel stands for it")?;
    /// use ascendcl::kernel::{In, Out};
    ///
    /// ascendcl::kernel! { struct Square = square(x: In<f32>, y: Out<f32>) where x == y; }
    ///
    /// // SAFETY: the binary was built from `square.cpp`, whose kernel `square` is the declared one.
    /// let square = unsafe { binary.kernel::<Square>() }?;
    /// let numbers = stream.malloc_host_from(host, &[3.0_f32; 64])?;
    /// let x = stream.memcpy_async(stream.malloc(64)?, &numbers)?;
    /// let y = stream.launch(square, 2, (&x, stream.malloc(64)?))?;
    /// let back = stream.memcpy_async(stream.malloc_host(host, 64)?, &y)?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [9.0; 64]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// - [`KernelMismatch::Condition`] when the arguments break a condition of the declaration,
    ///   [`KernelMismatch::Part`] for a part of a buffer that does not begin at a multiple of 32 bytes, and
    ///   [`KernelMismatch::Length`] for more elements than a `LenOf` counts.
    /// - [`ErrorKind::Refused`] when AscendCL does not queue the kernel, with 107000 for 0 blocks or more than 65535.
    ///
    /// On an error a fresh output is parked: it is freed after a later successful wait for the stream. If the kernel fails
    /// later, the next wait of the stream returns the error, with 507015 for a fault in the kernel.
    #[doc(alias = "aclrtLaunchKernelWithHostArgs")]
    #[doc(alias(
        "aclrtLaunchKernel",
        "aclrtLaunchKernelV2",
        "aclrtLaunchKernelWithConfig",
        "aclrtKernelArgsInit",
        "aclrtKernelArgsAppend",
        "aclrtKernelArgsFinalize"
    ))]
    #[inline(always)]
    pub fn launch<'bin, K: Kernel, A>(
        &mut self,
        function: Function<'bin, D, K>,
        blocks: u32,
        arguments: A,
    ) -> Result<A::Written>
    where
        S: KernelStream<'bin>,
        A: Arguments<(D, S), K::Parameters>,
    {
        let launch = Launch {
            function: function.as_raw(),
            blocks,
            stream: self.as_raw(),
            attributes: &mut [],
        };
        // SAFETY: the function is that of `K`, in the context of `D`, and its binary stays loaded until the device has
        // finished (invariant of `Function`); a live stream of that context, which is current.
        unsafe { arguments.launch::<K>(launch) }
    }

    /// Queues a kernel as [`launch`](Stream::launch) does, with attributes: a schedule, and a limit of its time.
    ///
    /// ```
    /// use ascendcl::kernel::{Function, InOut, LaunchConfig, Schedule};
    /// use ascendcl::stream::Main;
    /// use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};
    ///
    /// ascendcl::kernel! { struct Sum = sum(x: InOut<f32>); }
    ///
    /// fn sum(
    ///     stream: &mut Stream<'_, '_, Npu<0>>,
    ///     sum: Function<'_, Npu<0>, Sum>,
    ///     x: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [f32]>>,
    /// ) -> Result<()> {
    ///     // The blocks wait for each other, so that they have to start together.
    ///     let config = LaunchConfig::new().schedule(Schedule::Batch);
    ///     stream.launch_with(sum, 8, &config, (x,))
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`launch`](Stream::launch), and [`KernelMismatch::Timeout`] for a limit that C cannot take.
    #[inline]
    pub fn launch_with<'bin, K: Kernel, A>(
        &mut self,
        function: Function<'bin, D, K>,
        blocks: u32,
        config: &LaunchConfig,
        arguments: A,
    ) -> Result<A::Written>
    where
        S: KernelStream<'bin>,
        A: Arguments<(D, S), K::Parameters>,
    {
        let (mut attributes, count) = config.attributes()?;
        let launch = Launch {
            function: function.as_raw(),
            blocks,
            stream: self.as_raw(),
            attributes: attributes.get_mut(..count).unwrap_or_default(),
        };
        // SAFETY: as in `launch`.
        unsafe { arguments.launch::<K>(launch) }
    }
}
