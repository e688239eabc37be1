/* A stream waits for an event that was not recorded, which orders nothing. */
#include "../check.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    aclrtEvent event = NULL;
    CHECK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
    aclrtStreamWaitEvent(stream, event); /* here */
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtDestroyEvent(event));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
