//! Tasks of the second interface: their memory, and the call that collects their result.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;

use ascendcl_sys as sys;

#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::Result;
use crate::media::format::PixelFormat;
use crate::media::picture::{MediaPlace, Picture};
use crate::media::v2::lasting::Lasting;
use crate::memory::Uninit;
use crate::raw::check_wait;
use crate::release;
use crate::state::NotSend;

pub(crate) mod finish {
    crate::state::sealed! {
        "expected the output of a task of the media engine";
        /// Seals [`Outcome`](super::Outcome).
        pub trait Finish {
            /// The output when the task is over.
            type Output;
            /// Converts the output. The task is over and has succeeded.
            fn finish(self) -> Self::Output;
        }
    }
}
use finish::Finish;

/// The output of a task: a fresh picture, a picture that is written in part, several of them, or a histogram.
pub trait Outcome: Finish {}
impl<T: Finish> Outcome for T {}

impl<'m, M: MediaPlace, F: PixelFormat> Finish for Picture<'m, M, F, Uninit> {
    type Output = Picture<'m, M, F>;

    fn finish(self) -> Picture<'m, M, F> {
        self.with_state()
    }
}

impl<M: MediaPlace, F: PixelFormat> Finish for Picture<'_, M, F> {
    type Output = Self;

    fn finish(self) -> Self {
        self
    }
}

impl<T: Finish> Finish for Vec<T> {
    type Output = Vec<T::Output>;

    fn finish(self) -> Self::Output {
        self.into_iter().map(T::finish).collect()
    }
}

/// The numbers of pixels with each value, for three components, which a task counts.
#[derive(Debug)]
pub struct Counts(pub(super) Lasting<sys::hi_vpc_histogram_config>);

impl Finish for Counts {
    type Output = Box<[[u32; 256]; 3]>;

    fn finish(self) -> Self::Output {
        // SAFETY: live memory, which nothing writes any more: the task is over.
        let counts = unsafe { self.0.as_ptr().read() };
        Box::new([
            counts.histogram_y_or_r,
            counts.histogram_u_or_g,
            counts.histogram_v_or_b,
        ])
    }
}

/// The memory of a task.
struct Held<P, R> {
    _input: P,
    _infos: Box<dyn Any>,
    output: R,
}

/// A task of a [`Processor`](crate::media::Processor) that shares its input `P` and owns its output `R`.
///
/// It owns the memory of the task. [`Processing::wait`] collects the result, and dropping the value does so, too: results
/// that are not collected fill the queue of the channel. A value that is forgotten leaks its memory.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// # let media = acl.media()?.v2(current)?;
/// use std::sync::Arc;
///
/// use ascendcl::media::Nv12;
///
/// let processor = media.create_processor(current)?;
/// let gray = Arc::new(media.picture::<Nv12>(current, 64, 48)?.fill(current, 128)?);
/// let (first, second) = (processor.histogram(&gray)?, processor.histogram(&gray)?); // both are queued
/// assert_eq!(first.wait()?, second.wait()?);
/// # });
/// ```
///
/// # Invariants
///
/// - The task `id` was queued on `channel`, which lives as long as `'p`, and its result was not collected.
/// - `held` has all memory that the task uses.
#[must_use = "collect the result by `wait`"]
pub struct Processing<'p, P, R: Outcome> {
    channel: sys::hi_vpc_chn,
    /// The tasks of the channel whose results were not collected.
    uncollected: &'p Cell<usize>,
    id: u32,
    held: ManuallyDrop<Held<P, R>>,
    _processor: PhantomData<NotSend>,
}

impl<'p, P, R: Outcome> Processing<'p, P, R> {
    /// Queues a task by `queue`, which writes the number of the task.
    ///
    /// # Safety
    ///
    /// - `queue` queues a task on `channel` that uses no memory but that of `input`, `infos` and `output`.
    /// - The channel lives as long as `'p`.
    pub(super) unsafe fn queue(
        call: &'static str,
        (channel, uncollected): (sys::hi_vpc_chn, &'p Cell<usize>),
        (input, infos, output): (P, Box<dyn Any>, R),
        queue: impl FnOnce(*mut u32) -> i32,
    ) -> Result<Self> {
        let mut id = 0;
        crate::raw::check(call, queue(&raw mut id))?;
        uncollected.set(uncollected.get() + 1);
        Ok(Processing {
            channel,
            uncollected,
            id,
            held: ManuallyDrop::new(Held {
                _input: input,
                _infos: infos,
                output,
            }),
            _processor: PhantomData,
        })
    }

    /// Returns the number of the task.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Waits until the task is over, and returns its output (`hi_mpi_vpc_get_process_result`, pyACL
    /// `acl.himpi.vpc_get_process_result`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v2(current)?;
    /// use std::sync::Arc;
    ///
    /// use ascendcl::media::Nv12;
    ///
    /// let processor = media.create_processor(current)?;
    /// let gray = Arc::new(media.picture::<Nv12>(current, 64, 48)?.fill(current, 128)?);
    /// let counts = processor.histogram(&gray)?.wait()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] if the task has failed, or the wait has. Nothing proves then that the media engine has stopped
    /// using the memory, so it is leaked, and the [hook for failed releases](crate::on_release_failure) is called.
    #[doc(alias = "hi_mpi_vpc_get_process_result")]
    #[doc(alias = "acl.himpi.vpc_get_process_result")]
    pub fn wait(self) -> Result<<R as Finish>::Output> {
        let mut this = ManuallyDrop::new(self);
        this.collect()?;
        // SAFETY: `this` is not used again and not dropped, so the memory is taken once.
        let held = unsafe { ManuallyDrop::take(&mut this.held) };
        Ok(held.output.finish())
    }

    /// Collects the result. Without a success the memory is given up.
    fn collect(&mut self) -> Result<()> {
        // SAFETY: takes numbers; the channel lives (invariant).
        let code = unsafe { sys::hi_mpi_vpc_get_process_result(self.channel, self.id, -1) };
        check_wait("hi_mpi_vpc_get_process_result", code).inspect_err(release::leaked)?;
        self.uncollected.set(self.uncollected.get() - 1);
        Ok(())
    }
}

impl<P, R: Outcome> Drop for Processing<'_, P, R> {
    fn drop(&mut self) {
        if self.collect().is_ok() {
            // SAFETY: dropped once, and the field is not used afterwards. The task is over.
            unsafe { ManuallyDrop::drop(&mut self.held) };
        }
    }
}

impl<P, R: Outcome> fmt::Debug for Processing<'_, P, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Processing({})", self.id)
    }
}
