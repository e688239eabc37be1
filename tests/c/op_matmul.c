/* The product of a matrix and a second matrix, which its strides transpose. */
#include "operators.h"
#include "aclnnop/aclnn_matmul.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    const float left[6] = {1, 2, 3, 4, 5, 6}, right[6] = {1, 3, 5, 2, 4, 6}, product[4] = {22, 28, 49, 64};
    const int64_t of_left[2] = {2, 3}, of_right[2] = {3, 2}, transposed[2] = {1, 3}, of_out[2] = {2, 2};
    void *one = on_device(left, sizeof left), *other = on_device(right, sizeof right);
    void *to = device_memory(sizeof product);
    aclTensor *self = tensor(one, ACL_FLOAT, of_left, 2), *out = tensor(to, ACL_FLOAT, of_out, 2);
    aclTensor *mat2 = aclCreateTensor(of_right, 2, ACL_FLOAT, transposed, 0, ACL_FORMAT_ND, of_right, 2, other);
    EXPECT(mat2 != NULL);
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    RETURNS(ACLNN_ERR_PARAM_INVALID, aclnnMatmulGetWorkspaceSize(self, self, out, 0, &size, &executor));
    RETURNS(ACLNN_ERR_PARAM_INVALID, aclnnMatmulGetWorkspaceSize(self, mat2, out, 9, &size, &executor));
    CHECK(aclnnMatmulGetWorkspaceSize(self, mat2, out, 0, &size, &executor));
    finish(aclnnMatmul, size, executor, stream);
    expect_bytes(to, product, sizeof product);
    CHECK(aclDestroyTensor(self));
    CHECK(aclDestroyTensor(mat2));
    CHECK(aclDestroyTensor(out));
    CHECK(aclrtFree(one));
    CHECK(aclrtFree(other));
    CHECK(aclrtFree(to));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
