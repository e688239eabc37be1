/* Two processes that share device memory: by a key, and by a handle of physical memory. */
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { SIZE = 10000, UNIT = 2 << 20 };

/* The data that the first process sends to the second one. */
struct offer {
    char key[65];
    uint64_t handle;
};

static char byte_at(void *memory, size_t offset) {
    char byte = 0;
    CHECK(aclrtMemcpy(&byte, 1, (char *)memory + offset, 1, ACL_MEMCPY_DEVICE_TO_HOST));
    return byte;
}

static void *mapped(aclrtDrvMemHandle handle) {
    void *memory = NULL;
    CHECK(aclrtReserveMemAddress(&memory, UNIT, 0, NULL, 1));
    CHECK(aclrtMapMem(memory, UNIT, 0, handle, 0));
    return memory;
}

static void unmapped(void *memory, aclrtDrvMemHandle handle) {
    CHECK(aclrtUnmapMem(memory));
    CHECK(aclrtReleaseMemAddress(memory));
    CHECK(aclrtFreePhysical(handle));
}

static void import(int from) {
    struct offer offer;
    EXPECT(read(from, &offer, sizeof offer) == (ssize_t)sizeof offer);
    begin();
    void *memory = NULL;
    CHECK(aclrtIpcMemImportByKey(&memory, offer.key, ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT));
    EXPECT(byte_at(memory, SIZE - 1) == 1);
    CHECK(aclrtMemset(memory, SIZE, 2, SIZE));
    CHECK(aclrtIpcMemClose(offer.key));
    RETURNS(507899, aclrtIpcMemClose(offer.key));
    aclrtDrvMemHandle handle = NULL;
    CHECK(aclrtMemImportFromShareableHandleV2(&offer.handle, ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, 0, &handle));
    memory = mapped(handle);
    EXPECT(byte_at(memory, UNIT - 1) == 3);
    CHECK(aclrtMemset(memory, UNIT, 4, UNIT));
    unmapped(memory, handle);
    end();
}

static void export(int to, pid_t other) {
    begin();
    struct offer offer;
    void *memory = device_memory(SIZE);
    CHECK(aclrtMemset(memory, SIZE, 1, SIZE));
    CHECK(aclrtIpcMemGetExportKey(memory, SIZE, offer.key, 65, ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT));
    int32_t process = other;
    CHECK(aclrtIpcMemSetImportPid(offer.key, &process, 1));
    void *own = NULL;
    RETURNS(507899, aclrtIpcMemImportByKey(&own, offer.key, ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT));
    aclrtPhysicalMemProp prop;
    memset(&prop, 0, sizeof prop);
    prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
    prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
    prop.memAttr = ACL_HBM_MEM_HUGE;
    prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    aclrtDrvMemHandle handle = NULL;
    CHECK(aclrtMallocPhysical(&handle, UNIT, &prop, 0));
    void *physical = mapped(handle);
    CHECK(aclrtMemset(physical, UNIT, 3, UNIT));
    CHECK(aclrtMemExportToShareableHandleV2(handle, ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION,
                                            ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, &offer.handle));
    EXPECT(write(to, &offer, sizeof offer) == (ssize_t)sizeof offer);
    int status = 1;
    EXPECT(waitpid(other, &status, 0) == other);
    EXPECT(status == 0);
    EXPECT(byte_at(memory, 0) == 2);
    EXPECT(byte_at(physical, 0) == 4);
    CHECK(aclrtIpcMemClose(offer.key));
    CHECK(aclrtFree(memory));
    unmapped(physical, handle);
    end();
}

int main(void) {
    int ends[2];
    EXPECT(pipe(ends) == 0);
    pid_t other = fork();
    EXPECT(other >= 0);
    if (other == 0) {
        import(ends[0]);
    } else {
        export(ends[1], other);
    }
    return 0;
}
