//! Tasks of the second interface for a region of a picture: crop, scale, paste, and put a border around it.

use ascendcl_sys as sys;

use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{MediaMismatch, Result};
use crate::media::format::{VpcInput, VpcOutput};
use crate::media::picture::Picture;
use crate::media::region::Region;
use crate::media::v1::{Border, BorderKind};
use crate::media::v2::lasting::Lasting;
use crate::media::v2::processor::{Fresh, Processor, Scaling, Shared, Task, describe};
use crate::media::v2::task::Processing;
use crate::memory::DvppV2;

/// A picture with contents that a task writes in part.
pub(super) type Canvas<'m, D, F> = Picture<'m, DvppV2<D>, F>;

/// Returns a region as C has it.
fn crop(region: Region) -> sys::hi_vpc_crop_region {
    sys::hi_vpc_crop_region {
        top_offset: region.top,
        left_offset: region.left,
        crop_width: region.width,
        crop_height: region.height,
    }
}

fn resize(width: u32, height: u32, how: Scaling) -> sys::hi_vpc_resize_info {
    sys::hi_vpc_resize_info {
        resize_width: width,
        resize_height: height,
        interpolation: how.raw(),
    }
}

/// Returns the pixels of a border as C has them.
pub(super) fn kind_of(border: &Border) -> (sys::hi_vpc_bord_type, sys::hi_vpc_scalar) {
    let (kind, val) = match border.kind {
        BorderKind::Constant(values) => (sys::HI_BORDER_CONSTANT, values),
        BorderKind::Replicate => (sys::HI_BORDER_REPLICATE, [0.0; 4]),
        BorderKind::Reflect => (sys::HI_BORDER_REFLECT, [0.0; 4]),
        BorderKind::Reflect101 => (sys::HI_BORDER_REFLECT_101, [0.0; 4]),
    };
    (kind, sys::hi_vpc_scalar { val })
}

/// A region that is pasted to a region of a canvas. Both were checked.
pub(super) fn paste_of(
    dest: sys::hi_vpc_pic_info,
    region: Region,
    paste: Region,
    how: Scaling,
) -> sys::hi_vpc_crop_resize_paste_region {
    sys::hi_vpc_crop_resize_paste_region {
        dest_pic_info: dest,
        crop_region: crop(region),
        resize_info: resize(paste.width, paste.height, how),
        dest_top_offset: paste.top,
        dest_left_offset: paste.left,
    }
}

/// A region that is scaled to the room inside of a border. Both were checked.
pub(super) fn border_of(
    dest: sys::hi_vpc_pic_info,
    region: Region,
    (border, (width, height)): (&Border, (u32, u32)),
    how: Scaling,
) -> sys::hi_vpc_crop_resize_border_region {
    let (border_type, scalar_value) = kind_of(border);
    sys::hi_vpc_crop_resize_border_region {
        dest_pic_info: dest,
        crop_region: crop(region),
        resize_info: resize(width, height, how),
        dest_top_offset: border.top.into(),
        dest_left_offset: border.left.into(),
        border_type,
        scalar_value,
    }
}

impl<D: AnyDevice> Processor<'_, '_, D> {
    /// Copies a region of a picture to `output`, which has the size of the region (`hi_mpi_vpc_crop`, pyACL
    /// `acl.himpi.vpc_crop`).
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Sizes`] if `output` has another size, and [`MediaMismatch::Region`] and
    /// [`MediaMismatch::RegionStep`] for a region that the picture or the chip does not allow. [`MediaMismatch::Range`] if a
    /// picture is larger than the chip allows. [`ErrorKind::Refused`] if the task was not queued.
    #[doc(alias = "hi_mpi_vpc_crop")]
    #[doc(alias = "acl.himpi.vpc_crop")]
    pub fn crop<'p, 'a, 'b, F: VpcInput, G: VpcOutput>(
        &'p self,
        input: &Shared<'a, D, F>,
        region: Region,
        output: Fresh<'b, D, G>,
    ) -> Result<Task<'p, 'a, 'b, D, F, G>> {
        let name = "hi_mpi_vpc_crop";
        region.check(&input.layout(), self.chip())?;
        let (width, height) = (region.width, region.height);
        let (to_width, to_height) = (output.width(), output.height());
        if (width, height) != (to_width, to_height) {
            let call = name;
            return Err(MediaMismatch::Sizes {
                call,
                width,
                height,
                to_width,
                to_height,
            }
            .into());
        }
        let more = Lasting::new(sys::hi_vpc_crop_region_info {
            dest_pic_info: describe(&output),
            crop_region: crop(region),
        });
        let (chn, info) = (self.id(), more.as_ptr());
        let call = |from, _, id| {
            // SAFETY: a live channel, and descriptions and memory that live until the result is collected.
            unsafe { sys::hi_mpi_vpc_crop(chn, from, info, 1, id, 0) }
        };
        // SAFETY: the call uses the pictures, their descriptions and the memory of `more`.
        unsafe { self.queue(name, (input, output), Box::new(more), call) }
    }

    /// Scales a region of a picture to the whole of `output` (`hi_mpi_vpc_crop_resize`, pyACL
    /// `acl.himpi.vpc_crop_resize`).
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Region`] and [`MediaMismatch::RegionStep`] for a region that the picture or the chip does not
    /// allow. [`MediaMismatch::Range`] if a picture is larger than the chip allows. [`ErrorKind::Refused`] if the task was
    /// not queued.
    #[doc(alias = "hi_mpi_vpc_crop_resize")]
    #[doc(alias = "acl.himpi.vpc_crop_resize")]
    pub fn crop_resize<'p, 'a, 'b, F: VpcInput, G: VpcOutput>(
        &'p self,
        input: &Shared<'a, D, F>,
        region: Region,
        output: Fresh<'b, D, G>,
        how: Scaling,
    ) -> Result<Task<'p, 'a, 'b, D, F, G>> {
        region.check(&input.layout(), self.chip())?;
        let more = Lasting::new(sys::hi_vpc_crop_resize_region {
            dest_pic_info: describe(&output),
            crop_region: crop(region),
            resize_info: resize(output.width(), output.height(), how),
        });
        let (chn, info) = (self.id(), more.as_ptr());
        let call = |from, _, id| {
            // SAFETY: a live channel, and descriptions and memory that live until the result is collected.
            unsafe { sys::hi_mpi_vpc_crop_resize(chn, from, info, 1, id, 0) }
        };
        let name = "hi_mpi_vpc_crop_resize";
        // SAFETY: the call uses the pictures, their descriptions and the memory of `more`.
        unsafe { self.queue(name, (input, output), Box::new(more), call) }
    }

    /// Scales a region of a picture to the region `paste` of `canvas` (`hi_mpi_vpc_crop_resize_paste`, pyACL
    /// `acl.himpi.vpc_crop_resize_paste`). Pixels outside of `paste` do not change.
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Region`], [`MediaMismatch::RegionStep`] and [`MediaMismatch::PasteLeft`] for a region that a picture
    /// or the chip does not allow. [`MediaMismatch::Range`] if a picture is larger than the chip allows.
    /// [`ErrorKind::Refused`] if the task was not queued. The canvas is freed then.
    #[doc(alias = "hi_mpi_vpc_crop_resize_paste")]
    #[doc(alias = "acl.himpi.vpc_crop_resize_paste")]
    pub fn crop_resize_paste<'p, 'a, 'b, F: VpcInput, G: VpcOutput>(
        &'p self,
        input: &Shared<'a, D, F>,
        region: Region,
        (canvas, paste): (Canvas<'b, D, G>, Region),
        how: Scaling,
    ) -> Result<Processing<'p, Shared<'a, D, F>, Canvas<'b, D, G>>> {
        region.check(&input.layout(), self.chip())?;
        paste.check_paste(&canvas.layout(), self.chip())?;
        let more = Lasting::new(paste_of(describe(&canvas), region, paste, how));
        let (chn, info) = (self.id(), more.as_ptr());
        let call = |from, _, id| {
            // SAFETY: a live channel, and descriptions and memory that live until the result is collected.
            unsafe { sys::hi_mpi_vpc_crop_resize_paste(chn, from, info, 1, id, 0) }
        };
        let name = "hi_mpi_vpc_crop_resize_paste";
        // SAFETY: the call uses the pictures, their descriptions and the memory of `more`.
        unsafe { self.queue(name, (input, canvas), Box::new(more), call) }
    }

    /// Scales a region of a picture to the inner part of `output`, and fills the border around it
    /// (`hi_mpi_vpc_crop_resize_make_border`, pyACL `acl.himpi.vpc_crop_resize_make_border`).
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::BorderRoom`] for a border without room for a picture, and [`MediaMismatch::BorderValue`].
    /// [`MediaMismatch::Region`] and [`MediaMismatch::RegionStep`] for a region that the picture or the chip does not
    /// allow. [`MediaMismatch::Range`] if a picture is larger than the chip allows. [`ErrorKind::Refused`] if the task was
    /// not queued.
    #[doc(alias = "hi_mpi_vpc_crop_resize_make_border")]
    #[doc(alias = "acl.himpi.vpc_crop_resize_make_border")]
    pub fn crop_resize_border<'p, 'a, 'b, F: VpcInput, G: VpcOutput>(
        &'p self,
        input: &Shared<'a, D, F>,
        region: Region,
        (output, border): (Fresh<'b, D, G>, &Border),
        how: Scaling,
    ) -> Result<Task<'p, 'a, 'b, D, F, G>> {
        region.check(&input.layout(), self.chip())?;
        let room = border.room(&output.layout())?;
        let more = Lasting::new(border_of(describe(&output), region, (border, room), how));
        let (chn, info) = (self.id(), more.as_ptr());
        let call = |from, _, id| {
            // SAFETY: a live channel, and descriptions and memory that live until the result is collected.
            unsafe { sys::hi_mpi_vpc_crop_resize_make_border(chn, from, info, 1, id, 0) }
        };
        let name = "hi_mpi_vpc_crop_resize_make_border";
        // SAFETY: the call uses the pictures, their descriptions and the memory of `more`.
        unsafe { self.queue(name, (input, output), Box::new(more), call) }
    }
}
