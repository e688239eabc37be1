/* The options of HCCL in the version of CANN 8.1, and the function that writes them. */
#ifdef __cplusplus
typedef struct HcclCommConfigDef {
    char reserved[24];
    uint32_t hcclBufferSize;
    uint32_t hcclDeterministic;
    char hcclCommName[128];
    char hcclUdi[128];
    uint32_t hcclOpExpansionMode;
    uint32_t hcclRdmaTrafficClass;
    uint32_t hcclRdmaServiceLevel;
} HcclCommConfig;
inline void HcclCommConfigInit(HcclCommConfig *config) {
    typedef struct { size_t size; uint32_t magic; uint32_t version; uint64_t reserved; } info_t;
    info_t *info = (info_t *)config;
    info->size = sizeof(HcclCommConfig);
    info->magic = 0xf0f0f0f0;
    info->version = 5;
    info->reserved = 0;
    config->hcclBufferSize = 0xffffffff;
    config->hcclDeterministic = 0xffffffff;
    config->hcclCommName[0] = 0;
    config->hcclUdi[0] = 0;
    config->hcclOpExpansionMode = 0;
    config->hcclRdmaTrafficClass = 0xffffffff;
    config->hcclRdmaServiceLevel = 0xffffffff;
}
#endif
