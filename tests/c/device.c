/* Devices: their number, the current one, and their properties. */
#include "check.h"

int main(void) {
    CHECK(aclInit(NULL));
    uint32_t count = 0;
    CHECK(aclrtGetDeviceCount(&count));
    EXPECT(count == 2);
    EXPECT(strncmp(aclrtGetSocName(), "Ascend", 6) == 0);
    RETURNS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtSetDevice((int32_t)count));
    for (int32_t device = 0; device < (int32_t)count; device++) {
        int32_t current = -1;
        CHECK(aclrtSetDevice(device));
        CHECK(aclrtGetDevice(&current));
        EXPECT(current == device);
        int64_t cores = 0;
        CHECK(aclGetDeviceCapability((uint32_t)device, ACL_DEVICE_INFO_AI_CORE_NUM, &cores));
        EXPECT(cores > 0);
        CHECK(aclrtSynchronizeDevice());
    }
    int32_t can = 0;
    CHECK(aclrtDeviceCanAccessPeer(&can, 0, 1));
    EXPECT(can == 1);
    CHECK(aclrtResetDevice(1));
    CHECK(aclrtResetDevice(0));
    RETURNS(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, aclrtResetDevice(0));
    CHECK(aclFinalize());
    return 0;
}
