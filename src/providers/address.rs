//! Endpoint addresses: from the configured base URL to the request URL and to the origin that a key belongs
//! to. Parsing is strict so that it cannot differ from the browser's: a key must not reach a host that it
//! was not entered for.

use crate::core::ask::{Failure, FailureKind};
use crate::core::limits;
use std::fmt;

/// Why a base URL cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressError {
    Missing,
    /// Neither `http://` nor `https://`.
    Scheme,
    /// No host, or one with characters outside ASCII letters, digits, `.`, `-`, `_`.
    Host,
    /// Not a number from 1 to 65535.
    Port,
    /// Contains a user name or password.
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

/// Returns the chat endpoint under `base_url`, which may end in `/` or already be the endpoint. The query is
/// preserved. `/v1` is not added: some providers have none.
///
/// # Errors
/// Returns an error if the base URL is not a plain http(s) URL.
pub fn chat_url(base_url: &str) -> Result<String, AddressError> {
    endpoint(base_url, &["/chat/completions"], "", "/chat/completions")
}

/// Appends `tail` to `base_url` after removing a trailing `/` and the suffixes in `known`. `home` replaces an
/// empty path. The query is preserved, after that of `tail`.
///
/// # Errors
/// Returns an error if the base URL is not a plain http(s) URL.
pub(super) fn endpoint(
    base_url: &str,
    known: &[&str],
    home: &str,
    tail: &str,
) -> Result<String, AddressError> {
    let UrlParts { origin, path, query } = parse(base_url)?;
    let mut path = path.trim_end_matches('/');
    for suffix in known {
        path = path.strip_suffix(suffix).unwrap_or(path).trim_end_matches('/');
    }
    let path = if path.is_empty() { home } else { path };
    let query = match query.strip_prefix('?') {
        Some(more) if tail.contains('?') => format!("&{more}"),
        _ => query.to_owned(),
    };
    Ok(format!("{origin}{path}{tail}{query}"))
}

/// Returns the origin as browsers serialize it: `https://api.example.com`, lower case, without the scheme's
/// default port.
///
/// # Errors
/// Returns an error if the base URL is not a plain http(s) URL.
pub fn origin(base_url: &str) -> Result<String, AddressError> {
    parse(base_url).map(|parts| parts.origin)
}

/// Returns whether the origin is this machine.
#[must_use]
pub fn is_local(origin: &str) -> bool {
    limits::is_local(origin)
}

struct UrlParts<'a> {
    origin: String,
    /// Empty or with a leading slash.
    path: &'a str,
    /// Empty or with a leading question mark.
    query: &'a str,
}

fn parse(base_url: &str) -> Result<UrlParts<'_>, AddressError> {
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
    let (host, port) = split_authority(authority)?;
    let host = host.to_ascii_lowercase();
    let origin = match port {
        Some(port) if port != default_port => format!("{scheme}://{host}:{port}"),
        _ => format!("{scheme}://{host}"),
    };
    Ok(UrlParts { origin, path, query })
}

fn split_authority(authority: &str) -> Result<(&str, Option<u16>), AddressError> {
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
        suffix => {
            let digits = suffix.strip_prefix(':').ok_or(AddressError::Host)?;
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
    fn chat_urls_of_base_urls() {
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
    fn urls_other_than_plain_http_are_rejected() {
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
    fn origins_match_browser_serialization() {
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
    fn local_origins_are_recognized() {
        for local in [
            "http://localhost:8080",
            "http://127.0.0.1",
            "http://[::1]:80",
            "http://a.localhost",
        ] {
            assert!(is_local(local), "{local}");
        }
        for remote in [
            "https://api.openai.com",
            "http://localhost.example",
            "http://127.evil.example",
            "http://192.168.0.2:8080",
        ] {
            assert!(!is_local(remote), "{remote}");
        }
    }
}
