/* Each block of a kernel writes all elements of a buffer. */
#include "../kernel.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    aclrtBinHandle binary = load("mistakes");
    aclrtFuncHandle kernel = look_up(binary, "racing");
    struct arguments arguments = two_buffers();
    aclrtLaunchKernelWithHostArgs(kernel, 2, stream, NULL, &arguments, sizeof arguments, NULL, 0); /* here */
    CHECK(aclrtSynchronizeStream(stream));
    free_both(arguments);
    CHECK(aclrtBinaryUnLoad(binary));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
