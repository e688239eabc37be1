/* Collectives whose parts differ by rank: rank 0 has one element, and rank 1 has two. All ranks join in one call, and each has
 * a thread with a device of its own. */
#include <pthread.h>

#include "check.h"
#include "hccl/hccl.h"

enum { RANKS = 2, TOTAL = 3 };

static HcclComm comms[RANKS];

static void read_back(float *numbers, const void *memory, size_t count) {
    size_t size = count * sizeof(float);
    CHECK(aclrtMemcpy(numbers, size, memory, size, ACL_MEMCPY_DEVICE_TO_HOST));
}

static void *run(void *argument) {
    uint32_t rank = *(uint32_t *)argument;
    CHECK(aclrtSetDevice((int)rank));
    HcclComm comm = comms[rank];
    aclrtStream stream = new_stream();
    uint64_t counts[RANKS] = {1, 2};
    uint64_t starts[RANKS] = {0, 1};
    uint64_t own = counts[rank];
    float numbers[TOTAL + 1] = {0};
    for (int index = 0; index < TOTAL; index++) {
        numbers[index] = (float)(10 * (int)rank + index);
    }
    size_t size = (TOTAL + 1) * sizeof(float);
    void *send = device_memory(size);
    void *recv = device_memory(size);
    CHECK(aclrtMemcpy(send, size, numbers, size, ACL_MEMCPY_HOST_TO_DEVICE));
    CHECK(aclrtMemset(recv, size, 0, size));

    CHECK(HcclAllGatherV(send, own, recv, counts, starts, HCCL_DATA_TYPE_FP32, comm, stream));
    CHECK(aclrtSynchronizeStream(stream));
    read_back(numbers, recv, TOTAL);
    EXPECT(numbers[0] == 0.0F && numbers[1] == 10.0F && numbers[2] == 11.0F);

    CHECK(HcclReduceScatterV(send, counts, starts, recv, own, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm, stream));
    CHECK(aclrtSynchronizeStream(stream));
    read_back(numbers, recv, own);
    EXPECT(rank == 0 ? numbers[0] == 10.0F : numbers[0] == 12.0F && numbers[1] == 14.0F);

    /* Each rank sends one element to rank 0 and two to rank 1. So it receives as many from each as its part has. */
    uint64_t receives[RANKS] = {own, own};
    uint64_t places[RANKS] = {0, own};
    CHECK(HcclAlltoAllV(send, counts, starts, HCCL_DATA_TYPE_FP32, recv, receives, places, HCCL_DATA_TYPE_FP32, comm,
                        stream));
    CHECK(aclrtSynchronizeStream(stream));
    read_back(numbers, recv, 2 * own);
    EXPECT(rank == 0 ? numbers[0] == 0.0F && numbers[1] == 10.0F : numbers[0] == 1.0F && numbers[3] == 12.0F);

    uint64_t matrix[RANKS * RANKS] = {1, 2, 1, 2};
    CHECK(aclrtMemset(recv, size, 0, size));
    CHECK(HcclAlltoAllVC(send, matrix, HCCL_DATA_TYPE_FP32, recv, HCCL_DATA_TYPE_FP32, comm, stream));
    CHECK(aclrtSynchronizeStream(stream));
    float again[TOTAL + 1];
    read_back(again, recv, 2 * own);
    EXPECT(memcmp(numbers, again, 2 * own * sizeof(float)) == 0);

    CHECK(aclrtFree(send));
    CHECK(aclrtFree(recv));
    CHECK(aclrtDestroyStream(stream));
    CHECK(HcclCommDestroy(comm));
    return NULL;
}

int main(void) {
    CHECK(aclInit(NULL));
    int32_t devices[RANKS] = {0, 1};
    for (int rank = 0; rank < RANKS; rank++) {
        CHECK(aclrtSetDevice(devices[rank]));
    }
    CHECK(HcclCommInitAll(RANKS, devices, comms));
    uint32_t ranks[RANKS] = {0, 1};
    pthread_t threads[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
        EXPECT(pthread_create(&threads[rank], NULL, run, &ranks[rank]) == 0);
    }
    for (int rank = 0; rank < RANKS; rank++) {
        EXPECT(pthread_join(threads[rank], NULL) == 0);
    }
    /* HcclCommInitAll and the threads have taken the devices into use, too. */
    for (int rank = 0; rank < RANKS; rank++) {
        CHECK(aclrtResetDeviceForce(devices[rank]));
    }
    CHECK(aclFinalize());
    return 0;
}
