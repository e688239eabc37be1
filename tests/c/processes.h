/* Two ranks that are processes, for the programs of collectives. */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "hccl/hccl.h"

enum { RANKS = 2 };

/* Runs a function in two processes, each with the device of its rank. The first one makes the root information, and
 * sends it to the other one through a pipe. */
static inline int two_processes(void (*run)(const HcclRootInfo *root, uint32_t rank)) {
    int ends[2];
    EXPECT(pipe(ends) == 0);
    /* Before the first call of AscendCL: the threads of a process do not exist in its copy. */
    pid_t other = fork();
    EXPECT(other >= 0);
    HcclRootInfo root;
    memset(&root, 0, sizeof root);
    CHECK(aclInit(NULL));
    if (other == 0) {
        CHECK(aclrtSetDevice(1));
        EXPECT(read(ends[0], &root, sizeof root) == (ssize_t)sizeof root);
        run(&root, 1);
        return 0;
    }
    CHECK(aclrtSetDevice(0));
    CHECK(HcclGetRootInfo(&root));
    EXPECT(write(ends[1], &root, sizeof root) == (ssize_t)sizeof root);
    run(&root, 0);
    int status = 1;
    EXPECT(waitpid(other, &status, 0) == other);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 0;
}

#endif
