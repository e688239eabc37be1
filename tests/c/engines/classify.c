/* From a JPEG file to a class: decode, scale, prepare on the host, run a model. Arguments: model, picture, class. */
#include "../check.h"
#include "acl/acl_mdl.h"
#include "acl/ops/acl_dvpp.h"

enum { SIDE = 32, AREA = SIDE * SIDE, LARGEST = 1 << 16 };

/* Reads a file. */
static size_t read_file(const char *path, unsigned char *bytes) {
    FILE *file = fopen(path, "rb");
    EXPECT(file != NULL);
    size_t size = fread(bytes, 1, LARGEST, file);
    EXPECT(size > 0 && size < LARGEST);
    fclose(file);
    return size;
}

/* Describes a picture of NV12 in memory of the media engine. */
static acldvppPicDesc *describe(uint32_t width, uint32_t height, uint32_t stride, uint32_t rows, uint32_t size) {
    acldvppPicDesc *desc = acldvppCreatePicDesc();
    void *memory = NULL;
    EXPECT(desc != NULL);
    CHECK(acldvppMalloc(&memory, size));
    CHECK(acldvppSetPicDescData(desc, memory));
    CHECK(acldvppSetPicDescSize(desc, size));
    CHECK(acldvppSetPicDescFormat(desc, PIXEL_FORMAT_YUV_SEMIPLANAR_420));
    CHECK(acldvppSetPicDescWidth(desc, width));
    CHECK(acldvppSetPicDescHeight(desc, height));
    CHECK(acldvppSetPicDescWidthStride(desc, stride));
    CHECK(acldvppSetPicDescHeightStride(desc, rows));
    return desc;
}

static void forget(acldvppPicDesc *desc) {
    CHECK(acldvppFree(acldvppGetPicDescData(desc)));
    CHECK(acldvppDestroyPicDesc(desc));
}

/* Decodes and scales a picture, and copies its pixels to the host. */
static void pixels_of(const char *path, unsigned char *pixels, aclrtStream stream) {
    static unsigned char bytes[LARGEST];
    uint32_t size = (uint32_t)read_file(path, bytes), width = 0, height = 0, decoded = 0;
    int32_t components = 0;
    acldvppChannelDesc *channel = acldvppCreateChannelDesc();
    CHECK(acldvppCreateChannel(channel));
    CHECK(acldvppJpegGetImageInfo(bytes, size, &width, &height, &components));
    EXPECT(width == 64 && height == 64 && components == 3);
    CHECK(acldvppJpegPredictDecSize(bytes, size, PIXEL_FORMAT_YUV_SEMIPLANAR_420, &decoded));
    void *file = NULL;
    CHECK(acldvppMalloc(&file, size));
    CHECK(aclrtMemcpyAsync(file, size, bytes, size, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    acldvppPicDesc *large = describe(width, height, 64, 64, decoded);
    acldvppPicDesc *small = describe(SIDE, SIDE, SIDE, SIDE, AREA * 3 / 2);
    acldvppResizeConfig *way = acldvppCreateResizeConfig();
    CHECK(acldvppJpegDecodeAsync(channel, file, size, large, stream));
    CHECK(acldvppVpcResizeAsync(channel, large, small, way, stream));
    CHECK(aclrtSynchronizeStream(stream));
    EXPECT(acldvppGetPicDescRetCode(large) == 0 && acldvppGetPicDescRetCode(small) == 0);
    CHECK(aclrtMemcpy(pixels, AREA * 3 / 2, acldvppGetPicDescData(small), AREA * 3 / 2,
                      ACL_MEMCPY_DEVICE_TO_HOST));
    CHECK(acldvppDestroyResizeConfig(way));
    forget(large);
    forget(small);
    CHECK(acldvppFree(file));
    CHECK(acldvppDestroyChannel(channel));
    CHECK(acldvppDestroyChannelDesc(channel));
}

/* Writes the colours of NV12, around 0, as the network was trained with them. */
static void prepare(const unsigned char *pixels, float *to) {
    static const float means[3] = {0.485F, 0.456F, 0.406F}, deviations[3] = {0.229F, 0.224F, 0.225F};
    for (int i = 0; i < AREA; i++) {
        const unsigned char *colour = pixels + AREA + i / SIDE / 2 * SIDE + i % SIDE / 2 * 2;
        float luma = pixels[i], blue = (float)colour[0] - 128, red = (float)colour[1] - 128;
        float rgb[3] = {luma + 1.402F * red, luma - 0.344136F * blue - 0.714136F * red, luma + 1.772F * blue};
        for (int c = 0; c < 3; c++) {
            float value = rgb[c] < 0 ? 0 : rgb[c] > 255 ? 255 : rgb[c];
            to[c * AREA + i] = (value / 255 - means[c]) / deviations[c];
        }
    }
}

/* Makes a data set of one buffer. */
static aclmdlDataset *dataset(void *memory, size_t size) {
    aclmdlDataset *set = aclmdlCreateDataset();
    EXPECT(set != NULL);
    CHECK(aclmdlAddDatasetBuffer(set, aclCreateDataBuffer(memory, size)));
    return set;
}

static void end_dataset(aclmdlDataset *set) {
    aclDataBuffer *buffer = aclmdlGetDatasetBuffer(set, 0);
    CHECK(aclrtFree(aclGetDataBufferAddr(buffer)));
    CHECK(aclDestroyDataBuffer(buffer));
    CHECK(aclmdlDestroyDataset(set));
}

int main(int count, char **arguments) {
    EXPECT(count == 4);
    begin();
    aclrtStream stream = new_stream();
    unsigned char pixels[AREA * 3 / 2];
    pixels_of(arguments[2], pixels, stream);

    uint32_t model = 0;
    CHECK(aclmdlLoadFromFile(arguments[1], &model));
    aclmdlDesc *desc = aclmdlCreateDesc();
    CHECK(aclmdlGetDesc(desc, model));
    EXPECT(aclmdlGetNumInputs(desc) == 1 && aclmdlGetNumOutputs(desc) == 1);
    size_t in_size = aclmdlGetInputSizeByIndex(desc, 0), out_size = aclmdlGetOutputSizeByIndex(desc, 0);
    size_t batch = in_size / (3 * AREA * sizeof(float));
    float *numbers = host_memory(in_size), *scores = host_memory(out_size);
    for (size_t i = 0; i < batch; i++) {
        prepare(pixels, numbers + i * 3 * AREA);
    }
    void *input = device_memory(in_size), *output = device_memory(out_size);
    CHECK(aclrtMemcpy(input, in_size, numbers, in_size, ACL_MEMCPY_HOST_TO_DEVICE));
    aclmdlDataset *ins = dataset(input, in_size), *outs = dataset(output, out_size);
    CHECK(aclmdlExecute(model, ins, outs));
    CHECK(aclrtMemcpy(scores, out_size, output, out_size, ACL_MEMCPY_DEVICE_TO_HOST));
    size_t classes = out_size / sizeof(float) / batch, best = 0;
    for (size_t i = 1; i < classes; i++) {
        best = scores[i] > scores[best] ? i : best;
    }
    EXPECT(best == (size_t)atoi(arguments[3]));

    end_dataset(ins);
    end_dataset(outs);
    CHECK(aclrtFreeHost(numbers));
    CHECK(aclrtFreeHost(scores));
    CHECK(aclmdlDestroyDesc(desc));
    CHECK(aclmdlUnload(model));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
