//! PNG files: their description and the decoder.

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, MediaMismatch};
use crate::media::format::PngOutput;
use crate::media::layout::Layout;
use crate::media::operand::PictureTarget;
use crate::media::v1::channel::Channel;
use crate::media::v1::jpeg::{check_data, check_decoded, readable};
use crate::media::v1::mode::{Can, Modes, PngDecode};
use crate::media::v1::task::Task;
use crate::media::v1::{FirstPicture, V1, file_of};
use crate::memory::{Dvpp, DvppBuf, OnDevice};
use crate::queue::Queued;
use crate::stream::{Stream, StreamTag};

/// The description of a PNG file, from [`V1::png_info`].
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
    width: u32,
    height: u32,
    components: i32,
    bytes: u32,
}

impl PngInfo {
    /// Returns the number of pixels in a row.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the number of components: 1 for gray, 2 for gray with opacity, 3 for colours, 4 for colours with opacity.
    #[must_use]
    pub fn components(&self) -> i32 {
        self.components
    }
}

impl V1<'_> {
    /// Reads the description of a PNG file in memory of the host (`acldvppPngGetImageInfo`, pyACL
    /// `acl.media.dvpp_png_get_image_info`).
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Unreadable`] for a file that is no PNG or has a palette, and [`MediaMismatch::TooLarge`] for one of
    /// 4 GiB or more.
    #[doc(alias = "acldvppPngGetImageInfo")]
    #[doc(alias = "acl.media.dvpp_png_get_image_info")]
    pub fn png_info<D: AnyDevice>(
        &self,
        _current: Current<'_, '_, D>,
        file: &[u8],
    ) -> Result<PngInfo> {
        let (data, bytes) = file_of("the PNG", file)?;
        let (mut width, mut height, mut components) = (0, 0, 0);
        // SAFETY: `data` is readable for `bytes` bytes, and the other pointers are valid for writes.
        let code = unsafe {
            sys::acldvppPngGetImageInfo(
                data,
                bytes,
                &raw mut width,
                &raw mut height,
                &raw mut components,
            )
        };
        readable("acldvppPngGetImageInfo", "PNG", code, file)?;
        Ok(PngInfo {
            width,
            height,
            components,
            bytes,
        })
    }

    /// Allocates a fresh picture for the decoder (`acldvppMalloc`), of the size that a file with this description has.
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Range`] for less than 32 x 32 or more than 4096 x 4096 pixels. [`ErrorKind::Refused`] with 207001
    /// when the memory of the media engine is exhausted.
    pub fn picture_for_png<'dev, F: PngOutput, D: AnyDevice>(
        &self,
        current: Current<'_, 'dev, D>,
        info: &PngInfo,
    ) -> Result<FirstPicture<'dev, D, F>> {
        let layout = Layout::for_png(self.chip, info.width, info.height)?;
        self.allocate(current, layout, 0)
    }
}

impl<D: AnyDevice, S: StreamTag, K: Modes, H> Queued<'_, (D, S), Channel<'_, '_, D, K>, H> {
    /// Decodes a PNG file (`acldvppPngDecodeAsync`, pyACL `acl.media.dvpp_png_decode_async`). `data` has the file with the
    /// description `info`, from its first byte.
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Bytes`] if `data` is smaller than the file, and [`MediaMismatch::Decoded`] if `output` was made for
    /// another size. [`ErrorKind::Refused`] if the work was not queued. If the device cannot decode the file, the next wait
    /// for the stream or [`Picture::check`](crate::media::Picture::check) returns an error.
    #[doc(alias = "acldvppPngDecodeAsync")]
    #[doc(alias = "acl.media.dvpp_png_decode_async")]
    pub fn decode_png<N, T, G>(
        &mut self,
        stream: &mut Stream<'_, '_, D, S>,
        info: &PngInfo,
        data: &mut Queued<'_, (D, S), DvppBuf<'_, N, [u8]>, G>,
        output: T,
    ) -> Result<T::Written>
    where
        K: Can<PngDecode>,
        N: AnyDevice,
        Dvpp<N>: OnDevice<D>,
        T: PictureTarget<(D, S), Format: PngOutput>,
    {
        check_data("the memory of the PNG", data.len(), info.bytes)?;
        let to = output.seen();
        let chip = self.resource().chip();
        check_decoded(Layout::for_png(chip, info.width, info.height)?, &to.layout)?;
        let mut task = Task::new("acldvppPngDecodeAsync");
        let to = task.output(&to)?;
        let channel = self.resource().as_raw();
        let from = data.as_raw().cast();
        // SAFETY: an object of this task; a channel, data and a picture that are queued on the stream.
        let call =
            |stream| unsafe { sys::acldvppPngDecodeAsync(channel, from, info.bytes, to, stream) };
        // SAFETY: `call` passes them to the stream of `(D, S)`, and writes `output`.
        unsafe { task.submit(stream, &[], output, call) }
    }
}
