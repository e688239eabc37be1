/* A sum over two ranks, which are processes with a device each. The first one makes the root information, and sends
 * it to the other one through a pipe. */
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "hccl/hccl.h"

enum { RANKS = 2, COUNT = 1000 };

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
    int ends[2];
    EXPECT(pipe(ends) == 0);
    /* Before the first call of AscendCL: the threads of a process do not exist in its copy. */
    pid_t other = fork();
    EXPECT(other >= 0);
    HcclRootInfo root;
    memset(&root, 0, sizeof root);
    CHECK(aclInit(NULL));
    if (other == 0) {
        CHECK(aclrtSetDevice(1));
        EXPECT(read(ends[0], &root, sizeof root) == (ssize_t)sizeof root);
        run(&root, 1);
        return 0;
    }
    CHECK(aclrtSetDevice(0));
    CHECK(HcclGetRootInfo(&root));
    EXPECT(write(ends[1], &root, sizeof root) == (ssize_t)sizeof root);
    run(&root, 0);
    int status = 1;
    EXPECT(waitpid(other, &status, 0) == other);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 0;
}
