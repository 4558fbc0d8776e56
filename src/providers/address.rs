//! Where an endpoint is: from the base URL in the configuration to the address that is called and to
//! the origin that a key belongs to. Strict on purpose, so that this reading of an address can never
//! differ from the browser's: a key must not reach a host that it was not entered for.

use crate::core::ask::{Failure, FailureKind};
use crate::core::limits;
use std::fmt;

/// Why a base URL cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressError {
    /// There is none.
    Missing,
    /// Neither `http://` nor `https://`.
    Scheme,
    /// No host, or one with characters outside ASCII letters, digits, `.`, `-`, `_`.
    Host,
    /// The port is not a number from 1 to 65535.
    Port,
    /// A user name or password stands in it.
    Credentials,
    /// Spaces, control characters, backslashes or a fragment.
    Characters,
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "no address: give the base URL of an endpoint, such as http://localhost:8080/v1",
            Self::Scheme => "the base URL must begin with https:// or http://",
            Self::Host => "the base URL has no usable host name (letters, digits, dots and hyphens)",
            Self::Port => "the port in the base URL must be a number from 1 to 65535",
            Self::Credentials => "the base URL must not contain a user name or password; enter a key instead",
            Self::Characters => "the base URL contains a space, a backslash, a # or a control character",
        })
    }
}

impl std::error::Error for AddressError {}

impl From<AddressError> for Failure {
    fn from(error: AddressError) -> Self {
        Self::new(
            FailureKind::Request,
            format!("The model cannot be called: {error}."),
        )
    }
}

/// Address of the chat endpoint under `base_url`, which may end in `/` or already be the endpoint
/// itself. A query stays where it is. `/v1` is not guessed: some providers have none.
///
/// # Errors
/// Where the base URL is not plain http(s).
pub fn chat_url(base_url: &str) -> Result<String, AddressError> {
    endpoint(base_url, &["/chat/completions"], "", "/chat/completions")
}

/// The address `tail` under `base_url`, which may end in `/` or in one of `known`, which go; `home` is
/// its path where it has none. A query stays, behind that of `tail`.
///
/// # Errors
/// Where the base URL is not plain http(s).
pub(super) fn endpoint(
    base_url: &str,
    known: &[&str],
    home: &str,
    tail: &str,
) -> Result<String, AddressError> {
    let Parts { origin, path, query } = parts(base_url)?;
    let mut path = path.trim_end_matches('/');
    for end in known {
        path = path.strip_suffix(end).unwrap_or(path).trim_end_matches('/');
    }
    let path = if path.is_empty() { home } else { path };
    let query = match query.strip_prefix('?') {
        Some(more) if tail.contains('?') => format!("&{more}"),
        _ => query.to_owned(),
    };
    Ok(format!("{origin}{path}{tail}{query}"))
}

/// Origin of a base URL as browsers write it: `https://api.example.com`, lower case, without the
/// scheme's own port.
///
/// # Errors
/// Where the base URL is not plain http(s).
pub fn origin(base_url: &str) -> Result<String, AddressError> {
    parts(base_url).map(|parts| parts.origin)
}

/// Whether the origin is this machine.
#[must_use]
pub fn is_local(origin: &str) -> bool {
    limits::is_local(origin)
}

struct Parts<'a> {
    origin: String,
    /// Empty or with a leading slash.
    path: &'a str,
    /// Empty or with a leading question mark.
    query: &'a str,
}

fn parts(base_url: &str) -> Result<Parts<'_>, AddressError> {
    let text = base_url.trim();
    if text.is_empty() {
        return Err(AddressError::Missing);
    }
    if text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\' || c == '#') {
        return Err(AddressError::Characters);
    }
    let (scheme, rest) = text.split_once("://").ok_or(AddressError::Scheme)?;
    let scheme = scheme.to_ascii_lowercase();
    let default_port = match scheme.as_str() {
        "https" => 443,
        "http" => 80,
        _ => return Err(AddressError::Scheme),
    };
    let (authority, tail) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let (path, query) = tail.split_at(tail.find('?').unwrap_or(tail.len()));
    if authority.contains('@') {
        return Err(AddressError::Credentials);
    }
    let (host, port) = host_and_port(authority)?;
    let host = host.to_ascii_lowercase();
    let origin = match port {
        Some(port) if port != default_port => format!("{scheme}://{host}:{port}"),
        _ => format!("{scheme}://{host}"),
    };
    Ok(Parts { origin, path, query })
}

fn host_and_port(authority: &str) -> Result<(&str, Option<u16>), AddressError> {
    let (host, port) = if authority.starts_with('[') {
        let end = authority.find(']').ok_or(AddressError::Host)?;
        let (host, port) = authority.split_at(end + 1);
        let inner = &host[1..end];
        if inner.is_empty()
            || !inner
                .chars()
                .all(|c| c.is_ascii_hexdigit() || c == ':' || c == '.')
        {
            return Err(AddressError::Host);
        }
        (host, port)
    } else {
        let (host, port) = authority.split_at(authority.find(':').unwrap_or(authority.len()));
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        if !host.contains(|c: char| c.is_ascii_alphanumeric()) || !host.chars().all(plain) {
            return Err(AddressError::Host);
        }
        (host, port)
    };
    let port = match port {
        "" | ":" => None,
        given => {
            let digits = given.strip_prefix(':').ok_or(AddressError::Host)?;
            let number = digits
                .parse::<u16>()
                .ok()
                .filter(|n| *n > 0 && digits.bytes().all(|b| b.is_ascii_digit()));
            Some(number.ok_or(AddressError::Port)?)
        }
    };
    Ok((host, port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_leads_to_the_endpoint() {
        for (base, url) in [
            (
                "https://api.openai.com/v1",
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "https://api.openai.com/v1/",
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "https://api.openai.com/v1//",
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "https://api.openai.com/v1/chat/completions",
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "https://api.openai.com/v1/chat/completions/",
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "https://api.deepseek.com",
                "https://api.deepseek.com/chat/completions",
            ),
            (
                " HTTP://LocalHost:8080/v1 ",
                "http://localhost:8080/v1/chat/completions",
            ),
            ("http://[::1]:8080/v1", "http://[::1]:8080/v1/chat/completions"),
            (
                "https://x.example/Deploy/a?api-version=2",
                "https://x.example/Deploy/a/chat/completions?api-version=2",
            ),
            ("https://x.example?q=/", "https://x.example/chat/completions?q=/"),
        ] {
            assert_eq!(chat_url(base).as_deref(), Ok(url), "{base}");
        }
    }

    #[test]
    fn what_is_not_plain_http_is_refused() {
        for (base, error) in [
            ("", AddressError::Missing),
            ("  ", AddressError::Missing),
            ("api.openai.com/v1", AddressError::Scheme),
            ("ftp://x.example", AddressError::Scheme),
            ("javascript:alert(1)", AddressError::Scheme),
            ("https://", AddressError::Host),
            ("https:///v1", AddressError::Host),
            ("https://…/v1", AddressError::Host),
            ("https://a%2eb/v1", AddressError::Host),
            ("https://[::1/v1", AddressError::Host),
            ("https://[::1]x/v1", AddressError::Host),
            ("https://x.example:0/", AddressError::Port),
            ("https://x.example:+80/", AddressError::Port),
            ("https://x.example:65536/", AddressError::Port),
            ("https://me:secret@x.example/", AddressError::Credentials),
            ("https://good.example\\@evil.example/", AddressError::Characters),
            ("https://x.example/a b", AddressError::Characters),
            ("https://x.example/#a", AddressError::Characters),
        ] {
            assert_eq!(chat_url(base), Err(error), "{base}");
            assert_eq!(origin(base), Err(error), "{base}");
        }
    }

    #[test]
    fn origins_are_written_as_browsers_write_them() {
        for (base, expected) in [
            ("https://API.OpenAI.com:443/v1", "https://api.openai.com"),
            ("http://localhost:80", "http://localhost"),
            ("http://localhost:443", "http://localhost:443"),
            ("http://127.0.0.1:08080/v1", "http://127.0.0.1:8080"),
            ("http://[::1]:11434", "http://[::1]:11434"),
        ] {
            assert_eq!(origin(base).as_deref(), Ok(expected), "{base}");
        }
    }

    #[test]
    fn this_machine_is_known() {
        for local in [
            "http://localhost:8080",
            "http://127.0.0.1",
            "http://[::1]:80",
            "http://a.localhost",
        ] {
            assert!(is_local(local), "{local}");
        }
        for far in [
            "https://api.openai.com",
            "http://localhost.example",
            "http://127.evil.example",
            "http://192.168.0.2:8080",
        ] {
            assert!(!is_local(far), "{far}");
        }
    }
}
