//! Memory, copies and fills: enumerations and flags (`acl/acl_rt.h`, `acl/acl_base_rt.h`, ACL 1.17).

enumeration! {
    /// Direction of a copy. The synchronous copy ignores it (observed, CANN runtime 1.17).
    aclrtMemcpyKind: u32 {
        ACL_MEMCPY_HOST_TO_HOST = 0,
        ACL_MEMCPY_HOST_TO_DEVICE = 1,
        ACL_MEMCPY_DEVICE_TO_HOST = 2,
        ACL_MEMCPY_DEVICE_TO_DEVICE = 3,
        ACL_MEMCPY_DEFAULT = 4,
        ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5,
        ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6,
        ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7,
    }
    /// Which pages device memory is made of.
    aclrtMemMallocPolicy: u32 {
        ACL_MEM_MALLOC_HUGE_FIRST = 0,
        ACL_MEM_MALLOC_HUGE_ONLY = 1,
        ACL_MEM_MALLOC_NORMAL_ONLY = 2,
        ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3,
        ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4,
        ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5,
        ACL_MEM_MALLOC_HUGE1G_ONLY = 6,
        ACL_MEM_MALLOC_HUGE1G_ONLY_P2P = 7,
        ACL_MEM_TYPE_LOW_BAND_WIDTH = 256,
        ACL_MEM_TYPE_HIGH_BAND_WIDTH = 0x1000,
        ACL_MEM_ACCESS_USER_SPACE_READONLY = 0x100000,
    }
    /// An attribute of an allocation with configuration.
    aclrtMallocAttrType: u32 {
        ACL_RT_MEM_ATTR_RSV = 0,
        ACL_RT_MEM_ATTR_MODULE_ID = 1,
        ACL_RT_MEM_ATTR_DEVICE_ID = 2,
        ACL_RT_MEM_ATTR_VA_FLAG = 3,
    }
    /// Which memory `aclrtGetMemInfo` answers for.
    aclrtMemAttr: u32 {
        ACL_DDR_MEM = 0,
        ACL_HBM_MEM = 1,
        ACL_DDR_MEM_HUGE = 2,
        ACL_DDR_MEM_NORMAL = 3,
        ACL_HBM_MEM_HUGE = 4,
        ACL_HBM_MEM_NORMAL = 5,
        ACL_DDR_MEM_P2P_HUGE = 6,
        ACL_DDR_MEM_P2P_NORMAL = 7,
        ACL_HBM_MEM_P2P_HUGE = 8,
        ACL_HBM_MEM_P2P_NORMAL = 9,
        ACL_HBM_MEM_HUGE1G = 10,
        ACL_HBM_MEM_P2P_HUGE1G = 11,
        ACL_MEM_NORMAL = 12,
        ACL_MEM_HUGE = 13,
        ACL_MEM_HUGE1G = 14,
        ACL_MEM_P2P_NORMAL = 15,
        ACL_MEM_P2P_HUGE = 16,
        ACL_MEM_P2P_HUGE1G = 17,
    }
    /// Page size of memory in a pool.
    aclrtMemPgType: u32 {
        NORMAL_PAGE_TYPE = 0,
        HUGE_PAGE_TYPE = 1,
        HUGE1G_PAGE_TYPE = 2,
    }
    /// Kind of memory in a pool.
    aclrtMemType: u32 {
        HBM_TYPE = 0,
        DDR_TYPE = 1,
        P2P_HBM_TYPE = 2,
        P2P_DDR_TYPE = 3,
    }
    /// Where an address lies.
    aclrtMemLocationType: u32 {
        ACL_MEM_LOCATION_TYPE_HOST = 0,
        ACL_MEM_LOCATION_TYPE_DEVICE = 1,
        ACL_MEM_LOCATION_TYPE_UNREGISTERED = 2,
        ACL_MEM_LOCATION_TYPE_MANAGED = 3,
        ACL_MEM_LOCATION_TYPE_HOST_NUMA = 4,
    }
    /// Kind of a physical memory handle.
    aclrtMemHandleType: u32 {
        ACL_MEM_HANDLE_TYPE_NONE = 0,
        ACL_MEM_HANDLE_TYPE_POSIX = 2,
    }
    /// Kind of physical memory.
    aclrtMemAllocationType: u32 {
        ACL_MEM_ALLOCATION_TYPE_PINNED = 0,
    }
    /// Kind of a memory handle that processes share.
    aclrtMemSharedHandleType: u32 {
        ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT = 1,
        ACL_MEM_SHARE_HANDLE_TYPE_FABRIC = 2,
    }
    /// Which granularity is asked for.
    aclrtMemGranularityOptions: u32 {
        ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
        ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1,
        ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF = 0xffff,
    }
    /// Access rights of mapped memory.
    aclrtMemAccessFlags: u32 {
        ACL_RT_MEM_ACCESS_FLAGS_NONE = 0,
        ACL_RT_MEM_ACCESS_FLAGS_READ = 1,
        ACL_RT_MEM_ACCESS_FLAGS_READWRITE = 3,
    }
    /// The link that mapped memory is reached through.
    aclrtMemLinkType: u32 {
        ACL_RT_MEM_ACCESS_LINK_SIO = 0,
        ACL_RT_MEM_ACCESS_LINK_HCCS = 1,
        ACL_RT_MEM_ACCESS_UB_ONE_PORT_PATH = 2,
        ACL_RT_MEM_ACCESS_UB_MULTI_PORT_PATH = 3,
    }
    /// An attribute of memory that processes share.
    aclrtIpcMemAttrType: u32 {
        ACL_RT_IPC_MEM_ATTR_ACCESS_LINK = 0,
    }
    /// Advice about managed memory.
    aclrtMemManagedAdviseType: u32 {
        ACL_MEM_ADVISE_SET_READ_MOSTLY = 0,
        ACL_MEM_ADVISE_UNSET_READ_MOSTLY = 1,
        ACL_MEM_ADVISE_SET_PREFERRED_LOCATION = 2,
        ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 3,
        ACL_MEM_ADVISE_SET_ACCESSED_BY = 4,
        ACL_MEM_ADVISE_UNSET_ACCESSED_BY = 5,
    }
    /// Where managed memory should be.
    aclrtMemManagedLocationType: u32 {
        ACL_MEM_LOCATIONTYPE_INVALID = 0,
        ACL_MEM_LOCATIONTYPE_DEVICE = 1,
        ACL_MEM_LOCATIONTYPE_HOST = 2,
        ACL_MEM_LOCATIONTYPE_HOST_NUMA = 3,
        ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT = 4,
    }
    /// An attribute of a range of managed memory.
    aclrtMemManagedRangeAttribute: u32 {
        ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,
        ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2,
        ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,
        ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 4,
        ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 5,
        ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 6,
        ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7,
        ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8,
    }
    /// How host memory is registered for the device.
    aclrtHostRegisterType: u32 {
        ACL_HOST_REGISTER_MAPPED = 0,
        ACL_HOST_REGISTER_IOMEMORY = 4,
        ACL_HOST_REGISTER_READONLY = 8,
    }
    /// An engine that may reach registered host memory.
    aclrtHacType: u32 {
        ACL_RT_HAC_TYPE_STARS = 0,
        ACL_RT_HAC_TYPE_AICPU = 1,
        ACL_RT_HAC_TYPE_AIC = 2,
        ACL_RT_HAC_TYPE_AIV = 3,
        ACL_RT_HAC_TYPE_PCIEDMA = 4,
        ACL_RT_HAC_TYPE_RDMA = 5,
        ACL_RT_HAC_TYPE_SDMA = 6,
        ACL_RT_HAC_TYPE_DVPP = 7,
        ACL_RT_HAC_TYPE_UDMA = 8,
        ACL_RT_HAC_TYPE_CCU = 9,
    }
    /// Whether an engine can reach registered host memory.
    aclrtHostMemMapCapability: u32 {
        ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED = 0,
        ACL_RT_HOST_MEM_MAP_SUPPORTED = 1,
    }
    /// A cache operation.
    aclrtCmoType: u32 {
        ACL_RT_CMO_TYPE_PREFETCH = 0,
        ACL_RT_CMO_TYPE_WRITEBACK = 1,
        ACL_RT_CMO_TYPE_INVALID = 2,
        ACL_RT_CMO_TYPE_FLUSH = 3,
    }
    /// Where the data of a tensor description lies.
    aclMemType: u32 {
        ACL_MEMTYPE_DEVICE = 0,
        ACL_MEMTYPE_HOST = 1,
        ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT = 2,
    }
    /// An attribute of a pool.
    aclrtMemPoolAttr: u32 {
        ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,
        ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC = 2,
        ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3,
        ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD = 4,
        ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT = 5,
        ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH = 6,
        ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT = 7,
        ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH = 8,
    }
}

/// Flag of memory that processes share.
pub const ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT: u64 = 0x0;
/// Flag of memory that processes share.
pub const ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION: u64 = 0x1;
/// Flag of memory that processes share.
pub const ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT: u64 = 0x0;
/// Flag of memory that processes share.
pub const ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS: u64 = 0x1;

/// Link of memory that processes share.
pub const ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_SIO: u64 = 0;
/// Link of memory that processes share.
pub const ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS: u64 = 1;
/// Link of memory that processes share.
pub const ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_ONE_PORT_PATH: u64 = 2;
/// Link of memory that processes share.
pub const ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH: u64 = 3;

/// Flag of an exported physical memory handle.
pub const ACL_RT_VMM_EXPORT_FLAG_DEFAULT: u64 = 0x0;
/// Flag of an exported physical memory handle.
pub const ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION: u64 = 0x1;

/// Flag of `aclrtHostRegisterV2`.
pub const ACL_HOST_REG_MAPPED: u32 = 0x2;
/// Flag of `aclrtHostRegisterV2`.
pub const ACL_HOST_REG_IOMEMORY: u32 = 0x4;
/// Flag of `aclrtHostRegisterV2`.
pub const ACL_HOST_REG_READONLY: u32 = 0x8;
/// Flag of `aclrtHostRegisterV2`.
pub const ACL_HOST_REG_PINNED: u32 = 0x10000000;

/// Flag of managed memory.
pub const ACL_RT_MEM_ATTACH_GLOBAL: u32 = 0x01;

/// A link between devices.
pub const ACL_RT_MEM_LINK_IDX_0: u32 = 0;
/// A link between devices.
pub const ACL_RT_MEM_LINK_IDX_1: u32 = 1;

/// Kind of device memory in `aclrtCheckMemType`.
pub const ACL_RT_MEM_TYPE_DEV: u32 = 0x2;
/// Kind of device memory in `aclrtCheckMemType`.
pub const ACL_RT_MEM_TYPE_DVPP: u32 = 0x8;
/// Kind of device memory in `aclrtCheckMemType`.
pub const ACL_RT_MEM_TYPE_RSVD: u32 = 0x10;

/// How many cache barriers a task can have.
pub const ACL_RT_CMO_MAX_BARRIER_NUM: usize = 6;
