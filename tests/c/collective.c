/* A sum over two ranks, which are threads of this process with a device each. */
#include <pthread.h>

#include "check.h"
#include "hccl/hccl.h"

enum { RANKS = 2, COUNT = 1024 };

static HcclRootInfo root;

static void *run(void *argument) {
    int rank = *(int *)argument;
    float numbers[COUNT];
    for (int index = 0; index < COUNT; index++) {
        numbers[index] = (float)(index + rank);
    }
    CHECK(aclrtSetDevice(rank));
    HcclComm comm = NULL;
    HcclCommConfig config;
    HcclCommConfigInit(&config);
    CHECK(HcclCommInitRootInfoConfig(RANKS, &root, (uint32_t)rank, &config, &comm));
    uint32_t size = 0;
    CHECK(HcclGetRankSize(comm, &size));
    EXPECT(size == RANKS);
    aclrtStream stream = new_stream();
    void *send = device_memory(sizeof numbers);
    void *recv = device_memory(sizeof numbers);
    CHECK(aclrtMemcpy(send, sizeof numbers, numbers, sizeof numbers, ACL_MEMCPY_HOST_TO_DEVICE));
    CHECK(HcclAllReduce(send, recv, COUNT, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm, stream));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(numbers, sizeof numbers, recv, sizeof numbers, ACL_MEMCPY_DEVICE_TO_HOST));
    for (int index = 0; index < COUNT; index++) {
        EXPECT(numbers[index] == (float)(2 * index + 1));
    }
    CHECK(aclrtFree(send));
    CHECK(aclrtFree(recv));
    CHECK(aclrtDestroyStream(stream));
    CHECK(HcclCommDestroy(comm));
    CHECK(aclrtResetDevice(rank));
    return NULL;
}

int main(void) {
    begin();
    CHECK(HcclGetRootInfo(&root));
    int ranks[RANKS] = {0, 1};
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
