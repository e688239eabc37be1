//! Collective communication: structures (`hccl/hccl_types.h`).

use core::ffi::{c_char, c_void};

use crate::types::{
    COMM_NAME_MAX_LENGTH, HCCL_COMM_CONFIG_MAGIC_WORD, HCCL_COMM_VALUE_NOT_SET,
    HCCL_ROOT_INFO_BYTES, HcclDataType, HcclSendRecvType,
};

/// The root information of a communicator. All of its bytes go to each rank as they are.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct HcclRootInfo {
    /// The bytes, of which only the library knows the meaning.
    pub internal: [c_char; HCCL_ROOT_INFO_BYTES],
}

union! {
    /// The value of an option of the process.
    HcclConfigValue {
        /// The value of each option.
        value: i32,
    }
}

/// An item of `HcclBatchSendRecv`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct HcclSendRecvItem {
    /// The direction.
    pub sendRecvType: HcclSendRecvType,
    /// The memory.
    pub buf: *mut c_void,
    /// The number of elements.
    pub count: u64,
    /// The element type.
    pub dataType: HcclDataType,
    /// The other rank.
    pub remoteRank: u32,
}

/// The head of [`HcclCommConfig`]. The header of C has 24 reserved bytes here.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct HcclCommConfigHead {
    /// The size of the structure in bytes.
    pub size: usize,
    /// A fixed number.
    pub magic: u32,
    /// The version of the structure. The library reads a field only if the version has it.
    pub version: u32,
    /// Reserved.
    pub reserved: u64,
}

/// The options of a communicator.
///
/// The structure has grown from release to release, and the library reads as many bytes as both sides know. The fields
/// from `hcclWorldRankID` on are newer than CANN 8.1.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct HcclCommConfig {
    /// Size and version.
    pub head: HcclCommConfigHead,
    /// The size of each of the two buffers of the communicator, in MiB.
    pub hcclBufferSize: u32,
    /// Whether each run has the same result.
    pub hcclDeterministic: u32,
    /// The name of the communicator.
    pub hcclCommName: [c_char; COMM_NAME_MAX_LENGTH],
    /// A name for messages.
    pub hcclUdi: [c_char; COMM_NAME_MAX_LENGTH],
    /// Where operations are divided into tasks.
    pub hcclOpExpansionMode: u32,
    /// The traffic class of RDMA.
    pub hcclRdmaTrafficClass: u32,
    /// The service level of RDMA.
    pub hcclRdmaServiceLevel: u32,
    /// The rank in the whole job.
    pub hcclWorldRankID: u32,
    /// The number of the job.
    pub hcclJobID: u64,
    /// Whether captured operations use memory without a copy.
    pub aclGraphZeroCopyEnable: u8,
    /// The limit of an operation in seconds.
    pub hcclExecTimeOut: i32,
    /// The algorithms.
    pub hcclAlgo: [c_char; 1600],
    /// Whether operations are repeated after a failure.
    pub hcclRetryEnable: [c_char; 50],
    /// How operations are repeated.
    pub hcclRetryParams: [c_char; 128],
    /// The name of a buffer that communicators share.
    pub hcclBufferName: [c_char; 128],
    /// The quality of service.
    pub hcclQos: u32,
    /// The maximum size of symmetric windows of a rank, in GiB.
    pub hcclSymWinMaxMemSizePerRank: u64,
}

impl HcclCommConfig {
    /// The size of the structure in CANN 8.1, which ends before `hcclWorldRankID`.
    pub const SIZE_8_1: usize = 300;

    /// The known versions of the structure, each with its size. They are those of CANN 8.1, and of the headers in torch-npu
    /// 2.9 and 2.14.
    pub const VERSIONS: [(u32, usize); 3] = [
        (5, HcclCommConfig::SIZE_8_1),
        (6, 312),
        (10, size_of::<HcclCommConfig>()),
    ];

    /// What `HcclCommConfigInit` of the newest known header writes: version 10, no option set.
    #[must_use]
    pub const fn new() -> HcclCommConfig {
        HcclCommConfig {
            head: HcclCommConfigHead {
                size: size_of::<HcclCommConfig>(),
                magic: HCCL_COMM_CONFIG_MAGIC_WORD,
                version: 10,
                reserved: 0,
            },
            hcclBufferSize: HCCL_COMM_VALUE_NOT_SET,
            hcclDeterministic: HCCL_COMM_VALUE_NOT_SET,
            hcclCommName: [0; COMM_NAME_MAX_LENGTH],
            hcclUdi: [0; COMM_NAME_MAX_LENGTH],
            hcclOpExpansionMode: 0,
            hcclRdmaTrafficClass: HCCL_COMM_VALUE_NOT_SET,
            hcclRdmaServiceLevel: HCCL_COMM_VALUE_NOT_SET,
            hcclWorldRankID: 0,
            hcclJobID: 0,
            aclGraphZeroCopyEnable: 0,
            hcclExecTimeOut: -1,
            hcclAlgo: [0; 1600],
            hcclRetryEnable: [0; 50],
            hcclRetryParams: [0; 128],
            hcclBufferName: [0; 128],
            hcclQos: HCCL_COMM_VALUE_NOT_SET,
            hcclSymWinMaxMemSizePerRank: 16,
        }
    }

    /// What `HcclCommConfigInit` of CANN 8.1 writes: version 5, whose fields every known release reads.
    #[must_use]
    pub const fn new_8_1() -> HcclCommConfig {
        let newest = HcclCommConfig::new();
        HcclCommConfig {
            head: HcclCommConfigHead {
                size: HcclCommConfig::SIZE_8_1,
                version: 5,
                ..newest.head
            },
            ..newest
        }
    }
}

impl Default for HcclCommConfig {
    fn default() -> HcclCommConfig {
        HcclCommConfig::new()
    }
}

impl core::fmt::Debug for HcclCommConfig {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("HcclCommConfig")
            .field("head", &self.head)
            .field("hcclBufferSize", &self.hcclBufferSize)
            .field("hcclDeterministic", &self.hcclDeterministic)
            .finish_non_exhaustive()
    }
}
