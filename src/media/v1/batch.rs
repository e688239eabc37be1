//! Batches: one task for many regions of many pictures.

use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::device::AnyDevice;
use crate::error::{Error, Result};
#[cfg(doc)]
use crate::error::{ErrorKind, MediaMismatch};
use crate::media::chip::Chip;
use crate::media::format::{PixelFormat, VpcInput, VpcOutput};
use crate::media::operand::{Canvas, PictureSource, PictureTarget, Seen};
use crate::media::region::Region;
use crate::media::size::{check_batch, check_input, check_output};
use crate::media::v1::border::Border;
use crate::media::v1::channel::Channel;
use crate::media::v1::mode::{Can, Vpc};
use crate::media::v1::task::{self, Task, describe};
use crate::media::v1::vpc::Interpolation;
use crate::media::work::{Behind, StatusOf, Tasks};
use crate::queue::Session;
use crate::raw::check;
use crate::stream::{Stream, StreamTag};

/// The C objects of a batch.
struct Batch {
    task: Task,
    source: *mut sys::acldvppBatchPicDesc,
    counts: Vec<u32>,
    size: u32,
    target: *mut sys::acldvppBatchPicDesc,
    regions: Vec<*mut sys::acldvppRoiConfig>,
    behind: Tasks,
}

impl Batch {
    /// Checks the pictures and regions of a batch, and describes them.
    fn new<Q, P, T>(
        call: &'static str,
        chip: Chip,
        inputs: &[(P, &[Region])],
        outputs: &[T],
    ) -> Result<Batch>
    where
        P: PictureSource<Q, Format: VpcInput>,
        T: PictureTarget<Q, Format: VpcOutput>,
    {
        let regions = inputs.iter().map(|(_, regions)| regions.len());
        check_batch(regions, outputs.len())?;
        let mut task = Task::new(call);
        let mut behind = Tasks::default();
        let mut described = Vec::new();
        let from: Vec<_> = inputs.iter().map(|(input, _)| input.seen()).collect();
        for (seen, (input, regions)) in from.iter().zip(inputs) {
            check_input(&seen.layout, chip)?;
            for region in *regions {
                region.check(&seen.layout, chip)?;
                described.push(task.region(*region)?);
            }
            behind.read(&input.work());
        }
        let to: Vec<_> = outputs.iter().map(PictureTarget::seen).collect();
        for seen in &to {
            check_output(&seen.layout, chip)?;
        }
        let (source, _) = task.pictures(&from)?;
        let (target, statuses) = task.pictures(&to)?;
        task.status(StatusOf::Pictures(statuses));
        // No overflow: a picture has at most 256 regions.
        let count = |(_, regions): &(P, &[Region])| u32::try_from(regions.len()).unwrap_or(0);
        Ok(Batch {
            task,
            source,
            counts: inputs.iter().map(count).collect(),
            size: u32::try_from(inputs.len()).unwrap_or(0),
            target,
            regions: described,
            behind,
        })
    }

    /// Queues the batch, and gives its task to all outputs.
    fn submit<D: AnyDevice, S: StreamTag, T: PictureTarget<(D, S)>>(
        self,
        stream: &Stream<'_, '_, D, S>,
        call: &'static str,
        mut outputs: Vec<T>,
        queue: impl FnOnce(
            *mut sys::acldvppBatchPicDesc,
            (*mut u32, u32),
            *mut sys::acldvppBatchPicDesc,
            *mut *mut sys::acldvppRoiConfig,
        ) -> sys::aclError,
    ) -> Result<Vec<T::Written>> {
        let Batch {
            mut task,
            source,
            counts,
            size,
            target,
            regions,
            behind,
        } = self;
        // The arrays live until the task is over, as the other objects do.
        let counts = task.array(counts)?;
        let regions = task.array(regions)?;
        let work = task.finish(stream);
        // What is foreign to a picture of the batch is in its list already.
        let behind = Behind {
            tasks: &behind,
            is_foreign: false,
        };
        for output in &mut outputs {
            output.attach(&work, &behind);
        }
        check(call, queue(source, (counts, size), target, regions))?;
        // SAFETY: a task that writes the pictures was queued.
        let written = |output: T| unsafe { output.written() };
        Ok(outputs.into_iter().map(written).collect())
    }
}

impl Task {
    /// Makes the description of several pictures, and returns the description of each.
    fn pictures<F: PixelFormat>(
        &mut self,
        pictures: &[Seen<F>],
    ) -> Result<(
        *mut sys::acldvppBatchPicDesc,
        Vec<NonNull<sys::acldvppPicDesc>>,
    )> {
        let count = u32::try_from(pictures.len()).unwrap_or(u32::MAX);
        // SAFETY: takes a number.
        let batch = unsafe { sys::acldvppCreateBatchPicDesc(count) };
        // SAFETY: null or a new description.
        let batch = unsafe { self.keep(task::PICTURES, batch) }?;
        let mut all = Vec::with_capacity(pictures.len());
        for (index, seen) in (0..).zip(pictures) {
            // SAFETY: a live description.
            let one = unsafe { sys::acldvppGetPicDesc(batch, index) };
            let Some(one) = NonNull::new(one) else {
                return Err(Error::refused(
                    "acldvppGetPicDesc",
                    sys::ACL_ERROR_INVALID_PARAM,
                ));
            };
            // SAFETY: a live description, which belongs to the batch.
            unsafe { describe(one.as_ptr(), seen) }?;
            all.push(one);
        }
        Ok((batch, all))
    }
}

impl<D: AnyDevice, S: StreamTag, K> Session<'_, '_, D, S, Channel<'_, '_, D, K>> {
    /// Copies regions of several pictures to one output each (`acldvppVpcBatchCropAsync`, pyACL
    /// `acl.media.dvpp_vpc_batch_crop_async`). A region is scaled if its size is not that of its output.
    ///
    /// `inputs` has each picture with its regions, and `outputs` one picture for each region, in the same order.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::{Nv12, Region};
    ///
    /// let gray = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
    /// let left = Region { left: 0, top: 0, width: 32, height: 48 };
    /// let right = Region { left: 32, ..left };
    /// let first = stream.adopt(media.picture::<Nv12, _>(current, 32, 48)?);
    /// let second = stream.adopt(media.picture::<Nv12, _>(current, 32, 48)?);
    /// let inputs = [(&gray, &[left, right][..])];
    /// let halves = stream.with(&channel).batch_crop(&inputs, vec![first, second])?;
    /// let idle = stream.synchronize()?;
    /// for picture in halves {
    ///     assert_eq!(idle.take(picture).check()?.read(current)?[0], 128);
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Batch`] for other numbers of outputs than regions, for a picture without a region, and for more than
    /// 256 regions. [`MediaMismatch::Region`], [`MediaMismatch::RegionStep`] and [`MediaMismatch::Range`].
    /// [`ErrorKind::Refused`] if the work was not queued.
    #[doc(alias = "acldvppVpcBatchCropAsync")]
    #[doc(alias = "acl.media.dvpp_vpc_batch_crop_async")]
    pub fn batch_crop<P, T>(
        self,
        inputs: &[(P, &[Region])],
        outputs: Vec<T>,
    ) -> Result<Vec<T::Written>>
    where
        K: Can<Vpc>,
        P: PictureSource<(D, S), Format: VpcInput>,
        T: PictureTarget<(D, S), Format: VpcOutput>,
    {
        let (channel, stream) = self.parts();
        let call = "acldvppVpcBatchCropAsync";
        let batch = Batch::new(call, channel.chip(), inputs, &outputs)?;
        let (channel, raw) = (channel.as_raw(), stream.as_raw());
        batch.submit(
            stream,
            call,
            outputs,
            |from, (counts, size), to, regions| {
                // SAFETY: objects of this task, a channel and pictures that are queued on the stream.
                unsafe {
                    sys::acldvppVpcBatchCropAsync(channel, from, counts, size, to, regions, raw)
                }
            },
        )
    }

    /// Scales regions of several pictures to one output each, in the given way (`acldvppVpcBatchCropResizeAsync`, pyACL
    /// `acl.media.dvpp_vpc_batch_crop_resize_async`).
    ///
    /// `inputs` has each picture with its regions, and `outputs` one picture for each region, in the same order.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::{Interpolation, Nv12, Region};
    ///
    /// let gray = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
    /// let left = Region { left: 0, top: 0, width: 32, height: 48 };
    /// let right = Region { left: 32, ..left };
    /// let first = stream.adopt(media.picture::<Nv12, _>(current, 32, 24)?);
    /// let second = stream.adopt(media.picture::<Nv12, _>(current, 32, 24)?);
    /// let inputs = [(&gray, &[left, right][..])];
    /// let near = Interpolation::Nearest;
    /// let halves = stream.with(&channel).batch_crop_resize(&inputs, vec![first, second], near)?;
    /// let idle = stream.synchronize()?;
    /// for picture in halves {
    ///     assert_eq!(idle.take(picture).check()?.read(current)?[0], 128);
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Batch`] for other numbers of outputs than regions, for a picture without a region, and for more than
    /// 256 regions. [`MediaMismatch::Region`], [`MediaMismatch::RegionStep`] and [`MediaMismatch::Range`].
    /// [`ErrorKind::Refused`] if the work was not queued.
    #[doc(alias = "acldvppVpcBatchCropResizeAsync")]
    #[doc(alias = "acl.media.dvpp_vpc_batch_crop_resize_async")]
    pub fn batch_crop_resize<P, T>(
        self,
        inputs: &[(P, &[Region])],
        outputs: Vec<T>,
        how: Interpolation,
    ) -> Result<Vec<T::Written>>
    where
        K: Can<Vpc>,
        P: PictureSource<(D, S), Format: VpcInput>,
        T: PictureTarget<(D, S), Format: VpcOutput>,
    {
        let (channel, stream) = self.parts();
        let call = "acldvppVpcBatchCropResizeAsync";
        let mut batch = Batch::new(call, channel.chip(), inputs, &outputs)?;
        let how = batch.task.resize(how)?;
        let (channel, raw) = (channel.as_raw(), stream.as_raw());
        batch.submit(
            stream,
            call,
            outputs,
            |from, (counts, size), to, regions| {
                // SAFETY: objects of this task, a channel and pictures that are queued on the stream.
                unsafe {
                    sys::acldvppVpcBatchCropResizeAsync(
                        channel, from, counts, size, to, regions, how, raw,
                    )
                }
            },
        )
    }

    /// Copies regions of several pictures to regions of one canvas each (`acldvppVpcBatchCropAndPasteAsync`, pyACL
    /// `acl.media.dvpp_vpc_batch_crop_and_paste_async`). Pixels of a canvas outside of its region do not change.
    ///
    /// `inputs` has each picture with its regions, and `canvases` one canvas with its region for each region of an input, in
    /// the same order.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::{Nv12, Region};
    ///
    /// let gray = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
    /// let left = Region { left: 0, top: 0, width: 32, height: 48 };
    /// let right = Region { left: 32, ..left };
    /// let black = || media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 0);
    /// let mut first = stream.adopt(black()?.into_canvas());
    /// let mut second = stream.adopt(black()?.into_canvas());
    /// let inputs = [(&gray, &[left, right][..])];
    /// let canvases = vec![(&mut first, left), (&mut second, right)];
    /// stream.with(&channel).batch_crop_paste(&inputs, canvases)?;
    /// let idle = stream.synchronize()?;
    /// let first = idle.take(first).check()?.read(current)?;
    /// let second = idle.take(second).check()?.read(current)?;
    /// assert_eq!((first[0], first[63], second[0], second[63]), (128, 0, 0, 128));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Batch`] for other numbers of canvases than regions, for a picture without a region, and for more
    /// than 256 regions. [`MediaMismatch::Region`], [`MediaMismatch::RegionStep`], [`MediaMismatch::PasteLeft`] and
    /// [`MediaMismatch::Range`]. [`ErrorKind::Refused`] if the work was not queued.
    #[doc(alias = "acldvppVpcBatchCropAndPasteAsync")]
    #[doc(alias = "acl.media.dvpp_vpc_batch_crop_and_paste_async")]
    pub fn batch_crop_paste<P, T>(
        self,
        inputs: &[(P, &[Region])],
        canvases: Vec<(T, Region)>,
    ) -> Result<()>
    where
        K: Can<Vpc>,
        P: PictureSource<(D, S), Format: VpcInput>,
        T: Canvas<(D, S), Format: VpcOutput>,
    {
        let (channel, stream) = self.parts();
        let call = "acldvppVpcBatchCropAndPasteAsync";
        let (canvases, pastes): (Vec<T>, Vec<Region>) = canvases.into_iter().unzip();
        let chip = channel.chip();
        let mut batch = Batch::new(call, chip, inputs, &canvases)?;
        let pastes = batch.task.pastes(chip, &canvases, &pastes)?;
        let (channel, raw) = (channel.as_raw(), stream.as_raw());
        batch.submit(
            stream,
            call,
            canvases,
            |from, (counts, size), to, regions| {
                // SAFETY: objects of this task, a channel and pictures that are queued on the stream.
                unsafe {
                    sys::acldvppVpcBatchCropAndPasteAsync(
                        channel, from, counts, size, to, regions, pastes, raw,
                    )
                }
            },
        )?;
        Ok(())
    }

    /// Scales regions of several pictures to regions of one canvas each, in the given way
    /// (`acldvppVpcBatchCropResizePasteAsync`, pyACL `acl.media.dvpp_vpc_batch_crop_resize_paste_async`). Pixels of a canvas
    /// outside of its region do not change.
    ///
    /// `inputs` has each picture with its regions, and `canvases` one canvas with its region for each region of an input, in
    /// the same order.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::{Interpolation, Nv12, Region};
    ///
    /// let gray = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
    /// let left = Region { left: 0, top: 0, width: 32, height: 48 };
    /// let right = Region { left: 32, ..left };
    /// let black = || media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 0);
    /// let mut first = stream.adopt(black()?.into_canvas());
    /// let mut second = stream.adopt(black()?.into_canvas());
    /// let inputs = [(&gray, &[left, right][..])];
    /// let narrow = Region { width: 16, ..left }; // half of the width
    /// let canvases = vec![(&mut first, narrow), (&mut second, right)];
    /// let near = Interpolation::Nearest;
    /// stream.with(&channel).batch_crop_resize_paste(&inputs, canvases, near)?;
    /// let idle = stream.synchronize()?;
    /// let first = idle.take(first).check()?.read(current)?;
    /// let second = idle.take(second).check()?.read(current)?;
    /// assert_eq!((first[0], first[16], second[0], second[63]), (128, 0, 0, 128));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Batch`] for other numbers of canvases than regions, for a picture without a region, and for more
    /// than 256 regions. [`MediaMismatch::Region`], [`MediaMismatch::RegionStep`], [`MediaMismatch::PasteLeft`] and
    /// [`MediaMismatch::Range`]. [`ErrorKind::Refused`] if the work was not queued.
    #[doc(alias = "acldvppVpcBatchCropResizePasteAsync")]
    #[doc(alias = "acl.media.dvpp_vpc_batch_crop_resize_paste_async")]
    pub fn batch_crop_resize_paste<P, T>(
        self,
        inputs: &[(P, &[Region])],
        canvases: Vec<(T, Region)>,
        how: Interpolation,
    ) -> Result<()>
    where
        K: Can<Vpc>,
        P: PictureSource<(D, S), Format: VpcInput>,
        T: Canvas<(D, S), Format: VpcOutput>,
    {
        let (channel, stream) = self.parts();
        let call = "acldvppVpcBatchCropResizePasteAsync";
        let (canvases, pastes): (Vec<T>, Vec<Region>) = canvases.into_iter().unzip();
        let chip = channel.chip();
        let mut batch = Batch::new(call, chip, inputs, &canvases)?;
        let pastes = batch.task.pastes(chip, &canvases, &pastes)?;
        let how = batch.task.resize(how)?;
        let (channel, raw) = (channel.as_raw(), stream.as_raw());
        batch.submit(
            stream,
            call,
            canvases,
            |from, (counts, size), to, regions| {
                // SAFETY: objects of this task, a channel and pictures that are queued on the stream.
                unsafe {
                    sys::acldvppVpcBatchCropResizePasteAsync(
                        channel, from, counts, size, to, regions, pastes, how, raw,
                    )
                }
            },
        )?;
        Ok(())
    }

    /// Scales regions of several pictures to the inner part of one output each, and fills the border around it
    /// (`acldvppVpcBatchCropResizeMakeBorderAsync`, pyACL `acl.media.dvpp_vpc_batch_crop_resize_make_border_async`).
    ///
    /// `inputs` has each picture with its regions, and `outputs` one picture with its border for each region, in the same
    /// order. A region is scaled to the size of its output without the border.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::{Border, BorderKind, Interpolation, Nv12, Region};
    ///
    /// let gray = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
    /// let left = Region { left: 0, top: 0, width: 32, height: 48 };
    /// let right = Region { left: 32, ..left };
    /// let first = stream.adopt(media.picture::<Nv12, _>(current, 32, 48)?);
    /// let second = stream.adopt(media.picture::<Nv12, _>(current, 32, 48)?);
    /// let kind = BorderKind::Constant([0.0; 4]);
    /// let frame = Border { kind, top: 2, bottom: 2, left: 2, right: 2 };
    /// let inputs = [(&gray, &[left, right][..])];
    /// let outputs = vec![(first, frame), (second, frame)];
    /// let near = Interpolation::Nearest;
    /// let halves = stream.with(&channel).batch_crop_resize_border(&inputs, outputs, near)?;
    /// let idle = stream.synchronize()?;
    /// for picture in halves {
    ///     assert_eq!(idle.take(picture).check()?.read(current)?[2 * 32 + 2], 128);
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Batch`] for other numbers of outputs than regions, for a picture without a region, and for more than
    /// 256 regions. [`MediaMismatch::BorderRoom`] for a border without room for a picture, and
    /// [`MediaMismatch::BorderValue`]. [`MediaMismatch::Region`], [`MediaMismatch::RegionStep`] and
    /// [`MediaMismatch::Range`]. [`ErrorKind::Refused`] with 200006 on Ascend 310 and 910, which do not have the function,
    /// and if the work was not queued.
    #[doc(alias = "acldvppVpcBatchCropResizeMakeBorderAsync")]
    #[doc(alias = "acl.media.dvpp_vpc_batch_crop_resize_make_border_async")]
    pub fn batch_crop_resize_border<P, T>(
        self,
        inputs: &[(P, &[Region])],
        outputs: Vec<(T, Border)>,
        how: Interpolation,
    ) -> Result<Vec<T::Written>>
    where
        K: Can<Vpc>,
        P: PictureSource<(D, S), Format: VpcInput>,
        T: PictureTarget<(D, S), Format: VpcOutput>,
    {
        let (channel, stream) = self.parts();
        let call = "acldvppVpcBatchCropResizeMakeBorderAsync";
        let (outputs, borders): (Vec<T>, Vec<Border>) = outputs.into_iter().unzip();
        let mut batch = Batch::new(call, channel.chip(), inputs, &outputs)?;
        let mut described = Vec::with_capacity(borders.len());
        for (output, border) in outputs.iter().zip(&borders) {
            border.room(&output.seen().layout)?;
            described.push(batch.task.border(border)?);
        }
        let borders = batch.task.array(described)?;
        let how = batch.task.resize(how)?;
        let (channel, raw) = (channel.as_raw(), stream.as_raw());
        batch.submit(
            stream,
            call,
            outputs,
            |from, (counts, size), to, regions| {
                // SAFETY: objects of this task, a channel and pictures that are queued on the stream.
                unsafe {
                    sys::acldvppVpcBatchCropResizeMakeBorderAsync(
                        channel, from, counts, size, to, regions, borders, how, raw,
                    )
                }
            },
        )
    }
}

impl Task {
    /// Checks and describes the regions of canvases.
    fn pastes<Q, T: PictureTarget<Q, Format: VpcOutput>>(
        &mut self,
        chip: Chip,
        canvases: &[T],
        pastes: &[Region],
    ) -> Result<*mut *mut sys::acldvppRoiConfig> {
        let mut described = Vec::with_capacity(pastes.len());
        for (canvas, paste) in canvases.iter().zip(pastes) {
            paste.check_paste(&canvas.seen().layout, chip)?;
            described.push(self.region(*paste)?);
        }
        self.array(described)
    }
}
