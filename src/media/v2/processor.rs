//! Channels of the picture processor, second interface.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, MediaMismatch};
use crate::media::chip::Chip;
use crate::media::format::{HistogramInput, LookupFormat, PixelFormat, VpcInput, VpcOutput};
use crate::media::picture::Picture;
use crate::media::size::{check_input, check_output, check_same};
use crate::media::v1::{Border, LookupTable};
use crate::media::v2::V2;
use crate::media::v2::lasting::Lasting;
use crate::media::v2::region::kind_of;
use crate::media::v2::task::{Counts, Outcome, Processing};
use crate::memory::{DvppV2, Uninit};
use crate::raw::check;
use crate::release;

/// The way in which the second interface computes the pixels of another size. Its numbers are not those of the first
/// interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Scaling {
    /// Bilinear.
    #[default]
    Bilinear,
    /// The nearest pixel.
    Nearest,
}

impl Scaling {
    pub(super) fn raw(self) -> u32 {
        match self {
            Scaling::Bilinear => 0,
            Scaling::Nearest => 1,
        }
    }
}

/// A channel of the picture processor.
///
/// Each call queues a task and returns it as a [`Processing`]. A task reads a picture that is shared by [`Arc`], and writes
/// a fresh picture that it owns. The channel stays on its thread, and dropping it destroys it. Its tasks borrow it.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// # let media = acl.media()?.v2(current)?;
/// use std::sync::Arc;
///
/// use ascendcl::media::Nv12;
///
/// let processor = media.create_processor(current)?;
/// let gray = Arc::new(media.picture::<Nv12>(current, 64, 48)?.fill(current, 128)?);
/// let counts = processor.histogram(&gray)?.wait()?;
/// assert_eq!(counts[0][128], 64 * 48);
/// processor.destroy()?;
/// # });
/// ```
///
/// # Invariants
///
/// - `id` is a channel that `hi_mpi_vpc_sys_create_chn` has created and that was not destroyed.
#[must_use = "a channel that is dropped is destroyed"]
pub struct Processor<'v, 'dev, D: AnyDevice> {
    id: sys::hi_vpc_chn,
    /// The tasks whose results were not collected: those that were forgotten, and those whose wait has failed.
    uncollected: Cell<usize>,
    chip: Chip,
    current: Current<'v, 'dev, D>,
}

/// A picture that a task shares and reads.
pub(super) type Shared<'m, D, F> = Arc<Picture<'m, DvppV2<D>, F>>;
/// A fresh picture that a task writes.
pub(super) type Fresh<'m, D, F> = Picture<'m, DvppV2<D>, F, Uninit>;
/// A task from one picture to another one.
pub(super) type Task<'p, 'a, 'b, D, F, G> = Processing<'p, Shared<'a, D, F>, Fresh<'b, D, G>>;

impl<'acl, 'dev, D: AnyDevice> V2<'acl, 'dev, D> {
    /// Creates a channel of the picture processor, whose number the system chooses (`hi_mpi_vpc_sys_create_chn`, pyACL
    /// `acl.himpi.vpc_sys_create_chn`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v2(current)?;
    /// let processor = media.create_processor(current)?;
    /// processor.destroy()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when there is no free channel.
    #[doc(alias = "hi_mpi_vpc_sys_create_chn")]
    #[doc(alias = "hi_mpi_vpc_create_chn")]
    #[doc(alias = "acl.himpi.vpc_sys_create_chn")]
    pub fn create_processor<'v>(
        &'v self,
        current: Current<'v, 'dev, D>,
    ) -> Result<Processor<'v, 'dev, D>> {
        let attributes = sys::hi_vpc_chn_attr {
            attr: 0,
            pic_width: 0,
            pic_height: 0,
        };
        let mut id = 0;
        // SAFETY: `id` is valid for a write, and the attributes are readable.
        let code = unsafe { sys::hi_mpi_vpc_sys_create_chn(&raw mut id, &raw const attributes) };
        check("hi_mpi_vpc_sys_create_chn", code)?;
        Ok(Processor {
            id,
            uncollected: Cell::new(0),
            chip: self.chip(),
            current,
        })
    }
}

/// Returns the description of a picture.
pub(super) fn describe<F: PixelFormat, D: AnyDevice, I>(
    picture: &Picture<'_, DvppV2<D>, F, I>,
) -> sys::hi_vpc_pic_info {
    let layout = picture.layout();
    sys::hi_vpc_pic_info {
        picture_address: picture.address(),
        picture_buffer_size: layout.bytes(),
        picture_width: layout.width(),
        picture_height: layout.height(),
        picture_width_stride: layout.width_stride(),
        picture_height_stride: layout.height_stride(),
        picture_format: sys::hi_pixel_format(F::RAW.0),
    }
}

impl<D: AnyDevice> Processor<'_, '_, D> {
    /// Returns the number of the channel.
    #[must_use]
    pub fn id(&self) -> i32 {
        self.id
    }

    pub(super) fn chip(&self) -> Chip {
        self.chip
    }

    /// Queues a task between two pictures. `queue` gets the descriptions of both and the place of the task's number.
    ///
    /// # Safety
    ///
    /// - `queue` queues a task on this channel that uses the two pictures, their descriptions and the memory of `more`
    ///   only.
    pub(super) unsafe fn queue<'p, 'a, 'b, F: VpcInput, G: VpcOutput, I>(
        &'p self,
        call: &'static str,
        (input, output): (&Shared<'a, D, F>, Picture<'b, DvppV2<D>, G, I>),
        more: Box<dyn Any>,
        queue: impl FnOnce(*const sys::hi_vpc_pic_info, *mut sys::hi_vpc_pic_info, *mut u32) -> i32,
    ) -> Result<Processing<'p, Shared<'a, D, F>, Picture<'b, DvppV2<D>, G, I>>>
    where
        Picture<'b, DvppV2<D>, G, I>: Outcome,
    {
        check_input(&input.layout(), self.chip)?;
        check_output(&output.layout(), self.chip)?;
        let infos = Lasting::new([describe(input), describe(&output)]);
        let source = infos.as_ptr().cast::<sys::hi_vpc_pic_info>();
        let target = source.wrapping_add(1);
        let infos: Box<dyn Any> = Box::new((infos, more));
        let held = (Arc::clone(input), infos, output);
        // SAFETY: the caller's contract; the channel lives as long as this borrow.
        unsafe { Processing::queue(call, self.tasks(), held, |id| queue(source, target, id)) }
    }

    /// Scales a picture to the size of `output`, and converts it to the format of `output` (`hi_mpi_vpc_resize`, pyACL
    /// `acl.himpi.vpc_resize`).
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Range`] if a picture is larger than the chip allows. [`ErrorKind::Refused`] if the task was not
    /// queued; if the queue of the channel is full, wait for earlier tasks first.
    #[doc(alias = "hi_mpi_vpc_resize")]
    #[doc(alias = "acl.himpi.vpc_resize")]
    pub fn resize<'p, 'a, 'b, F: VpcInput, G: VpcOutput>(
        &'p self,
        input: &Shared<'a, D, F>,
        output: Fresh<'b, D, G>,
        how: Scaling,
    ) -> Result<Task<'p, 'a, 'b, D, F, G>> {
        let how = how.raw();
        // Without factors, the size is that of the output.
        let call = |from, to, id| {
            // SAFETY: a live channel, and descriptions and memory that live until the result is collected.
            unsafe { sys::hi_mpi_vpc_resize(self.id, from, to, 0.0, 0.0, how, id, 0) }
        };
        // SAFETY: the call uses the pictures and their descriptions only.
        unsafe { self.queue("hi_mpi_vpc_resize", (input, output), Box::new(()), call) }
    }

    /// Converts a picture to the format of `output`, which has the same size (`hi_mpi_vpc_convert_color`, pyACL
    /// `acl.himpi.vpc_convert_color`).
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Sizes`] if the pictures have different sizes, and [`MediaMismatch::Range`].
    /// [`ErrorKind::Refused`] if the task was not queued.
    #[doc(alias = "hi_mpi_vpc_convert_color")]
    #[doc(alias = "acl.himpi.vpc_convert_color")]
    pub fn convert_color<'p, 'a, 'b, F: VpcInput, G: VpcOutput>(
        &'p self,
        input: &Shared<'a, D, F>,
        output: Fresh<'b, D, G>,
    ) -> Result<Task<'p, 'a, 'b, D, F, G>> {
        let name = "hi_mpi_vpc_convert_color";
        check_same(name, &input.layout(), &output.layout())?;
        let call = |from, to, id| {
            // SAFETY: a live channel, and descriptions and memory that live until the result is collected.
            unsafe { sys::hi_mpi_vpc_convert_color(self.id, from, to, id, 0) }
        };
        // SAFETY: the call uses the pictures and their descriptions only.
        unsafe { self.queue(name, (input, output), Box::new(()), call) }
    }

    /// Copies a picture to the middle of `output` and fills the border around it (`hi_mpi_vpc_copy_make_border`, pyACL
    /// `acl.himpi.vpc_copy_make_border`).
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Border`] if `output` does not have the size of the picture with the border,
    /// [`MediaMismatch::BorderValue`] and [`MediaMismatch::Range`]. [`ErrorKind::Refused`] if the task was not queued.
    #[doc(alias = "hi_mpi_vpc_copy_make_border")]
    #[doc(alias = "acl.himpi.vpc_copy_make_border")]
    pub fn make_border<'p, 'a, 'b, F: VpcInput, G: VpcOutput>(
        &'p self,
        input: &Shared<'a, D, F>,
        output: Fresh<'b, D, G>,
        border: &Border,
    ) -> Result<Task<'p, 'a, 'b, D, F, G>> {
        border.check(&input.layout(), &output.layout())?;
        let (border_type, scalar_value) = kind_of(border);
        let info = sys::hi_vpc_make_border_info {
            top: border.top.into(),
            bottom: border.bottom.into(),
            left: border.left.into(),
            right: border.right.into(),
            border_type,
            scalar_value,
        };
        let call = |from, to, id| {
            // SAFETY: a live channel, and descriptions and memory that live until the result is collected. The call takes
            // the border by value.
            unsafe { sys::hi_mpi_vpc_copy_make_border(self.id, from, to, info, id, 0) }
        };
        let name = "hi_mpi_vpc_copy_make_border";
        // SAFETY: the call uses the pictures and their descriptions only.
        unsafe { self.queue(name, (input, output), Box::new(()), call) }
    }

    /// Replaces the values of a picture by those of a table (`hi_mpi_vpc_equalize_hist`, pyACL
    /// `acl.himpi.vpc_equalize_hist`). Input and output have the same format and size.
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Sizes`] for pictures of different sizes, and [`MediaMismatch::Range`]. [`ErrorKind::Refused`] if
    /// the task was not queued.
    #[doc(alias = "hi_mpi_vpc_equalize_hist")]
    #[doc(alias = "acl.himpi.vpc_equalize_hist")]
    pub fn replace_values<'p, 'a, 'b, F: LookupFormat + VpcInput + VpcOutput>(
        &'p self,
        input: &Shared<'a, D, F>,
        output: Fresh<'b, D, F>,
        table: &LookupTable,
    ) -> Result<Task<'p, 'a, 'b, D, F, F>> {
        let name = "hi_mpi_vpc_equalize_hist";
        check_same(name, &input.layout(), &output.layout())?;
        let [map_value_y_or_r, map_value_u_or_g, map_value_v_or_b] = table.0;
        let more = Lasting::new(sys::hi_vpc_lut_remap {
            map_value_y_or_r,
            map_value_u_or_g,
            map_value_v_or_b,
        });
        let table = more.as_ptr();
        let call = |from, to, id| {
            // SAFETY: a live channel, and descriptions and memory that live until the result is collected.
            unsafe { sys::hi_mpi_vpc_equalize_hist(self.id, from, to, table, id, 0) }
        };
        // SAFETY: the call uses the pictures, their descriptions and the memory of `more`.
        unsafe { self.queue(name, (input, output), Box::new(more), call) }
    }

    /// Counts the values of each component of a picture (`hi_mpi_vpc_calc_hist`, pyACL `acl.himpi.vpc_calc_hist`).
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Range`]. [`ErrorKind::Refused`] if the task was not queued.
    #[doc(alias = "hi_mpi_vpc_calc_hist")]
    #[doc(alias = "acl.himpi.vpc_calc_hist")]
    pub fn histogram<'p, 'a, F: HistogramInput + VpcInput>(
        &'p self,
        input: &Shared<'a, D, F>,
    ) -> Result<Processing<'p, Shared<'a, D, F>, Counts>> {
        check_input(&input.layout(), self.chip)?;
        let counts = Lasting::new(sys::hi_vpc_histogram_config {
            histogram_y_or_r: [0; 256],
            histogram_u_or_g: [0; 256],
            histogram_v_or_b: [0; 256],
        });
        let infos = Lasting::new(describe(input));
        let (from, to) = (infos.as_ptr(), counts.as_ptr());
        let infos: Box<dyn Any> = Box::new(infos);
        let held = (Arc::clone(input), infos, Counts(counts));
        let call = |id| {
            // SAFETY: a live channel, and descriptions and memory that live until the result is collected.
            unsafe { sys::hi_mpi_vpc_calc_hist(self.id, from, to, id, 0) }
        };
        // SAFETY: the call uses the picture, its description and the numbers; the channel lives as long as this borrow.
        unsafe { Processing::queue("hi_mpi_vpc_calc_hist", self.tasks(), held, call) }
    }

    /// Destroys the channel (`hi_mpi_vpc_destroy_chn`, pyACL `acl.himpi.vpc_destroy_chn`). This does not compile while a
    /// task lives. If a task was forgotten, or its wait has failed, the channel is leaked: the task may still run.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "hi_mpi_vpc_destroy_chn")]
    #[doc(alias = "acl.himpi.vpc_destroy_chn")]
    pub fn destroy(self) -> Result<()> {
        let this = std::mem::ManuallyDrop::new(self);
        check("hi_mpi_vpc_destroy_chn", this.close())
    }

    pub(super) fn tasks(&self) -> (sys::hi_vpc_chn, &Cell<usize>) {
        (self.id, &self.uncollected)
    }

    /// Destroys the channel. One whose tasks may still run is left to the end of the process, as the memory of the tasks is.
    fn close(&self) -> i32 {
        if self.uncollected.get() > 0 {
            return sys::HI_SUCCESS;
        }
        // SAFETY: takes a number; the channel has no task.
        unsafe { sys::hi_mpi_vpc_destroy_chn(self.id) }
    }
}

impl<D: AnyDevice> Drop for Processor<'_, '_, D> {
    fn drop(&mut self) {
        release::status_in_drop("hi_mpi_vpc_destroy_chn", self.close());
    }
}

impl<D: AnyDevice> fmt::Debug for Processor<'_, '_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = self.current.core().id();
        write!(f, "Processor({} on device {on})", self.id)
    }
}
