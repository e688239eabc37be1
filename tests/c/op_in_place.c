/* An operator that reads and writes the same tensor, several times with a reusable executor. */
#include "operators.h"
#include "aclnnop/aclnn_add.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    const int32_t numbers[4] = {1, 2, 3, 4}, steps[4] = {10, 20, 30, 40}, sums[4] = {61, 122, 183, 244};
    const int64_t shape[1] = {4};
    int32_t twice = 2;
    void *memory = on_device(numbers, sizeof numbers), *added = on_device(steps, sizeof steps);
    aclTensor *self = tensor(memory, ACL_INT32, shape, 1), *other = tensor(added, ACL_INT32, shape, 1);
    aclScalar *alpha = aclCreateScalar(&twice, ACL_INT32);
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    CHECK(aclnnInplaceAddGetWorkspaceSize(self, other, alpha, &size, &executor));
    CHECK(aclSetAclOpExecutorRepeatable(executor));
    RETURNS(ACLNN_ERR_PARAM_INVALID, aclnnAdd(NULL, size, executor, stream));
    for (int i = 0; i < 3; i++) {
        finish(aclnnInplaceAdd, size, executor, stream);
    }
    CHECK(aclDestroyAclOpExecutor(executor));
    expect_bytes(memory, sums, sizeof sums);
    CHECK(aclDestroyTensor(self));
    CHECK(aclDestroyTensor(other));
    CHECK(aclDestroyScalar(alpha));
    CHECK(aclrtFree(memory));
    CHECK(aclrtFree(added));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
