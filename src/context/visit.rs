//! [`Thread::visit`]: the temporary use of a thread that belongs to another library.

use ascendcl_sys as sys;

use crate::context::Thread;
use crate::device::current_context;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::raw::{Handle, check, note_device};
use crate::release;

/// The context that was current before. Dropping this value makes it current again.
struct Before {
    context: Option<Handle>,
}

impl Thread {
    /// Claims the calling thread while `f` runs, and restores the current context afterwards
    /// (`aclrtGetCurrentContext`, `aclrtSetCurrentContext`), also when `f` panics.
    ///
    /// This is for functions that a thread of another library calls. The current context is a property of the thread,
    /// and the other library continues with the context that is current when `f` returns. If the thread had no
    /// context, the last context of `f` stays current.
    ///
    /// ```
    /// fn free_bytes(device: &ascendcl::Device<'_, ascendcl::Npu<1>>) -> ascendcl::Result<usize> {
    ///     use ascendcl::{MemAttr, Thread};
    ///     Thread::visit(|thread| Ok(thread.set_current(device)?.mem_info(MemAttr::Hbm)?.free))?
    /// }
    /// # ascendcl::example!(|acl| {
    /// # let device = acl.set_device(&mut Thread::claim()?, 1)?;
    /// # assert!(free_bytes(&device)? > 0);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::ThreadClaimed`] and [`Usage::InHostFunc`] as for [`Thread::claim`], and [`ErrorKind::Refused`] if the
    /// runtime does not tell which context is current; `f` does not run then.
    /// [`ErrorKind::Refused`] with 107000 or 107002 when the previous context is gone, because `f` has reset its
    /// device.
    pub fn visit<R>(f: impl FnOnce(&mut Thread) -> R) -> Result<R> {
        let mut thread = Thread::claim()?;
        let before = Before {
            context: match current_context() {
                Ok(context) => Some(context),
                Err(none) if none.code() == Some(sys::ACL_ERROR_RT_CONTEXT_NULL) => None,
                Err(error) => return Err(error),
            },
        };
        let result = f(&mut thread);
        before.restore().map(|()| result)
    }
}

impl Before {
    fn restore(mut self) -> Result<()> {
        self.bind()
    }

    fn bind(&mut self) -> Result<()> {
        let Some(context) = self.context.take() else {
            return Ok(());
        };
        note_device(None);
        // SAFETY: the context was current when this value was made. The runtime refuses a context that is gone
        // (107000 or 107002, observed, CANN runtime 1.17).
        let code = unsafe { sys::aclrtSetCurrentContext(context.as_ptr()) };
        check("aclrtSetCurrentContext", code)
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        release::in_drop(self.bind());
    }
}
