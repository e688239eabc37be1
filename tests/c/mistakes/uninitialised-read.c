/* Half of the memory was never written, and all of it is read. */
#include "../check.h"

int main(void) {
    begin();
    enum { SIZE = 4096 };
    static char result[SIZE];
    void *device = device_memory(SIZE);
    CHECK(aclrtMemset(device, SIZE, 0, SIZE / 2));
    aclrtMemcpy(result, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_HOST); /* here */
    CHECK(aclrtFree(device));
    end();
    return 0;
}
