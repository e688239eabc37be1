/* One graph is run on two streams, and nothing orders the runs. */
#include "../check.h"

int main(void) {
    begin();
    aclrtStream one = new_stream(), two = new_stream();
    void *memory = device_memory(4096);
    aclmdlRI graph = NULL;
    CHECK(aclmdlRICaptureBegin(one, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    CHECK(aclrtMemsetAsync(memory, 4096, 1, 4096, one));
    CHECK(aclmdlRICaptureEnd(one, &graph));
    CHECK(aclmdlRIExecuteAsync(graph, one));
    CHECK(aclmdlRIExecuteAsync(graph, two)); /* here */
    CHECK(aclrtSynchronizeStream(one));
    CHECK(aclrtSynchronizeStream(two));
    CHECK(aclmdlRIDestroy(graph));
    CHECK(aclrtFree(memory));
    CHECK(aclrtDestroyStream(one));
    CHECK(aclrtDestroyStream(two));
    end();
    return 0;
}
