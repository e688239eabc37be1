//! Pictures: memory of the media engine with a format and a layout.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{MediaMismatch, Result};
use crate::media::format::PixelFormat;
use crate::media::layout::Layout;
use crate::media::work::Tasks;
use crate::memory::place::ReachedFrom;
use crate::memory::{Buf, Dvpp, DvppV2, Init, OnBoard, OnDevice, Source, Uninit};
use crate::park::{Parking, StreamKey, User};
use crate::queue::owned::Owned;
use crate::queue::{Queue, Queued};
use crate::state::Sealed;

/// The state of a picture that tasks of a channel have written. Its contents are known to be good only after
/// [`Picture::check`], which reads the status of those tasks.
///
/// ```
/// use ascendcl::media::{Nv12, Picture, Unchecked};
/// use ascendcl::memory::Dvpp;
/// use ascendcl::{Npu, Result};
///
/// type Owned<'dev, I> = Picture<'dev, Dvpp<Npu<0>>, Nv12, I>;
///
/// fn good<'dev>(picture: Owned<'dev, Unchecked>) -> Result<Picture<'dev, Dvpp<Npu<0>>, Nv12>> {
///     picture.check() // reads the status of the tasks that have written it
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Unchecked {}

/// States of pictures that have contents: [`Init`] and [`Unchecked`].
#[diagnostic::on_unimplemented(
    message = "a picture in the state `{Self}` has no contents",
    label = "the picture is fresh: nothing has written it",
    note = "let the decoder or a task write it first, copy pixels to it (`Picture::write`), or fill it (`Picture::fill`)"
)]
pub trait Readable: Sealed {}
impl Sealed for Init {}
impl Readable for Init {}
impl Sealed for Unchecked {}
impl Readable for Unchecked {}

/// Domains of memory that pictures lie in. Their allocators align to 128 bytes, as the media engine needs.
#[diagnostic::on_unimplemented(
    message = "a picture cannot lie in `{Self}` memory",
    label = "expected `Dvpp<D>` (first interface) or `DvppV2<D>` (second interface)",
    note = "allocate the picture by `picture` of `V1` or `V2`, or its memory by `malloc_dvpp` or `malloc_dvpp_v2`"
)]
pub trait MediaPlace: OnBoard + ReachedFrom<<Self as OnBoard>::Device> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> MediaPlace for Dvpp<D> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> MediaPlace for DvppV2<D> {}

/// A picture of the format `F` in memory of the domain `M`: [`Dvpp`] for the first interface of the media engine,
/// [`DvppV2`] for the second.
///
/// Its state `I` is [`Uninit`] for a fresh picture, [`Unchecked`] for one that tasks have written, and [`Init`] for one
/// whose contents are good.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// # let media = acl.media()?.v1()?;
/// use ascendcl::media::Nv12;
///
/// let gray = media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?;
/// assert_eq!(gray.read(current)?.len(), 64 * 48 * 3 / 2);
/// # });
/// ```
///
/// # Invariants
///
/// - `buf` begins at the start of an allocation, which is aligned to 128 bytes, and has at least the bytes of `layout`.
/// - `layout` is one of the format `F` on the chip of the process.
/// - Every byte of `buf` was written at some time. In the state [`Uninit`] the pixels have no meaning.
/// - `work` has the tasks that have written the picture and the tasks from whose pictures they have read, unless their
///   status was read.
#[must_use = "a picture that is dropped is freed"]
pub struct Picture<'m, M: MediaPlace, F: PixelFormat, I = Init> {
    pub(super) buf: Buf<'m, M, [u8], Init>,
    pub(super) layout: Layout<F>,
    pub(super) work: Tasks,
    pub(super) _format: PhantomData<fn() -> (F, I)>,
}

/// The status of the tasks that have written a picture, apart from the picture itself: see
/// [`Queued::detach_status`](crate::Queued::detach_status).
///
/// ```
/// use ascendcl::Result;
/// use ascendcl::media::Status;
///
/// /// Returns numbers that were computed from a picture, if the tasks of the picture have succeeded.
/// fn checked(status: Status, numbers: Vec<f32>) -> Result<Vec<f32>> {
///     status.check()?;
///     Ok(numbers)
/// }
/// ```
#[derive(Debug)]
#[must_use = "the status is read by `check`"]
pub struct Status {
    work: Tasks,
}

impl Status {
    /// Reads the status of the tasks (`acldvppGetPicDescRetCode`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::{Interpolation, Nv12};
    ///
    /// let gray = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
    /// let small = stream.adopt(media.picture::<Nv12, _>(current, 32, 16)?);
    /// let small = stream.with(&channel).resize(&gray, small, Interpolation::Nearest)?;
    /// let (small, status) = small.detach_status(); // copies can read `small` now
    /// let idle = stream.synchronize()?;
    /// idle.take(status).check()?; // an error if the task has failed
    /// let pixels = idle.take(small).read(current)?;
    /// assert_eq!(pixels.len(), 32 * 16 * 3 / 2);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Unproven`] if the status was taken by
    /// [`accept_unverified`](crate::queue::Unverified::accept_unverified), [`ErrorKind::Wait`] with the status of the first
    /// task that has failed, and the name of its call, and [`MediaMismatch::OtherStream`] as for [`Picture::check`].
    #[doc(alias = "acldvppGetPicDescRetCode")]
    #[doc(alias = "acl.media.dvpp_get_pic_desc_ret_code")]
    pub fn check(self) -> Result<()> {
        self.work.check()
    }
}

impl<'m, M: MediaPlace, F: PixelFormat> Picture<'m, M, F, Uninit> {
    /// Makes a fresh picture of a new allocation, and zeroes it. So each byte of a picture was written at some time: the
    /// engine writes less than the picture if a file is smaller than its caller has said, and the call succeeds.
    pub(super) fn allocated(
        current: Current<'_, '_, M::Device>,
        buf: Buf<'m, M, [u8], Uninit>,
        layout: Layout<F>,
    ) -> Result<Self> {
        Ok(Picture::of(current.memset(buf, 0)?, layout))
    }

    /// Fills the picture with a byte (`aclrtMemset`), which is gray for 128 in every format of YUV.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Nv12;
    ///
    /// let gray = media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    pub fn fill(
        mut self,
        current: Current<'_, '_, M::Device>,
        value: u8,
    ) -> Result<Picture<'m, M, F>> {
        current.memset(&mut self.buf, value)?;
        Ok(self.with_state())
    }

    /// Copies the pixels of all rows to the picture, plane by plane, without gaps between the rows.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Gray;
    ///
    /// let pixels = [7; 64 * 48];
    /// let picture = media.picture::<Gray, _>(current, 64, 48)?.write(current, &pixels)?;
    /// assert_eq!(picture.read(current)?, pixels);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Bytes`] if `pixels` has another number of bytes than the pixels of the picture.
    /// [`ErrorKind::Refused`].
    pub fn write(
        mut self,
        current: Current<'_, '_, M::Device>,
        pixels: &[u8],
    ) -> Result<Picture<'m, M, F>> {
        let needed = self.layout.pixel_bytes();
        if pixels.len() != needed {
            return Err(MediaMismatch::Bytes {
                what: "the data of the picture",
                passed: pixels.len(),
                needed,
            }
            .into());
        }
        let mut local = current.malloc_local::<u8, 64>(self.buf.len())?;
        let mut rest = pixels;
        for plane in self.layout.planes().into_iter().flatten() {
            let places = local.get_mut(plane.offset..).unwrap_or_default();
            for place in places.chunks_mut(plane.stride).take(plane.rows) {
                let Some((row, behind)) = rest.split_at_checked(plane.row) else {
                    break;
                };
                rest = behind;
                if let Some(place) = place.get_mut(..plane.row) {
                    place.copy_from_slice(row);
                }
            }
        }
        current.memcpy(&mut self.buf, &local)?;
        Ok(self.with_state())
    }
}

impl<'m, M: MediaPlace, F: PixelFormat> Picture<'m, M, F, Uninit> {
    /// Makes a fresh picture. The caller ensures the invariants.
    pub(super) fn of(buf: Buf<'m, M, [u8], Init>, layout: Layout<F>) -> Self {
        Picture {
            buf,
            layout,
            work: Tasks::default(),
            _format: PhantomData,
        }
    }

    /// Makes a fresh picture in memory that the program has allocated.
    pub(super) fn in_buf(buf: Buf<'m, M, [u8], Init>, layout: Layout<F>) -> Result<Self> {
        let needed = layout.bytes() as usize;
        if buf.len() < needed {
            return Err(MediaMismatch::Bytes {
                what: "the memory of the picture",
                passed: buf.len(),
                needed,
            }
            .into());
        }
        // INVARIANT: whole allocations of both domains are aligned to 128 bytes (`acl/ops/acl_dvpp.h`, CANN 8.1).
        Ok(Picture::of(buf, layout))
    }
}

impl<'m, M: MediaPlace, F: PixelFormat, I> Picture<'m, M, F, I> {
    /// Returns the number of pixels in a row.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Nv12;
    ///
    /// let picture = media.picture::<Nv12, _>(current, 64, 48)?;
    /// assert_eq!(picture.width(), 64);
    /// # });
    /// ```
    #[must_use]
    pub fn width(&self) -> u32 {
        self.layout.width()
    }

    /// Returns the number of rows.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Nv12;
    ///
    /// let picture = media.picture::<Nv12, _>(current, 64, 48)?;
    /// assert_eq!(picture.height(), 48);
    /// # });
    /// ```
    #[must_use]
    pub fn height(&self) -> u32 {
        self.layout.height()
    }

    /// Returns the strides and the size of the picture.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Nv12;
    ///
    /// let layout = media.picture::<Nv12, _>(current, 100, 60)?.layout();
    /// assert_eq!((layout.width(), layout.height()), (100, 60));
    /// assert!(layout.width_stride() >= 100); // it follows from the format and the chip
    /// # });
    /// ```
    #[must_use]
    pub fn layout(&self) -> Layout<F> {
        self.layout
    }

    /// Converts the picture to another state. The caller ensures the invariants.
    pub(super) fn with_state<J>(self) -> Picture<'m, M, F, J> {
        Picture {
            buf: self.buf,
            layout: self.layout,
            work: self.work,
            _format: PhantomData,
        }
    }

    pub(super) fn address(&self) -> *mut c_void {
        self.buf.as_raw().cast()
    }
}

impl<'m, M: MediaPlace, F: PixelFormat> Picture<'m, M, F, Unchecked> {
    /// Reads the status of the tasks that have written the picture (`acldvppGetPicDescRetCode`), and of the tasks that have
    /// written the pictures from which those tasks have read. Returns the picture with good contents.
    ///
    /// A wait for the stream alone does not prove that the tasks have succeeded: the media engine reports some failures in
    /// the description of the output only. The status alone does not prove it either: the status of a task that never ran
    /// is that of a success. So a picture that was taken by
    /// [`accept_unverified`](crate::queue::Unverified::accept_unverified) is not good, whatever its status. A picture that was
    /// made from one of another stream, by `handoff` or a fence, is good only if the wait for that stream succeeds, too:
    /// verify and check the picture of the other stream first.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::{Nv12, Region};
    ///
    /// let from = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
    /// let part = stream.adopt(media.picture::<Nv12, _>(current, 32, 24)?);
    /// let region = Region { left: 0, top: 0, width: 32, height: 24 };
    /// let part = stream.with(&channel).crop(&from, region, part)?;
    /// let part = stream.synchronize()?.take(part).check()?; // an error if the task has failed
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Unproven`] if nothing proves that the tasks have run, [`ErrorKind::Wait`] with the status of the first
    /// task that has failed, and the name of its call, and [`MediaMismatch::OtherStream`] if the picture was made from one of
    /// another stream, and no wait for that stream has succeeded since. The picture is freed then.
    #[doc(alias = "acldvppGetPicDescRetCode")]
    #[doc(alias = "acl.media.dvpp_get_pic_desc_ret_code")]
    pub fn check(mut self) -> Result<Picture<'m, M, F>> {
        let work = std::mem::take(&mut self.work);
        work.check()?;
        Ok(self.with_state())
    }
}

impl<'m, M: MediaPlace, F: PixelFormat> Picture<'m, M, F> {
    /// Marks the picture as fresh again, so that a task can write it completely. Makes no runtime call.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::{Interpolation, Nv12};
    ///
    /// let small = media.picture::<Nv12, _>(current, 32, 16)?.fill(current, 0)?;
    /// let large = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
    /// let small = stream.adopt(small.forget_contents()); // memory that was used before
    /// let small = stream.with(&channel).resize(&large, small, Interpolation::Nearest)?;
    /// let small = stream.synchronize()?.take(small).check()?;
    /// assert_eq!(small.read(current)?, [128; 32 * 16 * 3 / 2]);
    /// # });
    /// ```
    pub fn forget_contents(self) -> Picture<'m, M, F, Uninit> {
        self.with_state()
    }

    /// Marks the picture as one that tasks may write in part, such as the canvas of `crop_paste`. Makes no runtime call.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::{Gray, Region};
    ///
    /// let white = stream.adopt(media.picture::<Gray, _>(current, 64, 48)?.fill(current, 255)?);
    /// let black = media.picture::<Gray, _>(current, 64, 48)?.fill(current, 0)?;
    /// let mut canvas = stream.adopt(black.into_canvas());
    /// let part = Region { left: 0, top: 0, width: 32, height: 24 };
    /// let place = Region { left: 16, top: 12, ..part };
    /// stream.with(&channel).crop_paste(&white, part, &mut canvas, place)?;
    /// let canvas = stream.synchronize()?.take(canvas).check()?;
    /// let pixels = canvas.read(current)?;
    /// assert_eq!((pixels[0], pixels[12 * 64 + 16]), (0, 255));
    /// # });
    /// ```
    pub fn into_canvas(self) -> Picture<'m, M, F, Unchecked> {
        self.with_state()
    }

    /// Returns the memory of the picture. Its rows are [`Layout::width_stride`] bytes apart.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Nv12;
    ///
    /// let picture = media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?;
    /// let mut bytes = current.malloc_host::<u8>(host, picture.buf().len())?;
    /// current.memcpy(&mut bytes, picture.buf())?; // the gaps between the rows, too
    /// assert_eq!(bytes[0], 128);
    /// # });
    /// ```
    #[must_use]
    pub fn buf(&self) -> &Buf<'m, M, [u8]> {
        &self.buf
    }

    /// Returns the memory of the picture by value.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Nv12;
    ///
    /// let picture = media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?;
    /// let memory = picture.into_buf(); // a `DvppBuf` of bytes
    /// assert!(memory.len() >= 64 * 48 * 3 / 2);
    /// memory.free()?;
    /// # });
    /// ```
    #[must_use]
    pub fn into_buf(self) -> Buf<'m, M, [u8]> {
        self.buf
    }

    /// Copies the pixels to the host, plane by plane, without gaps between the rows.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Gray;
    ///
    /// let gray = media.picture::<Gray, _>(current, 64, 48)?.fill(current, 7)?;
    /// assert_eq!(gray.read(current)?, [7; 64 * 48]); // rows without gaps
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    pub fn read(&self, current: Current<'_, '_, M::Device>) -> Result<Vec<u8>> {
        let mut local = current.malloc_local::<u8, 64>(self.buf.len())?;
        current.memcpy(&mut local, &self.buf)?;
        let mut pixels = Vec::with_capacity(self.layout.pixel_bytes());
        for plane in self.layout.planes().into_iter().flatten() {
            let rows = local.get(plane.offset..).unwrap_or_default();
            for row in rows.chunks(plane.stride).take(plane.rows) {
                pixels.extend_from_slice(row.get(..plane.row).unwrap_or_default());
            }
        }
        Ok(pixels)
    }
}

impl<M: MediaPlace, F: PixelFormat, I> fmt::Debug for Picture<'_, M, F, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({}, {:?})", F::NAME, self.layout)
    }
}

// A stream takes a picture as it takes memory. The descriptions that tasks use live as long as the picture.
impl<X, M: MediaPlace + OnDevice<X>, F: PixelFormat, I> Owned<X> for Picture<'_, M, F, I> {
    const SWAPS: bool = true;

    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        self.work.park(parking, users);
        // SAFETY: the caller's contract.
        unsafe { self.buf.park(parking, users) };
    }

    fn enters(&self, _: StreamKey) {}

    fn accepted(&self) {
        self.work.accepted();
    }
}

impl<X> Owned<X> for Status {
    const SWAPS: bool = true;

    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        self.work.park(parking, users);
    }

    fn enters(&self, _: StreamKey) {}

    fn accepted(&self) {
        self.work.accepted();
    }
}

impl<'q, 'm, Q: Queue, M, F: PixelFormat, H> Queued<'q, Q, Picture<'m, M, F, Unchecked>, H>
where
    M: MediaPlace + OnDevice<Q::Device>,
{
    /// Takes the status of the tasks out of the picture, so that copies, operators and models of the same stream can read
    /// the picture before the wait. After the wait, [`Status::check`] returns the errors of the tasks.
    ///
    /// Results that were computed from the picture are good only if the status is.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::{Interpolation, Nv12};
    ///
    /// let gray = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
    /// let small = stream.adopt(media.picture::<Nv12, _>(current, 32, 16)?);
    /// let small = stream.with(&channel).resize(&gray, small, Interpolation::Nearest)?;
    ///
    /// let (small, status) = small.detach_status();
    /// let bytes = stream.malloc_host(host, 32 * 16 * 3 / 2)?;
    /// let bytes = stream.memcpy_async(bytes, &small)?; // before the wait
    /// let idle = stream.synchronize()?;
    /// idle.take(status).check()?; // the bytes are good
    /// assert_eq!(idle.take(bytes)[0], 128);
    /// # });
    /// ```
    pub fn detach_status(
        self,
    ) -> (
        Queued<'q, Q, Picture<'m, M, F>, H>,
        Queued<'q, Q, Status, H>,
    ) {
        let pair = self.map(|mut picture| {
            let work = std::mem::take(&mut picture.work);
            (picture.with_state(), Status { work })
        });
        pair.split()
    }
}

/// The memory of a picture with good contents is a source of copies, and an input of models.
impl<M: MediaPlace, F: PixelFormat> Sealed for &Picture<'_, M, F> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice, M: MediaPlace, F: PixelFormat> Source<D> for &Picture<'_, M, F> {
    type Place = M;
    type Elements = [u8];
    const WAITS: bool = false;
    const WHOLE: bool = true;

    fn source(&self) -> NonNull<[u8]> {
        self.buf.raw()
    }
}

#[diagnostic::do_not_recommend]
impl<Q: Queue, N, F: PixelFormat, H> Source<Q> for &Queued<'_, Q, Picture<'_, Dvpp<N>, F>, H>
where
    N: AnyDevice,
    Dvpp<N>: OnDevice<Q::Device>,
{
    type Place = Dvpp<N>;
    type Elements = [u8];
    const WAITS: bool = false;
    const WHOLE: bool = true;

    fn source(&self) -> NonNull<[u8]> {
        self.resource().buf.raw()
    }
}
