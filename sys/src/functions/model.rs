//! Model instances (`acl/acl_rt.h`).

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the model functions.
#[doc(hidden)]
#[macro_export]
macro_rules! model_functions {
    ($callback:path) => {
        $callback! {
            area "model", ModelTable;
            /// Queues a run of a model instance.
            fn aclmdlRIExecuteAsync(modelRI: aclmdlRI, stream: aclrtStream) -> aclError;
            /// Destroys a model instance.
            fn aclmdlRIDestroy(modelRI: aclmdlRI) -> aclError;
        }
    };
}
model_functions!(define);
