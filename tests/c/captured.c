/* A captured sum over two ranks, which are processes. Each run of the graph makes the sum anew. */
#include "processes.h"

enum { COUNT = 8, RUNS = 4 };

static void run(const HcclRootInfo *root, uint32_t rank) {
    HcclCommConfig config;
    HcclCommConfigInit(&config);
    config.hcclDeterministic = 1;
    HcclComm comm = NULL;
    CHECK(HcclCommInitRootInfoConfig(RANKS, root, rank, &config, &comm));
    float numbers[COUNT];
    for (int index = 0; index < COUNT; index++) {
        numbers[index] = (float)(rank + 1);
    }
    void *memory = device_memory(sizeof numbers);
    CHECK(aclrtMemcpy(memory, sizeof numbers, numbers, sizeof numbers, ACL_MEMCPY_HOST_TO_DEVICE));
    aclrtStream stream = new_stream();
    aclmdlRI graph = NULL;
    CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    CHECK(HcclAllReduce(memory, memory, COUNT, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm, stream));
    CHECK(aclmdlRICaptureEnd(stream, &graph));
    for (int turn = 0; turn < RUNS; turn++) {
        CHECK(aclmdlRIExecuteAsync(graph, stream));
    }
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(numbers, sizeof numbers, memory, sizeof numbers, ACL_MEMCPY_DEVICE_TO_HOST));
    /* The first run makes 3 on both ranks, and each further run doubles it. */
    EXPECT(numbers[0] == 24.0F && numbers[COUNT - 1] == 24.0F);
    CHECK(aclmdlRIDestroy(graph));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtFree(memory));
    CHECK(HcclCommDestroy(comm));
    CHECK(aclrtResetDevice((int)rank));
    CHECK(aclFinalize());
}

int main(void) {
    return two_processes(run);
}
