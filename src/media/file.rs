//! Files in memory of the media engine, and their descriptions.

use std::ffi::c_void;
use std::fmt;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::context::Current;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, MediaMismatch, Result};
use crate::media::format::{PixelFormat, Planes};
use crate::media::layout::Layout;
use crate::media::picture::MediaPlace;
use crate::memory::{Buf, OnDevice, Uninit};
use crate::park::{Parking, StreamKey, User};
use crate::queue::owned::Owned;
use crate::queue::{Queue, Queued};

/// The sampling of the colours of a JPEG file (`acldvppJpegFormat`, `hi_jpeg_raw_format`).
///
/// ```
/// use ascendcl::media::{JpegFormat, JpegInfo};
///
/// fn has_colours(info: &JpegInfo) -> bool {
///     info.format() != JpegFormat::Gray
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JpegFormat {
    /// A colour for each pixel.
    Yuv444,
    /// A colour for 2 x 1 pixels.
    Yuv422,
    /// A colour for 2 x 2 pixels.
    Yuv420,
    /// Brightness only.
    Gray,
    /// A colour for 1 x 2 pixels.
    Yuv440,
    /// A colour for 4 x 1 pixels.
    Yuv411,
    /// Another sampling, or another colour space, such as CMYK.
    Unknown,
}

impl JpegFormat {
    pub(super) fn of(raw: sys::acldvppJpegFormat) -> JpegFormat {
        match raw {
            sys::ACL_JPEG_CSS_444 => JpegFormat::Yuv444,
            sys::ACL_JPEG_CSS_422 => JpegFormat::Yuv422,
            sys::ACL_JPEG_CSS_420 => JpegFormat::Yuv420,
            sys::ACL_JPEG_CSS_GRAY => JpegFormat::Gray,
            sys::ACL_JPEG_CSS_440 => JpegFormat::Yuv440,
            sys::ACL_JPEG_CSS_411 => JpegFormat::Yuv411,
            _ => JpegFormat::Unknown,
        }
    }

    /// The numbers of the second interface are not those of the first one.
    pub(super) fn of_second(raw: sys::hi_jpeg_raw_format) -> JpegFormat {
        match raw.0 {
            0 => JpegFormat::Yuv444,
            1 => JpegFormat::Yuv422,
            2 => JpegFormat::Yuv420,
            3 => JpegFormat::Yuv440,
            4 => JpegFormat::Gray,
            5 => JpegFormat::Yuv411,
            _ => JpegFormat::Unknown,
        }
    }

    /// Returns the name of the sampling for messages.
    fn name(self) -> &'static str {
        match self {
            JpegFormat::Yuv444 => "4:4:4",
            JpegFormat::Yuv422 => "4:2:2",
            JpegFormat::Yuv420 => "4:2:0",
            JpegFormat::Gray => "gray",
            JpegFormat::Yuv440 => "4:4:0",
            JpegFormat::Yuv411 => "4:1:1",
            JpegFormat::Unknown => "CMYK, RGB or otherwise unknown",
        }
    }

    /// Whether the decoder writes files of this sampling with such planes: it keeps the sampling, or halves colours.
    fn decodes_to(self, planes: Planes) -> bool {
        match (self, planes) {
            (JpegFormat::Unknown | JpegFormat::Yuv411, _) => false,
            (_, Planes::Semi420)
            | (JpegFormat::Gray, Planes::Gray)
            | (JpegFormat::Yuv422, Planes::Semi422)
            | (JpegFormat::Yuv444, Planes::Semi444)
            | (JpegFormat::Yuv440, Planes::Semi440) => true,
            _ => false,
        }
    }

    /// Checks that the decoder makes pictures of the format `F` of files of this sampling.
    pub(super) fn check_decodes<F: PixelFormat>(self) -> Result<()> {
        if self.decodes_to(F::PLANES) {
            return Ok(());
        }
        Err(MediaMismatch::JpegFormat {
            source_format: self.name(),
            format: F::NAME,
        }
        .into())
    }
}

/// The description of a JPEG file, from `jpeg_info` of [`V1`](crate::media::V1) or [`V2`](crate::media::V2).
///
/// ```
/// use ascendcl::media::{JpegInfo, V1};
/// use ascendcl::{Current, Npu, Result};
///
/// fn size(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, file: &[u8]) -> Result<(u32, u32)> {
///     let info: JpegInfo = media.jpeg_info(current, file)?; // reads the head of the file
///     Ok((info.width(), info.height()))
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JpegInfo {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) components: i32,
    pub(super) format: JpegFormat,
}

impl JpegInfo {
    /// Returns the number of pixels in a row. A file whose EXIF data turns it by 90 degrees has its sides exchanged, as its
    /// decoded picture has.
    ///
    /// ```
    /// use ascendcl::media::JpegInfo;
    ///
    /// fn is_wide(info: &JpegInfo) -> bool {
    ///     info.width() > info.height()
    /// }
    /// ```
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of rows. A file whose EXIF data turns it by 90 degrees has its sides exchanged, as its decoded
    /// picture has.
    ///
    /// ```
    /// use ascendcl::media::JpegInfo;
    ///
    /// fn pixels(info: &JpegInfo) -> u64 {
    ///     u64::from(info.width()) * u64::from(info.height())
    /// }
    /// ```
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the number of components: 1 for gray, 3 for colours.
    ///
    /// ```
    /// use ascendcl::media::JpegInfo;
    ///
    /// fn is_gray(info: &JpegInfo) -> bool {
    ///     info.components() == 1
    /// }
    /// ```
    #[must_use]
    pub fn components(&self) -> i32 {
        self.components
    }

    /// Returns the sampling of the colours.
    ///
    /// ```
    /// use ascendcl::media::{JpegFormat, JpegInfo};
    ///
    /// fn is_gray(info: &JpegInfo) -> bool {
    ///     info.format() == JpegFormat::Gray
    /// }
    /// ```
    #[must_use]
    pub fn format(&self) -> JpegFormat {
        self.format
    }
}

/// The description of a PNG file, from `png_info` of [`V1`](crate::media::V1) or [`V2`](crate::media::V2).
///
/// ```
/// use ascendcl::media::{PngInfo, V1};
/// use ascendcl::{Current, Npu, Result};
///
/// fn size(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, file: &[u8]) -> Result<(u32, u32)> {
///     let info: PngInfo = media.png_info(current, file)?; // reads the head of the file
///     Ok((info.width(), info.height()))
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PngInfo {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) components: i32,
}

impl PngInfo {
    /// Returns the number of pixels in a row.
    ///
    /// ```
    /// use ascendcl::media::PngInfo;
    ///
    /// fn is_wide(info: &PngInfo) -> bool {
    ///     info.width() > info.height()
    /// }
    /// ```
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of rows.
    ///
    /// ```
    /// use ascendcl::media::PngInfo;
    ///
    /// fn pixels(info: &PngInfo) -> u64 {
    ///     u64::from(info.width()) * u64::from(info.height())
    /// }
    /// ```
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the number of components: 1 for gray, 2 for gray with opacity, 3 for colours, 4 for colours with opacity.
    ///
    /// ```
    /// use ascendcl::media::PngInfo;
    ///
    /// fn has_opacity(info: &PngInfo) -> bool {
    ///     matches!(info.components(), 2 | 4)
    /// }
    /// ```
    #[must_use]
    pub fn components(&self) -> i32 {
        self.components
    }
}

/// A file in memory of the media engine, with the description `I` of the same bytes: [`JpegInfo`] or [`PngInfo`].
///
/// `jpeg` and `png` of [`V1`](crate::media::V1) and [`V2`](crate::media::V2) make one of a file on the host. A decoder takes
/// the value as a whole, so a picture is never made for the size of another file.
///
/// ```
/// use ascendcl::media::V1;
/// use ascendcl::{Current, Npu, Result};
///
/// fn upload(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, file: &[u8]) -> Result<()> {
///     let file = media.jpeg(current, file)?; // in memory of the media engine, with its description
///     println!("{} bytes for {} x {} pixels", file.bytes(), file.info().width(), file.info().height());
///     file.into_buf().free()
/// }
/// ```
///
/// # Invariants
///
/// - `buf` begins with a file of `bytes` bytes, which `info` describes.
#[must_use = "decode the file"]
pub struct MediaFile<'m, M: MediaPlace, I> {
    buf: Buf<'m, M, [u8]>,
    bytes: u32,
    info: I,
}

impl<'m, M: MediaPlace, I> MediaFile<'m, M, I> {
    /// Copies a file with the description `info` to fresh memory of its size.
    pub(super) fn upload(
        current: Current<'_, '_, M::Device>,
        buf: Buf<'m, M, [u8], Uninit>,
        file: &[u8],
        info: I,
    ) -> Result<Self> {
        let (_, bytes) = file_of("the file", file)?;
        let mut local = current.malloc_local::<u8, 64>(file.len())?;
        local.copy_from_slice(file);
        let buf = current.memcpy(buf, &local)?;
        // INVARIANT: the bytes were copied now, and the caller has read `info` from them.
        Ok(MediaFile { buf, bytes, info })
    }

    /// Copies a file with the description `info` to the front of memory that has room for it.
    pub(super) fn place(
        current: Current<'_, '_, M::Device>,
        mut buf: Buf<'m, M, [u8]>,
        file: &[u8],
        info: I,
    ) -> Result<Self> {
        let (_, bytes) = file_of("the file", file)?;
        if buf.len() < file.len() {
            return Err(MediaMismatch::Bytes {
                what: "the memory of the file",
                passed: buf.len(),
                needed: file.len(),
            }
            .into());
        }
        let mut local = current.malloc_local::<u8, 64>(file.len())?;
        local.copy_from_slice(file);
        current.memcpy(buf.slice_mut(0..file.len())?, &local)?;
        // INVARIANT: the bytes were copied now, and the caller has read `info` from them.
        Ok(MediaFile { buf, bytes, info })
    }

    /// Returns the description.
    ///
    /// ```
    /// use ascendcl::media::V1;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn upload(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, file: &[u8]) -> Result<()> {
    ///     let file = media.jpeg(current, file)?;
    ///     println!("{} x {} pixels", file.info().width(), file.info().height());
    ///     Ok(())
    /// }
    /// ```
    pub fn info(&self) -> &I {
        &self.info
    }

    /// Returns the number of bytes of the file. Its memory may have more.
    ///
    /// ```
    /// use ascendcl::media::V1;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn upload(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, file: &[u8]) -> Result<()> {
    ///     let file = media.jpeg(current, file)?;
    ///     println!("{} bytes", file.bytes());
    ///     Ok(())
    /// }
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u32 {
        self.bytes
    }

    /// Returns the memory of the file, for instance for another file (`jpeg_in`, `png_in`).
    ///
    /// ```
    /// use ascendcl::media::V1;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn upload(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, files: [&[u8]; 2]) -> Result<()> {
    ///     let first = media.jpeg(current, files[0])?;
    ///     let second = media.jpeg_in(current, first.into_buf(), files[1])?; // in the same memory
    ///     Ok(())
    /// }
    /// ```
    #[must_use]
    pub fn into_buf(self) -> Buf<'m, M, [u8]> {
        self.buf
    }

    pub(super) fn address(&self) -> *mut u8 {
        self.buf.as_raw()
    }
}

impl<M: MediaPlace, I: fmt::Debug> fmt::Debug for MediaFile<'_, M, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MediaFile({} bytes, {:?})", self.bytes, self.info)
    }
}

// A stream takes a file as it takes memory.
impl<X, M: MediaPlace + OnDevice<X>, I> Owned<X> for MediaFile<'_, M, I> {
    const SWAPS: bool = true;

    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        // SAFETY: the caller's contract.
        unsafe { self.buf.park(parking, users) };
    }

    fn enters(&self, _: StreamKey) {}

    /// The description is that of the bytes before the upload, which no work of a device has written.
    fn accepted(&self) {}
}

impl<Q: Queue, M, I, H> Queued<'_, Q, MediaFile<'_, M, I>, H>
where
    M: MediaPlace + OnDevice<Q::Device>,
{
    /// Returns the description of the file.
    ///
    /// ```
    /// use ascendcl::media::V1;
    /// use ascendcl::stream::Main;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn upload(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, file: &[u8]) -> Result<()> {
    ///     let stream = current.create_stream::<Main>()?;
    ///     let file = stream.adopt(media.jpeg(current, file)?);
    ///     println!("{} x {} pixels", file.info().width(), file.info().height());
    ///     Ok(())
    /// }
    /// ```
    pub fn info(&self) -> &I {
        self.resource().info()
    }
}

/// Returns the address and the size of a file on the host.
pub(super) fn file_of(what: &'static str, file: &[u8]) -> Result<(*const c_void, u32)> {
    match u32::try_from(file.len()) {
        Ok(bytes) => Ok((file.as_ptr().cast(), bytes)),
        Err(_) => Err(MediaMismatch::TooLarge {
            what,
            passed: file.len(),
        }
        .into()),
    }
}

/// Returns the error of a file whose head a call has refused. A missing function stays what it is.
pub(super) fn unreadable(kind: &'static str, refused: Error, file: &[u8]) -> Error {
    if refused.code().is_none() {
        return refused;
    }
    MediaMismatch::Unreadable {
        kind,
        reason: refused.to_string(),
        bytes: file.len(),
    }
    .into()
}

/// Checks that a picture was made for the file that is decoded into it.
pub(super) fn check_decoded<F: PixelFormat>(file: Layout<F>, picture: &Layout<F>) -> Result<()> {
    let same = file.width_stride() == picture.width_stride()
        && file.height_stride() == picture.height_stride()
        && (file.width(), file.height()) == (picture.width(), picture.height());
    if same {
        return Ok(());
    }
    Err(MediaMismatch::Decoded {
        width: file.width(),
        height: file.height(),
        to_width: picture.width(),
        to_height: picture.height(),
    }
    .into())
}
