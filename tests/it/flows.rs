//! The programs at which the messages of the compiler arrive (`ui-tests/flows`) run to their end.

/// Adds a program, with a test that runs it.
macro_rules! flow {
    ($name:ident: $file:literal) => {
        #[allow(clippy::print_stdout, reason = "a program shows what it did")]
        mod $name {
            include!($file);

            // The C library may have no engine for pictures.
            crate::common::isolated! {
                ["ASCENDCL_BACKEND" = "emulator"]
                on emulator fn runs_to_its_end() {
                    main().unwrap();
                }
            }
        }
    };
}

flow! { data_parallel: "flows/data_parallel.rs" }
flow! { double_buffering: "flows/double_buffering.rs" }
#[cfg(feature = "emulator-media")]
flow! { label: "flows/label.rs" }
flow! { session: "flows/session.rs" }
flow! { upload: "flows/upload.rs" }
