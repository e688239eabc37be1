/* Two ranks of one thread: the calls of both are in a group, which makes them at its end. */
#include "check.h"
#include "hccl/hccl.h"

enum { RANKS = 2 };

int main(void) {
    begin();
    HcclRootInfo root;
    memset(&root, 0, sizeof root);
    CHECK(HcclGetRootInfo(&root));
    HcclComm comms[RANKS] = {NULL, NULL};
    CHECK(HcclGroupStart());
    for (int rank = 0; rank < RANKS; rank++) {
        CHECK(aclrtSetDevice(rank));
        CHECK(HcclCommInitRootInfo(RANKS, &root, (uint32_t)rank, &comms[rank]));
        EXPECT(comms[rank] == NULL);
    }
    CHECK(HcclGroupEnd());

    aclrtStream streams[RANKS];
    void *own[RANKS];
    void *other[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
        CHECK(aclrtSetDevice(rank));
        streams[rank] = new_stream();
        own[rank] = device_memory(4);
        other[rank] = device_memory(4);
        CHECK(aclrtMemset(own[rank], 4, rank + 1, 4));
    }

    /* Both send first, which would block them outside of a group. */
    CHECK(HcclGroupStart());
    for (int rank = 0; rank < RANKS; rank++) {
        uint32_t peer = (uint32_t)(1 - rank);
        CHECK(aclrtSetDevice(rank));
        CHECK(HcclSend(own[rank], 4, HCCL_DATA_TYPE_INT8, peer, comms[rank], streams[rank]));
        CHECK(HcclRecv(other[rank], 4, HCCL_DATA_TYPE_INT8, peer, comms[rank], streams[rank]));
    }
    CHECK(HcclGroupEnd());
    for (int rank = 0; rank < RANKS; rank++) {
        int8_t bytes[4];
        CHECK(aclrtSetDevice(rank));
        CHECK(aclrtSynchronizeStream(streams[rank]));
        CHECK(aclrtMemcpy(bytes, 4, other[rank], 4, ACL_MEMCPY_DEVICE_TO_HOST));
        EXPECT(bytes[0] == 2 - rank && bytes[3] == 2 - rank);
    }

    /* The end of a group waits for its collectives. */
    CHECK(HcclGroupStart());
    for (int rank = 0; rank < RANKS; rank++) {
        CHECK(aclrtSetDevice(rank));
        CHECK(HcclAllReduce(own[rank], own[rank], 4, HCCL_DATA_TYPE_INT8, HCCL_REDUCE_SUM, comms[rank],
                            streams[rank]));
    }
    CHECK(HcclGroupEnd());
    for (int rank = 0; rank < RANKS; rank++) {
        int8_t bytes[4];
        CHECK(aclrtSetDevice(rank));
        CHECK(aclrtMemcpy(bytes, 4, own[rank], 4, ACL_MEMCPY_DEVICE_TO_HOST));
        EXPECT(bytes[0] == 3 && bytes[3] == 3);
    }

    for (int rank = 0; rank < RANKS; rank++) {
        CHECK(aclrtSetDevice(rank));
        CHECK(HcclCommDestroy(comms[rank]));
        CHECK(aclrtFree(own[rank]));
        CHECK(aclrtFree(other[rank]));
        CHECK(aclrtDestroyStream(streams[rank]));
    }
    CHECK(aclrtResetDeviceForce(1));
    CHECK(aclrtResetDeviceForce(0));
    CHECK(aclFinalize());
    return 0;
}
