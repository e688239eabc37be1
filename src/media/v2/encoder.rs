//! The JPEG encoder of the second interface: a channel that receives pictures and returns files, which are released.

use std::fmt;
use std::marker::PhantomData;
use std::mem::{self, ManuallyDrop};
use std::ops::Range;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{MediaMismatch, Result};
use crate::media::format::{JpegInput, PixelFormat};
use crate::media::layout::in_range;
use crate::media::picture::Picture;
use crate::media::size::{ENCODED, check_encoder};
use crate::media::v2::V2;
use crate::media::v2::decoder::{ChannelState, Receiving, Stopped};
use crate::media::v2::file::zeroed;
use crate::media::v2::lasting::Lasting;
use crate::media::v2::number::Numbers;
use crate::memory::{DvppV2, DvppV2Buf, Slice, Uninit};
use crate::raw::{check, check_wait};
use crate::release;
use crate::state::Invariant;

static NUMBERS: Numbers = Numbers::new("JPEG encoder");

/// A channel that encodes pictures as JPEG files, in the state `S`.
///
/// [`V2::create_jpeg_encoder`] makes one that is [`Stopped`]. [`JpegEncoder::start`] makes it receive pictures. It stays on
/// its thread; dropping it stops and destroys it.
///
/// # Invariants
///
/// - `id` is a channel that was created and not destroyed, and it receives pictures where `S` says so.
/// - No file of the channel is unfinished, unless `unfinished` says so.
#[must_use = "an encoder that is dropped is destroyed"]
pub struct JpegEncoder<'v, 'dev, D: AnyDevice, S: ChannelState> {
    id: sys::hi_venc_chn,
    largest: (u32, u32),
    current: Current<'v, 'dev, D>,
    /// A wait has failed, so the next file may be that of an earlier picture.
    unfinished: bool,
    _state: PhantomData<Invariant<S>>,
}

impl<'dev, D: AnyDevice> V2<'_, 'dev, D> {
    /// Creates a channel that encodes pictures of up to `width` x `height` pixels as JPEG files (`hi_mpi_venc_create_chn`,
    /// pyACL `acl.himpi.venc_create_chn`). Its number is one that no other encoder of the process has.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v2(current)?;
    /// let encoder = media.create_jpeg_encoder(current, 1920, 1080)?; // for pictures of at most this size
    /// encoder.destroy()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Range`] for less than 32 x 32 or more than 8192 x 8192 pixels. [`MediaMismatch::Channels`] if the
    /// process has 128 encoders. [`ErrorKind::Refused`].
    #[doc(alias = "hi_mpi_venc_create_chn")]
    #[doc(alias = "acl.himpi.venc_create_chn")]
    pub fn create_jpeg_encoder<'v>(
        &'v self,
        current: Current<'v, 'dev, D>,
        width: u32,
        height: u32,
    ) -> Result<JpegEncoder<'v, 'dev, D, Stopped>> {
        let (least, most) = ENCODED;
        in_range(
            "the largest picture",
            (width, height),
            (least, least),
            (most, most),
        )?;
        Ok(JpegEncoder {
            id: NUMBERS.create(|id| create(id, width, height))?,
            largest: (width, height),
            current,
            unfinished: false,
            _state: PhantomData,
        })
    }
}

/// Creates a channel for one picture after the other.
fn create(id: sys::hi_venc_chn, width: u32, height: u32) -> Result<()> {
    // SAFETY: a structure of numbers. JPEG uses the first part only.
    let mut attributes: sys::hi_venc_chn_attr = unsafe { zeroed() };
    let encoding = &mut attributes.venc_attr;
    encoding.type_ = sys::HI_PT_JPEG;
    (encoding.max_pic_width, encoding.max_pic_height) = (width, height);
    (encoding.pic_width, encoding.pic_height) = (width, height);
    // No overflow: at most 8192 x 8192.
    encoding.buf_size = (width * height).next_multiple_of(64);
    encoding.is_by_frame = sys::HI_TRUE;
    // SAFETY: the attributes are readable.
    let code = unsafe { sys::hi_mpi_venc_create_chn(id, &raw const attributes) };
    check("hi_mpi_venc_create_chn", code)
}

fn stop(id: sys::hi_venc_chn) -> i32 {
    // SAFETY: takes a number.
    unsafe { sys::hi_mpi_venc_stop_chn(id) }
}

fn destroy(id: sys::hi_venc_chn) -> i32 {
    // SAFETY: takes a number.
    let code = unsafe { sys::hi_mpi_venc_destroy_chn(id) };
    if code == sys::HI_SUCCESS {
        NUMBERS.give_back(id);
    }
    code
}

impl<'v, 'dev, D: AnyDevice, S: ChannelState> JpegEncoder<'v, 'dev, D, S> {
    /// Returns the number of the channel.
    #[must_use]
    pub fn id(&self) -> i32 {
        self.id
    }

    fn with_state<T: ChannelState>(self) -> JpegEncoder<'v, 'dev, D, T> {
        let this = ManuallyDrop::new(self);
        JpegEncoder {
            id: this.id,
            largest: this.largest,
            current: this.current,
            unfinished: this.unfinished,
            _state: PhantomData,
        }
    }
}

impl<'v, 'dev, D: AnyDevice> JpegEncoder<'v, 'dev, D, Stopped> {
    /// Makes the channel receive pictures (`hi_mpi_venc_start_chn`, pyACL `acl.himpi.venc_start_chn`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. The channel is destroyed then.
    #[doc(alias = "hi_mpi_venc_start_chn")]
    #[doc(alias = "acl.himpi.venc_start_chn")]
    pub fn start(self) -> Result<JpegEncoder<'v, 'dev, D, Receiving>> {
        let parameters = sys::hi_venc_start_param { recv_pic_num: -1 };
        // SAFETY: a live channel, and readable parameters.
        let code = unsafe { sys::hi_mpi_venc_start_chn(self.id, &raw const parameters) };
        check("hi_mpi_venc_start_chn", code)?;
        Ok(self.with_state())
    }

    /// Destroys the channel (`hi_mpi_venc_destroy_chn`, pyACL `acl.himpi.venc_destroy_chn`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. The number of the channel is not used again then.
    #[doc(alias = "hi_mpi_venc_destroy_chn")]
    #[doc(alias = "acl.himpi.venc_destroy_chn")]
    pub fn destroy(self) -> Result<()> {
        let this = ManuallyDrop::new(self);
        check("hi_mpi_venc_destroy_chn", destroy(this.id))
    }
}

impl<'v, 'dev, D: AnyDevice> JpegEncoder<'v, 'dev, D, Receiving> {
    /// Makes the channel receive no more pictures (`hi_mpi_venc_stop_chn`, pyACL `acl.himpi.venc_stop_chn`). This does not
    /// compile while a file of the channel lives.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. The channel is destroyed then.
    #[doc(alias = "hi_mpi_venc_stop_chn")]
    #[doc(alias = "acl.himpi.venc_stop_chn")]
    pub fn stop(self) -> Result<JpegEncoder<'v, 'dev, D, Stopped>> {
        check("hi_mpi_venc_stop_chn", stop(self.id))?;
        Ok(self.with_state())
    }

    /// Encodes a picture as a JPEG file of the given quality, from 1 (small) to 100 (best); 0 is the default of the device.
    /// Waits for the file, which is released before the next picture is encoded (`hi_mpi_venc_set_jpeg_param`,
    /// `hi_mpi_venc_get_jpege_predicted_size`, `hi_mpi_venc_send_jpege_frame`, `hi_mpi_venc_get_stream`).
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Quality`], [`MediaMismatch::EncoderStride`], and [`MediaMismatch::Range`] for less than 32 x 32
    /// pixels or a picture that is larger than those of the channel. [`MediaMismatch::Unfinished`] if the wait for an
    /// earlier file has failed. [`ErrorKind::Refused`] if the picture was not sent. [`ErrorKind::Wait`] if the wait has
    /// failed: nothing proves then that the media engine has stopped using the memory, so it is leaked.
    #[doc(alias = "hi_mpi_venc_set_jpeg_param")]
    #[doc(alias = "hi_mpi_venc_get_jpege_predicted_size")]
    #[doc(alias = "hi_mpi_venc_send_jpege_frame")]
    #[doc(alias = "hi_mpi_venc_get_stream")]
    pub fn encode<'e, F: JpegInput>(
        &'e mut self,
        current: Current<'_, 'dev, D>,
        input: &Arc<Picture<'_, DvppV2<D>, F>>,
        quality: u32,
    ) -> Result<JpegStream<'e, 'dev, D>> {
        if self.unfinished {
            return Err(MediaMismatch::Unfinished.into());
        }
        let layout = input.layout();
        let (least, _) = ENCODED;
        check_encoder(&layout, quality)?;
        let size = (layout.width(), layout.height());
        in_range("the input", size, (least, least), self.largest)?;
        let frame = Lasting::new(frame_of(input));
        let (room, buf) = self.prepare(current, &frame, quality)?;
        // SAFETY: a channel that receives pictures; live structures with the addresses and sizes of live memory.
        let code = unsafe {
            sys::hi_mpi_venc_send_jpege_frame(self.id, frame.as_ptr(), room.as_ptr(), -1)
        };
        check("hi_mpi_venc_send_jpege_frame", code)?;
        // SAFETY: a structure of numbers and pointers.
        let pack = Lasting::new(unsafe { zeroed::<sys::hi_venc_pack>() });
        // SAFETY: a structure of numbers and pointers.
        let mut stream: sys::hi_venc_stream = unsafe { zeroed() };
        (stream.pack, stream.pack_cnt) = (pack.as_ptr(), 1);
        let stream = Lasting::new(stream);
        // SAFETY: a live channel, and a live structure with room for a packet.
        let code = unsafe { sys::hi_mpi_venc_get_stream(self.id, stream.as_ptr(), -1) };
        if let Err(error) = check_wait("hi_mpi_venc_get_stream", code) {
            // The media engine may still use all of this, and the file may come later.
            self.unfinished = true;
            mem::forget((Arc::clone(input), frame, room, buf, pack, stream));
            release::leaked(&error);
            return Err(error);
        }
        // SAFETY: live memory, which the call has written and nothing writes any more.
        let written = unsafe { pack.as_ptr().read() };
        let (from, to) = (written.offset as usize, written.len as usize);
        let is_whole = written.addr == buf.as_raw() && from <= to && to <= buf.len();
        Ok(JpegStream {
            channel: self.id,
            // A packet that is not in the memory of the file has no bytes for this value.
            range: if is_whole { from..to } else { 0..0 },
            held: ManuallyDrop::new(Held {
                buf,
                stream,
                _pack: pack,
            }),
            _encoder: PhantomData,
        })
    }

    /// Sets the quality, and allocates the memory of the file.
    fn prepare(
        &self,
        current: Current<'_, 'dev, D>,
        frame: &Lasting<sys::hi_video_frame_info>,
        quality: u32,
    ) -> Result<(
        Lasting<sys::hi_img_stream>,
        DvppV2Buf<'dev, D, [u8], Uninit>,
    )> {
        // SAFETY: a structure of numbers.
        let mut parameters: sys::hi_venc_jpeg_param = unsafe { zeroed() };
        // The default of the device is the largest number (`acl/dvpp/hi_dvpp_venc.h`).
        parameters.qfactor = if quality == 0 { u32::MAX } else { quality };
        // SAFETY: a live channel, and readable parameters.
        let code = unsafe { sys::hi_mpi_venc_set_jpeg_param(self.id, &raw const parameters) };
        check("hi_mpi_venc_set_jpeg_param", code)?;
        let mut bytes = 0;
        // SAFETY: a live frame, readable parameters, and `bytes` is valid for a write.
        let code = unsafe {
            sys::hi_mpi_venc_get_jpege_predicted_size(
                frame.as_ptr(),
                &raw const parameters,
                &raw mut bytes,
            )
        };
        check("hi_mpi_venc_get_jpege_predicted_size", code)?;
        let buf = current.malloc_dvpp_v2::<u8>(bytes as usize)?;
        let room = Lasting::new(sys::hi_img_stream {
            type_: sys::HI_PT_JPEG,
            addr: buf.as_raw(),
            len: bytes,
            pts: 0,
            reserved: [0; 2],
        });
        Ok((room, buf))
    }
}

/// Returns the frame of C for a picture.
fn frame_of<D: AnyDevice, F: PixelFormat>(
    picture: &Picture<'_, DvppV2<D>, F>,
) -> sys::hi_video_frame_info {
    let layout = picture.layout();
    // SAFETY: a structure of numbers and pointers.
    let mut frame: sys::hi_video_frame_info = unsafe { zeroed() };
    let inner = &mut frame.v_frame;
    (inner.width, inner.height) = (layout.width(), layout.height());
    inner.field = sys::HI_VIDEO_FIELD_FRAME;
    inner.pixel_format = sys::hi_pixel_format(F::RAW.0);
    let planes = layout.planes();
    let places = inner
        .virt_addr
        .iter_mut()
        .zip(&mut inner.width_stride)
        .zip(&mut inner.height_stride);
    for (((address, columns), rows), plane) in places.zip(planes.into_iter().flatten()) {
        *address = picture.address().wrapping_byte_add(plane.offset);
        (*columns, *rows) = (layout.width_stride(), layout.height_stride());
    }
    frame
}

impl<D: AnyDevice, S: ChannelState> Drop for JpegEncoder<'_, '_, D, S> {
    fn drop(&mut self) {
        if S::RECEIVES {
            release::status_in_drop("hi_mpi_venc_stop_chn", stop(self.id));
        }
        release::status_in_drop("hi_mpi_venc_destroy_chn", destroy(self.id));
    }
}

impl<D: AnyDevice, S: ChannelState> fmt::Debug for JpegEncoder<'_, '_, D, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = self.current.core().id();
        write!(f, "JpegEncoder({} on device {on})", self.id)
    }
}

/// A JPEG file of a [`JpegEncoder`], in memory of the media engine.
///
/// The channel is borrowed until the file is released: by [`JpegStream::release`], or when the value is dropped. A value that
/// is forgotten leaks its memory, and its channel cannot be destroyed.
///
/// # Invariants
///
/// - The channel has returned `stream` of `held`, and it was not released.
/// - The channel has written `range` of `buf`.
#[must_use = "read the file, and release it"]
pub struct JpegStream<'e, 'dev, D: AnyDevice> {
    channel: sys::hi_venc_chn,
    range: Range<usize>,
    held: ManuallyDrop<Held<'dev, D>>,
    _encoder: PhantomData<&'e mut ()>,
}

/// The memory of a file.
struct Held<'dev, D: AnyDevice> {
    buf: DvppV2Buf<'dev, D, [u8], Uninit>,
    stream: Lasting<sys::hi_venc_stream>,
    /// `stream` has its address.
    _pack: Lasting<sys::hi_venc_pack>,
}

impl<D: AnyDevice> JpegStream<'_, '_, D> {
    /// Returns the number of bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.range.len()
    }

    /// Copies the file to the host.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    pub fn read(&self, current: Current<'_, '_, D>) -> Result<Vec<u8>> {
        if self.range.is_empty() {
            return Ok(Vec::new());
        }
        let mut local = current.malloc_local::<u8, 64>(self.range.len())?;
        let written = self.held.buf.at(self.range.clone())?;
        // SAFETY: the channel has written these bytes (invariant), and the memory is borrowed by this call.
        let written: Slice<'_, DvppV2<D>, [u8]> = unsafe { Slice::new(written) };
        current.memcpy(&mut local, written)?;
        Ok(local.to_vec())
    }

    /// Releases the file (`hi_mpi_venc_release_stream`, pyACL `acl.himpi.venc_release_stream`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. The memory of the file is leaked then, because the channel may still use it.
    #[doc(alias = "hi_mpi_venc_release_stream")]
    #[doc(alias = "acl.himpi.venc_release_stream")]
    pub fn release(self) -> Result<()> {
        ManuallyDrop::new(self).close()
    }

    /// Gives the file back to its channel, and frees its memory. It is called once.
    fn close(&mut self) -> Result<()> {
        // SAFETY: the structure that the channel has returned (invariant).
        let code =
            unsafe { sys::hi_mpi_venc_release_stream(self.channel, self.held.stream.as_ptr()) };
        check("hi_mpi_venc_release_stream", code).inspect_err(release::leaked)?;
        // SAFETY: dropped once, and the field is not used afterwards. The channel does not use the memory any more.
        unsafe { ManuallyDrop::drop(&mut self.held) };
        Ok(())
    }
}

impl<D: AnyDevice> Drop for JpegStream<'_, '_, D> {
    fn drop(&mut self) {
        // A failure was reported.
        let _ = self.close();
    }
}

impl<D: AnyDevice> fmt::Debug for JpegStream<'_, '_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JpegStream({} bytes)", self.range.len())
    }
}
