/* A tensor is destroyed after the list that owns it. */
#include "../check.h"

int main(void) {
    begin();
    const int64_t size[1] = {16}, stride[1] = {1};
    void *device = device_memory(64);
    const aclTensor *tensors[1] = {aclCreateTensor(size, 1, ACL_FLOAT, stride, 0, ACL_FORMAT_ND, size, 1, device)};
    aclTensorList *list = aclCreateTensorList(tensors, 1);
    CHECK(aclDestroyTensorList(list));
    aclDestroyTensor(tensors[0]); /* here */
    CHECK(aclrtFree(device));
    end();
    return 0;
}
