/* The copies of libc_sec that examples of CANN call: they fail where the room is too small, and leave zeros there. */
#ifndef ASCENDCL_EMULATOR_SECUREC_H
#define ASCENDCL_EMULATOR_SECUREC_H

#include <errno.h>
#include <string.h>

typedef int errno_t;
#define EOK 0
#define EINVAL_AND_RESET 150
#define ERANGE_AND_RESET 162

static inline errno_t memset_s(void *to, size_t room, int value, size_t count)
{
    if (to == NULL) {
        return EINVAL;
    }
    memset(to, value, count < room ? count : room);
    return count <= room ? EOK : ERANGE_AND_RESET;
}

static inline errno_t memcpy_s(void *to, size_t room, const void *from, size_t count)
{
    if (to == NULL) {
        return EINVAL;
    }
    if (from == NULL || count > room) {
        memset(to, 0, room);
        return from == NULL ? EINVAL_AND_RESET : ERANGE_AND_RESET;
    }
    memcpy(to, from, count);
    return EOK;
}

static inline errno_t strcpy_s(char *to, size_t room, const char *from)
{
    if (to == NULL || room == 0) {
        return to == NULL ? EINVAL : ERANGE;
    }
    if (from == NULL || strlen(from) >= room) {
        to[0] = '\0';
        return from == NULL ? EINVAL_AND_RESET : ERANGE_AND_RESET;
    }
    memcpy(to, from, strlen(from) + 1);
    return EOK;
}

#endif
