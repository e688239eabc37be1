/* Two names of a library are one library: a value that is set through one name is read through the other. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "check.h"

typedef aclError (*get_device)(int32_t *);

int main(void) {
    begin();
    const char *names[] = {"libascendcl.so", "libopapi.so", "libnnopbase.so", "libacl_dvpp.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *library = dlopen(names[i], RTLD_NOW);
        EXPECT(library != NULL);
        get_device get = NULL;
        *(void **)&get = dlsym(library, "aclrtGetDevice");
        EXPECT(get != NULL);
        int32_t device = -1;
        CHECK(get(&device));
        EXPECT(device == 0);
    }
    end();
    return 0;
}
