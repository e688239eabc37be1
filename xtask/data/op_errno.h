
/* The other codes are there. */
#define ACLNN_SUCCESS 0
