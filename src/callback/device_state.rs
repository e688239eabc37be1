//! The hook for the states of devices (`aclrtRegDeviceStateCallback`).

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use ascendcl_sys as sys;

use crate::callback::run_hook;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::raw::check;
use crate::runtime::Acl;

/// A hook for the states of devices.
type Callback = fn(u32, DeviceState);

/// The hook in use. It is registered while there is one.
static CALLBACK: Mutex<Option<Callback>> = Mutex::new(None);

/// The name of the registration. Other components register under names of their own.
const NAME: &CStr = c"ascendcl";

/// What happens to a device (`aclrtDeviceState`).
///
/// ```
/// use ascendcl::callback::DeviceState;
///
/// fn on_device_state(id: u32, state: DeviceState) {
///     println!("device {id}: {state:?}");
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeviceState {
    /// It is about to be set (`ACL_RT_DEVICE_STATE_SET_PRE`).
    SetPre,
    /// It was set (`ACL_RT_DEVICE_STATE_SET_POST`).
    SetPost,
    /// It is about to be reset (`ACL_RT_DEVICE_STATE_RESET_PRE`).
    ResetPre,
    /// It was reset (`ACL_RT_DEVICE_STATE_RESET_POST`).
    ResetPost,
}

impl DeviceState {
    /// `None` for a state of a later release.
    fn of(raw: sys::aclrtDeviceState) -> Option<DeviceState> {
        match raw {
            sys::ACL_RT_DEVICE_STATE_SET_PRE => Some(DeviceState::SetPre),
            sys::ACL_RT_DEVICE_STATE_SET_POST => Some(DeviceState::SetPost),
            sys::ACL_RT_DEVICE_STATE_RESET_PRE => Some(DeviceState::ResetPre),
            sys::ACL_RT_DEVICE_STATE_RESET_POST => Some(DeviceState::ResetPost),
            _ => None,
        }
    }
}

impl Acl {
    /// Sets the hook that the runtime calls when a device is set or reset, also by other code of the process, or removes it
    /// (`aclrtRegDeviceStateCallback`). It gets the id of the device.
    ///
    /// A program has one such hook, under a name that no other component has. It borrows nothing; a counter or a collection
    /// for it is a `static`. It is set before any device is opened. AscendCL cannot be used inside it
    /// ([`Usage::InHostFunc`]). A panic of the hook ends inside it.
    ///
    /// ```
    /// # #[cfg(feature = "emulator")]
    /// # fn main() -> ascendcl::Result<()> {
    /// # use ascendcl::Npu;
    /// let mut acl = ascendcl::Acl::from_env()?;
    /// acl.set_device_state_callback(Some(|id, state| println!("device {id}: {state:?}")))?;
    /// acl.on::<Npu<0>, _>(0, |current| current.malloc::<u8>(4)?.free())?; // four states
    /// # Ok(()) }
    /// # #[cfg(not(feature = "emulator"))]
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`ErrorKind::Backend`] when an older CANN lacks the function.
    #[doc(alias = "aclrtRegDeviceStateCallback")]
    pub fn set_device_state_callback(
        &mut self,
        callback: Option<fn(u32, DeviceState)>,
    ) -> Result<()> {
        // `&mut self`: nothing else registers under the name meanwhile.
        let is_registered = hook().is_some();
        if is_registered != callback.is_some() {
            let function: sys::aclrtDeviceStateCallback = match callback {
                Some(_) => Some(tell),
                None => None,
            };
            let name = NAME.as_ptr();
            // SAFETY: a NUL-terminated string; the function is there as long as the process, and uses no data.
            let code = unsafe { sys::aclrtRegDeviceStateCallback(name, function, ptr::null_mut()) };
            check("aclrtRegDeviceStateCallback", code)?;
        }
        *CALLBACK.lock().unwrap_or_else(PoisonError::into_inner) = callback;
        Ok(())
    }
}

/// Returns a copy of the hook, so that nothing runs under the lock.
fn hook() -> Option<Callback> {
    *CALLBACK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The function that the runtime calls.
///
/// # Safety
///
/// None: it reads numbers only.
unsafe extern "C" fn tell(id: i32, state: sys::aclrtDeviceState, _data: *mut c_void) {
    let state = DeviceState::of(state);
    if let (Some(callback), Some(state), Ok(id)) = (hook(), state, u32::try_from(id)) {
        run_hook(|| callback(id, state));
    }
}
