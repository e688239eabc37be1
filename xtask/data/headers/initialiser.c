/* Prints each value that HcclCommConfigInit writes and ascendcl-sys does not. */
#include <stdio.h>
#include <string.h>
#define COMPARE(field, theirs, ours) \
    if ((long long)(theirs) != (ours)) \
        printf("HcclCommConfigInit writes %lld to " field ", and ascendcl-sys %lld\n", (long long)(theirs), (ours));
@HEAD@

int main() {
    HcclCommConfig config;
    memset(&config, 0x5a, sizeof(config));
    HcclCommConfigInit(&config);
    HcclCommConfigHead head;
    memcpy(&head, &config, sizeof(head));
    long long size = 0;
@VERSIONS@
    if (size == 0) {
        printf("HcclCommConfig has the version %lld, which HcclCommConfig::VERSIONS lacks\n", (long long)head.version);
        return 0;
    }
    COMPARE("sizeof", sizeof(config), size)
    COMPARE("size", head.size, size)
@FIELDS@
    return 0;
}
