//! The second interface (`hi_mpi_*`): channels with tasks of their own, without a stream.

mod batch;
mod decoder;
mod encoder;
mod file;
mod lasting;
mod number;
mod png;
mod processor;
mod pyramid;
mod region;
mod task;

pub use decoder::{ChannelState, JpegDecoder, Receiving, Stopped};
pub use encoder::{JpegEncoder, JpegStream};
pub use png::PngDecoder;
pub use processor::{Processor, Scaling};
pub use task::{Counts, Outcome, Processing};

use std::fmt;
use std::marker::PhantomData;

use ascendcl_sys as sys;
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
use crate::memory::{DvppV2, DvppV2Buf, Uninit};
use crate::raw::check;
use crate::release;
use crate::state::Invariant;

/// The second interface of the media engine (`hi_mpi_*`), chosen for this process and initialised on device `D`.
///
/// Its channels borrow it, so `hi_mpi_sys_exit` is the last of its calls. Ascend 310 and 910 do not have it.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::media::Nv12;
///
/// let media = acl.media()?.v2(current)?;
/// let gray = media.picture::<Nv12>(current, 64, 48)?.fill(current, 128)?;
/// drop(gray);
/// media.exit()?;
/// # });
/// ```
///
/// # Invariants
///
/// - `hi_mpi_sys_init` has succeeded, and `hi_mpi_sys_exit` was not called since.
pub struct V2<'acl, 'dev, D: AnyDevice> {
    chip: Chip,
    _media: Media<'acl>,
    _device: PhantomData<(&'dev (), Invariant<D>)>,
}

/// A picture of the second interface on device `D`.
type SecondPicture<'dev, D, F> = Picture<'dev, DvppV2<D>, F, Uninit>;
/// A file of the second interface on device `D`, with the description `I`.
type SecondFile<'dev, D, I> = MediaFile<'dev, DvppV2<D>, I>;

impl<'acl> Media<'acl> {
    /// Chooses the second interface and initialises it (`hi_mpi_sys_init`, pyACL `acl.himpi.sys_init`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let media = acl.media()?.v2(current)?;
    /// media.exit()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Chosen`] if the process has used the first interface before. [`ErrorKind::Refused`].
    #[doc(alias = "hi_mpi_sys_init")]
    #[doc(alias = "acl.himpi.sys_init")]
    pub fn v2<'dev, D: AnyDevice>(
        self,
        _current: Current<'_, 'dev, D>,
    ) -> Result<V2<'acl, 'dev, D>> {
        super::choose(2)?;
        // SAFETY: takes nothing; a context is current.
        check("hi_mpi_sys_init", unsafe { sys::hi_mpi_sys_init() })?;
        Ok(V2 {
            chip: Chip::current(),
            _media: self,
            _device: PhantomData,
        })
    }
}

impl<'dev, D: AnyDevice> V2<'_, 'dev, D> {
    /// Returns the family of the chip, whose rules the pictures follow.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v2(current)?;
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
    /// # let media = acl.media()?.v2(current)?;
    /// use ascendcl::media::Nv12;
    ///
    /// let layout = media.layout::<Nv12>(64, 48)?;
    /// assert_eq!((layout.width(), layout.height()), (64, 48));
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

    /// Allocates a fresh picture for the picture processor (`hi_mpi_dvpp_malloc`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v2(current)?;
    /// use ascendcl::media::Nv12;
    ///
    /// let gray = media.picture::<Nv12>(current, 64, 48)?.fill(current, 128)?;
    /// assert_eq!(gray.read(current)?[0], 128);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`V2::layout`]. [`ErrorKind::Refused`] when the memory of the media engine is exhausted.
    pub fn picture<F: PixelFormat>(
        &self,
        current: Current<'_, 'dev, D>,
        width: u32,
        height: u32,
    ) -> Result<SecondPicture<'dev, D, F>> {
        self.allocate(current, self.layout(width, height)?)
    }

    /// Allocates a fresh picture whose size is known at compile time (`hi_mpi_dvpp_malloc`). `W` and `H` are numbers of
    /// `typenum`.
    ///
    /// A width or height that the format does not allow does not compile.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v2(current)?;
    /// use ascendcl::media::Nv12;
    /// use typenum::{U48, U64};
    ///
    /// let fresh = media.picture_fixed::<Nv12, U64, U48>(current)?; // `U63` does not compile
    /// assert_eq!((fresh.width(), fresh.height()), (64, 48));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when the memory of the media engine is exhausted.
    pub fn picture_fixed<F, W, H>(
        &self,
        current: Current<'_, 'dev, D>,
    ) -> Result<SecondPicture<'dev, D, F>>
    where
        F: PixelFormat + Fits<W, H>,
        W: Unsigned,
        H: Unsigned,
    {
        self.picture(current, W::U32, H::U32)
    }

    /// Allocates a fresh picture that each unit of the media engine takes, also the JPEG encoder (`hi_mpi_dvpp_malloc`). Its
    /// rows begin at multiples of 128 bytes, and its height in memory is a multiple of 16.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v2(current)?;
    /// use ascendcl::media::Nv12;
    ///
    /// let fresh = media.picture_for_all::<Nv12>(current, 100, 50)?;
    /// assert_eq!(fresh.layout().width_stride(), 128);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`V2::picture`].
    pub fn picture_for_all<F: PixelFormat>(
        &self,
        current: Current<'_, 'dev, D>,
        width: u32,
        height: u32,
    ) -> Result<SecondPicture<'dev, D, F>> {
        self.allocate(current, Layout::for_all(self.chip, width, height)?)
    }

    /// Makes a fresh picture in memory that the program has allocated, such as the memory of an earlier picture
    /// ([`Picture::into_buf`]). Makes no runtime call.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v2(current)?;
    /// use ascendcl::media::Nv12;
    ///
    /// let first = media.picture::<Nv12>(current, 64, 48)?.fill(current, 0)?;
    /// let layout = first.layout();
    /// let second = media.picture_in(first.into_buf(), layout)?; // in the same memory
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Bytes`] if the memory is smaller than the layout.
    pub fn picture_in<'m, F: PixelFormat>(
        &self,
        buf: DvppV2Buf<'m, D, [u8]>,
        layout: Layout<F>,
    ) -> Result<SecondPicture<'m, D, F>> {
        Picture::in_buf(buf, layout)
    }

    fn allocate<F: PixelFormat>(
        &self,
        current: Current<'_, 'dev, D>,
        layout: Layout<F>,
    ) -> Result<SecondPicture<'dev, D, F>> {
        let buf = current.malloc_dvpp_v2(layout.bytes() as usize)?;
        Picture::allocated(current, buf, layout)
    }

    /// Gives the interface up (`hi_mpi_sys_exit`, pyACL `acl.himpi.sys_exit`). This does not compile while a channel lives.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let media = acl.media()?.v2(current)?;
    /// media.exit()?; // a drop gives it up too, and its error goes to the hook for failed releases
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "hi_mpi_sys_exit")]
    #[doc(alias = "acl.himpi.sys_exit")]
    pub fn exit(self) -> Result<()> {
        let mut this = std::mem::ManuallyDrop::new(self);
        let code = exit();
        // SAFETY: `this` is not used again, so the field is dropped once.
        unsafe { std::ptr::drop_in_place(&raw mut this._media) };
        check("hi_mpi_sys_exit", code)
    }
}

fn exit() -> i32 {
    // SAFETY: takes nothing; the interface is initialised (invariant of `V2`), and no channel borrows it.
    unsafe { sys::hi_mpi_sys_exit() }
}

impl<D: AnyDevice> Drop for V2<'_, '_, D> {
    fn drop(&mut self) {
        release::status_in_drop("hi_mpi_sys_exit", exit());
    }
}

impl<D: AnyDevice> fmt::Debug for V2<'_, '_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("V2").field("chip", &self.chip).finish()
    }
}
