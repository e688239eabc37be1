/* An event is destroyed while a stream still waits for its record. */
#include "../check.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    aclrtEvent event = NULL;
    CHECK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
    CHECK(aclrtStreamWaitEvent(stream, event));
    aclrtDestroyEvent(event); /* here */
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
