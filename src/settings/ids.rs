//! The three numbers of a device, and its other names.

use std::ffi::{CStr, CString, c_char};

use ascendcl_sys as sys;

use crate::context::Thread;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::raw::{check, check_device};
use crate::runtime::Acl;
use crate::settings::c_id;

/// Defines a number of a device that is not the id of the program.
macro_rules! numbers {
    ($(
        $(#[$meta:meta])*
        $name:ident: $method:ident by $of_user:ident, user_id by $to_user:ident;
        $(#[$ask:meta])*
        ask
        $(#[$back:meta])*
        back
    )*) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// A number that another source has named.
            #[must_use]
            pub const fn new(number: u32) -> Self {
                $name(number)
            }

            /// The number, for other programs.
            #[must_use]
            pub const fn get(self) -> u32 {
                self.0
            }

            $(#[$back])*
            pub fn user_id(self, _acl: &Acl) -> Result<u32> {
                let number = c_id(self.0)?;
                let mut id = 0;
                // SAFETY: `id` is valid for a write of an i32.
                let code = unsafe { sys::$to_user(number, &raw mut id) };
                check(stringify!($to_user), code)?;
                Ok(id.cast_unsigned())
            }
        }

        impl Acl {
            $(#[$ask])*
            pub fn $method(&self, id: u32) -> Result<$name> {
                let c_id = c_id(id)?;
                let mut number = 0;
                // SAFETY: `number` is valid for a write of an i32.
                let code = unsafe { sys::$of_user(c_id, &raw mut number) };
                check_device(stringify!($of_user), id, code)?;
                Ok($name(number.cast_unsigned()))
            }
        }
    )* };
}

numbers! {
    /// The number of a device among all that the container or the machine has, whatever `ASCEND_RT_VISIBLE_DEVICES` says.
    ///
    /// [`Acl::set_device`] and all other calls take the id of the program instead: the position in
    /// `ASCEND_RT_VISIBLE_DEVICES`. Drivers and tools count as here. A number of another kind does not compile:
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// let logic = acl.logic_dev_id(1)?;
    /// assert_eq!(logic.user_id(&acl)?, 1);
    /// println!("device 1 of the program is {} for the driver", logic.get());
    /// # });
    /// ```
    LogicDevId: logic_dev_id by aclrtGetLogicDevIdByUserDevId, user_id by aclrtGetUserDevIdByLogicDevId;
    /// Returns the logical number of the device with the id `id` of the program (`aclrtGetLogicDevIdByUserDevId`).
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// println!("the driver calls it {}", acl.logic_dev_id(0)?.get());
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 107001 for an id that does not exist, and [`ErrorKind::Backend`] when an older CANN
    /// lacks the function.
    #[doc(alias = "aclrtGetLogicDevIdByUserDevId")]
    ask
    /// Returns the id of the program for the device (`aclrtGetUserDevIdByLogicDevId`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when the program does not see the device.
    #[doc(alias = "aclrtGetUserDevIdByLogicDevId")]
    back

    /// The number of a device in the machine, outside any container, as `npu-smi` on the host shows it.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// use ascendcl::settings::PhyDevId;
    ///
    /// let physical = acl.phy_dev_id(1)?;
    /// assert_eq!(PhyDevId::new(physical.get()).user_id(&acl)?, 1);
    /// # });
    /// ```
    PhyDevId: phy_dev_id by aclrtGetPhyDevIdByLogicDevId, user_id by aclrtGetLogicDevIdByPhyDevId;
    /// Returns the physical number of the device with the id `id` of the program (`aclrtGetPhyDevIdByLogicDevId`). The
    /// name in C is wrong: the function takes the id of the program, and newer releases call it
    /// `aclrtGetPhyDevIdByUserDevId`.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// println!("`npu-smi` calls it {}", acl.phy_dev_id(0)?.get());
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Acl::logic_dev_id`].
    #[doc(alias = "aclrtGetPhyDevIdByLogicDevId")]
    ask
    /// Returns the id of the program for the device (`aclrtGetLogicDevIdByPhyDevId`). The name in C is wrong: the function
    /// returns the id of the program, and newer releases call it `aclrtGetUserDevIdByPhyDevId`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when the program does not see the device.
    #[doc(alias = "aclrtGetLogicDevIdByPhyDevId")]
    back
}

/// Enough for every place on a bus, which takes 13 bytes with its end.
const BUS_ID: usize = 32;

impl Acl {
    /// Returns the unique number of a device (`aclrtDeviceGetUuid`), which stays the same in all processes.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// assert_ne!(acl.device_uuid(0)?, acl.device_uuid(1)?);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Acl::logic_dev_id`].
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtDeviceGetUuid")]
    pub fn device_uuid(&self, id: u32) -> Result<[u8; 16]> {
        let c_id = c_id(id)?;
        let mut uuid = sys::aclrtUuid { bytes: [0; 16] };
        // SAFETY: `uuid` is valid for a write.
        let code = unsafe { sys::aclrtDeviceGetUuid(c_id, &raw mut uuid) };
        check_device("aclrtDeviceGetUuid", id, code)?;
        Ok(uuid.bytes.map(|byte| byte as u8))
    }

    /// Returns the place of a device on the PCI bus (`aclrtDeviceGetPCIBusId`), such as `0000:c1:00.0`.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// match acl.pci_bus_id(0) {
    ///     Ok(place) => assert_eq!(acl.device_by_pci_bus_id(&place)?, 0),
    ///     Err(error) => println!("{error}"), // a device on another bus, or the emulator's
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Acl::logic_dev_id`], and [`ErrorKind::Refused`] with 207000 for a device on another bus.
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtDeviceGetPCIBusId")]
    pub fn pci_bus_id(&self, id: u32) -> Result<CString> {
        let c_id = c_id(id)?;
        let mut place: [c_char; BUS_ID] = [0; BUS_ID];
        // The last byte stays 0, so that there is an end whatever the function writes.
        let len = BUS_ID as i32 - 1;
        // SAFETY: `place` is valid for writes of `len` bytes.
        let code = unsafe { sys::aclrtDeviceGetPCIBusId(c_id, place.as_mut_ptr(), len) };
        check_device("aclrtDeviceGetPCIBusId", id, code)?;
        // SAFETY: its last byte is 0.
        Ok(unsafe { CStr::from_ptr(place.as_ptr()) }.to_owned())
    }

    /// Returns the id of the device at a place of the PCI bus (`aclrtDeviceGetByPCIBusId`), such as `c"0000:c1:00.0"`.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// match acl.device_by_pci_bus_id(c"0000:c1:00.0") {
    ///     Ok(id) => println!("device {id}"),
    ///     Err(error) => println!("{error}"), // no device is there
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when no device is there, and with 207000 when the devices are on another bus.
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtDeviceGetByPCIBusId")]
    pub fn device_by_pci_bus_id(&self, place: &CStr) -> Result<u32> {
        let mut id = 0;
        // SAFETY: a NUL-terminated string, and `id` is valid for a write of an i32.
        let code = unsafe { sys::aclrtDeviceGetByPCIBusId(place.as_ptr(), &raw mut id) };
        check("aclrtDeviceGetByPCIBusId", code)?;
        Ok(id.cast_unsigned())
    }

    /// Returns the id that other processes know this process by (`aclrtDeviceGetBareTgid`, pyACL
    /// `acl.rt.device_get_bare_tgid`): that of the machine, also in a container. Lists of processes that may use shared
    /// memory take it.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// assert!(acl.bare_tgid()? > 0);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtDeviceGetBareTgid")]
    #[doc(alias = "acl.rt.device_get_bare_tgid")]
    pub fn bare_tgid(&self) -> Result<i32> {
        let mut id = 0;
        // SAFETY: `id` is valid for a write of an i32.
        let code = unsafe { sys::aclrtDeviceGetBareTgid(&raw mut id) };
        check("aclrtDeviceGetBareTgid", code)?;
        Ok(id)
    }
}

impl Thread {
    /// Returns the id of the device that this thread uses (`aclrtGetDevice`, pyACL `acl.rt.get_device`), also if other
    /// code has chosen it. `None` without one.
    ///
    /// A function that the thread of another library calls opens the device that the library uses:
    ///
    /// ```
    /// fn free_bytes(acl: &ascendcl::Acl) -> ascendcl::Result<usize> {
    ///     use ascendcl::{MemAttr, Npu, Thread};
    ///     Thread::visit(|thread| {
    ///         let id = thread.device_id(acl)?.unwrap_or(0);
    ///         let device = acl.set_device::<Npu<0>>(thread, id)?;
    ///         Ok(thread.set_current(&device)?.mem_info(MemAttr::Hbm)?.free)
    ///     })?
    /// }
    /// # ascendcl::example!(|acl| { assert!(free_bytes(&acl)? > 0); });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtGetDevice")]
    #[doc(alias = "acl.rt.get_device")]
    pub fn device_id(&self, _acl: &Acl) -> Result<Option<u32>> {
        let mut id = 0;
        // SAFETY: `id` is valid for a write of an i32.
        let code = unsafe { sys::aclrtGetDevice(&raw mut id) };
        match check("aclrtGetDevice", code) {
            Ok(()) => Ok(Some(id.cast_unsigned())),
            // The code is an answer and no failure. `check` has removed the error text that belongs to it.
            Err(_) if code == sys::ACL_ERROR_RT_CONTEXT_NULL => Ok(None),
            Err(error) => Err(error),
        }
    }
}
