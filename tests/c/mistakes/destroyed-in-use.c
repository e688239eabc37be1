/* A graph is destroyed while its run is queued. The call refuses it only if the run is not over. */
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
    aclError code = aclmdlRIDestroy(graph); /* here */
    CHECK(aclrtSynchronizeStream(stream));
    if (code != 0) {
        CHECK(aclmdlRIDestroy(graph));
    }
    CHECK(aclrtFree(memory));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
