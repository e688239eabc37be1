//! The JSON file of `aclInit`.

use ascendcl::sys::config::{Config, ConfigError};

use crate::scratch;

pub(crate) fn read(bytes: &[u8]) {
    let (path, _) = scratch::write("acl.json", bytes);
    let first = Config::read(&path);
    assert_eq!(first, Config::read(&path), "the second reading differs");
    let text = String::from_utf8_lossy(bytes);
    match first {
        Ok(Config {
            default_device: Some(id),
        }) => {
            assert!(
                text.contains("default_device") || text.contains('\\'),
                "{id} from nowhere"
            );
        }
        Ok(_) => {}
        Err(error) => {
            let message = error.to_string();
            assert!(message.contains("acl.json"), "{message}");
            let is_utf8 = std::str::from_utf8(bytes).is_ok();
            assert_eq!(
                matches!(error, ConfigError::Unreadable { .. }),
                !is_utf8,
                "{message}"
            );
        }
    }
}
