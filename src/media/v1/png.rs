//! PNG files: their description and the decoder.

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, MediaMismatch};
use crate::media::file::{MediaFile, PngInfo, check_decoded, file_of};
use crate::media::format::PngOutput;
use crate::media::layout::Layout;
use crate::media::operand::PictureTarget;
use crate::media::v1::channel::Channel;
use crate::media::v1::jpeg::readable;
use crate::media::v1::mode::{Can, PngDecode};
use crate::media::v1::task::Task;
use crate::media::v1::{FirstFile, FirstPicture, V1};
use crate::media::work::Behind;
use crate::memory::{Dvpp, DvppBuf, OnDevice};
use crate::queue::{Queued, Session};
use crate::stream::StreamTag;

impl V1<'_> {
    /// Reads the description of a PNG file in memory of the host (`acldvppPngGetImageInfo`, pyACL
    /// `acl.media.dvpp_png_get_image_info`).
    ///
    /// ```
    /// use ascendcl::media::V1;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn print(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, file: &[u8]) -> Result<()> {
    ///     let info = media.png_info(current, file)?; // reads the head of the file
    ///     println!("{} x {} pixels", info.width(), info.height());
    ///     Ok(())
    /// }
    /// ```
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
        })
    }

    /// Reads the description of a PNG file and copies the file to new memory of the media engine (`acldvppMalloc`).
    ///
    /// ```
    /// use ascendcl::media::V1;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn print(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, file: &[u8]) -> Result<()> {
    ///     let file = media.png(current, file)?; // in memory of the media engine
    ///     println!("{} bytes", file.bytes());
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`V1::png_info`], and [`ErrorKind::Refused`] with 207001 when the memory of the media engine is exhausted.
    pub fn png<'dev, D: AnyDevice>(
        &self,
        current: Current<'_, 'dev, D>,
        file: &[u8],
    ) -> Result<FirstFile<'dev, D, PngInfo>> {
        let info = self.png_info(current, file)?;
        MediaFile::upload(current, current.malloc_dvpp(file.len())?, file, info)
    }

    /// Reads the description of a PNG file and copies the file to memory that the program has allocated, such as the
    /// memory of an earlier file ([`MediaFile::into_buf`]).
    ///
    /// ```
    /// use ascendcl::media::V1;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn upload(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, files: [&[u8]; 2]) -> Result<()> {
    ///     let first = media.png(current, files[0])?;
    ///     let second = media.png_in(current, first.into_buf(), files[1])?; // in the memory of the first one
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`V1::png_info`], and [`MediaMismatch::Bytes`] if the memory is smaller than the file.
    pub fn png_in<'m, D: AnyDevice>(
        &self,
        current: Current<'_, '_, D>,
        buf: DvppBuf<'m, D, [u8]>,
        file: &[u8],
    ) -> Result<FirstFile<'m, D, PngInfo>> {
        let info = self.png_info(current, file)?;
        MediaFile::place(current, buf, file, info)
    }

    /// Allocates a fresh picture for the decoder (`acldvppMalloc`), of the size that a file with this description has.
    ///
    /// ```
    /// use ascendcl::media::{Rgb888, V1};
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn decoded(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, file: &[u8]) -> Result<()> {
    ///     let info = media.png_info(current, file)?;
    ///     let fresh = media.picture_for_png::<Rgb888, _>(current, &info)?; // for the decoder
    ///     assert_eq!(fresh.height(), info.height());
    ///     Ok(())
    /// }
    /// ```
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

impl<D: AnyDevice, S: StreamTag, K> Session<'_, '_, D, S, Channel<'_, '_, D, K>> {
    /// Decodes a PNG file (`acldvppPngDecodeAsync`, pyACL `acl.media.dvpp_png_decode_async`).
    ///
    /// ```
    /// use ascendcl::media::{PngDecode, Rgb888, V1};
    /// use ascendcl::stream::Main;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn decode(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, file: &[u8]) -> Result<Vec<u8>> {
    ///     let mut stream = current.create_stream::<Main>()?;
    ///     let channel = stream.adopt(media.create_channel::<(PngDecode,), _>(current)?);
    ///     let file = media.png(current, file)?;
    ///     let picture = stream.adopt(media.picture_for_png::<Rgb888, _>(current, file.info())?);
    ///     let mut file = stream.adopt(file);
    ///     let picture = stream.with(&channel).decode_png(&mut file, picture)?;
    ///     stream.synchronize()?.take(picture).check()?.read(current)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Decoded`] if `output` was made for another size. [`ErrorKind::Refused`] if the work was not queued. If the device cannot decode the file, the next wait
    /// for the stream or [`Picture::check`](crate::media::Picture::check) returns an error.
    #[doc(alias = "acldvppPngDecodeAsync")]
    #[doc(alias = "acl.media.dvpp_png_decode_async")]
    pub fn decode_png<N, T, G>(
        self,
        file: &mut Queued<'_, (D, S), FirstFile<'_, N, PngInfo>, G>,
        output: T,
    ) -> Result<T::Written>
    where
        K: Can<PngDecode>,
        N: AnyDevice,
        Dvpp<N>: OnDevice<D>,
        T: PictureTarget<(D, S), Format: PngOutput>,
    {
        let (channel, stream) = self.parts();
        let to = output.seen();
        let (chip, info) = (channel.chip(), *file.info());
        check_decoded(Layout::for_png(chip, info.width, info.height)?, &to.layout)?;
        let mut task = Task::new("acldvppPngDecodeAsync");
        let to = task.output(&to)?;
        let channel = channel.as_raw();
        let (from, bytes) = (file.resource().address().cast(), file.resource().bytes());
        // SAFETY: an object of this task; a channel, a file and a picture that are queued on the stream.
        let call = |stream| unsafe { sys::acldvppPngDecodeAsync(channel, from, bytes, to, stream) };
        // SAFETY: `call` passes them to the stream of `(D, S)`, and writes `output`.
        unsafe { task.submit(stream, &Behind::nothing(), output, call) }
    }
}
