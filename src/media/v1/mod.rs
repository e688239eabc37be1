//! The first interface (`acldvpp*`): channels whose calls are work of a stream.

mod batch;
mod border;
mod channel;
mod histogram;
mod jpeg;
mod mode;
mod png;
mod task;
mod vpc;

pub use border::{Border, BorderKind};
pub use channel::{Channel, ChannelOptions, ColorMatrix};
pub use histogram::{Histogram, LookupTable};
pub use jpeg::EncodedJpeg;
pub use mode::{All, Can, JpegDecode, JpegEncode, Modes, PngDecode, Vpc};
pub use vpc::Interpolation;

use typenum::Unsigned;

use crate::context::Current;
use crate::device::AnyDevice;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, MediaMismatch};
use crate::media::Media;
use crate::media::chip::Chip;
use crate::media::file::MediaFile;
use crate::media::fixed::Fits;
use crate::media::format::PixelFormat;
use crate::media::layout::Layout;
use crate::media::picture::Picture;
use crate::memory::{Dvpp, DvppBuf, Uninit};

/// The first interface of the media engine (`acldvpp*`), chosen for this process.
///
/// It makes channels and pictures. [`Channel`] has the tasks. It may be shared between threads; each thread creates a
/// channel of its own.
///
/// ```
/// # ascendcl::example!(|acl| {
/// use ascendcl::Npu;
/// use ascendcl::media::Nv12;
///
/// let media = acl.media()?.v1()?;
/// acl.on::<Npu<0>, _>(0, |current| {
///     let picture = media.picture::<Nv12, _>(current, 64, 48)?;
///     println!("{} bytes", picture.layout().bytes());
///     Ok(())
/// })?;
/// # });
/// ```
#[derive(Debug)]
pub struct V1<'acl> {
    pub(super) chip: Chip,
    pub(super) _media: Media<'acl>,
}

/// A picture of the first interface on device `D`.
type FirstPicture<'dev, D, F> = Picture<'dev, Dvpp<D>, F, Uninit>;
/// A file of the first interface on device `D`, with the description `I`.
type FirstFile<'dev, D, I> = MediaFile<'dev, Dvpp<D>, I>;

impl V1<'_> {
    /// Returns the family of the chip, whose rules the pictures follow.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// println!("the rules for pictures are those of {:?}", media.chip());
    /// # });
    /// ```
    #[must_use]
    pub fn chip(&self) -> Chip {
        self.chip
    }

    /// Returns the layout of a picture with the least strides that the picture processor takes on this chip.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Nv12;
    ///
    /// let layout = media.layout::<Nv12>(64, 48)?;
    /// assert_eq!(layout.bytes(), 64 * 48 * 3 / 2);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Range`] for less than 10 x 6 or more than 8192 x 8192 pixels. [`MediaMismatch::Odd`] for a side
    /// that must be even in the format.
    pub fn layout<F: PixelFormat>(&self, width: u32, height: u32) -> Result<Layout<F>> {
        Layout::for_vpc(self.chip, width, height)
    }

    /// Allocates a fresh picture for the picture processor (`acldvppMalloc`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Nv12;
    ///
    /// let fresh = media.picture::<Nv12, _>(current, 64, 48)?; // its pixels are written by a task, `write` or `fill`
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`V1::layout`]. [`ErrorKind::Refused`] with 207001 when the memory of the media engine is exhausted.
    pub fn picture<'dev, F: PixelFormat, D: AnyDevice>(
        &self,
        current: Current<'_, 'dev, D>,
        width: u32,
        height: u32,
    ) -> Result<FirstPicture<'dev, D, F>> {
        self.allocate(current, self.layout(width, height)?, 0)
    }

    /// Allocates a fresh picture whose size is known at compile time (`acldvppMalloc`). `W` and `H` are numbers of
    /// `typenum`.
    ///
    /// A width or height that the format does not allow does not compile.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Nv12;
    /// use typenum::{U48, U64};
    ///
    /// let fresh = media.picture_fixed::<Nv12, U64, U48, _>(current)?; // `U63` does not compile
    /// assert_eq!((fresh.width(), fresh.height()), (64, 48));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 207001 when the memory of the media engine is exhausted.
    pub fn picture_fixed<'dev, F, W, H, D: AnyDevice>(
        &self,
        current: Current<'_, 'dev, D>,
    ) -> Result<FirstPicture<'dev, D, F>>
    where
        F: PixelFormat + Fits<W, H>,
        W: Unsigned,
        H: Unsigned,
    {
        self.picture(current, W::U32, H::U32)
    }

    /// Allocates a fresh picture that each unit of the media engine takes, also the JPEG encoder (`acldvppMalloc`). Its rows
    /// begin at multiples of 128 bytes, and its height in memory is a multiple of 16.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Nv12;
    ///
    /// let fresh = media.picture_for_all::<Nv12, _>(current, 100, 50)?;
    /// assert_eq!(fresh.layout().width_stride(), 128);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`V1::picture`].
    pub fn picture_for_all<'dev, F: PixelFormat, D: AnyDevice>(
        &self,
        current: Current<'_, 'dev, D>,
        width: u32,
        height: u32,
    ) -> Result<FirstPicture<'dev, D, F>> {
        let layout = Layout::for_all(self.chip, width, height)?;
        self.allocate(current, layout, 0)
    }

    /// Makes a fresh picture in memory that the program has allocated, such as the memory of an earlier picture
    /// ([`Picture::into_buf`]). Makes no runtime call.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Nv12;
    ///
    /// let first = media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 0)?;
    /// let layout = first.layout();
    /// let second = media.picture_in(first.into_buf(), layout)?; // in the same memory
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Bytes`] if the memory is smaller than the layout.
    pub fn picture_in<'m, F: PixelFormat, N: AnyDevice>(
        &self,
        buf: DvppBuf<'m, N, [u8]>,
        layout: Layout<F>,
    ) -> Result<FirstPicture<'m, N, F>> {
        Picture::in_buf(buf, layout)
    }

    /// Allocates the memory of a picture, and at least `bytes` bytes.
    fn allocate<'dev, F: PixelFormat, D: AnyDevice>(
        &self,
        current: Current<'_, 'dev, D>,
        layout: Layout<F>,
        bytes: u32,
    ) -> Result<FirstPicture<'dev, D, F>> {
        let bytes = layout.bytes().max(bytes);
        let buf = current.malloc_dvpp(bytes as usize)?;
        Picture::allocated(current, buf, layout)
    }
}
