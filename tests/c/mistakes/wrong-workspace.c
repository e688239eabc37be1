/* A pool hands the memory of an operand out again, as the workspace of the operator. */
#include "../operators.h"
#include "aclnnop/aclnn_mul.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    const float numbers[6] = {1, 2, 3, 4, 5, 6}, factors[8] = {1, 2, 3};
    const int64_t shape[2] = {2, 3}, row[2] = {1, 3};
    void *left = on_device(numbers, sizeof numbers), *right = on_device(factors, sizeof factors);
    void *to = device_memory(sizeof numbers);
    aclTensor *self = tensor(left, ACL_FLOAT, shape, 2);
    aclTensor *other = tensor(right, ACL_FLOAT, row, 2);
    aclTensor *out = tensor(to, ACL_FLOAT, shape, 2);
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    CHECK(aclnnMulGetWorkspaceSize(self, other, out, &size, &executor));
    EXPECT(size == sizeof factors);
    CHECK(aclnnMul(right, size, executor, stream)); /* here */
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclDestroyTensor(self));
    CHECK(aclDestroyTensor(other));
    CHECK(aclDestroyTensor(out));
    CHECK(aclrtFree(left));
    CHECK(aclrtFree(right));
    CHECK(aclrtFree(to));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
