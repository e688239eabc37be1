/* A copy fails, and the program ignores the code of the synchronise: with ASCENDCL_EMULATOR_FAULTS=task:aclrtMemcpyAsync=507001 */
#include "../check.h"

int main(void) {
    begin();
    enum { SIZE = 4096 };
    static char result[SIZE];
    aclrtStream stream = new_stream();
    void *host = host_memory(SIZE), *device = device_memory(SIZE);
    CHECK(aclrtMemcpyAsync(device, SIZE, host, SIZE, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    aclrtSynchronizeStream(stream);
    aclrtMemcpy(result, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_HOST); /* here */
    CHECK(aclrtFree(device));
    CHECK(aclrtFreeHost(host));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
