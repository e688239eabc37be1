//! Notifies that count: counters that streams change and wait for (`acl/acl_rt.h`; manual chapter 09).

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, Core, SameDevice, in_context};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result};
use crate::park::User;
use crate::raw::{Handle, check};
use crate::release;
use crate::state::Invariant;
use crate::stream::{AnyStream, Stream, StreamTag};
use crate::sync::{Mutex, lock};

/// A counter of device `D`, from 0 to 2³² − 1. Any stream of the device can change it and wait for it.
///
/// It orders work and hands no memory over, as a [`Value`](super::Value) does, which lies in memory and is on more products: a stream
/// that waits for a number may use what another one has written only if a [fence](Stream::fence), a [signal](super::Signal) or a
/// [`handoff`](Stream::handoff) moves that, too. Dropping it destroys it behind the work of the streams that have used it
/// (`aclrtCntNotifyDestroy`).
///
/// ```
/// # fn run(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
/// # acl.on::<ascendcl::Npu<0>, _>(0, |current| {
/// # enum Second {}
/// # impl ascendcl::StreamName for Second {}
/// # let mut stream = current.create_stream::<ascendcl::stream::Main>()?;
/// # let mut second = current.create_stream::<Second>()?;
/// use std::num::NonZeroU32;
///
/// use ascendcl::event::{CntNotifyRecord, CntNotifyWait};
///
/// let [one, three] = [1, 3].map(|number| NonZeroU32::new(number).expect("not 0"));
/// let parts = current.create_cnt_notify()?; // 0
/// for _ in 0..3 {
///     stream.cnt_notify_record(&parts, CntNotifyRecord::Add(one))?; // behind the work of a part
/// }
/// second.cnt_notify_wait(&parts, CntNotifyWait::BiggerOrEqual(three))?;
/// second.synchronize()?; // later work of the second stream runs behind all three
/// # Ok(())
/// # }) }
/// ```
///
/// # Invariants
///
/// `raw` is a live counter of the context of `core`, which is that of `D`. This value destroys it behind the work of `users`, which are
/// all streams that may use it.
#[doc(alias = "aclrtCntNotify")]
pub struct CntNotify<'dev, D: AnyDevice> {
    raw: Handle,
    core: &'dev Arc<Core>,
    users: Mutex<Vec<User>>,
    _device: PhantomData<Invariant<D>>,
}

/// How a stream changes a counter (`aclrtCntNotifyRecordMode`). The numbers begin at 1 (manual, chapter 09):
/// [`Stream::cnt_notify_reset`] makes the counter 0.
///
/// ```
/// # fn run(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
/// # acl.on::<ascendcl::Npu<0>, _>(0, |current| {
/// # let mut stream = current.create_stream::<ascendcl::stream::Main>()?;
/// use std::num::NonZeroU32;
///
/// use ascendcl::event::CntNotifyRecord;
///
/// let ready = current.create_cnt_notify()?;
/// stream.cnt_notify_record(&ready, CntNotifyRecord::Set(NonZeroU32::MIN))?; // 1
/// # Ok(())
/// # }) }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CntNotifyRecord {
    /// It becomes this number (`ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE`).
    Set(NonZeroU32),
    /// This number is added (`ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE`).
    Add(NonZeroU32),
    /// These bits are set (`ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE`).
    BitOr(NonZeroU32),
    /// All other bits are cleared (`ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE`).
    BitAnd(NonZeroU32),
}

/// What a stream waits for: a comparison of a counter with a number (`aclrtCntNotifyWaitMode`). The numbers begin at 1 (manual,
/// chapter 09): `Less(1)` is a wait for 0.
///
/// ```
/// # fn run(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
/// # acl.on::<ascendcl::Npu<0>, _>(0, |current| {
/// # let mut stream = current.create_stream::<ascendcl::stream::Main>()?;
/// use std::num::NonZeroU32;
///
/// use ascendcl::event::CntNotifyWait;
///
/// let free = current.create_cnt_notify()?;
/// stream.cnt_notify_wait(&free, CntNotifyWait::Less(NonZeroU32::MIN))?; // until it is 0
/// # Ok(())
/// # }) }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CntNotifyWait {
    /// The counter is smaller (`ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE`).
    Less(NonZeroU32),
    /// The counter is this number (`ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE`). A stream that waits may miss a number that is changed at
    /// once.
    Equal(NonZeroU32),
    /// The counter is larger (`ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE`).
    Bigger(NonZeroU32),
    /// The counter is as large or larger (`ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE`).
    BiggerOrEqual(NonZeroU32),
    /// All of these bits are set (`ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE`).
    EqualWithBitmask(NonZeroU32),
}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Creates a counter that streams change and wait for (`aclrtCntNotifyCreate`). It is 0.
    ///
    /// ```
    /// # fn run(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
    /// # acl.on::<ascendcl::Npu<0>, _>(0, |current| {
    /// println!("counter {}", current.create_cnt_notify()?.id()?);
    /// # Ok(())
    /// # }) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`ErrorKind::Backend`] when an older CANN lacks the function.
    ///
    /// Products without the function, according to the manual: A3, A2, 310B, 310P, 910.
    #[doc(alias = "aclrtCntNotifyCreate")]
    #[doc(alias = "aclrtCntNotifyDestroy")]
    pub fn create_cnt_notify(self) -> Result<CntNotify<'dev, D>> {
        let mut raw = core::ptr::null_mut();
        // SAFETY: `raw` is valid for a write of a pointer, and the context of the device is current. The flag is reserved.
        let code = unsafe { sys::aclrtCntNotifyCreate(&raw mut raw, 0) };
        check("aclrtCntNotifyCreate", code)?;
        // INVARIANT: a new counter, which no stream uses.
        Ok(CntNotify {
            raw: Handle::new("aclrtCntNotifyCreate", raw)?,
            core: self.core(),
            users: Mutex::new(Vec::new()),
            _device: PhantomData,
        })
    }
}

impl<D: AnyDevice> CntNotify<'_, D> {
    /// Returns the number that the device has for the counter (`aclrtCntNotifyGetId`), as it stands in logs and profiles.
    ///
    /// ```
    /// # fn run(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
    /// # acl.on::<ascendcl::Npu<0>, _>(0, |current| {
    /// println!("counter {}", current.create_cnt_notify()?.id()?);
    /// # Ok(())
    /// # }) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    ///
    /// Products without the function, according to the manual: A3, A2, 310B, 310P, 910.
    #[doc(alias = "aclrtCntNotifyGetId")]
    pub fn id(&self) -> Result<u32> {
        let mut id = 0;
        // SAFETY: a live counter, and `id` is valid for a write.
        let code = unsafe { sys::aclrtCntNotifyGetId(self.raw.as_ptr(), &raw mut id) };
        check("aclrtCntNotifyGetId", code)?;
        Ok(id)
    }

    /// Enters that work of a stream may use the counter from now on, and returns it. A failed call may have queued it all the same.
    fn enters(&self, user: User) -> sys::aclrtCntNotify {
        let parking = self.core.parking();
        parking.enter_user(&mut lock(&self.users), user);
        self.raw.as_ptr()
    }
}

impl<D: AnyDevice> Drop for CntNotify<'_, D> {
    fn drop(&mut self) {
        const DESTROY: &str = "aclrtCntNotifyDestroy";
        // SAFETY: a counter of the context of `core`, which only this value destroys (invariant).
        let parked = unsafe { in_context(self.core, DESTROY, self.raw, destroy, lose) };
        self.core.parking().park(&lock(&self.users), parked);
    }
}

/// # Safety
///
/// - No work uses the counter, and its context is current. It is destroyed once.
unsafe fn destroy(counter: Handle) -> sys::aclError {
    // SAFETY: the caller's contract.
    unsafe { sys::aclrtCntNotifyDestroy(counter.as_ptr()) }
}

fn lose(_: Handle, why: &Error) {
    release::leaked(why);
}

impl<D: AnyDevice> fmt::Debug for CntNotify<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CntNotify({:?})", self.raw.as_ptr())
    }
}

impl<D: AnyDevice, S: AnyStream> Stream<'_, '_, D, S> {
    /// Changes a counter behind all submitted work (`aclrtCntNotifyRecord`).
    ///
    /// ```
    /// # fn run(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
    /// # acl.on::<ascendcl::Npu<0>, _>(0, |current| {
    /// # let mut stream = current.create_stream::<ascendcl::stream::Main>()?;
    /// use std::num::NonZeroU32;
    ///
    /// use ascendcl::event::CntNotifyRecord;
    ///
    /// let parts = current.create_cnt_notify()?;
    /// stream.cnt_notify_record(&parts, CntNotifyRecord::Add(NonZeroU32::MIN))?;
    /// # Ok(())
    /// # }) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    ///
    /// Products without the function, according to the manual: A3, A2, 310B, 310P, 910.
    #[doc(alias = "aclrtCntNotifyRecord")]
    pub fn cnt_notify_record(
        &mut self,
        counter: &CntNotify<'_, impl SameDevice<D>>,
        change: CntNotifyRecord,
    ) -> Result<()>
    where
        S: StreamTag,
    {
        let (mode, value) = match change {
            CntNotifyRecord::Set(to) => (sys::ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, to),
            CntNotifyRecord::Add(by) => (sys::ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, by),
            CntNotifyRecord::BitOr(bits) => (sys::ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE, bits),
            CntNotifyRecord::BitAnd(bits) => (sys::ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE, bits),
        };
        let value = value.get();
        let mut info = sys::aclrtCntNotifyRecordInfo { mode, value };
        let raw = counter.enters(Some(self.key()));
        // SAFETY: a live stream of the current context, and a live counter, which is destroyed behind the work of the stream
        // (`CntNotify::enters`). `info` is valid for the call.
        let code = unsafe { sys::aclrtCntNotifyRecord(raw, self.as_raw(), &raw mut info) };
        check("aclrtCntNotifyRecord", code)
    }

    /// Makes a counter 0 behind all submitted work (`aclrtCntNotifyReset`).
    ///
    /// ```
    /// # fn run(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
    /// # acl.on::<ascendcl::Npu<0>, _>(0, |current| {
    /// # let mut stream = current.create_stream::<ascendcl::stream::Main>()?;
    /// let parts = current.create_cnt_notify()?;
    /// stream.cnt_notify_reset(&parts)?;
    /// # Ok(())
    /// # }) }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::cnt_notify_record`].
    ///
    /// Products without the function, according to the manual: A3, A2, 310B, 310P, 910.
    #[doc(alias = "aclrtCntNotifyReset")]
    pub fn cnt_notify_reset(&mut self, counter: &CntNotify<'_, impl SameDevice<D>>) -> Result<()>
    where
        S: StreamTag,
    {
        let raw = counter.enters(Some(self.key()));
        // SAFETY: as in `cnt_notify_record`.
        let code = unsafe { sys::aclrtCntNotifyReset(raw, self.as_raw()) };
        check("aclrtCntNotifyReset", code)
    }

    /// Makes later work of this stream wait until a counter is as `until` says (`aclrtCntNotifyWaitWithTimeout`, without a limit). A
    /// stream for which nothing makes it so never ends, and the program that waits for the stream does not either.
    ///
    /// ```
    /// # fn run(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
    /// # acl.on::<ascendcl::Npu<0>, _>(0, |current| {
    /// # let mut stream = current.create_stream::<ascendcl::stream::Main>()?;
    /// use std::num::NonZeroU32;
    ///
    /// use ascendcl::event::{CntNotifyRecord, CntNotifyWait};
    ///
    /// let bits = current.create_cnt_notify()?;
    /// stream.cnt_notify_record(&bits, CntNotifyRecord::BitOr(NonZeroU32::MIN))?;
    /// stream.cnt_notify_wait(&bits, CntNotifyWait::EqualWithBitmask(NonZeroU32::MIN))?;
    /// stream.synchronize()?;
    /// # Ok(())
    /// # }) }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::cnt_notify_record`].
    ///
    /// Products without the function, according to the manual: A3, A2, 310B, 310P, 910.
    #[doc(alias = "aclrtCntNotifyWaitWithTimeout")]
    pub fn cnt_notify_wait(
        &mut self,
        counter: &CntNotify<'_, impl SameDevice<D>>,
        until: CntNotifyWait,
    ) -> Result<()>
    where
        S: StreamTag,
    {
        self.wait_for_counter(counter, until, 0)
    }

    /// As [`Stream::cnt_notify_wait`], with a limit, which is rounded up to seconds (`aclrtCntNotifyWaitWithTimeout`). When it is
    /// over, the next wait of the host for the stream returns an error, and later work has run all the same.
    ///
    /// ```
    /// # fn run(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
    /// # acl.on::<ascendcl::Npu<0>, _>(0, |current| {
    /// # let mut stream = current.create_stream::<ascendcl::stream::Main>()?;
    /// use std::num::NonZeroU32;
    /// use std::time::Duration;
    ///
    /// use ascendcl::event::CntNotifyWait;
    ///
    /// let parts = current.create_cnt_notify()?;
    /// let until = CntNotifyWait::Bigger(NonZeroU32::MIN);
    /// stream.cnt_notify_wait_within(&parts, until, Duration::from_secs(10))?;
    /// # Ok(())
    /// # }) }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::cnt_notify_record`].
    ///
    /// Products without the function, according to the manual: A3, A2, 310B, 310P, 910.
    #[doc(alias = "aclrtCntNotifyWaitWithTimeout")]
    pub fn cnt_notify_wait_within(
        &mut self,
        counter: &CntNotify<'_, impl SameDevice<D>>,
        until: CntNotifyWait,
        limit: Duration,
    ) -> Result<()>
    where
        S: StreamTag,
    {
        // 0 is no limit in C.
        let seconds = limit.as_nanos().div_ceil(1_000_000_000).max(1);
        let seconds = u32::try_from(seconds).unwrap_or(u32::MAX);
        self.wait_for_counter(counter, until, seconds)
    }

    /// Queues a wait for a counter, with a limit in seconds, where 0 is none.
    fn wait_for_counter(
        &mut self,
        counter: &CntNotify<'_, impl SameDevice<D>>,
        until: CntNotifyWait,
        timeout: u32,
    ) -> Result<()>
    where
        S: StreamTag,
    {
        let (mode, value) = match until {
            CntNotifyWait::Less(than) => (sys::ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE, than),
            CntNotifyWait::Equal(to) => (sys::ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, to),
            CntNotifyWait::Bigger(than) => (sys::ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE, than),
            CntNotifyWait::BiggerOrEqual(to) => {
                (sys::ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE, to)
            }
            CntNotifyWait::EqualWithBitmask(bits) => {
                (sys::ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE, bits)
            }
        };
        let mut info = sys::aclrtCntNotifyWaitInfo {
            mode,
            value: value.get(),
            timeout,
            isClear: 0,
            rsv: [0; 3],
        };
        let raw = counter.enters(Some(self.key()));
        // SAFETY: as in `cnt_notify_record`.
        let code = unsafe { sys::aclrtCntNotifyWaitWithTimeout(raw, self.as_raw(), &raw mut info) };
        check("aclrtCntNotifyWaitWithTimeout", code)
    }
}
