/* An operator with two outputs: the largest elements of each row, and their indices. */
#include "operators.h"
#include "aclnnop/aclnn_topk.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    const float numbers[8] = {0, 1, 2.5F, 3, 4, 5.5F, 6, 7}, largest[4] = {3, 2.5F, 7, 6};
    const int64_t places[4] = {3, 2, 3, 2}, shape[2] = {2, 4}, of_outs[2] = {2, 2};
    void *from = on_device(numbers, sizeof numbers);
    void *values = device_memory(sizeof largest), *indices = device_memory(sizeof places);
    aclTensor *self = tensor(from, ACL_FLOAT, shape, 2);
    aclTensor *valuesOut = tensor(values, ACL_FLOAT, of_outs, 2);
    aclTensor *indicesOut = tensor(indices, ACL_INT64, of_outs, 2);
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    RETURNS(ACLNN_ERR_PARAM_INVALID,
            aclnnTopkGetWorkspaceSize(self, 5, 1, true, true, valuesOut, indicesOut, &size, &executor));
    CHECK(aclnnTopkGetWorkspaceSize(self, 2, 1, true, true, valuesOut, indicesOut, &size, &executor));
    finish(aclnnTopk, size, executor, stream);
    expect_bytes(values, largest, sizeof largest);
    expect_bytes(indices, places, sizeof places);
    CHECK(aclDestroyTensor(self));
    CHECK(aclDestroyTensor(valuesOut));
    CHECK(aclDestroyTensor(indicesOut));
    CHECK(aclrtFree(from));
    CHECK(aclrtFree(values));
    CHECK(aclrtFree(indices));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
