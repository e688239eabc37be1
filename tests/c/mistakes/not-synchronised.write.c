/* The program overwrites an input while its copy is still queued. */
#include "../check.h"

int main(void) {
    begin();
    enum { SIZE = 1 << 20 };
    aclrtStream stream = new_stream();
    char *input = host_memory(SIZE);
    void *device = device_memory(SIZE);
    memset(input, 1, SIZE);
    CHECK(aclrtMemcpyAsync(device, SIZE, input, SIZE, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    memset(input, 2, SIZE); /* here */
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtFree(device));
    CHECK(aclrtFreeHost(input));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
