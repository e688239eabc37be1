/* A host function frees memory. */
#include "../check.h"

static void release(void *memory) {
    aclrtFree(memory); /* here */
}

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    CHECK(aclrtLaunchHostFunc(stream, release, device_memory(64)));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
