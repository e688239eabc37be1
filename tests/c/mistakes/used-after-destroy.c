/* An event is recorded on a stream that was destroyed. */
#include "../check.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    aclrtEvent event = NULL;
    CHECK(aclrtCreateEvent(&event));
    CHECK(aclrtDestroyStream(stream));
    aclrtRecordEvent(event, stream); /* here */
    CHECK(aclrtDestroyEvent(event));
    end();
    return 0;
}
