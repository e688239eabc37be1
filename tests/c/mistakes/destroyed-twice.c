/* A stream is destroyed twice. */
#include "../check.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    CHECK(aclrtDestroyStream(stream));
    aclrtDestroyStream(stream); /* here */
    end();
    return 0;
}
