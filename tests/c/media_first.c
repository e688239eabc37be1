/* Pictures with the first generation of the media engine: the usual sequence of calls, without decoding. */
#include "check.h"

#define WIDTH 32
#define HEIGHT 16

static acldvppPicDesc *describe(acldvppPixelFormat format, uint32_t stride, uint32_t size, void **memory) {
    acldvppPicDesc *desc = acldvppCreatePicDesc();
    EXPECT(desc != NULL);
    CHECK(acldvppMalloc(memory, size));
    CHECK(aclrtMemset(*memory, size, 0, size));
    CHECK(acldvppSetPicDescData(desc, *memory));
    CHECK(acldvppSetPicDescSize(desc, size));
    CHECK(acldvppSetPicDescFormat(desc, format));
    CHECK(acldvppSetPicDescWidth(desc, WIDTH));
    CHECK(acldvppSetPicDescHeight(desc, HEIGHT));
    CHECK(acldvppSetPicDescWidthStride(desc, stride));
    CHECK(acldvppSetPicDescHeightStride(desc, HEIGHT));
    return desc;
}

int main(void) {
    begin();
    aclrtStream stream = NULL;
    CHECK(aclrtCreateStream(&stream));
    acldvppChannelDesc *channel = acldvppCreateChannelDesc();
    EXPECT(channel != NULL);
    CHECK(acldvppCreateChannel(channel));
    EXPECT(acldvppGetChannelDescChannelId(channel) > 0);

    void *colours = NULL, *planes = NULL, *pasted = NULL;
    acldvppPicDesc *source = describe(PIXEL_FORMAT_RGB_888, WIDTH * 3, WIDTH * HEIGHT * 3, &colours);
    acldvppPicDesc *converted = describe(PIXEL_FORMAT_YUV_SEMIPLANAR_420, WIDTH, WIDTH * HEIGHT * 3 / 2, &planes);
    acldvppPicDesc *result = describe(PIXEL_FORMAT_YUV_SEMIPLANAR_420, WIDTH, WIDTH * HEIGHT * 3 / 2, &pasted);
    CHECK(aclrtMemset(colours, WIDTH * HEIGHT * 3, 255, WIDTH * HEIGHT * 3));

    CHECK(acldvppVpcConvertColorAsync(channel, source, converted, stream));
    acldvppRoiConfig *crop = acldvppCreateRoiConfig(0, 15, 0, 7);
    acldvppRoiConfig *paste = acldvppCreateRoiConfig(16, 31, 8, 15);
    CHECK(acldvppVpcCropAndPasteAsync(channel, converted, result, crop, paste, stream));
    CHECK(acldvppDestroyRoiConfig(crop));
    CHECK(acldvppDestroyRoiConfig(paste));
    acldvppHist *histogram = acldvppCreateHist();
    CHECK(acldvppVpcCalcHistAsync(channel, result, histogram, NULL, stream));
    CHECK(aclrtSynchronizeStream(stream));
    EXPECT(acldvppGetPicDescRetCode(result) == 0);
    EXPECT(acldvppGetHistRetCode(histogram) == 0);

    uint32_t *counts = NULL;
    uint16_t length = 0;
    CHECK(acldvppGetHistData(histogram, 0, &counts, &length));
    EXPECT(length == 256 && counts[255] == 16 * 8 && counts[0] == WIDTH * HEIGHT - 16 * 8);

    CHECK(acldvppDestroyHist(histogram));
    CHECK(acldvppDestroyPicDesc(source));
    CHECK(acldvppDestroyPicDesc(converted));
    CHECK(acldvppDestroyPicDesc(result));
    CHECK(acldvppFree(colours));
    CHECK(acldvppFree(planes));
    CHECK(acldvppFree(pasted));
    CHECK(acldvppDestroyChannel(channel));
    CHECK(acldvppDestroyChannelDesc(channel));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
