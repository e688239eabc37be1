/* The output of an operator begins one row behind its input, in the same memory. */
#include "../operators.h"
#include "aclnnop/aclnn_mul.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    const float numbers[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const int64_t shape[2] = {2, 3};
    float *memory = on_device(numbers, sizeof numbers);
    aclTensor *self = tensor(memory, ACL_FLOAT, shape, 2);
    aclTensor *out = tensor(memory + 3, ACL_FLOAT, shape, 2);
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    CHECK(aclnnMulGetWorkspaceSize(self, self, out, &size, &executor));
    void *workspace = device_memory(size);
    CHECK(aclnnMul(workspace, size, executor, stream)); /* here */
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclDestroyTensor(self));
    CHECK(aclDestroyTensor(out));
    CHECK(aclrtFree(workspace));
    CHECK(aclrtFree(memory));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
