//! What logs and profilers show of work: the number of its stream, that of a task, and marks.

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{Error, ErrorKind};
use crate::raw::check;
use crate::stream::{AnyStream, Stream};

/// The bytes of a mark; the function adds zeros to shorter ones, and refuses longer ones (manual).
const MARK: usize = 18;

impl<D: AnyDevice, S: AnyStream> Stream<'_, '_, D, S> {
    /// Returns the number of the stream on its device (`aclrtStreamGetId`, pyACL `acl.rt.stream_get_id`). Logs, profilers
    /// and [`ExceptionInfo::stream_id`](crate::callback::ExceptionInfo::stream_id) show it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// println!("the log calls it stream {}", stream.id()?);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtStreamGetId")]
    #[doc(alias = "acl.rt.stream_get_id")]
    pub fn id(&self) -> Result<u32> {
        let mut id = 0;
        // SAFETY: a live stream, and `id` is valid for a write of an i32.
        let code = unsafe { sys::aclrtStreamGetId(self.as_raw(), &raw mut id) };
        check("aclrtStreamGetId", code)?;
        Ok(id.cast_unsigned())
    }

    /// Queues a mark for the profiler, behind the work so far (`aclrtProfTrace`). The call copies the mark; what its bytes
    /// mean is left to the program.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// stream.prof_trace(*b"batch 7           ")?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`ErrorKind::Backend`] when an older CANN lacks the function.
    #[doc(alias = "aclrtProfTrace")]
    pub fn prof_trace(&mut self, mut mark: [u8; MARK]) -> Result<()> {
        let data = mark.as_mut_ptr().cast();
        // SAFETY: a live stream of the current context, and `data` is valid for reads of `MARK` bytes during the call. The
        // function copies them: it adds zeros to a shorter text (manual), and programs pass memory of their stack.
        let code = unsafe { sys::aclrtProfTrace(data, MARK as i32, self.as_raw()) };
        check("aclrtProfTrace", code)
    }
}

impl<D: AnyDevice> Current<'_, '_, D> {
    /// Returns the number of the task that this thread has queued last (`aclrtGetThreadLastTaskId`, pyACL
    /// `acl.rt.get_thread_last_task_id`). Logs and
    /// [`ExceptionInfo::task_id`](crate::callback::ExceptionInfo::task_id) show it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// println!("the log calls the fill task {}", current.last_task_id()?);
    /// # stream.synchronize()?.take(zeros);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtGetThreadLastTaskId")]
    #[doc(alias = "acl.rt.get_thread_last_task_id")]
    pub fn last_task_id(self) -> Result<u32> {
        let mut id = 0;
        // SAFETY: `id` is valid for a write of a u32.
        let code = unsafe { sys::aclrtGetThreadLastTaskId(&raw mut id) };
        check("aclrtGetThreadLastTaskId", code)?;
        Ok(id)
    }

    /// Returns the last failure of a call on this thread, and forgets it (`aclrtGetLastError`, pyACL
    /// `acl.rt.get_last_error`). That may be a call of another library, or one whose error this API has returned already.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// if let Err(error) = current.last_error() {
    ///     println!("another library has ignored this: {error}");
    /// }
    /// assert!(current.last_error().is_ok()); // it is forgotten
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// The failure, [`ErrorKind::Refused`] with its code.
    #[doc(alias = "aclrtGetLastError")]
    #[doc(alias = "acl.rt.get_last_error")]
    pub fn last_error(self) -> Result<()> {
        // SAFETY: takes a number.
        let code = unsafe { sys::aclrtGetLastError(sys::ACL_RT_THREAD_LEVEL) };
        check("aclrtGetLastError", code)
    }

    /// Returns the raw default stream of the context (`aclrtCtxGetCurrentDefaultStream`), for a library that does not take
    /// null for it. Do not destroy it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// assert!(!current.default_stream_raw()?.is_null());
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`ErrorKind::Backend`] when an older CANN lacks the function.
    #[doc(alias = "aclrtCtxGetCurrentDefaultStream")]
    pub fn default_stream_raw(self) -> Result<sys::aclrtStream> {
        let mut raw = core::ptr::null_mut();
        // SAFETY: `raw` is valid for a write of a pointer.
        let code = unsafe { sys::aclrtCtxGetCurrentDefaultStream(&raw mut raw) };
        check("aclrtCtxGetCurrentDefaultStream", code)?;
        Ok(raw)
    }
}
