/* An event is destroyed after its device was reset. */
#include "../check.h"

int main(void) {
    begin();
    aclrtEvent event = NULL;
    CHECK(aclrtCreateEvent(&event));
    CHECK(aclrtResetDevice(0));
    aclrtDestroyEvent(event); /* here */
    CHECK(aclFinalize());
    return 0;
}
