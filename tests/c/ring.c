/* On the emulator, which has four devices here. Messages between four ranks, which are threads of this process: a chain of HcclSend and HcclRecv, and a ring of
 * HcclBatchSendRecv. Each rank destroys its communicator as soon as its own part is over. */
#include <pthread.h>

#include "check.h"
#include "hccl/hccl.h"

enum { RANKS = 4, COUNT = 256 };

static HcclRootInfo root;

static void *run(void *argument) {
    uint32_t rank = *(uint32_t *)argument;
    CHECK(aclrtSetDevice((int)rank));
    HcclComm comm = NULL;
    CHECK(HcclCommInitRootInfo(RANKS, &root, rank, &comm));
    aclrtStream stream = new_stream();
    int32_t numbers[COUNT];
    for (int index = 0; index < COUNT; index++) {
        numbers[index] = (int32_t)rank + index;
    }
    void *send = device_memory(sizeof numbers);
    void *recv = device_memory(sizeof numbers);
    CHECK(aclrtMemcpy(send, sizeof numbers, numbers, sizeof numbers, ACL_MEMCPY_HOST_TO_DEVICE));

    /* Rank 0 sends its numbers to rank 1, which sends them on, and so forth. */
    void *carried = rank == 0 ? send : recv;
    if (rank > 0) {
        CHECK(HcclRecv(recv, COUNT, HCCL_DATA_TYPE_INT32, rank - 1, comm, stream));
    }
    if (rank + 1 < RANKS) {
        CHECK(HcclSend(carried, COUNT, HCCL_DATA_TYPE_INT32, rank + 1, comm, stream));
    }
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(numbers, sizeof numbers, carried, sizeof numbers, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT(numbers[0] == 0 && numbers[COUNT - 1] == COUNT - 1);

    /* All send at once, each to the next rank. */
    uint32_t next = (rank + 1) % RANKS;
    uint32_t before = (rank + RANKS - 1) % RANKS;
    HcclSendRecvItem items[2] = {
        {HCCL_SEND, send, COUNT, HCCL_DATA_TYPE_INT32, next},
        {HCCL_RECV, recv, COUNT, HCCL_DATA_TYPE_INT32, before},
    };
    CHECK(HcclBatchSendRecv(items, 2, comm, stream));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(HcclCommDestroy(comm));
    CHECK(aclrtMemcpy(numbers, sizeof numbers, recv, sizeof numbers, ACL_MEMCPY_DEVICE_TO_HOST));
    for (int index = 0; index < COUNT; index++) {
        EXPECT(numbers[index] == (int32_t)before + index);
    }
    CHECK(aclrtFree(send));
    CHECK(aclrtFree(recv));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtResetDevice((int)rank));
    return NULL;
}

int main(void) {
    /* Before the first call, which reads it. */
    EXPECT(setenv("ASCENDCL_EMULATOR_DEVICES", "4", 1) == 0);
    begin();
    CHECK(HcclGetRootInfo(&root));
    uint32_t ranks[RANKS] = {0, 1, 2, 3};
    pthread_t threads[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
        EXPECT(pthread_create(&threads[rank], NULL, run, &ranks[rank]) == 0);
    }
    for (int rank = 0; rank < RANKS; rank++) {
        EXPECT(pthread_join(threads[rank], NULL) == 0);
    }
    end();
    return 0;
}
