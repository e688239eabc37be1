/* Each copy has a kind that does not fit its pointers. The runtime accepts this for copies without a stream. */
#include "../check.h"

int main(void) {
    begin();
    enum { SIZE = 4096 };
    static char bytes[SIZE];
    aclrtStream stream = new_stream();
    void *host = host_memory(SIZE), *device = device_memory(SIZE), *other = device_memory(SIZE);
    CHECK(aclrtMemcpy(device, SIZE, bytes, SIZE, ACL_MEMCPY_DEVICE_TO_HOST)); /* here */
    CHECK(aclrtMemcpy(bytes, SIZE, device, SIZE, ACL_MEMCPY_HOST_TO_DEVICE));
    CHECK(aclrtMemcpy(other, SIZE, bytes, SIZE, ACL_MEMCPY_DEVICE_TO_DEVICE));
    CHECK(aclrtMemcpy(other, SIZE, device, SIZE, ACL_MEMCPY_HOST_TO_HOST));
    CHECK(aclrtMemcpy2d(device, 64, host, 64, 64, 64, ACL_MEMCPY_DEVICE_TO_HOST));
    CHECK(aclrtMemcpyAsync(device, SIZE, host, SIZE, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    CHECK(aclrtMemcpyAsync(host, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
    CHECK(aclrtMemcpy2dAsync(device, 64, host, 64, 64, 64, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtFree(device));
    CHECK(aclrtFree(other));
    CHECK(aclrtFreeHost(host));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
