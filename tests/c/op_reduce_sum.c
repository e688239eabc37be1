/* An operator with an array, a flag and a data type: the sums of columns. */
#include "operators.h"
#include "aclnnop/aclnn_reduce_sum.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    const float numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7}, sums[2] = {12, 16};
    const int64_t shape[2] = {4, 2}, of_out[1] = {2}, first[1] = {0};
    void *from = on_device(numbers, sizeof numbers), *to = device_memory(sizeof sums);
    aclTensor *self = tensor(from, ACL_FLOAT, shape, 2), *out = tensor(to, ACL_FLOAT, of_out, 1);
    aclIntArray *dims = aclCreateIntArray(first, 1);
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    RETURNS(ACLNN_ERR_PARAM_INVALID,
            aclnnReduceSumGetWorkspaceSize(self, dims, true, ACL_FLOAT, out, &size, &executor));
    RETURNS(ACLNN_ERR_PARAM_INVALID,
            aclnnReduceSumGetWorkspaceSize(self, dims, false, ACL_INT32, out, &size, &executor));
    CHECK(aclnnReduceSumGetWorkspaceSize(self, dims, false, ACL_FLOAT, out, &size, &executor));
    CHECK(aclDestroyIntArray(dims));
    finish(aclnnReduceSum, size, executor, stream);
    expect_bytes(to, sums, sizeof sums);
    CHECK(aclDestroyTensor(self));
    CHECK(aclDestroyTensor(out));
    CHECK(aclrtFree(from));
    CHECK(aclrtFree(to));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
