//! Histograms of pictures, and tables that replace their values.

use std::fmt;
use std::ptr::{NonNull, null_mut};
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::device::AnyDevice;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, MediaMismatch};
use crate::media::format::{HistogramInput, LookupFormat, SameFormat, VpcInput};
use crate::media::operand::{PictureSource, PictureTarget};
use crate::media::size::{check_input, check_same, check_strides};
use crate::media::v1::channel::Channel;
use crate::media::v1::mode::{Can, Vpc};
use crate::media::v1::task::{self, Task};
use crate::media::work::{StatusOf, Tasks};
use crate::park::{Parking, StreamKey, User};
use crate::queue::owned::Owned;
use crate::queue::{Queued, Session};
use crate::raw::check;
use crate::stream::StreamTag;

/// Numbers of values of a component.
const VALUES: usize = 256;
/// Components of a histogram and of a table.
const COMPONENTS: usize = 3;

/// A table that replaces each value of the three components by another one.
///
/// The table `[[0; 256]; 3]` makes all values 0, and `identity` changes nothing.
///
/// ```
/// use ascendcl::media::LookupTable;
///
/// let mut darker = LookupTable::identity();
/// for value in &mut darker.0[0] {
///     *value /= 2; // the first component, which is the brightness in YUV
/// }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct LookupTable(pub [[u8; VALUES]; COMPONENTS]);

impl LookupTable {
    /// Returns the table that changes nothing.
    #[must_use]
    pub fn identity() -> LookupTable {
        let mut values = [0; VALUES];
        for (value, place) in (0..=u8::MAX).zip(&mut values) {
            *place = value;
        }
        LookupTable([values; COMPONENTS])
    }
}

impl fmt::Debug for LookupTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LookupTable").finish_non_exhaustive()
    }
}

/// The numbers of pixels with each value, for three components, still in the description of C.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// # let media = acl.media()?.v1()?;
/// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
/// use ascendcl::media::Nv12;
///
/// let gray = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
/// let histogram = stream.with(&channel).histogram(&gray)?;
/// let counts = stream.synchronize()?.take(histogram).check()?;
/// assert_eq!(counts[0][128], 64 * 48); // each pixel has the brightness 128
/// # });
/// ```
///
/// # Invariants
///
/// - `raw` is an object of a task in `work`.
#[must_use = "read the numbers with `check`"]
pub struct Histogram {
    raw: NonNull<sys::acldvppHist>,
    work: Tasks,
}

// SAFETY: `raw` points to an object of `work`, which is `Send`.
unsafe impl Send for Histogram {}
// SAFETY: no method takes `&self`, except `Debug`, which does not read the numbers.
unsafe impl Sync for Histogram {}

impl Histogram {
    /// Reads the status of the tasks that have written the picture and the histogram (`acldvppGetHistRetCode`), and the
    /// numbers (`acldvppGetHistData`). A gray picture has numbers in the first component only.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] with the status of the first task that has failed. [`MediaMismatch::Unproven`] if the histogram
    /// was taken by [`accept_unverified`](crate::queue::Unverified::accept_unverified). [`MediaMismatch::OtherStream`] if the
    /// picture was written on another stream, or made from one that was, and that one was not checked before.
    #[doc(alias = "acldvppGetHistData")]
    #[doc(alias = "acldvppGetHistRetCode")]
    pub fn check(self) -> Result<Box<[[u32; VALUES]; COMPONENTS]>> {
        self.work.check()?;
        let mut numbers = Box::new([[0; VALUES]; COMPONENTS]);
        for (component, to) in (0..).zip(numbers.iter_mut()) {
            let (mut data, mut len) = (null_mut::<u32>(), 0_u16);
            // SAFETY: a live histogram of a task that is over, and two places for writes.
            let code = unsafe {
                sys::acldvppGetHistData(self.raw.as_ptr(), component, &raw mut data, &raw mut len)
            };
            check("acldvppGetHistData", code)?;
            if data.is_null() {
                continue;
            }
            for (index, to) in to.iter_mut().enumerate().take(usize::from(len)) {
                // SAFETY: the histogram has `len` numbers there, and lives.
                *to = unsafe { data.wrapping_add(index).read() };
            }
        }
        Ok(numbers)
    }
}

impl fmt::Debug for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Histogram").finish_non_exhaustive()
    }
}

// A stream takes the histogram as it takes memory.
impl<X> Owned<X> for Histogram {
    const SWAPS: bool = true;

    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        self.work.park(parking, users);
    }

    fn enters(&self, _: StreamKey) {}

    fn accepted(&self) {
        self.work.accepted();
    }
}

impl<'dev, D: AnyDevice, S: StreamTag, K> Session<'_, 'dev, D, S, Channel<'_, '_, D, K>> {
    /// Counts the values of each component of a picture (`acldvppVpcCalcHistAsync`, pyACL
    /// `acl.media.dvpp_vpc_calc_hist_async`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::Nv12;
    ///
    /// let gray = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
    /// let histogram = stream.with(&channel).histogram(&gray)?;
    /// let counts = stream.synchronize()?.take(histogram).check()?;
    /// assert_eq!(counts[0][128], 64 * 48); // the brightness of each pixel is 128
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Range`]. [`ErrorKind::Refused`] with 200006 on Ascend 310 and 910, which do not have the function,
    /// and if the work was not queued.
    #[doc(alias = "acldvppVpcCalcHistAsync")]
    #[doc(alias = "acl.media.dvpp_vpc_calc_hist_async")]
    pub fn histogram<P>(self, input: P) -> Result<Queued<'dev, (D, S), Histogram>>
    where
        K: Can<Vpc>,
        P: PictureSource<(D, S), Format: HistogramInput + VpcInput>,
    {
        let (channel, stream) = self.parts();
        let from = input.seen();
        check_input(&from.layout, channel.chip())?;
        let mut task = Task::new("acldvppVpcCalcHistAsync");
        let from = task.picture(&from)?;
        // SAFETY: takes nothing.
        let raw = unsafe { sys::acldvppCreateHist() };
        // SAFETY: null or a new histogram.
        let raw = unsafe { task.keep(task::HISTOGRAM, raw) }?;
        // SAFETY: `keep` refuses null.
        let to = unsafe { NonNull::new_unchecked(raw) };
        task.status(StatusOf::Histogram(to));
        let mut work = Tasks::default();
        work.push(&task.finish(stream));
        work.read(&input.work());
        // The histogram owns the task from here on, so that its objects live until the wait.
        let histogram = stream.adopt(Histogram { raw: to, work });
        let channel = channel.as_raw();
        // SAFETY: objects of this task, which `histogram` owns; a channel and a picture that are queued on the stream; the
        // reserved pointer is null.
        let code = unsafe {
            sys::acldvppVpcCalcHistAsync(channel, from, raw, null_mut(), stream.as_raw())
        };
        check("acldvppVpcCalcHistAsync", code)?;
        Ok(histogram)
    }

    /// Replaces the values of a picture by those of a table (`acldvppVpcEqualizeHistAsync`, pyACL
    /// `acl.media.dvpp_vpc_equalize_hist_async`). Input and output have the same format and size.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let media = acl.media()?.v1()?;
    /// # let channel = stream.adopt(media.create_channel::<ascendcl::media::All, _>(current)?);
    /// use ascendcl::media::{LookupTable, Nv12};
    ///
    /// let mut table = LookupTable::identity();
    /// table.0[0][128] = 64; // the brightness 128 becomes 64
    /// let gray = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
    /// let out = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?);
    /// let darker = stream.with(&channel).replace_values(&gray, out, &table)?;
    /// assert_eq!(stream.synchronize()?.take(darker).check()?.read(current)?[0], 64);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Sizes`] and [`MediaMismatch::Strides`] for pictures of different sizes or strides, and
    /// [`MediaMismatch::Range`]. [`ErrorKind::Refused`] with
    /// 200006 on Ascend 310 and 910, which do not have the function, and if the work was not queued.
    #[doc(alias = "acldvppVpcEqualizeHistAsync")]
    #[doc(alias = "acl.media.dvpp_vpc_equalize_hist_async")]
    pub fn replace_values<P, T>(
        self,
        input: P,
        output: T,
        table: &LookupTable,
    ) -> Result<T::Written>
    where
        K: Can<Vpc>,
        P: PictureSource<(D, S), Format: LookupFormat + VpcInput>,
        T: PictureTarget<(D, S), Format: SameFormat<P::Format>>,
    {
        let (channel, stream) = self.parts();
        let call = "acldvppVpcEqualizeHistAsync";
        let (from, to) = (input.seen(), output.seen());
        check_input(&from.layout, channel.chip())?;
        check_same(call, &from.layout, &to.layout)?;
        check_strides(call, &from.layout, &to.layout)?;
        let mut task = Task::new(call);
        let (from, to) = (task.picture(&from)?, task.output(&to)?);
        let table = task.table(table)?;
        let channel = channel.as_raw();
        // SAFETY: objects of this task, a channel and pictures that are queued on the stream.
        let call =
            |stream| unsafe { sys::acldvppVpcEqualizeHistAsync(channel, from, to, table, stream) };
        // SAFETY: `call` passes them to the stream of `(D, S)`, and writes `output`.
        unsafe { task.submit(stream, &input.work(), output, call) }
    }
}

impl Task {
    /// Makes the table of C.
    fn table(&mut self, table: &LookupTable) -> Result<*mut sys::acldvppLutMap> {
        // SAFETY: takes nothing.
        let raw = unsafe { sys::acldvppCreateLutMap() };
        // SAFETY: null or a new table.
        let raw = unsafe { self.keep(task::TABLE, raw) }?;
        for (component, values) in (0..).zip(&table.0) {
            let (mut data, mut len) = (null_mut::<u8>(), 0_u32);
            // SAFETY: a live table, and two places for writes.
            let code =
                unsafe { sys::acldvppGetLutMapData(raw, component, &raw mut data, &raw mut len) };
            check("acldvppGetLutMapData", code)?;
            if data.is_null() {
                continue;
            }
            for (index, value) in values.iter().enumerate().take(len as usize) {
                // SAFETY: the table has `len` bytes there, and nothing else uses it yet.
                unsafe { data.wrapping_add(index).write(*value) };
            }
        }
        Ok(raw)
    }
}
