/* A tensor, a scalar and a data buffer are destroyed twice: on a card each second call deletes freed memory. */
#include "../check.h"

int main(void) {
    begin();
    const int64_t size[1] = {16}, stride[1] = {1};
    float value = 1;
    void *device = device_memory(64);
    aclTensor *tensor = aclCreateTensor(size, 1, ACL_FLOAT, stride, 0, ACL_FORMAT_ND, size, 1, device);
    aclScalar *scalar = aclCreateScalar(&value, ACL_FLOAT);
    aclDataBuffer *buffer = aclCreateDataBuffer(device, 64);
    CHECK(aclDestroyTensor(tensor));
    CHECK(aclDestroyScalar(scalar));
    CHECK(aclDestroyDataBuffer(buffer));
    aclDestroyTensor(tensor); /* here */
    aclDestroyScalar(scalar);
    aclDestroyDataBuffer(buffer);
    CHECK(aclrtFree(device));
    end();
    return 0;
}
