//! Numbers and lists as shown to participants: incomes, payoffs, percentages, averages and names. Money has
//! the same form in all three languages (dollar sign, comma groups). `reading` parses such texts.

use super::Language;

/// Formats digits in groups of three: `15,000`.
#[must_use]
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats an income in whole dollars: `$15,000`.
#[must_use]
pub fn amount(value: u32) -> String {
    format!("${}", grouped(value.into()))
}

/// Formats a range: `between $1,000 and $100,000`.
#[must_use]
pub fn amount_range(language: Language, min: u32, max: u32) -> String {
    let between = language.word("between").replace("{min}", &amount(min));
    between.replace("{max}", &amount(max))
}

/// Formats a lower bound: `at least $1,000`.
#[must_use]
pub fn at_least(language: Language, min: u32) -> String {
    format!("{} {}", language.word("at_least"), amount(min))
}

/// Formats an upper bound: `no more than $1,000`.
#[must_use]
pub fn at_most(language: Language, max: u32) -> String {
    format!("{} {}", language.word("at_most"), amount(max))
}

/// Formats a payoff or bank balance in dollars with two decimals and no sign: `1.20`. Rounds the exact
/// binary value, ties to even.
#[must_use]
pub fn money(dollars: f64) -> String {
    format!("{dollars:.2}")
}

/// Formats named payoffs in one line: `distribution_1: $1.20; distribution_2: $2.00`.
#[must_use]
pub fn named_money<'a>(payoffs: impl IntoIterator<Item = (&'a str, f64)>) -> String {
    let parts: Vec<String> = payoffs
        .into_iter()
        .map(|(name, dollars)| format!("{name}: ${}", money(dollars)))
        .collect();
    parts.join("; ")
}

/// Formats a share as a whole percentage, ties to even: 0.05 is `5%`, 0.005 is `0%`.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// Formats a number with at most so many decimals and the language's decimal separator.
#[must_use]
pub fn decimal(number: f64, most: usize, language: Language) -> String {
    let text = format!("{number:.most$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    if language == Language::Spanish {
        text.replace('.', ",")
    } else {
        text.to_owned()
    }
}

/// Formats a non-negative mean income in whole dollars, ties to even: 19850.5 is `$19,850`.
#[must_use]
pub fn average(mean: f64) -> String {
    format!("${}", grouped(mean.round_ties_even() as u64))
}

/// Formats names as a list: `A, B, and C`; `A, B y C`; `A, B和C`.
#[must_use]
pub fn participant_list<S: AsRef<str>>(language: Language, names: &[S]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [rest @ .., last] => {
            let key = if rest.len() > 1 {
                "last_of_more"
            } else {
                "last_of_two"
            };
            let joint = language.word(key);
            format!("{}{joint}{last}", rest.join(", "))
        }
    }
}

/// Formats milliseconds since the epoch as ISO 8601 in UTC, e.g. `2026-11-22T10:35:42.007Z`.
#[must_use]
pub fn timestamp(moment: u64) -> String {
    let (days, milliseconds) = (moment / 86_400_000, moment % 86_400_000);
    // Days since 0000-03-01 in eras of 400 years, so that leap days are at the end of a year (H. Hinnant,
    // "chrono-compatible low-level date algorithms", civil_from_days).
    let day = days + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (seconds, milliseconds) = (milliseconds / 1_000, milliseconds % 1_000);
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_comma_groups() {
        let got = [0, 7, 999, 1_000, 15_000, 123_456, u32::MAX].map(amount);
        assert_eq!(
            got,
            [
                "$0",
                "$7",
                "$999",
                "$1,000",
                "$15,000",
                "$123,456",
                "$4,294,967,295"
            ]
        );
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn bounds_in_each_language() {
        let languages = [Language::English, Language::Spanish, Language::Mandarin];
        let all = |of: fn(Language, u32) -> String| languages.map(|language| of(language, 2_500));
        assert_eq!(
            all(at_least),
            ["at least $2,500", "al menos $2,500", "至少 $2,500"]
        );
        assert_eq!(
            all(at_most),
            ["no more than $2,500", "no más de $2,500", "不超过 $2,500"]
        );
        assert_eq!(amount_range(Language::Spanish, 1, 2_000), "entre $1 y $2,000");
    }

    #[test]
    fn halves_go_to_the_even_neighbour() {
        assert_eq!(
            [0.5, 1.5, 2.5, 1_234_566.5].map(average),
            ["$0", "$2", "$2", "$1,234,566"]
        );
        assert_eq!(
            [0.005, 0.015, 0.025, 0.125, 1.0].map(percent),
            ["0%", "2%", "2%", "12%", "100%"]
        );
        assert_eq!(
            [0.125, 0.375, 8.0, 12.3].map(money),
            ["0.12", "0.38", "8.00", "12.30"]
        );
    }

    #[test]
    fn lists_of_names() {
        assert_eq!(
            participant_list(Language::English, &["Ana", "Bo", "Cy"]),
            "Ana, Bo, and Cy"
        );
        assert_eq!(
            participant_list(Language::Spanish, &["Ana", "Bo", "Cy"]),
            "Ana, Bo y Cy"
        );
        assert_eq!(participant_list(Language::Mandarin, &["Ana", "Bo"]), "Ana和Bo");
        assert_eq!(participant_list::<&str>(Language::English, &[]), "");
    }

    #[test]
    fn named_payoffs() {
        assert_eq!(named_money([("a", 1.5), ("b", 10.0)]), "a: $1.50; b: $10.00");
        assert_eq!(named_money([]), "");
    }

    #[test]
    fn moments_are_written_in_utc() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(timestamp(951_782_400_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(timestamp(1_795_342_542_007), "2026-11-22T10:15:42.007Z");
        assert_eq!(timestamp(4_107_542_399_999), "2100-02-28T23:59:59.999Z");
    }
}
