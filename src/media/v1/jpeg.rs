//! JPEG files: their description, the decoder, and the encoder.

use std::fmt;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{MediaMismatch, Result};
use crate::media::file::{JpegFormat, JpegInfo, MediaFile, check_decoded, file_of, unreadable};
use crate::media::format::{JpegInput, JpegOutput};
use crate::media::layout::Layout;
use crate::media::operand::{PictureSource, PictureTarget};
use crate::media::size::check_encoder;
use crate::media::v1::channel::Channel;
use crate::media::v1::mode::{Can, JpegDecode, JpegEncode};
use crate::media::v1::task::{self, Task};
use crate::media::v1::{FirstFile, FirstPicture, V1};
use crate::media::work::{Behind, Tasks};
use crate::memory::{Dvpp, DvppBuf, OnDevice, Slice, Uninit};
use crate::park::{Parking, StreamKey, User};
use crate::queue::owned::Owned;
use crate::queue::{Queued, Session};
use crate::raw::check;
use crate::stream::StreamTag;

impl V1<'_> {
    /// Reads the description of a JPEG file in memory of the host (`acldvppJpegGetImageInfoV2`, pyACL
    /// `acl.media.dvpp_jpeg_get_image_info_v2`).
    ///
    /// ```
    /// use ascendcl::media::V1;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn print(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, file: &[u8]) -> Result<()> {
    ///     let info = media.jpeg_info(current, file)?; // reads the head of the file
    ///     println!("{} x {} pixels", info.width(), info.height());
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Unreadable`] for a file that is no JPEG, and [`MediaMismatch::TooLarge`] for one of 4 GiB or more.
    #[doc(alias = "acldvppJpegGetImageInfoV2")]
    #[doc(alias = "acldvppJpegGetImageInfo")]
    #[doc(alias = "acl.media.dvpp_jpeg_get_image_info_v2")]
    pub fn jpeg_info<D: AnyDevice>(
        &self,
        _current: Current<'_, '_, D>,
        file: &[u8],
    ) -> Result<JpegInfo> {
        let (data, bytes) = file_of("the JPEG", file)?;
        let (mut width, mut height, mut components) = (0, 0, 0);
        let mut format = sys::ACL_JPEG_CSS_UNKNOWN;
        // SAFETY: `data` is readable for `bytes` bytes, and the other pointers are valid for writes.
        let code = unsafe {
            sys::acldvppJpegGetImageInfoV2(
                data,
                bytes,
                &raw mut width,
                &raw mut height,
                &raw mut components,
                &raw mut format,
            )
        };
        readable("acldvppJpegGetImageInfoV2", "JPEG", code, file)?;
        Ok(JpegInfo {
            width,
            height,
            components,
            format: JpegFormat::of(format),
        })
    }

    /// Reads the description of a JPEG file and copies the file to new memory of the media engine (`acldvppMalloc`).
    ///
    /// ```
    /// use ascendcl::media::V1;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn print(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, file: &[u8]) -> Result<()> {
    ///     let file = media.jpeg(current, file)?; // in memory of the media engine
    ///     println!("{} bytes", file.bytes());
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`V1::jpeg_info`], and [`ErrorKind::Refused`] with 207001 when the memory of the media engine is exhausted.
    pub fn jpeg<'dev, D: AnyDevice>(
        &self,
        current: Current<'_, 'dev, D>,
        file: &[u8],
    ) -> Result<FirstFile<'dev, D, JpegInfo>> {
        let info = self.jpeg_info(current, file)?;
        MediaFile::upload(current, current.malloc_dvpp(file.len())?, file, info)
    }

    /// Reads the description of a JPEG file and copies the file to memory that the program has allocated, such as the
    /// memory of an earlier file ([`MediaFile::into_buf`]).
    ///
    /// ```
    /// use ascendcl::media::V1;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn upload(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, files: [&[u8]; 2]) -> Result<()> {
    ///     let first = media.jpeg(current, files[0])?;
    ///     let second = media.jpeg_in(current, first.into_buf(), files[1])?; // in the memory of the first one
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`V1::jpeg_info`], and [`MediaMismatch::Bytes`] if the memory is smaller than the file.
    pub fn jpeg_in<'m, D: AnyDevice>(
        &self,
        current: Current<'_, '_, D>,
        buf: DvppBuf<'m, D, [u8]>,
        file: &[u8],
    ) -> Result<FirstFile<'m, D, JpegInfo>> {
        let info = self.jpeg_info(current, file)?;
        MediaFile::place(current, buf, file, info)
    }

    /// Allocates a fresh picture for the decoder (`acldvppMalloc`), of the size that a file with this description has.
    /// Sides that the format halves are rounded down to even numbers.
    ///
    /// ```
    /// use ascendcl::media::{Nv12, V1};
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn decoded(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, file: &[u8]) -> Result<()> {
    ///     let info = media.jpeg_info(current, file)?;
    ///     let fresh = media.picture_for_jpeg::<Nv12, _>(current, &info)?; // for the decoder
    ///     assert_eq!(fresh.height(), info.height());
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::JpegFormat`] for a format that the decoder does not make of this file.
    /// [`MediaMismatch::Range`] for less than 32 x 32 or more than 8192 x 8192 pixels. [`ErrorKind::Refused`] with 207001
    /// when the memory of the media engine is exhausted.
    pub fn picture_for_jpeg<'dev, F: JpegOutput, D: AnyDevice>(
        &self,
        current: Current<'_, 'dev, D>,
        info: &JpegInfo,
    ) -> Result<FirstPicture<'dev, D, F>> {
        self.allocate(current, self.jpeg_layout(info)?, 0)
    }

    /// Returns the layout of a picture for the decoder, for instance to use memory again with
    /// [`V1::picture_in`].
    ///
    /// ```
    /// use ascendcl::media::{Nv12, V1};
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn bytes(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, file: &[u8]) -> Result<u32> {
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

    /// Returns the number of bytes that CANN predicts for a decoded picture of the format `F`
    /// (`acldvppJpegPredictDecSize`, pyACL `acl.media.dvpp_jpeg_predict_dec_size`). It may be larger than the picture:
    /// [`V1::picture_for_jpeg`] allocates what the picture needs.
    ///
    /// ```
    /// use ascendcl::media::{Nv12, V1};
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn print(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, file: &[u8]) -> Result<()> {
    ///     println!("CANN predicts {} bytes", media.predict_decoded::<Nv12, _>(current, file)?);
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 100027 for a format that the decoder does not make of this file, with 500001 for a file
    /// that is no JPEG, and with 100000 for a size that it does not decode.
    #[doc(alias = "acldvppJpegPredictDecSize")]
    #[doc(alias = "acl.media.dvpp_jpeg_predict_dec_size")]
    pub fn predict_decoded<F: JpegOutput, D: AnyDevice>(
        &self,
        _current: Current<'_, '_, D>,
        file: &[u8],
    ) -> Result<u32> {
        let (data, bytes) = file_of("the JPEG", file)?;
        let mut size = 0;
        // SAFETY: `data` is readable for `bytes` bytes, and `size` is valid for a write.
        let code = unsafe { sys::acldvppJpegPredictDecSize(data, bytes, F::RAW, &raw mut size) };
        check("acldvppJpegPredictDecSize", code)?;
        Ok(size)
    }
}

/// Turns the status of a call that reads the head of a file into a result.
pub(super) fn readable(
    call: &'static str,
    kind: &'static str,
    code: sys::aclError,
    file: &[u8],
) -> Result<()> {
    // The codes of a file that cannot be read: 500001 (JPEG), 100000 and 100027 (PNG).
    let of_file = matches!(
        code,
        sys::ACL_ERROR_FAILURE | sys::ACL_ERROR_INVALID_PARAM | sys::ACL_ERROR_FORMAT_NOT_MATCH
    );
    match check(call, code) {
        Err(error) if of_file => Err(unreadable(kind, error, file)),
        checked => checked,
    }
}

/// Checks that memory has the bytes of a file.
pub(super) fn check_data(what: &'static str, passed: usize, needed: u32) -> Result<()> {
    let needed = needed as usize;
    if passed < needed {
        return Err(MediaMismatch::Bytes {
            what,
            passed,
            needed,
        }
        .into());
    }
    Ok(())
}

impl<D: AnyDevice, S: StreamTag, K> Session<'_, '_, D, S, Channel<'_, '_, D, K>> {
    /// Decodes a JPEG file (`acldvppJpegDecodeAsync`, pyACL `acl.media.dvpp_jpeg_decode_async`).
    ///
    /// The decoder may set up to 8 bytes behind the end of the file to zero, so it borrows the file mutably. It turns the
    /// picture as the EXIF data says.
    ///
    /// ```
    /// use ascendcl::media::{JpegDecode, Nv12, V1};
    /// use ascendcl::stream::Main;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn decode(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, file: &[u8]) -> Result<Vec<u8>> {
    ///     let mut stream = current.create_stream::<Main>()?;
    ///     let channel = stream.adopt(media.create_channel::<(JpegDecode,), _>(current)?);
    ///     let file = media.jpeg(current, file)?; // in memory of the media engine, with its description
    ///     let picture = stream.adopt(media.picture_for_jpeg::<Nv12, _>(current, file.info())?);
    ///     let mut file = stream.adopt(file);
    ///     let picture = stream.with(&channel).decode_jpeg(&mut file, picture)?;
    ///     stream.synchronize()?.take(picture).check()?.read(current)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Decoded`] if `output` was made for another size, and [`MediaMismatch::JpegFormat`].
    /// [`ErrorKind::Refused`] if the work was not queued. The hardware decodes baseline files with Huffman codes only: for
    /// others, the next wait for the stream or [`Picture::check`](crate::media::Picture::check) returns an error.
    #[doc(alias = "acldvppJpegDecodeAsync")]
    #[doc(alias = "acl.media.dvpp_jpeg_decode_async")]
    pub fn decode_jpeg<N, T, G>(
        self,
        file: &mut Queued<'_, (D, S), FirstFile<'_, N, JpegInfo>, G>,
        output: T,
    ) -> Result<T::Written>
    where
        K: Can<JpegDecode>,
        N: AnyDevice,
        Dvpp<N>: OnDevice<D>,
        T: PictureTarget<(D, S), Format: JpegOutput>,
    {
        let (channel, stream) = self.parts();
        let to = output.seen();
        let (chip, info) = (channel.chip(), *file.info());
        info.format.check_decodes::<T::Format>()?;
        check_decoded(Layout::for_jpeg(chip, info.width, info.height)?, &to.layout)?;
        let mut task = Task::new("acldvppJpegDecodeAsync");
        let to = task.output(&to)?;
        let channel = channel.as_raw();
        let (from, bytes) = (file.resource().address().cast(), file.resource().bytes());
        // SAFETY: an object of this task; a channel, a file and a picture that are queued on the stream.
        let call =
            |stream| unsafe { sys::acldvppJpegDecodeAsync(channel, from, bytes, to, stream) };
        // SAFETY: `call` passes them to the stream of `(D, S)`, and writes `output`.
        unsafe { task.submit(stream, &Behind::nothing(), output, call) }
    }

    /// Encodes a picture to a JPEG file of the given quality, from 1 (small) to 100 (best); 0 is the default of the device
    /// (`acldvppJpegEncodeAsync`, pyACL `acl.media.dvpp_jpeg_encode_async`).
    ///
    /// `output` is fresh memory of at least [`predict_encoded`](Queued::predict_encoded) bytes.
    ///
    /// ```
    /// use ascendcl::media::{JpegEncode, Nv12, V1};
    /// use ascendcl::stream::Main;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn gray_file(media: &V1<'_>, current: Current<'_, '_, Npu<0>>) -> Result<Vec<u8>> {
    ///     let mut stream = current.create_stream::<Main>()?;
    ///     let channel = stream.adopt(media.create_channel::<(JpegEncode,), _>(current)?);
    ///     let gray = media.picture_for_all::<Nv12, _>(current, 128, 64)?.fill(current, 128)?;
    ///     let gray = stream.adopt(gray);
    ///     let file = stream.adopt(current.malloc_dvpp::<u8>(channel.predict_encoded(&gray, 90)?)?);
    ///     let file = stream.with(&channel).encode_jpeg(&gray, 90, file)?; // of quality 90
    ///     stream.synchronize()?.take(file).check(current)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Quality`], [`MediaMismatch::EncoderStride`], [`MediaMismatch::Range`] for less than 32 x 32 or more
    /// than 8192 x 8192 pixels, and [`MediaMismatch::Bytes`] if `output` is smaller than the prediction.
    /// [`ErrorKind::Refused`] if the work was not queued.
    #[doc(alias = "acldvppJpegEncodeAsync")]
    #[doc(alias = "acl.media.dvpp_jpeg_encode_async")]
    pub fn encode_jpeg<'q, 'm, P, N, G>(
        self,
        input: P,
        quality: u32,
        output: Queued<'q, (D, S), DvppBuf<'m, N, [u8], Uninit>, G>,
    ) -> Result<Queued<'q, (D, S), EncodedJpeg<'m, N>>>
    where
        K: Can<JpegEncode>,
        N: AnyDevice,
        Dvpp<N>: OnDevice<D>,
        P: PictureSource<(D, S), Format: JpegInput>,
    {
        let (channel, stream) = self.parts();
        let mut task = Task::new("acldvppJpegEncodeAsync");
        let (from, config, needed) = prepare_encoding(&mut task, &input, quality)?;
        check_data("the memory of the file", output.resource().len(), needed)?;
        let capacity = u32::try_from(output.resource().len()).unwrap_or(u32::MAX);
        let data = output.resource().as_raw().cast();
        let size = Box::leak(Box::new(capacity));
        let size = std::ptr::NonNull::from(size);
        // SAFETY: a leaked box, which nothing else frees.
        let size = unsafe { task.keep(task::SIZE, size.as_ptr()) }?;
        let work = task.finish(stream);
        // The file owns the task from here on, so that the memory of `size` lives until the wait.
        let mut all = Tasks::default();
        all.push(&work);
        all.read(&input.work());
        let encoded = output.with_history().map(|buf| EncodedJpeg {
            buf,
            size,
            work: all,
        });
        let channel = channel.as_raw();
        // SAFETY: objects of this task, which `encoded` owns; a channel, a picture and memory that are queued on the
        // stream.
        let code = unsafe {
            sys::acldvppJpegEncodeAsync(channel, from, data, size, config, stream.as_raw())
        };
        check("acldvppJpegEncodeAsync", code)?;
        Ok(encoded)
    }
}

impl<D: AnyDevice, S: StreamTag, K, H> Queued<'_, (D, S), Channel<'_, '_, D, K>, H> {
    /// Returns the number of bytes of memory that the encoder needs for a picture (`acldvppJpegPredictEncSize`, pyACL
    /// `acl.media.dvpp_jpeg_predict_enc_size`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::Nv12;
    ///
    /// let gray = media.picture_for_all::<Nv12, _>(current, 128, 64)?.fill(current, 128)?;
    /// let gray = stream.adopt(gray);
    /// let bytes = channel.predict_encoded(&gray, 90)?;
    /// let memory = current.malloc_dvpp::<u8>(bytes)?; // for the file
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Quality`], [`MediaMismatch::EncoderStride`], [`MediaMismatch::Range`], and
    /// [`ErrorKind::Refused`].
    #[doc(alias = "acldvppJpegPredictEncSize")]
    #[doc(alias = "acl.media.dvpp_jpeg_predict_enc_size")]
    pub fn predict_encoded<P>(&self, input: P, quality: u32) -> Result<usize>
    where
        K: Can<JpegEncode>,
        P: PictureSource<(D, S), Format: JpegInput>,
    {
        let mut task = Task::new("acldvppJpegPredictEncSize");
        let (_, _, needed) = prepare_encoding(&mut task, &input, quality)?;
        Ok(needed as usize)
    }
}

/// Checks a picture for the encoder, and makes its description, the configuration and the number of bytes that the file
/// may need.
fn prepare_encoding<Q, P>(
    task: &mut Task,
    input: &P,
    quality: u32,
) -> Result<(*mut sys::acldvppPicDesc, *mut sys::acldvppJpegeConfig, u32)>
where
    P: PictureSource<Q, Format: JpegInput>,
{
    let from = input.seen();
    check_encoder(&from.layout, quality)?;
    let from = task.picture(&from)?;
    let config = task.quality(quality)?;
    let mut needed = 0;
    // SAFETY: a live description and configuration, and `needed` is valid for a write.
    let code = unsafe { sys::acldvppJpegPredictEncSize(from, config, &raw mut needed) };
    check("acldvppJpegPredictEncSize", code)?;
    Ok((from, config, needed))
}

/// A JPEG file that the encoder has written to memory of the media engine.
///
/// ```
/// use ascendcl::media::{EncodedJpeg, JpegEncode, Nv12, V1};
/// use ascendcl::stream::Main;
/// use ascendcl::{Current, Npu, Result};
///
/// fn gray_file(media: &V1<'_>, current: Current<'_, '_, Npu<0>>) -> Result<Vec<u8>> {
///     let mut stream = current.create_stream::<Main>()?;
///     let channel = stream.adopt(media.create_channel::<(JpegEncode,), _>(current)?);
///     let gray = media.picture_for_all::<Nv12, _>(current, 128, 64)?.fill(current, 128)?;
///     let gray = stream.adopt(gray);
///     let bytes = channel.predict_encoded(&gray, 90)?;
///     let file = stream.adopt(current.malloc_dvpp::<u8>(bytes)?);
///     let file = stream.with(&channel).encode_jpeg(&gray, 90, file)?;
///     let file: EncodedJpeg<'_, Npu<0>> = stream.synchronize()?.take(file);
///     file.check(current)
/// }
/// ```
///
/// # Invariants
///
/// - `size` is an object of a task in `work`, which has written at most as many bytes as `buf` has.
#[must_use = "read the file with `check`"]
pub struct EncodedJpeg<'m, D: AnyDevice> {
    buf: DvppBuf<'m, D, [u8], Uninit>,
    size: *mut u32,
    work: Tasks,
}

// SAFETY: `size` points to an object of `work`, which is `Send`.
unsafe impl<D: AnyDevice> Send for EncodedJpeg<'_, D> {}
// SAFETY: no method takes `&self`, except `Debug`, which does not read `size`.
unsafe impl<D: AnyDevice> Sync for EncodedJpeg<'_, D> {}

impl<D: AnyDevice> EncodedJpeg<'_, D> {
    /// Reads the status of the tasks that have written the picture, and the size of the file, and copies the file to the
    /// host.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] with the status of the first task that has failed. [`MediaMismatch::Unproven`] if the file was
    /// taken by [`accept_unverified`](crate::queue::Unverified::accept_unverified): its size is then that of the memory.
    /// [`MediaMismatch::OtherStream`] if the picture was written on another stream, or made from one that was, and that one
    /// was not checked before.
    /// [`ErrorKind::Refused`] of the copy.
    pub fn check(self, current: Current<'_, '_, D>) -> Result<Vec<u8>> {
        self.work.check()?;
        // SAFETY: a live object of a task that is over: this value came back from its stream.
        let size = unsafe { self.size.read() };
        let bytes = (size as usize).min(self.buf.len());
        if bytes == 0 {
            return Ok(Vec::new());
        }
        let mut local = current.malloc_local::<u8, 64>(bytes)?;
        let written = self.buf.at(0..bytes)?;
        // SAFETY: the task has written these bytes, and the memory is borrowed by this call.
        let written: Slice<'_, Dvpp<D>, [u8]> = unsafe { Slice::new(written) };
        current.memcpy(&mut local, written)?;
        Ok(local.to_vec())
    }
}

impl<D: AnyDevice> fmt::Debug for EncodedJpeg<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EncodedJpeg").field(&self.buf).finish()
    }
}

// A stream takes the file as it takes memory.
impl<X, D: AnyDevice> Owned<X> for EncodedJpeg<'_, D>
where
    Dvpp<D>: OnDevice<X>,
{
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
