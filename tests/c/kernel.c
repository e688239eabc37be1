/* Kernels of the program, by all forms of launches. On the emulator. */
#include "kernel.h"

enum { COUNT = 512, BLOCKS = 4 };

/* The arguments of `add`. */
struct add {
    void *x, *y, *z;
    uint32_t n;
};

/* The structure of structure.cpp. */
struct line {
    uint8_t is_on;
    uint32_t length;
    double scale;
    float shift;
};

static aclrtStream stream;

static void *numbers(float value) {
    float host[COUNT];
    for (int i = 0; i < COUNT; i++) {
        host[i] = value * (float)i;
    }
    void *memory = device_memory(sizeof host);
    CHECK(aclrtMemcpy(memory, sizeof host, host, sizeof host, ACL_MEMCPY_HOST_TO_DEVICE));
    return memory;
}

/* Waits, compares each number with `factor * i + shift`, and clears the memory. */
static void expect(void *memory, float factor, float shift) {
    float host[COUNT];
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(host, sizeof host, memory, sizeof host, ACL_MEMCPY_DEVICE_TO_HOST));
    for (int i = 0; i < COUNT; i++) {
        EXPECT(host[i] == factor * (float)i + shift);
    }
    CHECK(aclrtMemset(memory, sizeof host, 0, sizeof host));
}

/* With arguments of the host, of the device, and as an array of their addresses. */
static void by_arguments(aclrtFuncHandle function, struct add add) {
    size_t size = sizeof add, count = 0, offset = 0, bytes = 0;
    CHECK(aclrtFunctionGetParamCount(function, &count));
    EXPECT(count == 4);
    CHECK(aclrtFunctionGetParamInfo(function, 3, &offset, &bytes));
    EXPECT(offset == 24 && bytes == 4);
    CHECK(aclrtLaunchKernelWithHostArgs(function, BLOCKS, stream, NULL, &add, size, NULL, 0));
    expect(add.z, 3, 0);
    aclrtLaunchKernelAttr batch = {.id = ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, .value = {.schemMode = 1}};
    aclrtLaunchKernelCfg config = {&batch, 1};
    CHECK(aclrtLaunchKernelWithHostArgs(function, BLOCKS, stream, &config, &add, size, NULL, 0));
    expect(add.z, 3, 0);
    void *device = device_memory(size);
    CHECK(aclrtMemcpy(device, size, &add, size, ACL_MEMCPY_HOST_TO_DEVICE));
    CHECK(aclrtLaunchKernel(function, BLOCKS, device, size, stream));
    expect(add.z, 3, 0);
    CHECK(aclrtLaunchKernelV2(function, BLOCKS, device, size, &config, stream));
    expect(add.z, 3, 0);
    CHECK(aclrtFree(device));
    void *array[] = {&add.x, &add.y, &add.z, &add.n};
    CHECK(aclrtLaunchKernelWithArgsArray(function, BLOCKS, stream, NULL, array));
    expect(add.z, 3, 0);
}

/* With a list of arguments, of which one is changed between two launches. */
static void by_list(aclrtFuncHandle function, struct add add) {
    aclrtArgsHandle list = NULL;
    aclrtParamHandle first = NULL, other = NULL;
    CHECK(aclrtKernelArgsInit(function, &list));
    CHECK(aclrtKernelArgsAppend(list, &add.x, sizeof add.x, &first));
    CHECK(aclrtKernelArgsAppend(list, &add.y, sizeof add.y, &other));
    CHECK(aclrtKernelArgsAppend(list, &add.z, sizeof add.z, &other));
    CHECK(aclrtKernelArgsAppend(list, &add.n, sizeof add.n, &other));
    CHECK(aclrtKernelArgsFinalize(list));
    CHECK(aclrtLaunchKernelWithConfig(function, BLOCKS, stream, NULL, list, NULL));
    expect(add.z, 3, 0);
    CHECK(aclrtKernelArgsParaUpdate(list, first, &add.y, sizeof add.y));
    CHECK(aclrtKernelArgsFinalize(list));
    CHECK(aclrtLaunchKernelWithConfig(function, BLOCKS, stream, NULL, list, NULL));
    expect(add.z, 4, 0);
}

/* With a structure by value, and with one behind the arguments. */
static void by_structure(aclrtBinHandle binary, struct add add) {
    struct {
        void *x, *y;
        struct line line;
        uint16_t repeats;
    } by_value = {add.x, add.z, {1, COUNT, 2.0, 1.0F}, 1};
    aclrtFuncHandle function = look_up(binary, "by_value");
    CHECK(aclrtLaunchKernelWithHostArgs(function, BLOCKS, stream, NULL, &by_value, sizeof by_value, NULL, 0));
    expect(add.z, 2, 1);
    struct {
        void *x, *y, *line;
        struct line behind;
    } placed = {add.x, add.z, NULL, {1, COUNT, 3.0, 2.0F}};
    aclrtPlaceHolderInfo place = {16, 24};
    function = look_up(binary, "placed");
    CHECK(aclrtLaunchKernelWithHostArgs(function, BLOCKS, stream, NULL, &placed, sizeof placed, &place, 1));
    expect(add.z, 3, 2);
}

int main(void) {
    begin();
    stream = new_stream();
    struct add add = {numbers(1), numbers(2), numbers(0), COUNT};
    aclrtBinHandle binary = load("add"), structures = load("structure");
    aclrtFuncHandle function = look_up(binary, "add");
    by_arguments(function, add);
    by_list(function, add);
    by_structure(structures, add);
    /* What does not fit is refused with the kernel in the text. */
    RETURNS(107000, aclrtLaunchKernelWithHostArgs(function, 0, stream, NULL, &add, sizeof add, NULL, 0));
    SAYS("0");
    aclrtFuncHandle none = NULL;
    RETURNS(107000, aclrtBinaryGetFunction(binary, "nowhere", &none));
    SAYS("nowhere");
    CHECK(aclrtBinaryUnLoad(binary));
    CHECK(aclrtBinaryUnLoad(structures));
    CHECK(aclrtFree(add.x));
    CHECK(aclrtFree(add.y));
    CHECK(aclrtFree(add.z));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
