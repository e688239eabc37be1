/* An operator whose output has another data type and is a part of a buffer. */
#include "operators.h"
#include "aclnnop/aclnn_cast.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    const float numbers[6] = {9, 9, 1.9F, -1.9F, 300, 9};
    const int32_t cut[3] = {1, -1, 300};
    const int64_t shape[1] = {3}, stride[1] = {1}, storage[1] = {6};
    void *from = on_device(numbers, sizeof numbers), *to = device_memory(sizeof cut);
    aclTensor *self = aclCreateTensor(shape, 1, ACL_FLOAT, stride, 2, ACL_FORMAT_ND, storage, 1, from);
    aclTensor *out = tensor(to, ACL_INT32, shape, 1);
    EXPECT(self != NULL);
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    RETURNS(ACLNN_ERR_PARAM_INVALID, aclnnCastGetWorkspaceSize(self, ACL_STRING, out, &size, &executor));
    CHECK(aclnnCastGetWorkspaceSize(self, ACL_INT32, out, &size, &executor));
    finish(aclnnCast, size, executor, stream);
    expect_bytes(to, cut, sizeof cut);
    CHECK(aclDestroyTensor(self));
    CHECK(aclDestroyTensor(out));
    CHECK(aclrtFree(from));
    CHECK(aclrtFree(to));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
