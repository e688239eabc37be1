/* An early return after an error leaves memory and a stream to the reset: with ASCENDCL_EMULATOR_CHECK=left-to-reset */
#include "../check.h"

static int work(void) {
    device_memory(4096); /* here */
    new_stream();
    return 1;
}

int main(void) {
    begin();
    work();
    end();
    return 0;
}
