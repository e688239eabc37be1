/* The description of a picture is destroyed before the wait. */
#include "../check.h"

int main(void) {
    begin();
    aclrtStream stream = NULL;
    CHECK(aclrtCreateStream(&stream));
    acldvppChannelDesc *channel = acldvppCreateChannelDesc();
    CHECK(acldvppCreateChannel(channel));
    acldvppPicDesc *pictures[2];
    void *memory[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        pictures[i] = acldvppCreatePicDesc();
        CHECK(acldvppMalloc(&memory[i], 1024));
        CHECK(aclrtMemset(memory[i], 1024, 1, 1024));
        CHECK(acldvppSetPicDescData(pictures[i], memory[i]));
        CHECK(acldvppSetPicDescSize(pictures[i], 1024));
        CHECK(acldvppSetPicDescWidth(pictures[i], 32));
        CHECK(acldvppSetPicDescHeight(pictures[i], 32));
        CHECK(acldvppSetPicDescWidthStride(pictures[i], 32));
        CHECK(acldvppSetPicDescHeightStride(pictures[i], 32));
    }
    acldvppRoiConfig *crop = acldvppCreateRoiConfig(0, 31, 0, 31);
    CHECK(acldvppVpcCropAsync(channel, pictures[0], pictures[1], crop, stream));
    CHECK(acldvppDestroyPicDesc(pictures[0])); /* here */
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(acldvppDestroyPicDesc(pictures[1]));
    CHECK(acldvppDestroyRoiConfig(crop));
    CHECK(acldvppFree(memory[0]));
    CHECK(acldvppFree(memory[1]));
    CHECK(acldvppDestroyChannel(channel));
    CHECK(acldvppDestroyChannelDesc(channel));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
