//! Choices and answers about memory: which pages it is made of, how much is left.

use std::marker::PhantomData;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::Result;
use crate::raw::check;
use crate::state::Invariant;

/// Which pages device memory is made of (`aclrtMemMallocPolicy`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MallocPolicy {
    /// Huge pages, and normal ones where there are none (`ACL_MEM_MALLOC_HUGE_FIRST`). Allocations
    /// up to 1 MiB use normal pages.
    #[default]
    HugeFirst,
    /// Huge pages or an error (`ACL_MEM_MALLOC_HUGE_ONLY`).
    HugeOnly,
    /// Normal pages (`ACL_MEM_MALLOC_NORMAL_ONLY`).
    NormalOnly,
    /// As `HugeFirst`, reachable by other devices (`ACL_MEM_MALLOC_HUGE_FIRST_P2P`).
    HugeFirstP2p,
    /// As `HugeOnly`, reachable by other devices (`ACL_MEM_MALLOC_HUGE_ONLY_P2P`).
    HugeOnlyP2p,
    /// As `NormalOnly`, reachable by other devices (`ACL_MEM_MALLOC_NORMAL_ONLY_P2P`).
    NormalOnlyP2p,
    /// Pages of 1 GiB, on products that have them (`ACL_MEM_MALLOC_HUGE1G_ONLY`).
    Huge1GOnly,
    /// As `Huge1GOnly`, reachable by other devices (`ACL_MEM_MALLOC_HUGE1G_ONLY_P2P`).
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

/// Which pages cached device memory is made of: the four policies that
/// [`Current::malloc_cached`] takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CachedPolicy {
    /// As [`MallocPolicy::HugeFirst`].
    #[default]
    HugeFirst,
    /// As [`MallocPolicy::HugeOnly`].
    HugeOnly,
    /// As [`MallocPolicy::NormalOnly`].
    NormalOnly,
    /// As [`MallocPolicy::Huge1GOnly`].
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
/// The attribute that names the device must name the current one; here it is always that of the type.
#[derive(Debug)]
pub struct MallocConfig<D> {
    module: Option<u16>,
    names_device: bool,
    _device: PhantomData<Invariant<D>>,
}

/// How many attributes a configuration has at most.
const MAX_ATTRIBUTES: usize = 2;

impl<D: AnyDevice> MallocConfig<D> {
    /// No attributes.
    #[must_use]
    pub const fn new() -> Self {
        MallocConfig {
            module: None,
            names_device: false,
            _device: PhantomData,
        }
    }

    /// The module that the runtime shall book the memory on (`ACL_RT_MEM_ATTR_MODULE_ID`).
    #[must_use]
    pub const fn module(mut self, id: u16) -> Self {
        self.module = Some(id);
        self
    }

    /// Names the device (`ACL_RT_MEM_ATTR_DEVICE_ID`), which then must be the current one, and is.
    #[must_use]
    pub const fn on_device(mut self) -> Self {
        self.names_device = true;
        self
    }

    /// The attributes as C takes them, and how many of them are set.
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

/// Which memory a question is about (`aclrtMemAttr`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum MemAttr {
    /// The device's main memory, HBM, all pages (`ACL_HBM_MEM`). A chip without HBM answers with
    /// its DDR memory.
    #[default]
    Hbm,
    /// HBM in huge pages (`ACL_HBM_MEM_HUGE`).
    HbmHuge,
    /// HBM in normal pages (`ACL_HBM_MEM_NORMAL`).
    HbmNormal,
    /// DDR memory, all pages (`ACL_DDR_MEM`).
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

/// How much memory there is, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemInfo {
    /// Not allocated.
    pub free: usize,
    /// Altogether.
    pub total: usize,
}

impl<D: AnyDevice> Current<'_, '_, D> {
    /// Free and total bytes of a kind of memory (`aclrtGetMemInfo`, pyACL `acl.rt.get_mem_info`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 107016 for a kind that the product lacks.
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
