//! Reads a list of functions: `[mark] fn name(arg: type, ..) -> type;`, one on a line.

use super::{Function, Unreadable, split};

pub(super) fn read(text: &str) -> Result<Vec<Function>, Unreadable> {
    let (mut area, mut functions) = (None, Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.contains('$') {
            continue;
        }
        if let Some(rest) = line.strip_prefix("area \"") {
            area = rest.split('"').next().map(str::to_owned);
            continue;
        }
        let marked = line
            .strip_prefix('[')
            .and_then(|rest| rest.split_once("] "));
        let (mark, rest) = marked.unwrap_or(("", line));
        let (Some(area), Some(signature)) = (&area, rest.strip_prefix("fn ")) else {
            continue;
        };
        let function = function(area, mark, signature);
        functions.push(function.ok_or((number, "this is no function of a list".to_owned()))?);
    }
    Ok(functions)
}

fn function(area: &str, mark: &str, signature: &str) -> Option<Function> {
    let changed = mark.strip_prefix("changed ");
    if !matches!(mark, "" | "newer") && changed.is_none() {
        return None;
    }
    let (name, rest) = signature.strip_suffix(';')?.split_once('(')?;
    let (parameters, result) = rest.rsplit_once(')').map(|(parameters, result)| {
        (parameters, result.trim().strip_prefix("->").map(str::trim))
    })?;
    let parameters = split(parameters).into_iter();
    Some(Function {
        area: area.to_owned(),
        name: name.to_owned(),
        newer: mark == "newer",
        changed: changed.map(str::to_owned),
        parameters: parameters
            .map(|parameter| Some(parameter.split_once(':')?.1.trim().to_owned()))
            .collect::<Option<_>>()?,
        result: result.map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_list_is_read_with_its_area_and_marks() {
        let text = "
            area \"memory\", MemoryTable;
            /// Frees.
            fn aclrtFree(devPtr: *mut c_void) -> aclError;
            [newer] fn aclrtDone();
        ";
        let read = read(text).unwrap_or_default();
        let names: Vec<_> = read.iter().map(|f| (f.name.as_str(), f.newer)).collect();
        assert_eq!(names, [("aclrtFree", false), ("aclrtDone", true)]);
        let [free, done] = read.as_slice() else {
            unreachable!("two functions");
        };
        assert_eq!(
            (free.area.as_str(), free.parameters.as_slice()),
            ("memory", &["*mut c_void".to_owned()][..])
        );
        assert_eq!((done.parameters.len(), &done.result), (0, &None));
    }

    #[test]
    fn a_mark_says_which_release_a_signature_needs() {
        let text = "area \"x\", X;\n[changed 1.17] fn aclrtFree();";
        let changed = read(text).map(|all| all.into_iter().next().and_then(|one| one.changed));
        assert_eq!(changed, Ok(Some("1.17".to_owned())));
        let wrong = text.replace("changed 1.17", "older");
        assert_eq!(read(&wrong).map_err(|(line, _)| line), Err(2));
    }

    #[test]
    fn a_function_that_is_cut_off_is_an_error() {
        let text = "area \"x\", X;\nfn aclrtFree(devPtr: *mut c_void) -> aclError";
        assert_eq!(read(text).map_err(|(line, _)| line), Err(2));
    }
}
