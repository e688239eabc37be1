/* An operator on a list: it joins two tensors, which the list owns. */
#include "operators.h"
#include "aclnnop/aclnn_cat.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    const float first[6] = {1, 2, 3, 4, 5, 6}, second[3] = {7, 8, 9};
    const float joined[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const int64_t of_first[2] = {2, 3}, of_second[2] = {1, 3}, of_out[2] = {3, 3};
    void *one = on_device(first, sizeof first), *other = on_device(second, sizeof second);
    void *result = device_memory(sizeof joined);
    const aclTensor *parts[2] = {tensor(one, ACL_FLOAT, of_first, 2), tensor(other, ACL_FLOAT, of_second, 2)};
    aclTensorList *tensors = aclCreateTensorList(parts, 2);
    aclTensor *out = tensor(result, ACL_FLOAT, of_out, 2);
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    RETURNS(ACLNN_ERR_PARAM_NULLPTR, aclnnCatGetWorkspaceSize(NULL, 0, out, &size, &executor));
    RETURNS(ACLNN_ERR_PARAM_INVALID, aclnnCatGetWorkspaceSize(tensors, 1, out, &size, &executor));
    CHECK(aclnnCatGetWorkspaceSize(tensors, 0, out, &size, &executor));
    finish(aclnnCat, size, executor, stream);
    expect_bytes(result, joined, sizeof joined);
    CHECK(aclDestroyTensorList(tensors));
    CHECK(aclDestroyTensor(out));
    CHECK(aclrtFree(one));
    CHECK(aclrtFree(other));
    CHECK(aclrtFree(result));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
