/* Contexts: one thread with two of them. */
#include "check.h"

int main(void) {
    CHECK(aclInit(NULL));
    aclrtContext one = NULL, two = NULL, current = NULL;
    CHECK(aclrtCreateContext(&one, 0));
    CHECK(aclrtCreateContext(&two, 1));
    CHECK(aclrtGetCurrentContext(&current));
    EXPECT(current == two);
    CHECK(aclrtSetCurrentContext(one));
    aclrtStream stream = new_stream();
    CHECK(aclrtSetCurrentContext(two));
    RETURNS(ACL_ERROR_RT_STREAM_CONTEXT, aclrtDestroyStream(stream));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtSetCurrentContext(one));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtDestroyContext(one));
    CHECK(aclrtDestroyContext(two));
    CHECK(aclFinalize());
    return 0;
}
