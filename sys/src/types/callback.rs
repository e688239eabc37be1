//! Callbacks: enumerations (`acl/acl_rt.h`, ACL 1.17).

enumeration! {
    /// Whether a callback holds up its stream.
    aclrtCallbackBlockType: u32 {
        ACL_CALLBACK_NO_BLOCK = 0,
        ACL_CALLBACK_BLOCK = 1,
    }
}
