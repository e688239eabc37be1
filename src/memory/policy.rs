//! Options of allocations, and the amount of free memory.

use std::marker::PhantomData;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::Result;
use crate::raw::check;
use crate::state::Invariant;

/// The kind of pages of device memory (`aclrtMemMallocPolicy`). With the feature `serde` a file has the name of one.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::MallocPolicy;
///
/// let for_peers = current.malloc_with_policy::<f32>(16, MallocPolicy::HugeFirstP2p)?;
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum MallocPolicy {
    /// Huge pages, or normal pages if there are no huge pages (`ACL_MEM_MALLOC_HUGE_FIRST`). Allocations up to 1 MiB
    /// use normal pages.
    #[default]
    HugeFirst,
    /// Huge pages or an error (`ACL_MEM_MALLOC_HUGE_ONLY`).
    HugeOnly,
    /// Normal pages (`ACL_MEM_MALLOC_NORMAL_ONLY`).
    NormalOnly,
    /// Huge pages, or normal pages if there are no huge pages; other devices can access the memory
    /// (`ACL_MEM_MALLOC_HUGE_FIRST_P2P`).
    HugeFirstP2p,
    /// Huge pages or an error; other devices can access the memory (`ACL_MEM_MALLOC_HUGE_ONLY_P2P`).
    HugeOnlyP2p,
    /// Normal pages; other devices can access the memory (`ACL_MEM_MALLOC_NORMAL_ONLY_P2P`).
    NormalOnlyP2p,
    /// Pages of 1 GiB, on products that have them (`ACL_MEM_MALLOC_HUGE1G_ONLY`).
    Huge1GOnly,
    /// Pages of 1 GiB, on products that have them; other devices can access the memory
    /// (`ACL_MEM_MALLOC_HUGE1G_ONLY_P2P`).
    Huge1GOnlyP2p,
}

impl MallocPolicy {
    pub(crate) fn raw(self) -> sys::aclrtMemMallocPolicy {
        match self {
            MallocPolicy::HugeFirst => sys::ACL_MEM_MALLOC_HUGE_FIRST,
            MallocPolicy::HugeOnly => sys::ACL_MEM_MALLOC_HUGE_ONLY,
            MallocPolicy::NormalOnly => sys::ACL_MEM_MALLOC_NORMAL_ONLY,
            MallocPolicy::HugeFirstP2p => sys::ACL_MEM_MALLOC_HUGE_FIRST_P2P,
            MallocPolicy::HugeOnlyP2p => sys::ACL_MEM_MALLOC_HUGE_ONLY_P2P,
            MallocPolicy::NormalOnlyP2p => sys::ACL_MEM_MALLOC_NORMAL_ONLY_P2P,
            MallocPolicy::Huge1GOnly => sys::ACL_MEM_MALLOC_HUGE1G_ONLY,
            MallocPolicy::Huge1GOnlyP2p => sys::ACL_MEM_MALLOC_HUGE1G_ONLY_P2P,
        }
    }
}

/// The kind of pages of cached device memory: the four policies that [`Current::malloc_cached`] takes.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::memory::CachedPolicy;
///
/// let buf = current.malloc_cached::<f32>(16, CachedPolicy::NormalOnly)?;
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CachedPolicy {
    /// Huge pages, or normal pages if there are no huge pages, as for [`MallocPolicy::HugeFirst`].
    #[default]
    HugeFirst,
    /// Huge pages or an error, as for [`MallocPolicy::HugeOnly`].
    HugeOnly,
    /// Normal pages, as for [`MallocPolicy::NormalOnly`].
    NormalOnly,
    /// Pages of 1 GiB, on products that have them, as for [`MallocPolicy::Huge1GOnly`].
    Huge1GOnly,
}

impl CachedPolicy {
    pub(crate) fn raw(self) -> sys::aclrtMemMallocPolicy {
        match self {
            CachedPolicy::HugeFirst => sys::ACL_MEM_MALLOC_HUGE_FIRST,
            CachedPolicy::HugeOnly => sys::ACL_MEM_MALLOC_HUGE_ONLY,
            CachedPolicy::NormalOnly => sys::ACL_MEM_MALLOC_NORMAL_ONLY,
            CachedPolicy::Huge1GOnly => sys::ACL_MEM_MALLOC_HUGE1G_ONLY,
        }
    }
}

/// Attributes of an allocation on device `D` (`aclrtMallocConfig`).
///
/// If the device is an attribute, AscendCL requires the current device. Here it is always the device `D` of the type,
/// which is current.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::MallocPolicy;
/// use ascendcl::memory::MallocConfig;
///
/// let config = MallocConfig::new().module(33).on_device();
/// let buf = current.malloc_with_config::<f32>(16, MallocPolicy::HugeFirst, config)?;
/// # });
/// ```
#[derive(Debug)]
pub struct MallocConfig<D> {
    module: Option<u16>,
    names_device: bool,
    _device: PhantomData<Invariant<D>>,
}

/// The largest number of attributes of a configuration.
const MAX_ATTRIBUTES: usize = 2;

impl<D: AnyDevice> MallocConfig<D> {
    /// Returns a configuration without attributes.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::MallocPolicy;
    /// use ascendcl::memory::MallocConfig;
    ///
    /// let config = MallocConfig::new();
    /// let buf = current.malloc_with_config::<f32>(16, MallocPolicy::HugeFirst, config)?;
    /// # });
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        MallocConfig {
            module: None,
            names_device: false,
            _device: PhantomData,
        }
    }

    /// Sets the module to which the runtime attributes the memory (`ACL_RT_MEM_ATTR_MODULE_ID`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::MallocPolicy;
    /// use ascendcl::memory::MallocConfig;
    ///
    /// let config = MallocConfig::new().module(33);
    /// let buf = current.malloc_with_config::<f32>(16, MallocPolicy::HugeFirst, config)?;
    /// # });
    /// ```
    #[must_use]
    pub const fn module(mut self, id: u16) -> Self {
        self.module = Some(id);
        self
    }

    /// Adds the device as an attribute (`ACL_RT_MEM_ATTR_DEVICE_ID`). AscendCL requires the current device; the call
    /// passes the device `D`, which is current.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::MallocPolicy;
    /// use ascendcl::memory::MallocConfig;
    ///
    /// let config = MallocConfig::new().on_device();
    /// let buf = current.malloc_with_config::<f32>(16, MallocPolicy::HugeFirst, config)?;
    /// # });
    /// ```
    #[must_use]
    pub const fn on_device(mut self) -> Self {
        self.names_device = true;
        self
    }

    /// Returns the attributes as C takes them, and the number of attributes that are set.
    pub(super) fn attributes(
        &self,
        device: u32,
    ) -> ([sys::aclrtMallocAttribute; MAX_ATTRIBUTES], usize) {
        let module = self.module.map(|id| sys::aclrtMallocAttribute {
            attr: sys::ACL_RT_MEM_ATTR_MODULE_ID,
            value: sys::aclrtMallocAttrValue { moduleId: id },
        });
        let device = self.names_device.then_some(sys::aclrtMallocAttribute {
            attr: sys::ACL_RT_MEM_ATTR_DEVICE_ID,
            value: sys::aclrtMallocAttrValue { deviceId: device },
        });
        let unused = sys::aclrtMallocAttribute {
            attr: sys::ACL_RT_MEM_ATTR_RSV,
            value: sys::aclrtMallocAttrValue { rsv: [0; 8] },
        };
        let mut attributes = [unused; MAX_ATTRIBUTES];
        let mut used = 0;
        for (slot, attribute) in attributes
            .iter_mut()
            .zip([module, device].into_iter().flatten())
        {
            *slot = attribute;
            used += 1;
        }
        (attributes, used)
    }
}

impl<D: AnyDevice> Default for MallocConfig<D> {
    fn default() -> Self {
        Self::new()
    }
}

/// A kind of memory of a device (`aclrtMemAttr`).
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::MemAttr;
///
/// let huge = current.mem_info(MemAttr::HbmHuge)?;
/// println!("{} MiB are free in huge pages", huge.free >> 20);
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum MemAttr {
    /// The device's main memory, HBM, in all pages (`ACL_HBM_MEM`). A chip without HBM returns the numbers of its DDR
    /// memory.
    #[default]
    Hbm,
    /// HBM in huge pages (`ACL_HBM_MEM_HUGE`).
    HbmHuge,
    /// HBM in normal pages (`ACL_HBM_MEM_NORMAL`).
    HbmNormal,
    /// DDR memory in all pages (`ACL_DDR_MEM`).
    Ddr,
    /// DDR memory in huge pages (`ACL_DDR_MEM_HUGE`).
    DdrHuge,
    /// DDR memory in normal pages (`ACL_DDR_MEM_NORMAL`).
    DdrNormal,
}

impl MemAttr {
    pub(crate) fn raw(self) -> sys::aclrtMemAttr {
        match self {
            MemAttr::Hbm => sys::ACL_HBM_MEM,
            MemAttr::HbmHuge => sys::ACL_HBM_MEM_HUGE,
            MemAttr::HbmNormal => sys::ACL_HBM_MEM_NORMAL,
            MemAttr::Ddr => sys::ACL_DDR_MEM,
            MemAttr::DdrHuge => sys::ACL_DDR_MEM_HUGE,
            MemAttr::DdrNormal => sys::ACL_DDR_MEM_NORMAL,
        }
    }
}

/// The free and the total amount of a kind of memory, in bytes.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::{MemAttr, MemInfo};
///
/// let MemInfo { free, total, .. } = current.mem_info(MemAttr::Hbm)?;
/// println!("{} of {} MiB are in use", (total - free) >> 20, total >> 20);
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemInfo {
    /// The bytes that are not allocated.
    pub free: usize,
    /// All bytes, allocated or not.
    pub total: usize,
}

impl<D: AnyDevice> Current<'_, '_, D> {
    /// Returns the free and the total bytes of a kind of memory (`aclrtGetMemInfo`, pyACL `acl.rt.get_mem_info`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::MemAttr;
    ///
    /// let memory = current.mem_info(MemAttr::Hbm)?;
    /// assert!(memory.free <= memory.total);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 107016 for a kind of memory that the product does not have.
    #[doc(alias = "aclrtGetMemInfo")]
    #[doc(alias = "acl.rt.get_mem_info")]
    pub fn mem_info(self, attr: MemAttr) -> Result<MemInfo> {
        let (mut free, mut total) = (0, 0);
        // SAFETY: both are valid for a write of a usize.
        let code = unsafe { sys::aclrtGetMemInfo(attr.raw(), &raw mut free, &raw mut total) };
        check("aclrtGetMemInfo", code)?;
        Ok(MemInfo { free, total })
    }
}
