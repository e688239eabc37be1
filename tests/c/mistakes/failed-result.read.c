/* A copy fails, and the program reads its result, found on x86-64: with ASCENDCL_EMULATOR_FAULTS=task:aclrtMemcpyAsync=507001 */
#include "../check.h"

int main(void) {
    begin();
    enum { SIZE = 4096 };
    aclrtStream stream = new_stream();
    char *host = host_memory(SIZE);
    void *device = device_memory(SIZE);
    CHECK(aclrtMemset(device, SIZE, 7, SIZE));
    CHECK(aclrtMemcpyAsync(host, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    aclrtSynchronizeStream(stream);
    printf("%d\n", host[5]); /* here */
    CHECK(aclrtFree(device));
    CHECK(aclrtFreeHost(host));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
