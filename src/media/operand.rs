//! Pictures as operands of tasks on their stream.

use std::ffi::c_void;
use std::sync::Arc;

use crate::device::AnyDevice;
use crate::media::format::PixelFormat;
use crate::media::layout::Layout;
use crate::media::picture::{MediaPlace, Picture, Readable, Unchecked};
use crate::media::work::{Behind, Tasks, Work};
use crate::memory::{Dvpp, OnDevice, Uninit};
use crate::outcome::FailureMode;
use crate::queue::{History, Queue, Queued};
use crate::state::Sealed;

/// A picture as a task uses it.
#[derive(Debug)]
pub struct Seen<F> {
    pub(super) address: *mut c_void,
    pub(super) layout: Layout<F>,
}

/// A picture that a task of the queue `Q` reads: `&` of a [`Queued`] picture with contents.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no picture that a task of `{Q}` can read",
    label = "expected `&` of a picture with contents that is queued on the stream of the channel",
    note = "move an idle picture into the stream: `stream.adopt(picture)`; move one of another stream: `other.handoff(&mut stream, &mut event, picture)?`",
    note = "write a fresh (`Uninit`) picture first: let a task write it, copy pixels to it (`write`), or fill it (`fill`)",
    note = "the picture is one of the first interface, in `Dvpp` memory of the device of the stream"
)]
pub trait PictureSource<Q>: Sealed {
    /// The format of the picture.
    type Format: PixelFormat;

    /// Returns the place of the picture.
    #[doc(hidden)]
    fn seen(&self) -> Seen<Self::Format>;
    /// Returns the tasks of which the contents are the result.
    #[doc(hidden)]
    fn work(&self) -> Behind<'_>;
}

/// A picture that a task of the queue `Q` writes: a fresh [`Queued`] picture by value, which the call returns
/// [`Unchecked`], or `&mut` of a queued picture that is [`Unchecked`] already.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no picture that a task of `{Q}` can write",
    label = "expected a fresh picture by value, or `&mut` of a canvas, that is queued on the stream of the channel",
    note = "make a fresh picture: `stream.adopt(media.picture(current, width, height)?)`; mark one as fresh again: `forget_contents`",
    note = "to write a part of a picture, mark it as a canvas before it is queued: `picture.into_canvas()`",
    note = "the picture is one of the first interface, in `Dvpp` memory of the device of the stream"
)]
pub trait PictureTarget<Q>: Sealed {
    /// The format of the picture.
    type Format: PixelFormat;
    /// The value that the call returns: the written picture, or `()` for a borrowed one.
    type Written;

    /// Returns the place of the picture.
    #[doc(hidden)]
    fn seen(&self) -> Seen<Self::Format>;
    /// Adds the task that writes the picture, and the tasks from whose pictures it reads.
    #[doc(hidden)]
    fn attach(&mut self, task: &Arc<Work>, behind: &Behind<'_>);
    /// # Safety
    ///
    /// - A task that writes the picture was queued on the stream of `Q`, unless the picture has contents already.
    #[doc(hidden)]
    unsafe fn written(self) -> Self::Written;
}

/// A picture with contents that a task may write in part: `&mut` of a [`Queued`] picture that is [`Unchecked`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no canvas of `{Q}`",
    label = "expected `&mut` of a queued picture with contents",
    note = "fill a fresh picture, mark it as a canvas and move it into the stream: `stream.adopt(picture.fill(current, 0)?.into_canvas())`"
)]
pub trait Canvas<Q>: PictureTarget<Q, Written = ()> {}

impl<Q: Queue, N, F: PixelFormat, I, H> Sealed for &Queued<'_, Q, Picture<'_, Dvpp<N>, F, I>, H>
where
    N: AnyDevice,
    Dvpp<N>: OnDevice<Q::Device>,
{
}
#[diagnostic::do_not_recommend]
impl<Q: Queue, N, F: PixelFormat, I: Readable, H: History> PictureSource<Q>
    for &Queued<'_, Q, Picture<'_, Dvpp<N>, F, I>, H>
where
    N: AnyDevice,
    Dvpp<N>: OnDevice<Q::Device>,
{
    type Format = F;

    fn seen(&self) -> Seen<F> {
        seen(self.resource())
    }

    fn work(&self) -> Behind<'_> {
        Behind {
            tasks: &self.resource().work,
            // A device that stops on failure runs no task of this stream behind a failure.
            is_foreign: H::MOVED && !<Q::Device as AnyDevice>::Mode::STOPS,
        }
    }
}

impl<Q: Queue, N, F: PixelFormat, I, H> Sealed for Queued<'_, Q, Picture<'_, Dvpp<N>, F, I>, H>
where
    N: AnyDevice,
    Dvpp<N>: OnDevice<Q::Device>,
{
}
#[diagnostic::do_not_recommend]
impl<'q, 'm, Q: Queue, N, F: PixelFormat, H> PictureTarget<Q>
    for Queued<'q, Q, Picture<'m, Dvpp<N>, F, Uninit>, H>
where
    N: AnyDevice,
    Dvpp<N>: OnDevice<Q::Device>,
{
    type Format = F;
    // The task replaces all results of streams before `Q`, so their names are removed.
    type Written = Queued<'q, Q, Picture<'m, Dvpp<N>, F, Unchecked>>;

    fn seen(&self) -> Seen<F> {
        seen(self.resource())
    }

    fn attach(&mut self, task: &Arc<Work>, behind: &Behind<'_>) {
        attach(&mut self.resource_mut().work, task, behind);
    }

    unsafe fn written(self) -> Self::Written {
        self.with_history().map(Picture::with_state)
    }
}

impl<Q: Queue, N, F: PixelFormat, I, H> Sealed for &mut Queued<'_, Q, Picture<'_, Dvpp<N>, F, I>, H>
where
    N: AnyDevice,
    Dvpp<N>: OnDevice<Q::Device>,
{
}
#[diagnostic::do_not_recommend]
impl<Q: Queue, N, F: PixelFormat, H> PictureTarget<Q>
    for &mut Queued<'_, Q, Picture<'_, Dvpp<N>, F, Unchecked>, H>
where
    N: AnyDevice,
    Dvpp<N>: OnDevice<Q::Device>,
{
    type Format = F;
    type Written = ();

    fn seen(&self) -> Seen<F> {
        seen(self.resource())
    }

    fn attach(&mut self, task: &Arc<Work>, behind: &Behind<'_>) {
        attach(&mut self.resource_mut().work, task, behind);
    }

    unsafe fn written(self) {}
}
#[diagnostic::do_not_recommend]
impl<Q: Queue, N, F: PixelFormat, H> Canvas<Q>
    for &mut Queued<'_, Q, Picture<'_, Dvpp<N>, F, Unchecked>, H>
where
    N: AnyDevice,
    Dvpp<N>: OnDevice<Q::Device>,
{
}

fn seen<M: MediaPlace, F: PixelFormat, I>(picture: &Picture<'_, M, F, I>) -> Seen<F> {
    Seen {
        address: picture.address(),
        layout: picture.layout,
    }
}

fn attach(tasks: &mut Tasks, task: &Arc<Work>, behind: &Behind<'_>) {
    tasks.read(behind);
    tasks.push(task);
}
