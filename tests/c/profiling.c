/* The profiler: a profile of one device with stamps, and the file that it writes. */
#include "check.h"

#include <dirent.h>
#include <unistd.h>

#include "acl/acl_prof.h"

/* The kinds of data: one is recorded, one is not, and one is for stamps. */
static const uint64_t KINDS = ACL_PROF_TASK_TIME | ACL_PROF_AICORE_METRICS | ACL_PROF_MSPROFTX;

/* Reads the only file of the folder, and removes both. */
static char *take_result(const char *folder) {
    char path[512] = {0};
    DIR *entries = opendir(folder);
    EXPECT(entries != NULL);
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        if (entry->d_name[0] != '.') {
            EXPECT(path[0] == 0);
            EXPECT(strncmp(entry->d_name, "ascendcl-emulator-", strlen("ascendcl-emulator-")) == 0);
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        }
    }
    closedir(entries);
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    EXPECT(file != NULL);
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = 0;
    EXPECT(fclose(file) == 0 && unlink(path) == 0 && rmdir(folder) == 0);
    return text;
}

/* A profile may begin before aclInit, and end after the reset of its device. */
static void around_the_program(const char *folder) {
    uint32_t devices[] = {0};
    CHECK(aclprofInit(folder, strlen(folder)));
    aclprofConfig *config = aclprofCreateConfig(devices, 1, ACL_AICORE_NONE, NULL, ACL_PROF_TASK_TIME);
    EXPECT(config != NULL);
    CHECK(aclprofStart(config));
    begin();
    size_t size = 1 << 12;
    void *memory = device_memory(size);
    CHECK(aclrtMemsetAsync(memory, size, 7, size, NULL));
    CHECK(aclrtSynchronizeStream(NULL));
    CHECK(aclrtFree(memory));
    CHECK(aclrtResetDevice(0));
    CHECK(aclprofStop(config));
    CHECK(aclprofDestroyConfig(config));
    CHECK(aclprofFinalize());
    CHECK(aclFinalize());
    EXPECT(strstr(take_result(folder), "\"name\":\"aclrtMemsetAsync\",\"pid\":1") != NULL);
}

int main(void) {
    /* Below the folder for temporary files, or below the present one. */
    const char *temporary = getenv("TMPDIR");
    char folder[256];
    snprintf(folder, sizeof folder, "%s/ascendcl-profile-%ld", temporary ? temporary : ".", (long)getpid());
    around_the_program(folder);
    begin();
    CHECK(aclprofInit(folder, strlen(folder)));
    RETURNS(ACL_ERROR_REPEAT_INITIALIZE, aclprofInit(folder, strlen(folder)));
    CHECK(aclprofSetConfig(ACL_PROF_SYS_IO_FREQ, "10", 2));

    uint32_t devices[] = {0};
    aclprofConfig *config = aclprofCreateConfig(devices, 1, ACL_AICORE_PIPE_UTILIZATION, NULL, KINDS);
    EXPECT(config != NULL);
    EXPECT(aclprofCreateStamp() == NULL);
    CHECK(aclprofStart(config));
    RETURNS(ACL_ERROR_PROF_ALREADY_RUN, aclprofStart(config));

    aclrtStream stream = new_stream();
    size_t size = 1 << 12;
    void *memory = device_memory(size);
    aclprofStepInfo *step = aclprofCreateStepInfo();
    EXPECT(step != NULL);
    CHECK(aclprofGetStepTimestamp(step, ACL_STEP_START, stream));
    void *stamp = aclprofCreateStamp();
    EXPECT(stamp != NULL);
    CHECK(aclprofSetStampTraceMessage(stamp, "a \"filled\" block", strlen("a \"filled\" block")));
    CHECK(aclprofPush(stamp));
    CHECK(aclrtMemsetAsync(memory, size, 7, size, stream));
    CHECK(aclprofPop());
    RETURNS(-1, aclprofPop());
    uint32_t range = 0;
    CHECK(aclprofRangeStart(stamp, &range));
    CHECK(aclprofMarkEx("a mark", strlen("a mark"), stream));
    CHECK(aclprofMark(stamp));
    CHECK(aclprofRangeStop(range));
    RETURNS(-1, aclprofRangeStop(range));
    aclprofDestroyStamp(stamp);

    /* An operator of the program. */
    aclprofTensorInfo info = {0};
    info.opNameId = aclprofStr2Id("mine");
    info.opTypeId = aclprofStr2Id("Own");
    info.stream = stream;
    aclprofEventAttributes attributes = {0};
    attributes.version = ACL_PROF_EVENT_ATTR_VERSION;
    attributes.size = sizeof attributes;
    attributes.messageType = ACL_PROF_MESSAGE_TYPE_TENSOR_INFO;
    attributes.message.tensorInfo = &info;
    CHECK(aclprofRangePushEx(&attributes));
    CHECK(aclprofRangePop());

    CHECK(aclprofGetStepTimestamp(step, ACL_STEP_END, stream));
    aclprofDestroyStepInfo(step);
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclprofStop(config));
    RETURNS(ACL_ERROR_PROF_NOT_RUN, aclprofStop(config));
    CHECK(aclprofDestroyConfig(config));
    CHECK(aclprofFinalize());
    RETURNS(ACL_ERROR_PROF_NOT_RUN, aclprofFinalize());

    const char *text = take_result(folder);
    const char *expected[] = {
        "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"producer\":\"ascendcl-emulator\"",
        "not in the format of msprof",
        "\"devices\":[0]",
        "\"recorded\":[\"ACL_PROF_TASK_TIME\",\"ACL_PROF_MSPROFTX\"]",
        "\"not recorded\":[\"ACL_PROF_AICORE_METRICS\",\"ACL_AICORE_PIPE_UTILIZATION\"]",
        "\"options without effect\":[\"ACL_PROF_SYS_IO_FREQ=10\"]",
        "\"dropped\":0",
        "\"name\":\"aclrtMemsetAsync\",\"pid\":1",
        "\"name\":\"aclprofMarkEx\",\"pid\":1",
        "\"name\":\"aclprofGetStepTimestamp (start)\",\"pid\":1",
        "\"name\":\"aclprofGetStepTimestamp (end)\",\"pid\":1",
        "\"ph\":\"X\",\"name\":\"a \\\"filled\\\" block\",\"pid\":0",
        "\"ph\":\"i\",\"name\":\"a \\\"filled\\\" block\"",
        "\"ph\":\"b\",\"name\":\"a \\\"filled\\\" block\"",
        "\"ph\":\"i\",\"name\":\"a mark\"",
        "\"name\":\"mine (Own)\"",
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        if (strstr(text, expected[i]) == NULL) {
            fprintf(stderr, "%s is not in %s\n", expected[i], text);
            return 1;
        }
    }

    CHECK(aclrtFree(memory));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
