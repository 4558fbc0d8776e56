//! The encoding of a feed's bytes.

/// Returns the name of the encoding: by its byte order mark, by the zero bytes of UTF-16, by the content type, or
/// by the XML declaration. `None` means UTF-8.
#[must_use]
pub fn encoding(content_type: Option<&str>, bytes: &[u8]) -> Option<String> {
    let known = match bytes {
        [0xef, 0xbb, 0xbf, ..] => Some("utf-8"),
        [0xff, 0xfe, ..] | [b'<' | b'{', 0, ..] => Some("utf-16le"),
        [0xfe, 0xff, ..] | [0, b'<' | b'{', ..] => Some("utf-16be"),
        _ => None,
    };
    if let Some(name) = known {
        return Some(name.to_owned());
    }
    let start = String::from_utf8_lossy(bytes.get(..200).unwrap_or(bytes)).into_owned();
    let declaration = start
        .strip_prefix("<?xml")
        .and_then(|rest| rest.split('>').next());
    let named = content_type
        .and_then(|header| value_of(header, "charset="))
        .or_else(|| value_of(declaration?, "encoding="))?;
    // What could be read as single bytes is not UTF-16, whatever it is called.
    Some(named).filter(|name| !name.starts_with("utf-16"))
}

fn value_of(text: &str, label: &str) -> Option<String> {
    let text = text.to_ascii_lowercase();
    let value = text.split_once(label)?.1.trim_start_matches(['"', '\'']);
    let end = value.find(|c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c));
    Some(value[..end.unwrap_or(value.len())].to_owned()).filter(|name| !name.is_empty())
}
