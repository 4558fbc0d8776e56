//! Numbers with a decimal point. Here and not by `str::parse`, since the module holds the tables for
//! reading them once already, for JSON.

/// The number that the text is: digits, with a sign, a point and an exponent where there are any. Rounded
/// correctly; too large is infinite.
#[must_use]
pub(crate) fn decimal(text: &str) -> Option<f64> {
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let power = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if ![whole, part, power].into_iter().all(digits)
        || mantissa.len() < 1 + usize::from(mantissa.contains('.'))
        || power.is_empty()
    {
        return None;
    }
    // As JSON has it: no needless zero before the first digit, a digit on both sides of the point.
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let endless = if sign.is_empty() {
        f64::INFINITY
    } else {
        f64::NEG_INFINITY
    };
    let json = format!("{sign}{whole}.{part}0e{exponent}");
    Some(serde_json::from_str(&json).unwrap_or(endless))
}

#[cfg(test)]
mod tests {
    use super::decimal;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reads_what_str_parse_reads(
            text in "[+-]?[0-9]{0,25}[.]?[0-9]{0,25}([eE][+-]?[0-9]{0,3})?|[0-9.e+-]{0,6}"
        ) {
            prop_assert_eq!(decimal(&text), text.parse().ok());
        }

        #[test]
        fn any_number_comes_back(number in -1e18..1e18f64) {
            prop_assert_eq!(decimal(&number.to_string()), Some(number));
            prop_assert_eq!(decimal(&format!("{number:e}")), Some(number));
        }
    }

    #[test]
    fn words_are_no_numbers() {
        for text in ["", "inf", "nan", "infinity", ".", "+", "1e", "1 ", "0x1"] {
            assert_eq!(decimal(text), None);
        }
    }
}
