/* The first phase of an operator is called while another device than that of its tensors is current. */
#include "../operators.h"
#include "aclnnop/aclnn_relu.h"

int main(void) {
    begin();
    void *memory = device_memory(16);
    CHECK(aclrtMemset(memory, 16, 0, 16));
    const int64_t shape[1] = {4};
    aclTensor *numbers = tensor(memory, ACL_FLOAT, shape, 1);
    CHECK(aclrtSetDevice(1));
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    CHECK(aclnnInplaceReluGetWorkspaceSize(numbers, &size, &executor)); /* here */
    CHECK(aclDestroyAclOpExecutor(executor));
    CHECK(aclrtResetDevice(1));
    CHECK(aclDestroyTensor(numbers));
    CHECK(aclrtFree(memory));
    end();
    return 0;
}
