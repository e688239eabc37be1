//! The JPEG decoder of the second interface: a channel that receives files and returns pictures.

use std::fmt;
use std::marker::PhantomData;
use std::mem::{self, ManuallyDrop};

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{MediaMismatch, Result};
use crate::media::chip::Chip;
use crate::media::file::{JpegInfo, check_decoded};
use crate::media::format::JpegOutput;
use crate::media::layout::Layout;
use crate::media::picture::Picture;
use crate::media::v2::file::{undecoded, zeroed};
use crate::media::v2::lasting::Lasting;
use crate::media::v2::number::Numbers;
use crate::media::v2::{SecondFile, V2};
use crate::memory::{DvppV2, Uninit};
use crate::raw::{check, check_wait};
use crate::release;
use crate::state::{Invariant, Sealed};

/// The largest side of a picture.
const MOST: u32 = 8192;
static NUMBERS: Numbers = Numbers::new("JPEG decoder");

/// The state of a [`JpegDecoder`] or a [`JpegEncoder`](crate::media::JpegEncoder) that receives no input.
#[derive(Debug, Clone, Copy)]
pub enum Stopped {}
/// The state of a [`JpegDecoder`] or a [`JpegEncoder`](crate::media::JpegEncoder) that receives input.
#[derive(Debug, Clone, Copy)]
pub enum Receiving {}

/// The states of a channel that is started and stopped.
pub trait ChannelState: Sealed {
    /// Whether the channel receives input.
    #[doc(hidden)]
    const RECEIVES: bool;
}
impl Sealed for Stopped {}
impl ChannelState for Stopped {
    const RECEIVES: bool = false;
}
impl Sealed for Receiving {}
impl ChannelState for Receiving {
    const RECEIVES: bool = true;
}

/// A channel that decodes JPEG files to pictures of the format `F`, in the state `S`.
///
/// [`V2::create_jpeg_decoder`] makes one that is [`Stopped`]. [`JpegDecoder::start`] makes it receive files. It stays on its
/// thread; dropping it stops and destroys it.
///
/// # Invariants
///
/// - `id` is a channel that was created and not destroyed, and it receives files where `S` says so.
/// - No frame of the channel is unfinished, unless `unfinished` says so.
#[must_use = "a decoder that is dropped is destroyed"]
pub struct JpegDecoder<'v, 'dev, D: AnyDevice, F: JpegOutput, S: ChannelState> {
    id: sys::hi_vdec_chn,
    chip: Chip,
    current: Current<'v, 'dev, D>,
    /// A wait has failed, so the next frame may be that of an earlier file.
    unfinished: bool,
    _state: PhantomData<Invariant<(F, S)>>,
}

impl<'acl, 'dev, D: AnyDevice> V2<'acl, 'dev, D> {
    /// Creates a channel that decodes JPEG files of up to 8192 x 8192 pixels to the format `F` (`hi_mpi_vdec_create_chn`,
    /// `hi_mpi_vdec_set_chn_param`). Its number is one that no other decoder of the process has.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v2(current)?;
    /// use ascendcl::media::Nv12;
    ///
    /// let decoder = media.create_jpeg_decoder::<Nv12>(current)?;
    /// decoder.destroy()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Channels`] if the process has 128 decoders. [`ErrorKind::Refused`].
    #[doc(alias = "hi_mpi_vdec_create_chn")]
    #[doc(alias = "hi_mpi_vdec_set_chn_param")]
    #[doc(alias = "acl.himpi.vdec_create_chn")]
    pub fn create_jpeg_decoder<'v, F: JpegOutput>(
        &'v self,
        current: Current<'v, 'dev, D>,
    ) -> Result<JpegDecoder<'v, 'dev, D, F, Stopped>> {
        Ok(JpegDecoder {
            id: NUMBERS.create(|id| create(id, F::RAW.0))?,
            chip: self.chip,
            current,
            unfinished: false,
            _state: PhantomData,
        })
    }
}

/// Creates a channel and sets its format.
fn create(id: sys::hi_vdec_chn, format: u32) -> Result<()> {
    // SAFETY: a structure of numbers.
    let mut attributes: sys::hi_vdec_chn_attr = unsafe { zeroed() };
    attributes.type_ = sys::HI_PT_JPEG;
    attributes.mode = sys::HI_VDEC_SEND_MODE_FRAME;
    attributes.pic_width = MOST;
    attributes.pic_height = MOST;
    attributes.stream_buf_size = MOST * MOST;
    // SAFETY: the attributes are readable.
    let code = unsafe { sys::hi_mpi_vdec_create_chn(id, &raw const attributes) };
    check("hi_mpi_vdec_create_chn", code)?;
    let set = set_format(id, format);
    if set.is_err() {
        release::status_in_drop("hi_mpi_vdec_destroy_chn", destroy(id));
    }
    set
}

fn set_format(id: sys::hi_vdec_chn, format: u32) -> Result<()> {
    // SAFETY: a structure of numbers.
    let mut parameters: sys::hi_vdec_chn_param = unsafe { zeroed() };
    // SAFETY: `parameters` is valid for a write.
    let code = unsafe { sys::hi_mpi_vdec_get_chn_param(id, &raw mut parameters) };
    check("hi_mpi_vdec_get_chn_param", code)?;
    parameters.type_ = sys::HI_PT_JPEG;
    parameters.display_frame_num = 0;
    parameters.kind.pic_param = sys::hi_vdec_pic_param {
        pixel_format: sys::hi_pixel_format(format),
        alpha: 255,
    };
    // SAFETY: the parameters are readable.
    let code = unsafe { sys::hi_mpi_vdec_set_chn_param(id, &raw const parameters) };
    check("hi_mpi_vdec_set_chn_param", code)
}

fn destroy(id: sys::hi_vdec_chn) -> i32 {
    // SAFETY: takes a number.
    unsafe { sys::hi_mpi_vdec_destroy_chn(id) }
}

fn stop(id: sys::hi_vdec_chn) -> i32 {
    // SAFETY: takes a number.
    unsafe { sys::hi_mpi_vdec_stop_recv_stream(id) }
}

impl<'v, 'dev, D: AnyDevice, F: JpegOutput, S: ChannelState> JpegDecoder<'v, 'dev, D, F, S> {
    /// Returns the number of the channel.
    #[must_use]
    pub fn id(&self) -> i32 {
        self.id
    }

    fn with_state<T: ChannelState>(self) -> JpegDecoder<'v, 'dev, D, F, T> {
        let this = ManuallyDrop::new(self);
        JpegDecoder {
            id: this.id,
            chip: this.chip,
            current: this.current,
            unfinished: this.unfinished,
            _state: PhantomData,
        }
    }
}

impl<'v, 'dev, D: AnyDevice, F: JpegOutput> JpegDecoder<'v, 'dev, D, F, Stopped> {
    /// Makes the channel receive files (`hi_mpi_vdec_start_recv_stream`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. The channel is destroyed then.
    #[doc(alias = "hi_mpi_vdec_start_recv_stream")]
    pub fn start(self) -> Result<JpegDecoder<'v, 'dev, D, F, Receiving>> {
        // SAFETY: takes a number.
        let code = unsafe { sys::hi_mpi_vdec_start_recv_stream(self.id) };
        check("hi_mpi_vdec_start_recv_stream", code)?;
        Ok(self.with_state())
    }

    /// Destroys the channel (`hi_mpi_vdec_destroy_chn`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. The number of the channel is not used again then.
    #[doc(alias = "hi_mpi_vdec_destroy_chn")]
    pub fn destroy(self) -> Result<()> {
        let this = ManuallyDrop::new(self);
        check("hi_mpi_vdec_destroy_chn", destroy(this.id))?;
        NUMBERS.give_back(this.id);
        Ok(())
    }
}

impl<'v, 'dev, D: AnyDevice, F: JpegOutput> JpegDecoder<'v, 'dev, D, F, Receiving> {
    /// Makes the channel receive no more files (`hi_mpi_vdec_stop_recv_stream`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. The channel is destroyed then.
    #[doc(alias = "hi_mpi_vdec_stop_recv_stream")]
    pub fn stop(self) -> Result<JpegDecoder<'v, 'dev, D, F, Stopped>> {
        check("hi_mpi_vdec_stop_recv_stream", stop(self.id))?;
        Ok(self.with_state())
    }

    /// Decodes a file and waits for the picture (`hi_mpi_vdec_send_stream`, `hi_mpi_vdec_get_frame`,
    /// `hi_mpi_vdec_release_frame`). Returns the picture, and the file for further use.
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::JpegFormat`] for a format that the decoder does not make of this file, and
    /// [`MediaMismatch::Decoded`] if `output` was made for another size. [`MediaMismatch::Undecoded`] if the decoder has
    /// refused the file. [`MediaMismatch::Unfinished`] if the wait for an earlier file has failed. [`ErrorKind::Refused`] if
    /// the file was not sent: its memory is freed then. [`ErrorKind::Wait`] if the wait has failed: nothing proves then that
    /// the media engine has stopped using the memory, so it is leaked.
    #[doc(alias = "hi_mpi_vdec_send_stream")]
    #[doc(alias = "hi_mpi_vdec_get_frame")]
    #[doc(alias = "hi_mpi_vdec_release_frame")]
    pub fn decode<'m, 'o>(
        &mut self,
        file: SecondFile<'m, D, JpegInfo>,
        output: Picture<'o, DvppV2<D>, F, Uninit>,
    ) -> Result<(Picture<'o, DvppV2<D>, F>, SecondFile<'m, D, JpegInfo>)> {
        if self.unfinished {
            return Err(MediaMismatch::Unfinished.into());
        }
        let (layout, info) = (output.layout(), *file.info());
        info.format.check_decodes::<F>()?;
        check_decoded(
            Layout::for_jpeg(self.chip, info.width, info.height)?,
            &layout,
        )?;
        let stream = Lasting::new(sys::hi_vdec_stream {
            end_of_frame: sys::HI_TRUE,
            end_of_stream: sys::HI_FALSE,
            need_display: sys::HI_TRUE,
            pts: 0,
            private_data: 0,
            len: file.bytes(),
            addr: file.address(),
        });
        let picture = Lasting::new(sys::hi_vdec_pic_info {
            width: layout.width(),
            height: layout.height(),
            width_stride: layout.width_stride(),
            height_stride: layout.height_stride(),
            pixel_format: sys::hi_pixel_format(F::RAW.0),
            vir_addr: output.address().addr() as u64,
            buffer_size: layout.bytes(),
            offset_top: 0,
            offset_bottom: 0,
            offset_left: 0,
            offset_right: 0,
        });
        // SAFETY: a channel that receives files; live structures with the addresses and sizes of live memory.
        let code =
            unsafe { sys::hi_mpi_vdec_send_stream(self.id, stream.as_ptr(), picture.as_ptr(), -1) };
        check("hi_mpi_vdec_send_stream", code)?;
        match self.receive() {
            Ok(0) => Ok((output.with_state(), file)),
            Ok(state) => {
                let reason =
                    format!("hi_mpi_vdec_get_frame has returned a frame in the state {state}");
                Err(undecoded(
                    "JPEG",
                    file.bytes(),
                    (info.width, info.height),
                    reason,
                ))
            }
            Err(error) => {
                // The media engine may still use all of this, and the frame may come later.
                self.unfinished = true;
                mem::forget((file, output, stream, picture));
                release::leaked(&error);
                Err(error)
            }
        }
    }

    /// Waits for the frame of the file that was sent, and returns its state. Zero is a good one.
    fn receive(&mut self) -> Result<u32> {
        // SAFETY: a structure of numbers and pointers.
        let mut frame: sys::hi_video_frame_info = unsafe { zeroed() };
        // SAFETY: a structure of numbers and a pointer.
        let mut stream: sys::hi_vdec_stream = unsafe { zeroed() };
        // SAFETY: both structures are valid for writes, and the call takes null for further data.
        let code = unsafe {
            sys::hi_mpi_vdec_get_frame(
                self.id,
                &raw mut frame,
                core::ptr::null_mut(),
                &raw mut stream,
                -1,
            )
        };
        check_wait("hi_mpi_vdec_get_frame", code)?;
        // SAFETY: the frame that the channel has returned.
        let code = unsafe { sys::hi_mpi_vdec_release_frame(self.id, &raw const frame) };
        check_wait("hi_mpi_vdec_release_frame", code)?;
        Ok(frame.v_frame.frame_flag)
    }
}

impl<D: AnyDevice, F: JpegOutput, S: ChannelState> Drop for JpegDecoder<'_, '_, D, F, S> {
    fn drop(&mut self) {
        if S::RECEIVES {
            release::status_in_drop("hi_mpi_vdec_stop_recv_stream", stop(self.id));
        }
        let code = destroy(self.id);
        release::status_in_drop("hi_mpi_vdec_destroy_chn", code);
        if code == sys::HI_SUCCESS {
            NUMBERS.give_back(self.id);
        }
    }
}

impl<D: AnyDevice, F: JpegOutput, S: ChannelState> fmt::Debug for JpegDecoder<'_, '_, D, F, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = self.current.core().id();
        write!(f, "JpegDecoder({} on device {on}, {})", self.id, F::NAME)
    }
}
