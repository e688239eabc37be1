/* A notify is used for both directions: the first stream may take its own signal. */
#include "../check.h"

int main(void) {
    begin();
    aclrtStream one = new_stream(), two = new_stream();
    aclrtNotify notify = NULL;
    CHECK(aclrtCreateNotify(&notify, 0));
    CHECK(aclrtRecordNotify(notify, one));
    CHECK(aclrtWaitAndResetNotify(notify, two, 0));
    CHECK(aclrtRecordNotify(notify, two));
    aclrtWaitAndResetNotify(notify, one, 0); /* here */
    aclrtRecordNotify(notify, one); /* without it, one of the waits may never end */
    CHECK(aclrtSynchronizeStream(one));
    CHECK(aclrtSynchronizeStream(two));
    CHECK(aclrtDestroyNotify(notify));
    CHECK(aclrtDestroyStream(two));
    CHECK(aclrtDestroyStream(one));
    end();
    return 0;
}
