//! Files of the second interface: their descriptions, and the pictures that decoders write.

use std::mem::MaybeUninit;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, MediaMismatch, Result};
use crate::media::file::{JpegFormat, JpegInfo, MediaFile, PngInfo, file_of, unreadable};
use crate::media::format::{JpegOutput, PngOutput};
use crate::media::layout::Layout;
use crate::media::v2::{SecondFile, SecondPicture, V2};
use crate::memory::DvppV2Buf;
use crate::raw::check;

/// Returns a structure of C whose bytes are zero.
///
/// # Safety
///
/// - `T` is a structure of numbers and pointers, for which zeros are valid.
pub(super) unsafe fn zeroed<T: Copy>() -> T {
    // SAFETY: the caller's contract.
    unsafe { MaybeUninit::zeroed().assume_init() }
}

/// Turns the status of a call that reads the head of a file into a result.
fn readable(call: &'static str, kind: &'static str, code: i32, file: &[u8]) -> Result<()> {
    check(call, code).map_err(|error| unreadable(kind, error, file))
}

/// Returns the error of a file that a decoder has refused.
pub(super) fn undecoded(
    kind: &'static str,
    bytes: u32,
    (width, height): (u32, u32),
    reason: String,
) -> Error {
    MediaMismatch::Undecoded {
        kind,
        bytes,
        width,
        height,
        reason,
    }
    .into()
}

impl<'dev, D: AnyDevice> V2<'_, 'dev, D> {
    /// Reads the description of a JPEG file in memory of the host (`hi_mpi_dvpp_get_image_info`, pyACL
    /// `acl.himpi.dvpp_get_image_info`).
    ///
    /// ```
    /// use ascendcl::media::V2;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn print<'dev>(media: &V2<'_, 'dev, Npu<0>>, current: Current<'_, 'dev, Npu<0>>, file: &[u8]) -> Result<()> {
    ///     let info = media.jpeg_info(current, file)?; // reads the head of the file
    ///     println!("{} x {} pixels", info.width(), info.height());
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Unreadable`] for a file that is no JPEG or that the hardware does not decode, and
    /// [`MediaMismatch::TooLarge`] for one of 4 GiB or more.
    #[doc(alias = "hi_mpi_dvpp_get_image_info")]
    #[doc(alias = "acl.himpi.dvpp_get_image_info")]
    pub fn jpeg_info(&self, _current: Current<'_, 'dev, D>, file: &[u8]) -> Result<JpegInfo> {
        let (data, bytes) = file_of("the JPEG", file)?;
        // SAFETY: a structure of numbers and a pointer.
        let mut stream: sys::hi_vdec_stream = unsafe { zeroed() };
        stream.addr = data.cast_mut().cast();
        stream.len = bytes;
        // SAFETY: a structure of numbers.
        let mut info: sys::hi_img_info = unsafe { zeroed() };
        // SAFETY: the stream has the address and the size of a readable file, and `info` is valid for a write.
        let code = unsafe {
            sys::hi_mpi_dvpp_get_image_info(sys::HI_PT_JPEG, &raw const stream, &raw mut info)
        };
        readable("hi_mpi_dvpp_get_image_info", "JPEG", code, file)?;
        // SAFETY: each field of the union is a number, which any bytes are.
        let format = JpegFormat::of_second(unsafe { info.format.pixel_format });
        Ok(JpegInfo {
            width: info.width,
            height: info.height,
            components: if format == JpegFormat::Gray { 1 } else { 3 },
            format,
        })
    }

    /// Reads the description of a JPEG file and copies the file to new memory of the media engine (`hi_mpi_dvpp_malloc`).
    ///
    /// ```
    /// use ascendcl::media::V2;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn print<'dev>(media: &V2<'_, 'dev, Npu<0>>, current: Current<'_, 'dev, Npu<0>>, file: &[u8]) -> Result<()> {
    ///     let file = media.jpeg(current, file)?; // in memory of the media engine
    ///     println!("{} bytes", file.bytes());
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`V2::jpeg_info`], and [`ErrorKind::Refused`] when the memory of the media engine is exhausted.
    pub fn jpeg(
        &self,
        current: Current<'_, 'dev, D>,
        file: &[u8],
    ) -> Result<SecondFile<'dev, D, JpegInfo>> {
        let info = self.jpeg_info(current, file)?;
        MediaFile::upload(current, current.malloc_dvpp_v2(file.len())?, file, info)
    }

    /// Reads the description of a JPEG file and copies the file to memory that the program has allocated, such as the
    /// memory of an earlier file ([`MediaFile::into_buf`]).
    ///
    /// ```
    /// use ascendcl::media::V2;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn upload<'dev>(media: &V2<'_, 'dev, Npu<0>>, current: Current<'_, 'dev, Npu<0>>, files: [&[u8]; 2]) -> Result<()> {
    ///     let first = media.jpeg(current, files[0])?;
    ///     let second = media.jpeg_in(current, first.into_buf(), files[1])?; // in the memory of the first one
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`V2::jpeg_info`], and [`MediaMismatch::Bytes`] if the memory is smaller than the file.
    pub fn jpeg_in<'m>(
        &self,
        current: Current<'_, 'dev, D>,
        buf: DvppV2Buf<'m, D, [u8]>,
        file: &[u8],
    ) -> Result<SecondFile<'m, D, JpegInfo>> {
        let info = self.jpeg_info(current, file)?;
        MediaFile::place(current, buf, file, info)
    }

    /// Allocates a fresh picture for the JPEG decoder (`hi_mpi_dvpp_malloc`), of the size that a file with this description
    /// has. Sides that the format halves are rounded down to even numbers.
    ///
    /// ```
    /// use ascendcl::media::{Nv12, V2};
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn decoded<'dev>(media: &V2<'_, 'dev, Npu<0>>, current: Current<'_, 'dev, Npu<0>>, file: &[u8]) -> Result<()> {
    ///     let info = media.jpeg_info(current, file)?;
    ///     let fresh = media.picture_for_jpeg::<Nv12>(current, &info)?; // for the decoder
    ///     assert_eq!(fresh.height(), info.height());
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::JpegFormat`] for a format that the decoder does not make of this file.
    /// [`MediaMismatch::Range`] for less than 32 x 32 or more than 8192 x 8192 pixels. [`ErrorKind::Refused`] when the
    /// memory of the media engine is exhausted.
    pub fn picture_for_jpeg<F: JpegOutput>(
        &self,
        current: Current<'_, 'dev, D>,
        info: &JpegInfo,
    ) -> Result<SecondPicture<'dev, D, F>> {
        self.allocate(current, self.jpeg_layout(info)?)
    }

    /// Returns the layout of a picture for the JPEG decoder, for instance to use memory again with [`V2::picture_in`].
    ///
    /// ```
    /// use ascendcl::media::{Nv12, V2};
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn bytes<'dev>(media: &V2<'_, 'dev, Npu<0>>, current: Current<'_, 'dev, Npu<0>>, file: &[u8]) -> Result<u32> {
    ///     let info = media.jpeg_info(current, file)?;
    ///     Ok(media.jpeg_layout::<Nv12>(&info)?.bytes()) // of the decoded picture
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::JpegFormat`] and [`MediaMismatch::Range`].
    pub fn jpeg_layout<F: JpegOutput>(&self, info: &JpegInfo) -> Result<Layout<F>> {
        info.format.check_decodes::<F>()?;
        Layout::for_jpeg(self.chip, info.width, info.height)
    }

    /// Reads the description of a PNG file in memory of the host (`hi_mpi_png_get_image_info`, pyACL
    /// `acl.himpi.png_get_image_info`).
    ///
    /// ```
    /// use ascendcl::media::V2;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn print<'dev>(media: &V2<'_, 'dev, Npu<0>>, current: Current<'_, 'dev, Npu<0>>, file: &[u8]) -> Result<()> {
    ///     let info = media.png_info(current, file)?; // reads the head of the file
    ///     println!("{} x {} pixels", info.width(), info.height());
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Unreadable`] for a file that is no PNG or that the hardware does not decode, and
    /// [`MediaMismatch::TooLarge`] for one of 4 GiB or more.
    #[doc(alias = "hi_mpi_png_get_image_info")]
    #[doc(alias = "acl.himpi.png_get_image_info")]
    pub fn png_info(&self, _current: Current<'_, 'dev, D>, file: &[u8]) -> Result<PngInfo> {
        let (data, bytes) = file_of("the PNG", file)?;
        // SAFETY: a structure of numbers and a pointer.
        let mut stream: sys::hi_img_stream = unsafe { zeroed() };
        stream.type_ = sys::HI_PT_PNG;
        stream.addr = data.cast_mut().cast();
        stream.len = bytes;
        // SAFETY: a structure of numbers.
        let mut info: sys::hi_img_info = unsafe { zeroed() };
        // SAFETY: the stream has the address and the size of a readable file, and `info` is valid for a write.
        let code = unsafe { sys::hi_mpi_png_get_image_info(&raw const stream, &raw mut info) };
        readable("hi_mpi_png_get_image_info", "PNG", code, file)?;
        // SAFETY: each field of the union is a number, which any bytes are.
        let colour = unsafe { info.format.png_pixel_format };
        Ok(PngInfo {
            width: info.width,
            height: info.height,
            // The numbers are those of the file format: gray, and colours, each with opacity or without.
            components: match colour.0 {
                0 => 1,
                4 => 2,
                6 => 4,
                _ => 3,
            },
        })
    }

    /// Reads the description of a PNG file and copies the file to new memory of the media engine (`hi_mpi_dvpp_malloc`).
    ///
    /// ```
    /// use ascendcl::media::V2;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn print<'dev>(media: &V2<'_, 'dev, Npu<0>>, current: Current<'_, 'dev, Npu<0>>, file: &[u8]) -> Result<()> {
    ///     let file = media.png(current, file)?; // in memory of the media engine
    ///     println!("{} bytes", file.bytes());
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`V2::png_info`], and [`ErrorKind::Refused`] when the memory of the media engine is exhausted.
    pub fn png(
        &self,
        current: Current<'_, 'dev, D>,
        file: &[u8],
    ) -> Result<SecondFile<'dev, D, PngInfo>> {
        let info = self.png_info(current, file)?;
        MediaFile::upload(current, current.malloc_dvpp_v2(file.len())?, file, info)
    }

    /// Reads the description of a PNG file and copies the file to memory that the program has allocated, such as the
    /// memory of an earlier file ([`MediaFile::into_buf`]).
    ///
    /// ```
    /// use ascendcl::media::V2;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn upload<'dev>(media: &V2<'_, 'dev, Npu<0>>, current: Current<'_, 'dev, Npu<0>>, files: [&[u8]; 2]) -> Result<()> {
    ///     let first = media.png(current, files[0])?;
    ///     let second = media.png_in(current, first.into_buf(), files[1])?; // in the memory of the first one
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`V2::png_info`], and [`MediaMismatch::Bytes`] if the memory is smaller than the file.
    pub fn png_in<'m>(
        &self,
        current: Current<'_, 'dev, D>,
        buf: DvppV2Buf<'m, D, [u8]>,
        file: &[u8],
    ) -> Result<SecondFile<'m, D, PngInfo>> {
        let info = self.png_info(current, file)?;
        MediaFile::place(current, buf, file, info)
    }

    /// Allocates a fresh picture for the PNG decoder (`hi_mpi_dvpp_malloc`), of the size that a file with this description
    /// has.
    ///
    /// ```
    /// use ascendcl::media::{Rgb888, V2};
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn decoded<'dev>(media: &V2<'_, 'dev, Npu<0>>, current: Current<'_, 'dev, Npu<0>>, file: &[u8]) -> Result<()> {
    ///     let info = media.png_info(current, file)?;
    ///     let fresh = media.picture_for_png::<Rgb888>(current, &info)?; // for the decoder
    ///     assert_eq!(fresh.height(), info.height());
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Range`] for less than 32 x 32 or more than 4096 x 4096 pixels. [`ErrorKind::Refused`] when the
    /// memory of the media engine is exhausted.
    pub fn picture_for_png<F: PngOutput>(
        &self,
        current: Current<'_, 'dev, D>,
        info: &PngInfo,
    ) -> Result<SecondPicture<'dev, D, F>> {
        self.allocate(
            current,
            Layout::for_png(self.chip, info.width, info.height)?,
        )
    }
}
