/* The program dereferences a pointer to device memory; the processor ends it there. */
#include "../check.h"

int main(void) {
    begin();
    char *device = device_memory(64);
    CHECK(aclrtMemset(device, 64, 1, 64));
    EXPECT(device[0] == 1); /* here */
    CHECK(aclrtFree(device));
    end();
    return 0;
}
