//! Channels of the first interface: the order of their calls, and the stream that has them.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, in_context};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::Result;
use crate::media::chip::Chip;
use crate::media::v1::V1;
use crate::media::v1::mode::{All, Modes};
use crate::park::{Parking, StreamKey, User};
use crate::queue::owned::Owned;
use crate::queue::{Queued, SessionOn};
use crate::raw::{Handle, check};
use crate::release;
use crate::state::Invariant;
use crate::stream::StreamTag;

/// The matrix by which a channel converts between YUV and RGB (`acldvppCscMatrix`).
///
/// ```
/// use ascendcl::media::{All, Channel, ChannelOptions, ColorMatrix, V1};
/// use ascendcl::{Current, Npu, Result};
///
/// fn for_video<'t, 'dev>(
///     media: &'t V1<'_>,
///     current: Current<'t, 'dev, Npu<0>>,
/// ) -> Result<Channel<'t, 'dev, Npu<0>, All>> {
///     let options = ChannelOptions::default().with_color_matrix(ColorMatrix::Bt709Narrow);
///     media.create_channel_with_options(current, options)
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ColorMatrix {
    /// BT.601 with values from 0 to 255: the default, and the matrix of JPEG files.
    #[default]
    Bt601Wide,
    /// BT.601 with values from 16.
    Bt601Narrow,
    /// BT.709 with values from 0 to 255.
    Bt709Wide,
    /// BT.709 with values from 16.
    Bt709Narrow,
    /// BT.2020 with values from 0 to 255.
    Bt2020Wide,
    /// BT.2020 with values from 16.
    Bt2020Narrow,
}

impl ColorMatrix {
    fn raw(self) -> u32 {
        let matrix = match self {
            ColorMatrix::Bt601Wide => sys::ACL_DVPP_CSC_MATRIX_BT601_WIDE,
            ColorMatrix::Bt601Narrow => sys::ACL_DVPP_CSC_MATRIX_BT601_NARROW,
            ColorMatrix::Bt709Wide => sys::ACL_DVPP_CSC_MATRIX_BT709_WIDE,
            ColorMatrix::Bt709Narrow => sys::ACL_DVPP_CSC_MATRIX_BT709_NARROW,
            ColorMatrix::Bt2020Wide => sys::ACL_DVPP_CSC_MATRIX_BT2020_WIDE,
            ColorMatrix::Bt2020Narrow => sys::ACL_DVPP_CSC_MATRIX_BT2020_NARROW,
        };
        matrix.0
    }
}

/// The properties of a channel, which are set before it is created.
///
/// ```
/// use ascendcl::media::{ChannelOptions, ColorMatrix};
///
/// let options = ChannelOptions::default().with_color_matrix(ColorMatrix::Bt709Wide);
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct ChannelOptions {
    /// The matrix between YUV and RGB. `None` leaves the default, which is [`ColorMatrix::Bt601Wide`].
    pub color_matrix: Option<ColorMatrix>,
}

impl ChannelOptions {
    /// Sets the matrix between YUV and RGB. Ascend 310 and 910 refuse it.
    #[must_use]
    pub fn with_color_matrix(mut self, matrix: ColorMatrix) -> Self {
        self.color_matrix = Some(matrix);
        self
    }
}

/// A description without a channel.
struct Description(Handle);

impl Description {
    fn new() -> Result<Description> {
        // SAFETY: takes nothing.
        let raw = unsafe { sys::acldvppCreateChannelDesc() };
        Handle::new("acldvppCreateChannelDesc", raw.cast()).map(Description)
    }
}

impl Drop for Description {
    fn drop(&mut self) {
        // SAFETY: a live description without a channel.
        let code = unsafe { sys::acldvppDestroyChannelDesc(self.0.as_ptr().cast()) };
        release::status_in_drop("acldvppDestroyChannelDesc", code);
    }
}

/// A channel of the media engine of device `D` with the functions `K`.
///
/// `stream.adopt(channel)` queues it on a stream. A queued channel has the tasks: it is used on one stream only, by the
/// thread of that stream, and is destroyed after its work. [`Idle::take`](crate::stream::Idle::take) returns it, for another
/// stream or for [`Channel::destroy`]. Dropping it destroys it.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// # let media = acl.media()?.v1()?;
/// use ascendcl::media::{All, Nv12, Region};
/// use ascendcl::stream::Main;
///
/// let mut stream = current.create_stream::<Main>()?;
/// let channel = stream.adopt(media.create_channel::<All, _>(current)?); // the stream uses it
/// let from = stream.adopt(media.picture::<Nv12, _>(current, 64, 48)?.fill(current, 128)?);
/// let part = stream.adopt(media.picture::<Nv12, _>(current, 32, 24)?);
/// let region = Region { left: 16, top: 12, width: 32, height: 24 };
/// let part = stream.with(&channel).crop(&from, region, part)?;
/// let idle = stream.synchronize()?;
/// assert_eq!(idle.take(part).check()?.read(current)?[0], 128);
/// idle.take(channel).destroy()?;
/// # });
/// ```
///
/// # Invariants
///
/// - `description` has a channel of the context of `D`, and no task uses it while this value is not
///   [`Queued`](crate::Queued).
#[must_use = "a channel that is dropped is destroyed"]
pub struct Channel<'t, 'dev, D: AnyDevice, K = All> {
    description: Handle,
    chip: Chip,
    current: Current<'t, 'dev, D>,
    _modes: PhantomData<Invariant<K>>,
}

impl<'acl> V1<'acl> {
    /// Creates a channel with the functions `K` (`acldvppCreateChannelDesc`, `acldvppSetChannelDescMode`,
    /// `acldvppCreateChannel`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::All;
    ///
    /// let channel = media.create_channel::<All, _>(current)?;
    /// channel.destroy()?; // a drop destroys it too
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 200006 for functions other than [`All`] on Ascend 310 and 910, and with 500000 when the
    /// device creates no channel.
    #[doc(alias = "acldvppCreateChannel")]
    #[doc(alias = "acldvppCreateChannelDesc")]
    #[doc(alias = "acldvppSetChannelDescMode")]
    #[doc(alias = "acl.media.dvpp_create_channel")]
    pub fn create_channel<'t, 'dev, K: Modes, D: AnyDevice>(
        &'t self,
        current: Current<'t, 'dev, D>,
    ) -> Result<Channel<'t, 'dev, D, K>> {
        self.create_channel_with_options(current, ChannelOptions::default())
    }

    /// Creates a channel with the functions `K` and further properties (`acldvppSetChannelDescParam`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::{All, ChannelOptions};
    ///
    /// let channel = media.create_channel_with_options::<All, _>(current, ChannelOptions::default())?;
    /// channel.destroy()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`V1::create_channel`]. [`ErrorKind::Refused`] with 200006 for a colour matrix on Ascend 310 and 910.
    #[doc(alias = "acldvppSetChannelDescParam")]
    pub fn create_channel_with_options<'t, 'dev, K: Modes, D: AnyDevice>(
        &'t self,
        current: Current<'t, 'dev, D>,
        options: ChannelOptions,
    ) -> Result<Channel<'t, 'dev, D, K>> {
        let description = Description::new()?;
        let raw = description.0.as_ptr().cast::<sys::acldvppChannelDesc>();
        if let Some(bits) = K::BITS {
            // SAFETY: a live description without a channel.
            let code = unsafe { sys::acldvppSetChannelDescMode(raw, bits) };
            check("acldvppSetChannelDescMode", code)?;
        }
        if let Some(matrix) = options.color_matrix {
            let value = matrix.raw();
            let from = (&raw const value).cast::<c_void>();
            let kind = sys::ACL_DVPP_CSC_MATRIX_UINT32;
            // SAFETY: a live description without a channel, and a readable number of that size.
            let code =
                unsafe { sys::acldvppSetChannelDescParam(raw, kind, size_of::<u32>(), from) };
            check("acldvppSetChannelDescParam", code)?;
        }
        // SAFETY: a live description without a channel; a context is current.
        let code = unsafe { sys::acldvppCreateChannel(raw) };
        check("acldvppCreateChannel", code)?;
        current.core().note_other_queues();
        // INVARIANT: the channel was created now.
        Ok(Channel {
            description: ManuallyDrop::new(description).0,
            chip: self.chip,
            current,
            _modes: PhantomData,
        })
    }
}

impl<D: AnyDevice, K> Channel<'_, '_, D, K> {
    /// Returns the number of the channel (`acldvppGetChannelDescChannelId`).
    #[doc(alias = "acldvppGetChannelDescChannelId")]
    #[must_use]
    pub fn id(&self) -> u64 {
        // SAFETY: a live description.
        unsafe { sys::acldvppGetChannelDescChannelId(self.as_raw()) }
    }

    /// Returns the description, for C functions that this crate does not have. Do not destroy it or its channel.
    #[must_use]
    pub fn as_raw(&self) -> *mut sys::acldvppChannelDesc {
        self.description.as_ptr().cast()
    }

    pub(super) fn chip(&self) -> Chip {
        self.chip
    }

    /// Destroys the channel and its description (`acldvppDestroyChannel`, `acldvppDestroyChannelDesc`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] of the first call that fails. The description of a channel that is not destroyed is leaked.
    #[doc(alias = "acldvppDestroyChannel")]
    #[doc(alias = "acldvppDestroyChannelDesc")]
    #[doc(alias = "acl.media.dvpp_destroy_channel")]
    pub fn destroy(self) -> Result<()> {
        let this = ManuallyDrop::new(self);
        // SAFETY: no task uses the channel (invariant), and it is destroyed once.
        let (call, code) = unsafe { destroy(this.description) };
        check(call, code)
    }
}

/// Destroys a channel, and then its description. Returns the status of the last call that was made.
///
/// # Safety
///
/// - `description` has a channel that no task uses, and nothing uses either afterwards.
unsafe fn destroy(description: Handle) -> (&'static str, sys::aclError) {
    let description = description.as_ptr().cast::<sys::acldvppChannelDesc>();
    // SAFETY: the caller's contract.
    let code = unsafe { sys::acldvppDestroyChannel(description) };
    if code != sys::ACL_SUCCESS {
        return ("acldvppDestroyChannel", code);
    }
    // SAFETY: a live description, whose channel is gone.
    let code = unsafe { sys::acldvppDestroyChannelDesc(description) };
    ("acldvppDestroyChannelDesc", code)
}

impl<D: AnyDevice, K> Drop for Channel<'_, '_, D, K> {
    fn drop(&mut self) {
        // SAFETY: no task uses the channel (invariant), and it is destroyed once.
        let (call, code) = unsafe { destroy(self.description) };
        release::status_in_drop(call, code);
    }
}

impl<D: AnyDevice, K> fmt::Debug for Channel<'_, '_, D, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Channel({})", self.id())
    }
}

/// Destroys a parked channel: the call runs a task on a stream of the current context.
///
/// # Safety
///
/// - No task uses the channel, and it is destroyed once.
unsafe fn destroy_parked(description: Handle) -> sys::aclError {
    // SAFETY: the caller's contract.
    let (_, code) = unsafe { destroy(description) };
    code
}

// A stream takes a channel as it takes memory: a task must not outlive the channel.
impl<'t, 'dev, D: AnyDevice, S: StreamTag, K, H> SessionOn<(D, S)>
    for Queued<'_, (D, S), Channel<'t, 'dev, D, K>, H>
{
    type Resource = Channel<'t, 'dev, D, K>;
    #[inline(always)]
    fn resource(&self) -> &Channel<'t, 'dev, D, K> {
        self.resource()
    }
}

impl<D: AnyDevice, K> Owned<D> for Channel<'_, '_, D, K> {
    const SWAPS: bool = true;

    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        let this = ManuallyDrop::new(self);
        let (core, call) = (this.current.core(), "acldvppDestroyChannel");
        // SAFETY: a channel of the context of `core`, which this value owned.
        let parked = unsafe { in_context(core, call, this.description, destroy_parked, |_, _| ()) };
        parking.park(users, parked);
    }

    fn enters(&self, _: StreamKey) {}

    /// A channel claims nothing of its tasks: their outputs have the status.
    fn accepted(&self) {}
}
