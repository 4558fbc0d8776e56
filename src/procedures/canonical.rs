//! Canonical JSON (RFC 8785), so that equal values have equal hashes on every platform, and SHA-256 in hex.

use crate::core::codec::hex;
use serde_json::{Number, Value};
use sha2::{Digest, Sha256};

/// Returns `value` as canonical JSON. All numbers are treated as doubles.
#[must_use]
pub fn canonical_json(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

/// Returns the SHA-256 digest as 64 hex digits.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Number(number) => out.push_str(&format_number(number)),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
            fields.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16()));
            out.push('{');
            for (at, (name, value)) in fields.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(&Value::String(name.clone()).to_string());
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
        // RFC 8785 escapes only the required characters, in the shortest form, as serde_json does.
        plain => out.push_str(&plain.to_string()),
    }
}

/// Formats a number as ECMAScript does: the shortest digits that parse to the same double, with an exponent
/// below 1e-6 and from 1e21 on.
fn format_number(number: &Number) -> String {
    let float = number.as_f64().unwrap_or_default();
    if float == 0.0 {
        return "0".to_owned();
    }
    let Some(shortest) = Number::from_f64(float) else {
        return "null".to_owned();
    };
    let text = shortest.to_string();
    let (sign, text) = text
        .strip_prefix('-')
        .map_or(("", text.as_str()), |rest| ("-", rest));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i32 = exponent
        .strip_prefix('+')
        .unwrap_or(exponent)
        .parse()
        .unwrap_or_default();
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // The value is 0.`digits` × 10^`point`.
    let all = format!("{whole}{part}");
    let digits = all.trim_start_matches('0');
    let zeros = all.len() - digits.len();
    let digits = digits.trim_end_matches('0');
    let count = digits.len() as i32;
    let point = exponent + whole.len() as i32 - zeros as i32;
    let zeros_of = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    let body = if (count..=21).contains(&point) {
        format!("{digits}{}", zeros_of(point - count))
    } else if (1..=21).contains(&point) {
        let (before, after) = digits.split_at(point as usize);
        format!("{before}.{after}")
    } else if (-5..=0).contains(&point) {
        format!("0.{}{digits}", zeros_of(-point))
    } else {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        let plus = if point > 0 { "+" } else { "" };
        format!("{first}{dot}{rest}e{plus}{}", point - 1)
    };
    format!("{sign}{body}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn numbers_are_formatted_as_in_browsers() {
        for (text, wanted) in [
            ("0", "0"),
            ("-0.0", "0"),
            ("1.0", "1"),
            ("-4.50", "-4.5"),
            ("2e-3", "0.002"),
            ("1e-6", "0.000001"),
            ("1e-7", "1e-7"),
            ("1.5e-9", "1.5e-9"),
            ("1e20", "100000000000000000000"),
            ("1e21", "1e+21"),
            ("123456789012345678901234", "1.2345678901234569e+23"),
            ("333333333.33333329", "333333333.3333333"),
            ("9007199254740993", "9007199254740992"),
            ("5e-324", "5e-324"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ] {
            let value: Value = serde_json::from_str(text).unwrap();
            assert_eq!(canonical_json(&value), wanted, "{text}");
        }
    }

    #[test]
    fn keys_are_sorted_by_utf_16() {
        let value =
            json!({"\u{20ac}": 1, "\r": 2, "\u{fb33}": 3, "1": 4, "\u{1f600}": 5, "\u{80}": 6, "\u{f6}": 7});
        assert_eq!(
            canonical_json(&value),
            "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"\u{f6}\":7,\"\u{20ac}\":1,\"\u{1f600}\":5,\"\u{fb33}\":3}"
        );
        assert_eq!(
            canonical_json(&json!("\u{f}\n\"\\/€")),
            "\"\\u000f\\n\\\"\\\\/€\""
        );
        assert_eq!(
            canonical_json(&json!([null, true, {"b": [], "a": {}}])),
            "[null,true,{\"a\":{},\"b\":[]}]"
        );
    }

    #[test]
    fn sha256_matches_a_known_digest() {
        assert_eq!(
            sha256_hex(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    proptest! {
        #[test]
        fn formatted_numbers_parse_back(bits in any::<u64>()) {
            let float = f64::from_bits(bits);
            if let Some(number) = Number::from_f64(float) {
                let text = format_number(&number);
                let back: f64 = text.parse().unwrap();
                prop_assert_eq!(back, float, "{}", text);
            }
        }
    }
}
