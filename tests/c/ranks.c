/* A sum over two ranks, which are processes with a device each. */
#include "processes.h"

enum { COUNT = 1000 };

static void run(const HcclRootInfo *root, uint32_t rank) {
    HcclComm comm = NULL;
    CHECK(HcclCommInitRootInfo(RANKS, root, rank, &comm));
    float numbers[COUNT];
    for (int index = 0; index < COUNT; index++) {
        numbers[index] = (float)(index + (int)rank);
    }
    aclrtStream stream = new_stream();
    void *memory = device_memory(sizeof numbers);
    CHECK(aclrtMemcpy(memory, sizeof numbers, numbers, sizeof numbers, ACL_MEMCPY_HOST_TO_DEVICE));
    CHECK(HcclAllReduce(memory, memory, COUNT, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm, stream));
    CHECK(HcclBroadcast(memory, 1, HCCL_DATA_TYPE_FP32, 1, comm, stream));
    CHECK(HcclBarrier(comm, stream));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(numbers, sizeof numbers, memory, sizeof numbers, ACL_MEMCPY_DEVICE_TO_HOST));
    for (int index = 0; index < COUNT; index++) {
        EXPECT(numbers[index] == (float)(2 * index + 1));
    }
    CHECK(aclrtFree(memory));
    CHECK(aclrtDestroyStream(stream));
    CHECK(HcclCommDestroy(comm));
    CHECK(aclrtResetDevice((int)rank));
    CHECK(aclFinalize());
}

int main(void) {
    return two_processes(run);
}
