/* A copy names registered memory as device memory: its device address is for kernels alone, says the manual. */
#include "../check.h"

int main(void) {
    begin();
    enum { SIZE = 4096 };
    static char registered[SIZE] __attribute__((aligned(4096)));
    void *device = device_memory(SIZE), *seen = NULL;
    CHECK(aclrtMemset(device, SIZE, 1, SIZE));
    CHECK(aclrtHostRegister(registered, SIZE, ACL_HOST_REGISTER_MAPPED, &seen));
    CHECK(aclrtMemcpy(seen, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_DEVICE)); /* here */
    CHECK(aclrtMemcpy(device, SIZE, seen, SIZE, ACL_MEMCPY_DEVICE_TO_DEVICE));
    CHECK(aclrtHostUnregister(registered));
    CHECK(aclrtFree(device));
    end();
    return 0;
}
