//! The layout of structures that a library reads by their size.

use std::mem::{align_of, offset_of, size_of};

use ascendcl_sys::{
    HCCL_COMM_CONFIG_INFO_BYTES, HcclCommConfig, HcclCommConfigHead, HcclRootInfo, HcclSendRecvItem,
};

/// The places of the header of C, as a compiler for 64 bits lays them out.
#[test]
fn options_of_a_communicator_lie_where_the_library_reads_them() {
    assert_eq!(
        (size_of::<HcclRootInfo>(), align_of::<HcclRootInfo>()),
        (4108, 1)
    );
    assert_eq!(size_of::<HcclSendRecvItem>(), 32);
    let item = (
        offset_of!(HcclSendRecvItem, buf),
        offset_of!(HcclSendRecvItem, count),
        offset_of!(HcclSendRecvItem, dataType),
        offset_of!(HcclSendRecvItem, remoteRank),
    );
    assert_eq!(item, (8, 16, 24, 28));
    let places = [
        offset_of!(HcclCommConfig, hcclBufferSize),
        offset_of!(HcclCommConfig, hcclCommName),
        offset_of!(HcclCommConfig, hcclUdi),
        offset_of!(HcclCommConfig, hcclOpExpansionMode),
        offset_of!(HcclCommConfig, hcclWorldRankID),
        offset_of!(HcclCommConfig, hcclJobID),
        offset_of!(HcclCommConfig, aclGraphZeroCopyEnable),
        offset_of!(HcclCommConfig, hcclExecTimeOut),
        offset_of!(HcclCommConfig, hcclAlgo),
        offset_of!(HcclCommConfig, hcclRetryEnable),
        offset_of!(HcclCommConfig, hcclRetryParams),
        offset_of!(HcclCommConfig, hcclBufferName),
        offset_of!(HcclCommConfig, hcclQos),
        offset_of!(HcclCommConfig, hcclSymWinMaxMemSizePerRank),
    ];
    let expected = [
        24, 32, 160, 288, 300, 304, 312, 316, 320, 1920, 1970, 2098, 2228, 2232,
    ];
    assert_eq!(places, expected);
    assert_eq!(
        (size_of::<HcclCommConfig>(), align_of::<HcclCommConfig>()),
        (2240, 8)
    );
    assert_eq!(size_of::<HcclCommConfigHead>(), HCCL_COMM_CONFIG_INFO_BYTES);
    let old = HcclCommConfig::new_8_1();
    assert_eq!((old.head.size, old.head.version), (300, 5));
    assert_eq!(
        HcclCommConfig::VERSIONS,
        [(5, 300), (6, 312), (10, HcclCommConfig::new().head.size)]
    );
}
