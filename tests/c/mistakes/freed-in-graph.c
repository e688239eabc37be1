/* Memory of a captured task is freed, and its graph exists. No run of it is queued at that time. */
#include "../check.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    void *memory = device_memory(4096);
    aclmdlRI graph = NULL;
    CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    CHECK(aclrtMemsetAsync(memory, 4096, 1, 4096, stream));
    CHECK(aclmdlRICaptureEnd(stream, &graph));
    CHECK(aclmdlRIExecuteAsync(graph, stream));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtFree(memory)); /* here */
    CHECK(aclmdlRIDestroy(graph));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
