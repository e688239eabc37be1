/* One stream writes, another one reads, and no event orders them. */
#include "../check.h"

int main(void) {
    begin();
    enum { SIZE = 4096 };
    aclrtStream one = new_stream(), two = new_stream();
    void *host = host_memory(SIZE), *device = device_memory(SIZE);
    CHECK(aclrtMemsetAsync(device, SIZE, 1, SIZE, one));
    aclrtMemcpyAsync(host, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_HOST, two); /* here */
    CHECK(aclrtSynchronizeDevice());
    CHECK(aclrtFree(device));
    CHECK(aclrtFreeHost(host));
    CHECK(aclrtDestroyStream(one));
    CHECK(aclrtDestroyStream(two));
    end();
    return 0;
}
