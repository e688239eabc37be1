/* A notify is recorded again, and its first wait may not have begun. */
#include "../check.h"

int main(void) {
    begin();
    aclrtStream one = new_stream(), two = new_stream();
    aclrtNotify notify = NULL;
    CHECK(aclrtCreateNotify(&notify, 0));
    CHECK(aclrtRecordNotify(notify, one));
    CHECK(aclrtWaitAndResetNotify(notify, two, 0));
    aclrtRecordNotify(notify, one); /* here */
    CHECK(aclrtSynchronizeStream(one));
    CHECK(aclrtSynchronizeStream(two));
    CHECK(aclrtDestroyNotify(notify));
    CHECK(aclrtDestroyStream(two));
    CHECK(aclrtDestroyStream(one));
    end();
    return 0;
}
