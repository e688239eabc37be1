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

/// The least priority there is.
const LEAST: u32 = 7;

/// How urgent the work of a stream is: 0 most, 7 least.
///
/// The runtime silently uses the nearest one for a number beyond the range; here such a number is refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Priority(u32);

impl Priority {
    /// Before all others.
    pub const GREATEST: Priority = Priority(0);
    /// Behind all others.
    pub const LEAST: Priority = Priority(LEAST);

    /// Priority `N`. Any but 0 to 7 does not compile.
    #[must_use]
    pub const fn of<const N: u32>() -> Priority
    where
        Level<N>: PriorityLevel,
    {
        Priority(N)
    }

    /// The number.
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
    message = "`{Self}` is no priority of a stream",
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

/// What is special about a stream: the flags that a stream of the host can have, and their one legal union.
///
/// Streams that only models or devices run (`ACL_STREAM_PERSISTENT`, `ACL_STREAM_CPU_SCHEDULE`,
/// `ACL_STREAM_DEVICE_USE_ONLY`) are not among them: a wait for those says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StreamFlags {
    /// Resources are reserved when the stream is created, so that work starts sooner
    /// (`ACL_STREAM_FAST_LAUNCH`).
    FastLaunch,
    /// A wait for the stream polls instead of sleeping (`ACL_STREAM_FAST_SYNC`).
    FastSync,
    /// Both.
    FastLaunchAndSync,
    /// A longer queue, on products that have it (`ACL_STREAM_HUGE`).
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

/// How a stream shall be: by default as [`Current::create_stream`] makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct StreamConfig {
    priority: Option<Priority>,
    flags: Option<StreamFlags>,
}

impl StreamConfig {
    /// The default.
    #[must_use]
    pub const fn new() -> StreamConfig {
        StreamConfig {
            priority: None,
            flags: None,
        }
    }

    /// With a priority; without one it is the greatest.
    #[must_use]
    pub const fn priority(mut self, priority: Priority) -> StreamConfig {
        self.priority = Some(priority);
        self
    }

    /// With flags.
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
    /// # Errors
    ///
    /// As for [`Current::create_stream`], and [`ErrorKind::Refused`] with 207000 for
    /// [`StreamFlags::Huge`] on a product without it.
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

    /// The priorities that streams of this device can have, the most urgent first
    /// (`aclrtDeviceGetStreamPriorityRange`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`ErrorKind::Backend`] where an older
    /// CANN lacks the function.
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
