/* A kernel is launched with an address of the host. */
#include "../kernel.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    aclrtBinHandle binary = load("mistakes");
    aclrtFuncHandle kernel = look_up(binary, "racing");
    float numbers[64] = {0};
    struct arguments arguments = {numbers, numbers, 64};
    RETURNS(107000, aclrtLaunchKernelWithHostArgs(kernel, 2, stream, NULL, &arguments, sizeof arguments, NULL, 0)); /* here */
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtBinaryUnLoad(binary));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
