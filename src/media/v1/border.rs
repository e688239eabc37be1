//! Borders around pictures.

use ascendcl_sys as sys;

use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{MediaMismatch, Result};
use crate::media::format::{PixelFormat, VpcInput, VpcOutput};
use crate::media::layout::Layout;
use crate::media::operand::{PictureSource, PictureTarget};
use crate::media::size::{check_input, check_output};
use crate::media::v1::channel::Channel;
use crate::media::v1::mode::{Can, Vpc};
use crate::media::v1::task::{self, Task};
use crate::queue::Session;
use crate::raw::check;
use crate::stream::StreamTag;

/// The pixels of a border (`acldvppBorderType`).
///
/// ```
/// use ascendcl::media::{Border, BorderKind};
///
/// let kind = BorderKind::Constant([16.0, 128.0, 128.0, 0.0]); // black in YUV
/// let frame = Border { kind, top: 2, bottom: 2, left: 2, right: 2 };
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum BorderKind {
    /// One value from 0 to 255 for each component, in the order of the format: Y, U, V or red, green, blue.
    Constant([f64; 4]),
    /// The pixel of the edge.
    Replicate,
    /// The pixels of the picture in reverse order, with that of the edge.
    Reflect,
    /// The pixels of the picture in reverse order, without that of the edge.
    Reflect101,
}

/// A border around a picture.
///
/// ```
/// use ascendcl::media::{Border, BorderKind};
///
/// // Makes a picture of 64 x 48 pixels one of 68 x 50.
/// let frame = Border { kind: BorderKind::Replicate, top: 1, bottom: 1, left: 2, right: 2 };
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Border {
    /// The pixels of the border.
    pub kind: BorderKind,
    /// Rows above.
    pub top: u16,
    /// Rows below.
    pub bottom: u16,
    /// Columns on the left.
    pub left: u16,
    /// Columns on the right.
    pub right: u16,
}

impl Border {
    /// Checks that the picture with the border has the size of the output.
    pub(in crate::media) fn check<F: PixelFormat, G: PixelFormat>(
        &self,
        input: &Layout<F>,
        output: &Layout<G>,
    ) -> Result<()> {
        self.check_values()?;
        let with = |inner: u32, a: u16, b: u16| u64::from(inner) + u64::from(a) + u64::from(b);
        let with_width = with(input.width(), self.left, self.right);
        let with_height = with(input.height(), self.top, self.bottom);
        if (with_width, with_height) == (output.width().into(), output.height().into()) {
            return Ok(());
        }
        Err(MediaMismatch::Border {
            width: input.width(),
            height: input.height(),
            with_width,
            with_height,
            to_width: output.width(),
            to_height: output.height(),
        }
        .into())
    }

    /// Checks that the border leaves room for a picture in the output, and returns the size of that room.
    pub(in crate::media) fn room<F: PixelFormat>(&self, output: &Layout<F>) -> Result<(u32, u32)> {
        self.check_values()?;
        let inner = |outer: u32, a: u16, b: u16| {
            let rest = outer.checked_sub(u32::from(a) + u32::from(b));
            rest.filter(|rest| *rest > 0)
        };
        let (width, height) = (output.width(), output.height());
        let columns = inner(width, self.left, self.right);
        let rows = inner(height, self.top, self.bottom);
        columns.zip(rows).ok_or_else(|| {
            let (to_width, to_height) = (width, height);
            let Border {
                top,
                bottom,
                left,
                right,
                ..
            } = *self;
            MediaMismatch::BorderRoom {
                left,
                right,
                top,
                bottom,
                to_width,
                to_height,
            }
            .into()
        })
    }

    /// Checks that a pixel can have the values of a constant border. C takes any number of the type `double`, and says
    /// nothing of others (`acl/ops/acl_dvpp.h`).
    fn check_values(&self) -> Result<()> {
        let BorderKind::Constant(values) = self.kind else {
            return Ok(());
        };
        match (0..)
            .zip(values)
            .find(|(_, value)| !(0.0..=255.0).contains(value))
        {
            None => Ok(()),
            Some((component, value)) => Err(MediaMismatch::BorderValue {
                component,
                value: value.to_string(),
            }
            .into()),
        }
    }
}

impl Task {
    /// Makes the configuration of a border.
    pub(super) fn border(&mut self, border: &Border) -> Result<*mut sys::acldvppBorderConfig> {
        // SAFETY: takes nothing.
        let raw = unsafe { sys::acldvppCreateBorderConfig() };
        // SAFETY: null or a new configuration.
        let raw = unsafe { self.keep(task::BORDER, raw) }?;
        let kind = match border.kind {
            BorderKind::Constant(_) => sys::BORDER_CONSTANT,
            BorderKind::Replicate => sys::BORDER_REPLICATE,
            BorderKind::Reflect => sys::BORDER_REFLECT,
            BorderKind::Reflect101 => sys::BORDER_REFLECT_101,
        };
        // SAFETY: a live configuration.
        let code = unsafe { sys::acldvppSetBorderConfigBorderType(raw, kind) };
        check("acldvppSetBorderConfigBorderType", code)?;
        let values = match border.kind {
            BorderKind::Constant(values) => values,
            _ => [0.0; 4],
        };
        for (index, value) in (0..).zip(values) {
            // SAFETY: a live configuration.
            let code = unsafe { sys::acldvppSetBorderConfigValue(raw, index, value) };
            check("acldvppSetBorderConfigValue", code)?;
        }
        // SAFETY: a live configuration.
        let code = unsafe { sys::acldvppSetBorderConfigTop(raw, border.top.into()) };
        check("acldvppSetBorderConfigTop", code)?;
        // SAFETY: a live configuration.
        let code = unsafe { sys::acldvppSetBorderConfigBottom(raw, border.bottom.into()) };
        check("acldvppSetBorderConfigBottom", code)?;
        // SAFETY: a live configuration.
        let code = unsafe { sys::acldvppSetBorderConfigLeft(raw, border.left.into()) };
        check("acldvppSetBorderConfigLeft", code)?;
        // SAFETY: a live configuration.
        let code = unsafe { sys::acldvppSetBorderConfigRight(raw, border.right.into()) };
        check("acldvppSetBorderConfigRight", code)?;
        Ok(raw)
    }
}

impl<D: AnyDevice, S: StreamTag, K> Session<'_, '_, D, S, Channel<'_, '_, D, K>> {
    /// Copies a picture to the middle of `output` and fills the border around it (`acldvppVpcMakeBorderAsync`, pyACL
    /// `acl.media.dvpp_vpc_make_border_async`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::{Border, BorderKind, Nv12};
    ///
    /// let gray = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
    /// let framed = stream.adopt(media.picture::<Nv12, _>(current, 68, 52)?);
    /// let kind = BorderKind::Constant([0.0; 4]);
    /// let border = Border { kind, top: 2, bottom: 2, left: 2, right: 2 };
    /// let framed = stream.with(&channel).make_border(&gray, framed, &border)?;
    /// let pixels = stream.synchronize()?.take(framed).check()?.read(current)?;
    /// assert_eq!((pixels[0], pixels[2 * 68 + 2]), (0, 128));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Border`] if `output` does not have the size of the picture with the border, and
    /// [`MediaMismatch::BorderValue`]. [`MediaMismatch::Range`], and [`ErrorKind::Refused`] with 200006 on Ascend 310 and 910, which do not have the
    /// function.
    #[doc(alias = "acldvppVpcMakeBorderAsync")]
    #[doc(alias = "acl.media.dvpp_vpc_make_border_async")]
    pub fn make_border<P, T>(self, input: P, output: T, border: &Border) -> Result<T::Written>
    where
        K: Can<Vpc>,
        P: PictureSource<(D, S), Format: VpcInput>,
        T: PictureTarget<(D, S), Format: VpcOutput>,
    {
        let (channel, stream) = self.parts();
        let (from, to) = (input.seen(), output.seen());
        check_input(&from.layout, channel.chip())?;
        check_output(&to.layout, channel.chip())?;
        border.check(&from.layout, &to.layout)?;
        let mut task = Task::new("acldvppVpcMakeBorderAsync");
        let (from, to) = (task.picture(&from)?, task.output(&to)?);
        let border = task.border(border)?;
        let channel = channel.as_raw();
        // SAFETY: objects of this task, a channel and pictures that are queued on the stream.
        let call =
            |stream| unsafe { sys::acldvppVpcMakeBorderAsync(channel, from, to, border, stream) };
        // SAFETY: `call` passes them to the stream of `(D, S)`, and writes `output`.
        unsafe { task.submit(stream, &input.work(), output, call) }
    }
}
