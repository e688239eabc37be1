/* Device memory is freed while the copy into it is still queued. */
#include "../check.h"

int main(void) {
    begin();
    enum { SIZE = 1 << 20 };
    aclrtStream stream = new_stream();
    void *host = host_memory(SIZE), *device = device_memory(SIZE);
    CHECK(aclrtMemcpyAsync(device, SIZE, host, SIZE, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    aclrtFree(device); /* here */
    aclrtSynchronizeStream(stream);
    CHECK(aclrtFreeHost(host));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
