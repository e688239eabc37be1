//! Batches of the second interface: one task for many regions of many pictures.

use std::any::Any;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::device::AnyDevice;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, MediaMismatch};
use crate::media::format::{VpcInput, VpcOutput};
use crate::media::region::Region;
use crate::media::size::{check_batch, check_input, check_output};
use crate::media::v1::Border;
use crate::media::v2::lasting::Lasting;
use crate::media::v2::processor::{Fresh, Processor, Scaling, Shared, describe};
use crate::media::v2::region::{Canvas, border_of, paste_of};
use crate::media::v2::task::{Outcome, Processing};

/// Pictures with their regions.
type Inputs<'i, 'a, D, F> = [(&'i Shared<'a, D, F>, &'i [Region])];
/// A task of several pictures.
type Batch<'p, 'a, D, F, R> = Processing<'p, Vec<Shared<'a, D, F>>, Vec<R>>;

/// The arguments of a call: the pictures with their number, the regions, and the number of regions of each picture.
type Arguments<R> = (*mut *const sys::hi_vpc_pic_info, u32, *mut R, *mut u32);

impl<D: AnyDevice> Processor<'_, '_, D> {
    /// Checks the pictures of a batch, and returns the region of each output.
    fn check_batch<F: VpcInput>(
        &self,
        inputs: &Inputs<'_, '_, D, F>,
        outputs: usize,
    ) -> Result<Vec<Region>> {
        check_batch(inputs.iter().map(|(_, regions)| regions.len()), outputs)?;
        let mut all = Vec::with_capacity(outputs);
        for (input, regions) in inputs {
            check_input(&input.layout(), self.chip())?;
            for region in *regions {
                region.check(&input.layout(), self.chip())?;
                all.push(*region);
            }
        }
        Ok(all)
    }

    /// Queues a task of several pictures by `queue`.
    ///
    /// # Safety
    ///
    /// - `queue` queues a task on this channel that uses the pictures and the memory of its arguments only. The regions
    ///   describe `outputs`.
    unsafe fn queue_batch<'p, 'a, F: VpcInput, R: Outcome, C: 'static>(
        &'p self,
        call: &'static str,
        inputs: &Inputs<'_, 'a, D, F>,
        (outputs, regions): (Vec<R>, Vec<C>),
        queue: impl FnOnce(Arguments<C>, *mut u32) -> i32,
    ) -> Result<Batch<'p, 'a, D, F, R>> {
        let infos: Vec<_> = inputs
            .iter()
            .map(|(input, _)| describe::<F, D, _>(input))
            .collect();
        let infos = Lasting::new(infos);
        let first = infos.first().cast_const();
        let pointers = (0..inputs.len()).map(|index| first.wrapping_add(index));
        let pointers = Lasting::new(pointers.collect::<Vec<_>>());
        // No overflow: there are at most 256 regions.
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let counts = inputs.iter().map(|(_, regions)| number(regions.len()));
        let counts = Lasting::new(counts.collect::<Vec<_>>());
        let regions = Lasting::new(regions);
        let arguments = (
            pointers.first(),
            number(inputs.len()),
            regions.first(),
            counts.first(),
        );
        let shares = inputs.iter().map(|(input, _)| Arc::clone(input)).collect();
        let held: Box<dyn Any> = Box::new((infos, pointers, counts, regions));
        let held = (shares, held, outputs);
        // SAFETY: the caller's contract; the channel lives as long as this borrow.
        unsafe { Processing::queue(call, self.tasks(), held, |id| queue(arguments, id)) }
    }

    /// Scales regions of several pictures to regions of one canvas each (`hi_mpi_vpc_batch_crop_resize_paste`, pyACL
    /// `acl.himpi.vpc_batch_crop_resize_paste`). Pixels of a canvas outside of its region do not change.
    ///
    /// `inputs` has each picture with its regions, and `canvases` one canvas with its region for each region of an input, in
    /// the same order.
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Batch`] for other numbers of canvases than regions, for a picture without a region, and for more
    /// than 256 regions. [`MediaMismatch::Region`], [`MediaMismatch::RegionStep`], [`MediaMismatch::PasteLeft`] and
    /// [`MediaMismatch::Range`]. [`ErrorKind::Refused`] if the task was not queued. The canvases are freed then.
    #[doc(alias = "hi_mpi_vpc_batch_crop_resize_paste")]
    #[doc(alias = "acl.himpi.vpc_batch_crop_resize_paste")]
    pub fn batch_crop_resize_paste<'p, 'a, 'b, F: VpcInput, G: VpcOutput>(
        &'p self,
        inputs: &[(&Shared<'a, D, F>, &[Region])],
        canvases: Vec<(Canvas<'b, D, G>, Region)>,
        how: Scaling,
    ) -> Result<Batch<'p, 'a, D, F, Canvas<'b, D, G>>> {
        let regions = self.check_batch(inputs, canvases.len())?;
        let mut described = Vec::with_capacity(canvases.len());
        for ((canvas, paste), region) in canvases.iter().zip(regions) {
            check_output(&canvas.layout(), self.chip())?;
            paste.check_paste(&canvas.layout(), self.chip())?;
            described.push(paste_of(describe(canvas), region, *paste, how));
        }
        let canvases = canvases.into_iter().map(|(canvas, _)| canvas).collect();
        let chn = self.id();
        let queue = |(from, count, regions, counts): Arguments<_>, id| {
            // SAFETY: a live channel, and descriptions and memory that live until the result is collected.
            unsafe {
                sys::hi_mpi_vpc_batch_crop_resize_paste(chn, from, count, regions, counts, id, 0)
            }
        };
        let call = "hi_mpi_vpc_batch_crop_resize_paste";
        // SAFETY: the call uses the pictures and the memory of its arguments; the regions describe the canvases.
        unsafe { self.queue_batch(call, inputs, (canvases, described), queue) }
    }

    /// Scales regions of several pictures to the inner part of one output each, and fills the border around it
    /// (`hi_mpi_vpc_batch_crop_resize_make_border`, pyACL `acl.himpi.vpc_batch_crop_resize_make_border`).
    ///
    /// `inputs` has each picture with its regions, and `outputs` one picture with its border for each region, in the same
    /// order. A region is scaled to the size of its output without the border.
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Batch`] for other numbers of outputs than regions, for a picture without a region, and for more than
    /// 256 regions. [`MediaMismatch::BorderRoom`] for a border without room for a picture, and
    /// [`MediaMismatch::BorderValue`]. [`MediaMismatch::Region`], [`MediaMismatch::RegionStep`] and
    /// [`MediaMismatch::Range`]. [`ErrorKind::Refused`] if the task was not queued.
    #[doc(alias = "hi_mpi_vpc_batch_crop_resize_make_border")]
    #[doc(alias = "acl.himpi.vpc_batch_crop_resize_make_border")]
    pub fn batch_crop_resize_border<'p, 'a, 'b, F: VpcInput, G: VpcOutput>(
        &'p self,
        inputs: &[(&Shared<'a, D, F>, &[Region])],
        outputs: Vec<(Fresh<'b, D, G>, Border)>,
        how: Scaling,
    ) -> Result<Batch<'p, 'a, D, F, Fresh<'b, D, G>>> {
        let regions = self.check_batch(inputs, outputs.len())?;
        let mut described = Vec::with_capacity(outputs.len());
        for ((output, border), region) in outputs.iter().zip(regions) {
            check_output(&output.layout(), self.chip())?;
            let room = border.room(&output.layout())?;
            described.push(border_of(describe(output), region, (border, room), how));
        }
        let outputs = outputs.into_iter().map(|(output, _)| output).collect();
        let chn = self.id();
        let queue = |(from, count, regions, counts): Arguments<_>, id| {
            // SAFETY: a live channel, and descriptions and memory that live until the result is collected.
            unsafe {
                sys::hi_mpi_vpc_batch_crop_resize_make_border(
                    chn, from, count, regions, counts, id, 0,
                )
            }
        };
        let call = "hi_mpi_vpc_batch_crop_resize_make_border";
        // SAFETY: the call uses the pictures and the memory of its arguments; the regions describe the outputs.
        unsafe { self.queue_batch(call, inputs, (outputs, described), queue) }
    }
}
