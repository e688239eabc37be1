/* A copy has more bytes than its destination. */
#include "../check.h"

int main(void) {
    begin();
    static const char text[128] = "text";
    void *device = device_memory(100);
    aclrtMemcpy(device, sizeof text, text, sizeof text, ACL_MEMCPY_HOST_TO_DEVICE); /* here */
    CHECK(aclrtFree(device));
    end();
    return 0;
}
