//! Streams with a priority or with flags.

use std::fmt;
use std::ops::RangeInclusive;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::raw::check;
use crate::state::Sealed;
use crate::stream::name::StreamIdent;
use crate::stream::{Stream, StreamName, StreamTag};

/// The number of the least urgent priority.
const LEAST: u32 = 7;

/// The priority of the work of a stream, from 0 (most urgent) to 7 (least urgent).
///
/// For a number outside this range, the runtime uses the nearest priority without an error. This type does not accept
/// such a number.
///
/// ```
/// use ascendcl::stream::Priority;
///
/// let urgent = Priority::GREATEST; // 0
/// let usual = Priority::of::<3>(); // another constant than 0 to 7 does not compile
/// let chosen = Priority::try_from(7)?; // a number that is known at run time
/// assert!(Priority::try_from(8).is_err());
/// # Ok::<(), ascendcl::error::Usage>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "u32")
)]
pub struct Priority(u32);

impl Priority {
    /// The most urgent priority.
    pub const GREATEST: Priority = Priority(0);
    /// The least urgent priority.
    pub const LEAST: Priority = Priority(LEAST);

    /// Returns priority `N`. A number outside 0 to 7 does not compile.
    ///
    /// ```
    /// use ascendcl::stream::Priority;
    ///
    /// assert_eq!(Priority::of::<7>(), Priority::LEAST);
    /// ```
    #[must_use]
    pub const fn of<const N: u32>() -> Priority
    where
        Level<N>: PriorityLevel,
    {
        Priority(N)
    }

    /// Returns the number of the priority.
    ///
    /// ```
    /// use ascendcl::stream::Priority;
    ///
    /// assert_eq!(Priority::of::<3>().get(), 3);
    /// assert_eq!(Priority::GREATEST.get(), 0);
    /// ```
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl TryFrom<u32> for Priority {
    type Error = Usage;

    fn try_from(value: u32) -> Result<Priority, Usage> {
        if value > LEAST {
            return Err(Usage::Priority { value });
        }
        Ok(Priority(value))
    }
}

impl fmt::Debug for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Priority({})", self.0)
    }
}

/// Priority `N`, as a type.
#[derive(Debug, Clone, Copy)]
pub enum Level<const N: u32> {}

/// The priorities that streams have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a priority of a stream",
    label = "priorities are 0 (most urgent) to 7",
    note = "`Priority::GREATEST` and `Priority::LEAST` are the two ends"
)]
pub trait PriorityLevel: Sealed {}

/// Lists the priorities.
macro_rules! levels {
    ($($n:literal)*) => { $(
        impl Sealed for Level<$n> {}
        #[diagnostic::do_not_recommend]
        impl PriorityLevel for Level<$n> {}
    )* };
}

levels!(0 1 2 3 4 5 6 7);

/// The flags of a stream that the host submits work to, with their one allowed combination.
///
/// The flags `ACL_STREAM_PERSISTENT`, `ACL_STREAM_CPU_SCHEDULE` and `ACL_STREAM_DEVICE_USE_ONLY` are missing. Only
/// models or devices run streams with those flags, and a wait for such a stream proves nothing.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::stream::{Main, StreamConfig, StreamFlags};
///
/// let config = StreamConfig::new().flags(StreamFlags::FastLaunch);
/// let stream = current.create_stream_with::<Main>(config)?;
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum StreamFlags {
    /// Resources are reserved when the stream is created, so that work starts sooner
    /// (`ACL_STREAM_FAST_LAUNCH`).
    FastLaunch,
    /// A wait for the stream polls instead of sleeping (`ACL_STREAM_FAST_SYNC`).
    FastSync,
    /// Both flags: [`StreamFlags::FastLaunch`] and [`StreamFlags::FastSync`].
    FastLaunchAndSync,
    /// The stream has a longer queue, on products with that feature (`ACL_STREAM_HUGE`).
    Huge,
}

impl StreamFlags {
    fn raw(self) -> u32 {
        match self {
            StreamFlags::FastLaunch => sys::ACL_STREAM_FAST_LAUNCH,
            StreamFlags::FastSync => sys::ACL_STREAM_FAST_SYNC,
            StreamFlags::FastLaunchAndSync => {
                sys::ACL_STREAM_FAST_LAUNCH | sys::ACL_STREAM_FAST_SYNC
            }
            StreamFlags::Huge => sys::ACL_STREAM_HUGE,
        }
    }
}

/// The priority and flags of a new stream. The default creates the same stream as [`Current::create_stream`].
///
/// With the feature `serde` a file can have both: `priority` as a number, and `flags` as the name of one of [`StreamFlags`].
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::stream::{Main, Priority, StreamConfig};
///
/// let config = StreamConfig::new().priority(Priority::LEAST);
/// let background = current.create_stream_with::<Main>(config)?;
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
pub struct StreamConfig {
    priority: Option<Priority>,
    flags: Option<StreamFlags>,
}

impl StreamConfig {
    /// Returns the default configuration: the greatest priority and no flags.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::stream::{Main, StreamConfig};
    ///
    /// let stream = current.create_stream_with::<Main>(StreamConfig::new())?;
    /// # });
    /// ```
    #[must_use]
    pub const fn new() -> StreamConfig {
        StreamConfig {
            priority: None,
            flags: None,
        }
    }

    /// Sets the priority. The default is [`Priority::GREATEST`].
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::stream::{Main, Priority, StreamConfig};
    ///
    /// let config = StreamConfig::new().priority(Priority::LEAST);
    /// let background = current.create_stream_with::<Main>(config)?;
    /// # });
    /// ```
    #[must_use]
    pub const fn priority(mut self, priority: Priority) -> StreamConfig {
        self.priority = Some(priority);
        self
    }

    /// Sets the flags. The default is no flags.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::stream::{Main, StreamConfig, StreamFlags};
    ///
    /// let config = StreamConfig::new().flags(StreamFlags::FastLaunch);
    /// let stream = current.create_stream_with::<Main>(config)?;
    /// # });
    /// ```
    #[must_use]
    pub const fn flags(mut self, flags: StreamFlags) -> StreamConfig {
        self.flags = Some(flags);
        self
    }
}

impl<'t, 'dev, D: AnyDevice> Current<'t, 'dev, D> {
    /// Creates a stream with a priority or flags (`aclrtCreateStreamWithConfig`, pyACL
    /// `acl.rt.create_stream_with_config`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::stream::{Main, Priority, StreamConfig};
    ///
    /// let config = StreamConfig::new().priority(Priority::of::<2>());
    /// let stream = current.create_stream_with::<Main>(config)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Current::create_stream`]. Also [`ErrorKind::Refused`] with 207000 for [`StreamFlags::Huge`] on a
    /// product without that feature.
    #[doc(alias = "aclrtCreateStreamWithConfig")]
    #[doc(alias = "acl.rt.create_stream_with_config")]
    pub fn create_stream_with<S: StreamName>(
        self,
        config: StreamConfig,
    ) -> Result<Stream<'t, 'dev, D, S>> {
        self.create_configured((), config)
    }

    pub(super) fn create_configured<S: StreamTag>(
        self,
        ident: StreamIdent<S>,
        config: StreamConfig,
    ) -> Result<Stream<'t, 'dev, D, S>> {
        let priority = config.priority.unwrap_or(Priority::GREATEST).get();
        let flags = config.flags.map_or(0, StreamFlags::raw);
        self.create_by(ident, "aclrtCreateStreamWithConfig", |raw| {
            // SAFETY: `raw` is valid for a write of a pointer.
            unsafe { sys::aclrtCreateStreamWithConfig(raw, priority, flags) }
        })
    }

    /// Returns the priorities that streams of this device can have, the most urgent first
    /// (`aclrtDeviceGetStreamPriorityRange`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let priorities = current.stream_priorities()?;
    /// println!("from {} (most urgent) to {}", priorities.start(), priorities.end());
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`ErrorKind::Backend`] when an older CANN lacks the function.
    #[doc(alias = "aclrtDeviceGetStreamPriorityRange")]
    pub fn stream_priorities(self) -> Result<RangeInclusive<u32>> {
        let (mut least, mut greatest) = (0, 0);
        // SAFETY: both are valid for a write of an i32.
        let code =
            unsafe { sys::aclrtDeviceGetStreamPriorityRange(&raw mut least, &raw mut greatest) };
        check("aclrtDeviceGetStreamPriorityRange", code)?;
        Ok(greatest.unsigned_abs()..=least.unsigned_abs())
    }
}
