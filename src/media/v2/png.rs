//! The PNG decoder of the second interface: a channel that receives files and returns pictures.

use std::fmt;
use std::mem::{self, ManuallyDrop};

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, MediaMismatch, Result};
use crate::media::chip::Chip;
use crate::media::file::{PngInfo, check_decoded};
use crate::media::format::PngOutput;
use crate::media::layout::Layout;
use crate::media::picture::Picture;
use crate::media::v2::file::{undecoded, zeroed};
use crate::media::v2::lasting::Lasting;
use crate::media::v2::number::Numbers;
use crate::media::v2::{SecondFile, V2};
use crate::memory::{DvppV2, Uninit};
use crate::raw::check;
use crate::release;

static NUMBERS: Numbers = Numbers::new("PNG decoder");

/// A channel that decodes PNG files.
///
/// [`V2::create_png_decoder`] makes one. It stays on its thread; dropping it destroys it.
///
/// # Invariants
///
/// - `id` is a channel that was created and not destroyed.
/// - No picture of the channel is unfinished, unless `unfinished` says so.
#[must_use = "a decoder that is dropped is destroyed"]
pub struct PngDecoder<'v, 'dev, D: AnyDevice> {
    id: sys::hi_pngd_chn,
    chip: Chip,
    current: Current<'v, 'dev, D>,
    /// A wait has failed, so the next picture may be that of an earlier file.
    unfinished: bool,
}

impl<'dev, D: AnyDevice> V2<'_, 'dev, D> {
    /// Creates a channel that decodes PNG files of up to 4096 x 4096 pixels (`hi_mpi_pngd_create_chn`, pyACL
    /// `acl.himpi.pngd_create_chn`). Its number is one that no other PNG decoder of the process has.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v2(current)?;
    /// let decoder = media.create_png_decoder(current)?;
    /// decoder.destroy()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Channels`] if the process has 128 decoders. [`ErrorKind::Refused`].
    #[doc(alias = "hi_mpi_pngd_create_chn")]
    #[doc(alias = "acl.himpi.pngd_create_chn")]
    pub fn create_png_decoder<'v>(
        &'v self,
        current: Current<'v, 'dev, D>,
    ) -> Result<PngDecoder<'v, 'dev, D>> {
        let create = |id| {
            // SAFETY: a structure of numbers. All its fields are reserved.
            let attributes: sys::hi_pngd_chn_attr = unsafe { zeroed() };
            // SAFETY: the attributes are readable.
            let code = unsafe { sys::hi_mpi_pngd_create_chn(id, &raw const attributes) };
            check("hi_mpi_pngd_create_chn", code)
        };
        Ok(PngDecoder {
            id: NUMBERS.create(create)?,
            chip: self.chip,
            current,
            unfinished: false,
        })
    }
}

fn destroy(id: sys::hi_pngd_chn) -> i32 {
    // SAFETY: takes a number.
    let code = unsafe { sys::hi_mpi_pngd_destroy_chn(id) };
    if code == sys::HI_SUCCESS {
        NUMBERS.give_back(id);
    }
    code
}

impl<D: AnyDevice> PngDecoder<'_, '_, D> {
    /// Returns the number of the channel.
    #[must_use]
    pub fn id(&self) -> i32 {
        self.id
    }

    /// Decodes a file and waits for the picture (`hi_mpi_pngd_send_stream`, `hi_mpi_pngd_get_image_data`). Returns the
    /// picture, and the file for further use.
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Decoded`] if `output` was made for another size. [`MediaMismatch::Undecoded`] if the decoder has
    /// refused the file. [`MediaMismatch::Unfinished`] if the wait for an earlier file has failed. [`ErrorKind::Refused`] if
    /// the file was not sent: its memory is freed then. [`ErrorKind::Wait`] if the wait has failed: nothing proves then that
    /// the media engine has stopped using the memory, so it is leaked.
    #[doc(alias = "hi_mpi_pngd_send_stream")]
    #[doc(alias = "hi_mpi_pngd_get_image_data")]
    #[doc(alias = "acl.himpi.pngd_send_stream")]
    #[doc(alias = "acl.himpi.pngd_get_image_data")]
    pub fn decode<'m, 'o, F: PngOutput>(
        &mut self,
        file: SecondFile<'m, D, PngInfo>,
        output: Picture<'o, DvppV2<D>, F, Uninit>,
    ) -> Result<(Picture<'o, DvppV2<D>, F>, SecondFile<'m, D, PngInfo>)> {
        if self.unfinished {
            return Err(MediaMismatch::Unfinished.into());
        }
        let info = *file.info();
        check_decoded(
            Layout::for_png(self.chip, info.width, info.height)?,
            &output.layout(),
        )?;
        let stream = Lasting::new(sys::hi_img_stream {
            type_: sys::HI_PT_PNG,
            addr: file.address(),
            len: file.bytes(),
            pts: 0,
            reserved: [0; 2],
        });
        let layout = output.layout();
        let picture = Lasting::new(sys::hi_pic_info {
            picture_address: output.address(),
            picture_buffer_size: layout.bytes(),
            picture_width: layout.width(),
            picture_height: layout.height(),
            picture_width_stride: layout.width_stride(),
            picture_height_stride: layout.height_stride(),
            picture_format: sys::hi_pixel_format(F::RAW.0),
        });
        // SAFETY: a live channel; live structures with the addresses and sizes of live memory.
        let code =
            unsafe { sys::hi_mpi_pngd_send_stream(self.id, stream.as_ptr(), picture.as_ptr(), -1) };
        check("hi_mpi_pngd_send_stream", code)?;
        let call = "hi_mpi_pngd_get_image_data";
        match self.receive(output.address()) {
            Ok(0) => Ok((output.with_state(), file)),
            Ok(code) => {
                let reason = Error::wait(call, code).to_string();
                Err(undecoded(
                    "PNG",
                    file.bytes(),
                    (info.width, info.height),
                    reason,
                ))
            }
            Err(code) => {
                let error = Error::wait(call, code);
                // The media engine may still use all of this, and the picture may come later.
                self.unfinished = true;
                mem::forget((file, output, stream, picture));
                release::leaked(&error);
                Err(error)
            }
        }
    }

    /// Waits for the picture at `address` that was sent. The error is the status of a call that has returned no picture; a
    /// status with the picture is that of its decoding, which is over.
    fn receive(&mut self, address: *mut std::ffi::c_void) -> std::result::Result<i32, i32> {
        // SAFETY: a structure of numbers and a pointer.
        let mut picture: sys::hi_pic_info = unsafe { zeroed() };
        // SAFETY: a structure of numbers and a pointer.
        let mut stream: sys::hi_img_stream = unsafe { zeroed() };
        // SAFETY: both structures are valid for writes.
        let code = unsafe {
            sys::hi_mpi_pngd_get_image_data(self.id, &raw mut picture, &raw mut stream, -1)
        };
        if code == sys::HI_SUCCESS || picture.picture_address == address {
            Ok(code)
        } else {
            Err(code)
        }
    }

    /// Destroys the channel (`hi_mpi_pngd_destroy_chn`, pyACL `acl.himpi.pngd_destroy_chn`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. The number of the channel is not used again then.
    #[doc(alias = "hi_mpi_pngd_destroy_chn")]
    #[doc(alias = "acl.himpi.pngd_destroy_chn")]
    pub fn destroy(self) -> Result<()> {
        let this = ManuallyDrop::new(self);
        check("hi_mpi_pngd_destroy_chn", destroy(this.id))
    }
}

impl<D: AnyDevice> Drop for PngDecoder<'_, '_, D> {
    fn drop(&mut self) {
        release::status_in_drop("hi_mpi_pngd_destroy_chn", destroy(self.id));
    }
}

impl<D: AnyDevice> fmt::Debug for PngDecoder<'_, '_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = self.current.core().id();
        write!(f, "PngDecoder({} on device {on})", self.id)
    }
}
