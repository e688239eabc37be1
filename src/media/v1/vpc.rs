//! Tasks of the picture processor: scale, crop, paste and convert one picture.

use std::ptr::null_mut;

use ascendcl_sys as sys;

use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{MediaMismatch, Result};
use crate::media::format::{Gray, SameFormat, VpcInput, VpcOutput};
use crate::media::operand::{Canvas, PictureSource, PictureTarget};
use crate::media::region::Region;
use crate::media::size::{check_input, check_output, check_same};
use crate::media::v1::channel::Channel;
use crate::media::v1::mode::{Can, Vpc};
use crate::media::v1::task::Task;
use crate::queue::Session;
use crate::stream::StreamTag;

/// The way in which the picture processor computes the pixels of another size.
///
/// ```
/// use ascendcl::media::{Interpolation, Nv12, V1, Vpc};
/// use ascendcl::stream::Main;
/// use ascendcl::{Acl, Npu, Result};
///
/// fn halve(acl: &Acl, media: &V1<'_>, pixels: &[u8]) -> Result<Vec<u8>> {
///     acl.on::<Npu<0>, _>(0, |current| {
///         let mut stream = current.create_stream::<Main>()?;
///         let channel = stream.adopt(media.create_channel::<(Vpc,), _>(current)?);
///         let from = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.write(current, pixels)?);
///         let half = stream.adopt(media.picture::<Nv12, _>(current, 32, 24)?);
///         let half = stream.with(&channel).resize(&from, half, Interpolation::Nearest)?;
///         stream.synchronize()?.take(half).check()?.read(current)
///     })
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Interpolation {
    /// The default of the chip: a filter of high order on Ascend 310 and 910, bilinear on the others.
    #[default]
    Default,
    /// Bilinear, as OpenCV computes it.
    Bilinear,
    /// The nearest pixel, as OpenCV computes it.
    Nearest,
    /// A filter of high order. Ascend 310P does not have it; 310 and 910 have it as their default only.
    HighOrder,
}

impl Interpolation {
    /// The number of the first interface. The second one has other numbers.
    pub(super) fn raw(self) -> u32 {
        match self {
            Interpolation::Default => 0,
            Interpolation::Bilinear => 1,
            Interpolation::Nearest => 2,
            Interpolation::HighOrder => 5,
        }
    }
}

impl<D: AnyDevice, S: StreamTag, K> Session<'_, '_, D, S, Channel<'_, '_, D, K>> {
    /// Scales a picture to the size of `output`, and converts it to the format of `output` (`acldvppVpcResizeAsync`, pyACL
    /// `acl.media.dvpp_vpc_resize_async`).
    ///
    /// ```
    /// use ascendcl::media::{All, Interpolation, Nv12, V1};
    /// use ascendcl::stream::Main;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn halve(media: &V1<'_>, current: Current<'_, '_, Npu<0>>, pixels: &[u8]) -> Result<Vec<u8>> {
    ///     let mut stream = current.create_stream::<Main>()?;
    ///     let channel = stream.adopt(media.create_channel::<All, _>(current)?);
    ///     let from = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.write(current, pixels)?);
    ///     let half = stream.adopt(media.picture::<Nv12, _>(current, 32, 24)?);
    ///     let half = stream.with(&channel).resize(&from, half, Interpolation::Default)?;
    ///     stream.synchronize()?.take(half).check()?.read(current)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Range`] if a picture is larger than the chip allows. [`ErrorKind::Refused`] with 100027 for a format
    /// that the chip does not write, with 200006 for an interpolation that it does not have, and if the work was not
    /// queued. If the task fails, the next wait for the stream or [`Picture::check`](crate::media::Picture::check) returns
    /// the error.
    #[doc(alias = "acldvppVpcResizeAsync")]
    #[doc(alias = "acl.media.dvpp_vpc_resize_async")]
    pub fn resize<P, T>(self, input: P, output: T, how: Interpolation) -> Result<T::Written>
    where
        K: Can<Vpc>,
        P: PictureSource<(D, S), Format: VpcInput>,
        T: PictureTarget<(D, S), Format: VpcOutput>,
    {
        let (channel, stream) = self.parts();
        let (from, to) = (input.seen(), output.seen());
        check_input(&from.layout, channel.chip())?;
        check_output(&to.layout, channel.chip())?;
        let mut task = Task::new("acldvppVpcResizeAsync");
        let (from, to) = (task.picture(&from)?, task.output(&to)?);
        let how = task.resize(how)?;
        let channel = channel.as_raw();
        // SAFETY: objects of this task, a channel and pictures that are queued on the stream.
        let call = |stream| unsafe { sys::acldvppVpcResizeAsync(channel, from, to, how, stream) };
        // SAFETY: `call` passes them to the stream of `(D, S)`, and writes `output`.
        unsafe { task.submit(stream, &input.work(), output, call) }
    }

    /// Copies a region of a picture to the whole of `output` (`acldvppVpcCropAsync`, pyACL
    /// `acl.media.dvpp_vpc_crop_async`). The region is scaled if its size is not that of `output`.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::{Nv12, Region};
    ///
    /// let from = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
    /// let part = stream.adopt(media.picture::<Nv12, _>(current, 32, 24)?);
    /// let region = Region { left: 8, top: 8, width: 32, height: 24 };
    /// let part = stream.with(&channel).crop(&from, region, part)?;
    /// let part = stream.synchronize()?.take(part).check()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Region`] and [`MediaMismatch::RegionStep`] for a region that the picture or the chip does not
    /// allow. The other errors are those of a resize: [`MediaMismatch::Range`] and [`ErrorKind::Refused`].
    #[doc(alias = "acldvppVpcCropAsync")]
    #[doc(alias = "acl.media.dvpp_vpc_crop_async")]
    pub fn crop<P, T>(self, input: P, region: Region, output: T) -> Result<T::Written>
    where
        K: Can<Vpc>,
        P: PictureSource<(D, S), Format: VpcInput>,
        T: PictureTarget<(D, S), Format: VpcOutput>,
    {
        let (channel, stream) = self.parts();
        let (from, to) = (input.seen(), output.seen());
        let chip = channel.chip();
        check_input(&from.layout, chip)?;
        check_output(&to.layout, chip)?;
        region.check(&from.layout, chip)?;
        let mut task = Task::new("acldvppVpcCropAsync");
        let (from, to) = (task.picture(&from)?, task.output(&to)?);
        let region = task.region(region)?;
        let channel = channel.as_raw();
        // SAFETY: objects of this task, a channel and pictures that are queued on the stream.
        let call = |stream| unsafe { sys::acldvppVpcCropAsync(channel, from, to, region, stream) };
        // SAFETY: `call` passes them to the stream of `(D, S)`, and writes `output`.
        unsafe { task.submit(stream, &input.work(), output, call) }
    }

    /// Scales a region of a picture to the whole of `output` in the given way (`acldvppVpcCropResizeAsync`, pyACL
    /// `acl.media.dvpp_vpc_crop_resize_async`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::{Interpolation, Nv12, Region};
    ///
    /// let from = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
    /// let out = stream.adopt(media.picture::<Nv12, _>(current, 16, 12)?);
    /// let region = Region { left: 8, top: 8, width: 32, height: 24 };
    /// let part = stream.with(&channel).crop_resize(&from, region, out, Interpolation::Nearest)?;
    /// assert_eq!(stream.synchronize()?.take(part).check()?.read(current)?[0], 128);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Region`] and [`MediaMismatch::RegionStep`] for a region that the picture or the chip does not
    /// allow. The other errors are those of a resize: [`MediaMismatch::Range`] and [`ErrorKind::Refused`].
    #[doc(alias = "acldvppVpcCropResizeAsync")]
    #[doc(alias = "acl.media.dvpp_vpc_crop_resize_async")]
    pub fn crop_resize<P, T>(
        self,
        input: P,
        region: Region,
        output: T,
        how: Interpolation,
    ) -> Result<T::Written>
    where
        K: Can<Vpc>,
        P: PictureSource<(D, S), Format: VpcInput>,
        T: PictureTarget<(D, S), Format: VpcOutput>,
    {
        let (channel, stream) = self.parts();
        let (from, to) = (input.seen(), output.seen());
        let chip = channel.chip();
        check_input(&from.layout, chip)?;
        check_output(&to.layout, chip)?;
        region.check(&from.layout, chip)?;
        let mut task = Task::new("acldvppVpcCropResizeAsync");
        let (from, to) = (task.picture(&from)?, task.output(&to)?);
        let (region, how) = (task.region(region)?, task.resize(how)?);
        let channel = channel.as_raw();
        // SAFETY: objects of this task, a channel and pictures that are queued on the stream.
        let call = |stream| unsafe {
            sys::acldvppVpcCropResizeAsync(channel, from, to, region, how, stream)
        };
        // SAFETY: `call` passes them to the stream of `(D, S)`, and writes `output`.
        unsafe { task.submit(stream, &input.work(), output, call) }
    }

    /// Copies a region of a picture to the region `paste` of `canvas` (`acldvppVpcCropAndPasteAsync`, pyACL
    /// `acl.media.dvpp_vpc_crop_and_paste_async`). Pixels outside of `paste` do not change. The region is scaled if its
    /// size is not that of `paste`.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::{Nv12, Region};
    ///
    /// let from = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
    /// let canvas = media.picture::<Nv12, _>(current, 64, 64)?.fill(current, 0)?;
    /// let mut canvas = stream.adopt(canvas.into_canvas());
    /// let region = Region { left: 0, top: 0, width: 32, height: 24 };
    /// let paste = Region { left: 16, top: 0, width: 32, height: 24 };
    /// stream.with(&channel).crop_paste(&from, region, &mut canvas, paste)?;
    /// let canvas = stream.synchronize()?.take(canvas).check()?.read(current)?;
    /// assert_eq!((canvas[0], canvas[16]), (0, 128));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Region`], [`MediaMismatch::RegionStep`] and [`MediaMismatch::PasteLeft`] for a region that a
    /// picture or the chip does not allow. The other errors are those of a resize: [`MediaMismatch::Range`] and
    /// [`ErrorKind::Refused`].
    #[doc(alias = "acldvppVpcCropAndPasteAsync")]
    #[doc(alias = "acl.media.dvpp_vpc_crop_and_paste_async")]
    pub fn crop_paste<P, T>(self, input: P, region: Region, canvas: T, paste: Region) -> Result<()>
    where
        K: Can<Vpc>,
        P: PictureSource<(D, S), Format: VpcInput>,
        T: Canvas<(D, S), Format: VpcOutput>,
    {
        let (channel, stream) = self.parts();
        let (from, to) = (input.seen(), canvas.seen());
        let chip = channel.chip();
        check_input(&from.layout, chip)?;
        check_output(&to.layout, chip)?;
        region.check(&from.layout, chip)?;
        paste.check_paste(&to.layout, chip)?;
        let mut task = Task::new("acldvppVpcCropAndPasteAsync");
        let (from, to) = (task.picture(&from)?, task.output(&to)?);
        let (region, paste) = (task.region(region)?, task.region(paste)?);
        let channel = channel.as_raw();
        // SAFETY: objects of this task, a channel and pictures that are queued on the stream.
        let call = |stream| unsafe {
            sys::acldvppVpcCropAndPasteAsync(channel, from, to, region, paste, stream)
        };
        // SAFETY: `call` passes them to the stream of `(D, S)`, and writes `canvas`.
        unsafe { task.submit(stream, &input.work(), canvas, call) }
    }

    /// Scales a region of a picture to the region `paste` of `canvas` in the given way
    /// (`acldvppVpcCropResizePasteAsync`, pyACL `acl.media.dvpp_vpc_crop_resize_paste_async`). Pixels outside of `paste` do
    /// not change.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::{Interpolation, Nv12, Region};
    ///
    /// let from = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
    /// let canvas = media.picture::<Nv12, _>(current, 64, 64)?.fill(current, 0)?;
    /// let mut canvas = stream.adopt(canvas.into_canvas());
    /// let region = Region { left: 0, top: 0, width: 32, height: 24 };
    /// let paste = Region { left: 16, top: 0, width: 32, height: 24 };
    /// stream.with(&channel).crop_resize_paste(&from, region, (&mut canvas, paste), Interpolation::Nearest)?;
    /// let canvas = stream.synchronize()?.take(canvas).check()?.read(current)?;
    /// assert_eq!((canvas[0], canvas[16]), (0, 128));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Region`], [`MediaMismatch::RegionStep`] and [`MediaMismatch::PasteLeft`] for a region that a
    /// picture or the chip does not allow. The other errors are those of a resize: [`MediaMismatch::Range`] and
    /// [`ErrorKind::Refused`].
    #[doc(alias = "acldvppVpcCropResizePasteAsync")]
    #[doc(alias = "acl.media.dvpp_vpc_crop_resize_paste_async")]
    pub fn crop_resize_paste<P, T>(
        self,
        input: P,
        region: Region,
        (canvas, paste): (T, Region),
        how: Interpolation,
    ) -> Result<()>
    where
        K: Can<Vpc>,
        P: PictureSource<(D, S), Format: VpcInput>,
        T: Canvas<(D, S), Format: VpcOutput>,
    {
        let (channel, stream) = self.parts();
        let (from, to) = (input.seen(), canvas.seen());
        let chip = channel.chip();
        check_input(&from.layout, chip)?;
        check_output(&to.layout, chip)?;
        region.check(&from.layout, chip)?;
        paste.check_paste(&to.layout, chip)?;
        let mut task = Task::new("acldvppVpcCropResizePasteAsync");
        let (from, to) = (task.picture(&from)?, task.output(&to)?);
        let (region, paste, how) = (task.region(region)?, task.region(paste)?, task.resize(how)?);
        let channel = channel.as_raw();
        // SAFETY: objects of this task, a channel and pictures that are queued on the stream.
        let call = |stream| unsafe {
            sys::acldvppVpcCropResizePasteAsync(channel, from, to, region, paste, how, stream)
        };
        // SAFETY: `call` passes them to the stream of `(D, S)`, and writes `canvas`.
        unsafe { task.submit(stream, &input.work(), canvas, call) }
    }

    /// Converts a picture to the format of `output`, which has the same size (`acldvppVpcConvertColorAsync`, pyACL
    /// `acl.media.dvpp_vpc_convert_color_async`). The matrix is a property of the channel.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::{Nv12, Nv21};
    ///
    /// let from = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
    /// let to = stream.adopt(media.picture::<Nv21, _>(current, 64, 48)?);
    /// let to = stream.with(&channel).convert_color(&from, to)?;
    /// let to = stream.synchronize()?.take(to).check()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Sizes`] if the pictures have different sizes. [`MediaMismatch::Range`], and [`ErrorKind::Refused`]
    /// with 200006 on Ascend 310 and 910, which do not have the function.
    #[doc(alias = "acldvppVpcConvertColorAsync")]
    #[doc(alias = "acl.media.dvpp_vpc_convert_color_async")]
    pub fn convert_color<P, T>(self, input: P, output: T) -> Result<T::Written>
    where
        K: Can<Vpc>,
        P: PictureSource<(D, S), Format: VpcInput>,
        T: PictureTarget<(D, S), Format: VpcOutput>,
    {
        let (channel, stream) = self.parts();
        let (from, to) = (input.seen(), output.seen());
        check_input(&from.layout, channel.chip())?;
        check_output(&to.layout, channel.chip())?;
        let mut task = Task::new("acldvppVpcConvertColorAsync");
        check_same("acldvppVpcConvertColorAsync", &from.layout, &to.layout)?;
        let (from, to) = (task.picture(&from)?, task.output(&to)?);
        let channel = channel.as_raw();
        // SAFETY: objects of this task, a channel and pictures that are queued on the stream.
        let call = |stream| unsafe { sys::acldvppVpcConvertColorAsync(channel, from, to, stream) };
        // SAFETY: `call` passes them to the stream of `(D, S)`, and writes `output`.
        unsafe { task.submit(stream, &input.work(), output, call) }
    }

    /// Smooths a gray picture by a Gaussian filter of 5 x 5 and halves its sides (`acldvppVpcPyrDownAsync`, pyACL
    /// `acl.media.dvpp_vpc_pyr_down_async`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::Gray;
    ///
    /// let from = stream.adopt(media.picture::<Gray, _>(current, 64, 48)?.fill(current, 128)?);
    /// let half = stream.adopt(media.picture::<Gray, _>(current, 32, 24)?);
    /// let half = stream.with(&channel).pyramid_down(&from, half)?;
    /// assert_eq!(stream.synchronize()?.take(half).check()?.read(current)?[0], 128);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Halves`] if the sides of `output` are not the halves of those of the input, rounded down.
    /// [`ErrorKind::Refused`] with 200006 on Ascend 310 and 910, which do not have the function.
    #[doc(alias = "acldvppVpcPyrDownAsync")]
    #[doc(alias = "acl.media.dvpp_vpc_pyr_down_async")]
    pub fn pyramid_down<P, T>(self, input: P, output: T) -> Result<T::Written>
    where
        K: Can<Vpc>,
        P: PictureSource<(D, S), Format = Gray>,
        T: PictureTarget<(D, S), Format: SameFormat<Gray>>,
    {
        let (channel, stream) = self.parts();
        let (from, to) = (input.seen(), output.seen());
        check_input(&from.layout, channel.chip())?;
        let (width, height) = (from.layout.width(), from.layout.height());
        let (to_width, to_height) = (to.layout.width(), to.layout.height());
        if (width / 2, height / 2) != (to_width, to_height) {
            return Err(MediaMismatch::Halves {
                width,
                height,
                to_width,
                to_height,
            }
            .into());
        }
        let mut task = Task::new("acldvppVpcPyrDownAsync");
        let (from, to) = (task.picture(&from)?, task.output(&to)?);
        let channel = channel.as_raw();
        // SAFETY: objects of this task, a channel and pictures that are queued on the stream; the reserved pointer is
        // null.
        let call =
            |stream| unsafe { sys::acldvppVpcPyrDownAsync(channel, from, to, null_mut(), stream) };
        // SAFETY: `call` passes them to the stream of `(D, S)`, and writes `output`.
        unsafe { task.submit(stream, &input.work(), output, call) }
    }
}
