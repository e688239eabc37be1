/* An early return after an error does not free the memory: with ASCENDCL_EMULATOR_CHECK=leaks */
#include "../check.h"

static int work(void) {
    device_memory(4096); /* here */
    return 1;
}

int main(void) {
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    work();
    CHECK(aclFinalize());
    return 0;
}
