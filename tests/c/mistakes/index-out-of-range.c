/* An operator gets an index behind the tensor that it points into. */
#include "../operators.h"
#include "aclnnop/aclnn_index_select.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    const float numbers[3] = {1, 2, 3};
    const int64_t places[2] = {0, 3}, shape[1] = {3}, taken[1] = {2};
    void *from = on_device(numbers, sizeof numbers), *at = on_device(places, sizeof places);
    void *to = device_memory(2 * sizeof(float));
    aclTensor *self = tensor(from, ACL_FLOAT, shape, 1);
    aclTensor *index = tensor(at, ACL_INT64, taken, 1);
    aclTensor *out = tensor(to, ACL_FLOAT, taken, 1);
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    CHECK(aclnnIndexSelectGetWorkspaceSize(self, 0, index, out, &size, &executor));
    void *workspace = device_memory(size);
    CHECK(aclnnIndexSelect(workspace, size, executor, stream)); /* here */
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclDestroyTensor(self));
    CHECK(aclDestroyTensor(index));
    CHECK(aclDestroyTensor(out));
    CHECK(aclrtFree(workspace));
    CHECK(aclrtFree(from));
    CHECK(aclrtFree(at));
    CHECK(aclrtFree(to));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
