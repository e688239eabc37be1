//! Explicit contexts: those that the program creates beside the default context of a device.

use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::context::{Current, Thread};
use crate::device::{AnyDevice, Core, Ctx, Device, Ending, WholeDevice, new_key};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::Result;
use crate::raw::{Handle, check};
use crate::release;
use crate::state::Invariant;

/// An explicit context of a device, named `C` = [`Ctx<D, N>`](Ctx).
///
/// A context owns streams and events. Streams and events of different contexts cannot wait for each other, and one
/// wait covers one context only. So a context has a name of its own in types, as a device has, and values of two
/// contexts cannot be mixed.
///
/// Memory of the device may be used in each of its contexts: by copies and fills, and by
/// [`Plan::launch`](crate::op::Plan::launch) on a stream of the context. [`Plan::run`](crate::op::Plan::run) needs
/// operands that were allocated in the context itself.
///
/// A context borrows its device, so the device cannot be reset while the context lives.
/// [`Thread::set_current_context`] binds a thread to the context.
///
/// ```
/// # ascendcl::example!(|acl| {
/// # let mut thread = Thread::claim()?;
/// # let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
/// use ascendcl::{Context, Ctx};
///
/// let context: Context<'_, Ctx<Npu<0>, 1>> = device.create_context::<1>(&mut thread)?;
/// let current = thread.set_current_context(&context)?;
/// current.malloc::<f32>(16)?.free()?;
/// context.destroy()?;
/// # });
/// ```
///
/// # Invariants
///
/// - The context of `core` lives from construction to [`Context::destroy`] or drop.
/// - No other `Context` of the device has the same number.
#[derive(Debug)]
pub struct Context<'dev, C> {
    core: Arc<Core>,
    device: &'dev Arc<Core>,
    number: usize,
    _tag: PhantomData<Invariant<C>>,
}

impl<D: WholeDevice> Device<'_, D> {
    /// Creates context number `N` (`aclrtCreateContext`, pyACL `acl.rt.create_context`).
    ///
    /// The runtime makes the new context current on the calling thread, so the call needs the unbound [`Thread`] of
    /// that thread.
    ///
    /// ```
    /// fn two_contexts(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
    ///     use ascendcl::{Npu, Thread, stream::Main};
    ///     let mut thread = Thread::claim()?;
    ///     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    ///     let context = device.create_context::<1>(&mut thread)?;
    ///     let current = thread.set_current_context(&context)?;
    ///     let stream = current.create_stream::<Main>()?; // of this context alone
    ///     stream.destroy()?;
    ///     context.destroy()
    /// }
    /// # ascendcl::example!(|acl| { two_contexts(&acl)?; });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::ContextTaken`](crate::error::Usage::ContextTaken) while a context with that number lives.
    /// [`ErrorKind::Refused`] with 207008 when the device has no stream left, because each context has a default
    /// stream.
    #[doc(alias = "aclrtCreateContext")]
    #[doc(alias = "acl.rt.create_context")]
    pub fn create_context<const N: usize>(
        &self,
        _thread: &mut Thread,
    ) -> Result<Context<'_, Ctx<D, N>>> {
        let device = self.core();
        device.claim_context(N)?;
        let mut raw = ptr::null_mut();
        // The id came from an i32, so the conversion is exact.
        let id = device.id().cast_signed();
        // SAFETY: `raw` is valid for a write of a pointer.
        let code = unsafe { sys::aclrtCreateContext(&raw mut raw, id) };
        let created =
            check("aclrtCreateContext", code).and_then(|()| Handle::new("aclrtCreateContext", raw));
        let raw = created.inspect_err(|_| device.unclaim_context(N))?;
        let core = Core::new(device.id(), raw, new_key::<Ctx<D, N>>());
        core.set_limit(device.limit().unwrap_or_default());
        device.note_context(N, Some(Arc::clone(&core)));
        // INVARIANT: created just now, under a number that was free.
        Ok(Context {
            core,
            device,
            number: N,
            _tag: PhantomData,
        })
    }
}

impl<C> Context<'_, C> {
    /// The raw context, for calls that this crate does not have. Do not destroy it.
    ///
    /// ```
    /// use ascendcl::{Context, Ctx, Npu, sys};
    ///
    /// fn raw(context: &Context<'_, Ctx<Npu<0>, 1>>) -> sys::aclrtContext {
    ///     context.as_raw()
    /// }
    /// ```
    #[must_use]
    pub fn as_raw(&self) -> sys::aclrtContext {
        self.core.context().as_ptr()
    }

    /// Destroys the context (`aclrtDestroyContext`, pyACL `acl.rt.destroy_context`) with its default stream.
    ///
    /// This does not compile while a stream, an event, memory or a binding of the context is alive. A thread that was
    /// bound to the context has no current context afterwards, until it is bound again.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # let mut thread = Thread::claim()?;
    /// # let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// let context = device.create_context::<1>(&mut thread)?;
    /// context.destroy()?; // a drop destroys it too, and its error goes to the hook for failed releases
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 107000 or 107002 when other code has destroyed the context. [`ErrorKind::Wait`]
    /// when no wait for the work of the context has succeeded; the context is not destroyed then. After an error the
    /// value is gone all the same, and its number stays taken.
    #[doc(alias = "aclrtDestroyContext")]
    #[doc(alias = "acl.rt.destroy_context")]
    pub fn destroy(self) -> Result<()> {
        let mut this = ManuallyDrop::new(self);
        let closed = this.close();
        // SAFETY: `this` is not used again.
        unsafe { ptr::drop_in_place(&raw mut this.core) };
        closed
    }

    fn close(&self) -> Result<()> {
        let context = self.core.context().as_ptr();
        let closed = self
            .core
            .close(Ending::Destruction, "aclrtDestroyContext", || {
                // SAFETY: a context that `create_context` made, destroyed once; nothing borrows it.
                unsafe { sys::aclrtDestroyContext(context) }
            });
        if closed.is_ok() {
            self.device.unclaim_context(self.number);
        } else if self.core.is_over() {
            self.device.note_context(self.number, None);
        }
        closed
    }
}

impl<C> Drop for Context<'_, C> {
    fn drop(&mut self) {
        release::in_drop(self.close());
    }
}

impl Thread {
    /// Makes an explicit context current on this thread (`aclrtSetCurrentContext`, pyACL
    /// `acl.rt.set_current_context`). For the default context of a device there is [`Thread::set_current`].
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # let mut thread = Thread::claim()?;
    /// # let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// let context = device.create_context::<1>(&mut thread)?;
    /// let current = thread.set_current_context(&context)?;
    /// current.synchronize_device()?; // waits for the streams of this context
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 107000 when other code has destroyed the context.
    pub fn set_current_context<'t, 'ctx, C: AnyDevice>(
        &'t mut self,
        context: &'ctx Context<'_, C>,
    ) -> Result<Current<'t, 'ctx, C>> {
        self.bind(&context.core)
    }
}
