/* Freed memory is filled. */
#include "../check.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    void *device = device_memory(4096);
    CHECK(aclrtFree(device));
    aclrtMemsetAsync(device, 4096, 0, 4096, stream); /* here */
    aclrtSynchronizeStream(stream);
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
