/* Model instances are not modelled: a call says so, and the text names it. */
#include "check.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    RETURNS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclmdlRIExecuteAsync(NULL, stream));
    EXPECT(strstr(aclGetRecentErrMsg(), "aclmdlRIExecuteAsync") != NULL);
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
