/* A rank that never comes ends each call that waits for it: with ASCENDCL_EMULATOR_RANK_TIMEOUT=1 */
#include "../check.h"
#include "hccl/hccl.h"

enum { RANKS = 2 };

/* Whether the text of the last failed call has these words. */
static int says(const char *words) {
    const char *text = aclGetRecentErrMsg();
    int has = text != NULL && strstr(text, words) != NULL;
    if (!has) {
        fprintf(stderr, "the text is: %s\n", text ? text : "none");
    }
    return has;
}

int main(void) {
    begin();
    HcclRootInfo root;
    memset(&root, 0, sizeof root);

    /* A time limit outside of 120 to 7200 seconds. */
    EXPECT(setenv("HCCL_CONNECT_TIMEOUT", "5", 1) == 0);
    RETURNS(HCCL_E_PARA, HcclGetRootInfo(&root));
    EXPECT(says("HCCL_CONNECT_TIMEOUT is \"5\"; set it to a number from 120 to 7200"));
    EXPECT(setenv("HCCL_CONNECT_TIMEOUT", "120", 1) == 0);

    /* Rank 1 does not join. */
    HcclComm comm = NULL;
    CHECK(HcclGetRootInfo(&root));
    RETURNS(HCCL_E_TIMEOUT, HcclCommInitRootInfo(RANKS, &root, 0, &comm));
    EXPECT(says("rank 1") && comm == NULL);
    EXPECT(strcmp(HcclGetErrorString(HCCL_E_TIMEOUT), "timeout") == 0);

    /* Both join. */
    int32_t devices[RANKS] = {0, 1};
    HcclComm comms[RANKS];
    CHECK(HcclCommInitAll(RANKS, devices, comms));
    aclrtStream stream = new_stream();
    void *memory = device_memory(64);
    CHECK(aclrtMemset(memory, 64, 1, 64));

    /* The first operation of a kind connects the ranks, in the call. A rank that has waited too long gives up. */
    HcclResult state = HCCL_E_REMOTE;
    CHECK(HcclGetCommAsyncError(comms[0], &state));
    EXPECT(state == HCCL_SUCCESS);
    RETURNS(HCCL_E_TIMEOUT, HcclBroadcast(memory, 64, HCCL_DATA_TYPE_INT8, 0, comms[0], stream));
    EXPECT(says("rank 1 did not make it in time"));
    CHECK(HcclGetCommAsyncError(comms[0], &state));
    EXPECT(state == HCCL_E_REMOTE);
    RETURNS(HCCL_E_TIMEOUT, HcclSend(memory, 64, HCCL_DATA_TYPE_INT8, 1, comms[0], stream));
    EXPECT(says("the communicator has failed: HcclBroadcast has failed"));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(HcclCommDestroy(comms[0]));
    CHECK(aclrtSetDevice(1));
    CHECK(HcclCommDestroy(comms[1]));
    CHECK(aclrtSetDevice(0));

    /* A message between two ranks does the same. */
    CHECK(HcclCommInitAll(RANKS, devices, comms));
    RETURNS(HCCL_E_TIMEOUT, HcclSend(memory, 64, HCCL_DATA_TYPE_INT8, 1, comms[0], stream));
    EXPECT(says("rank 1 did not make it in time"));
    CHECK(HcclCommDestroy(comms[0]));
    CHECK(aclrtSetDevice(1));
    CHECK(HcclCommDestroy(comms[1]));
    CHECK(aclrtSetDevice(0));
    CHECK(HcclCommInitAll(RANKS, devices, comms));

    /* A batch connects nobody before its stream reaches it: the wait finds out. */
    HcclSendRecvItem item = {HCCL_SEND, memory, 64, HCCL_DATA_TYPE_INT8, 1};
    CHECK(HcclBatchSendRecv(&item, 1, comms[0], stream));
    CHECK(HcclGetCommAsyncError(comms[0], &state));
    EXPECT(state == HCCL_SUCCESS);
    RETURNS(507048, aclrtSynchronizeStream(stream));
    CHECK(HcclGetCommAsyncError(comms[0], &state));
    EXPECT(state == HCCL_E_REMOTE);

    /* No later operation waits. */
    CHECK(HcclBatchSendRecv(&item, 1, comms[0], stream));
    RETURNS(507048, aclrtSynchronizeStream(stream));

    CHECK(aclrtFree(memory));
    CHECK(aclrtDestroyStream(stream));
    CHECK(HcclCommDestroy(comms[0]));
    CHECK(aclrtSetDevice(1));
    CHECK(HcclCommDestroy(comms[1]));
    CHECK(aclrtResetDeviceForce(1));
    CHECK(aclrtResetDeviceForce(0));
    CHECK(aclFinalize());
    return 0;
}
