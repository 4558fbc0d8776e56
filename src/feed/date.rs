//! Dates of feeds as found in the wild: RFC 822 (RSS), RFC 3339 and ISO 8601 (Atom, JSON Feed), and what other
//! programs write in their place. A date without a time zone is taken as UTC. Dates with more than one meaning
//! (3/4/2025), of impossible days or in unknown time zones give `None`.
//!
//! The date and time crates read a third of these forms, and take "16:00 CET" as 16:00 UTC.

use regex::{Captures, Regex};
use std::sync::LazyLock;

/// Forms of a day, without case. `m` is a month's name or number; `a` and `b` are a day and a month in either order.
const DAYS: [&str; 7] = [
    r"(?<y>[0-9]{4})[-/.](?<m>[0-9]{1,2})[-/.](?<d>[0-9]{1,2})",
    r"(?<y>[0-9]{4})(?<m>[0-9]{2})(?<d>[0-9]{2})",
    r"(?<y>[0-9]{4})\s*[^\W\d_]\s*(?<m>[0-9]{1,2})\s*[^\W\d_]\s*(?<d>[0-9]{1,2})\s*[^\W\d_]",
    r"(?<d>[0-9]{1,2})(?:st|nd|rd|th|\.)?[-/\s]*(?:de\s+)?(?<m>[^\W\d_]{3,})\.?,?[-/\s]*(?:de\s+)?(?<y>[0-9]{4}|[0-9]{2})",
    r"(?<m>[^\W\d_]{3,})\.?[-/\s]+(?<d>[0-9]{1,2})(?:st|nd|rd|th)?(?:,\s*|[-/\s]+)(?<y>[0-9]{4})",
    r"(?<d>[0-9]{1,2})\.(?<m>[0-9]{1,2})\.(?<y>[0-9]{4})",
    r"(?<a>[0-9]{1,2})[-/](?<b>[0-9]{1,2})[-/](?<y>[0-9]{4})",
];
/// As `ctime` and `date` write it: "Tue Jul 15 09:00:00 CEST 2025".
const YEAR_LAST: &str = r"(?<m>[^\W\d_]{3,})\s+(?<d>[0-9]{1,2})\s+{CLOCK}\s*{ZONE}\s+(?<y>[0-9]{4})";
const CLOCK: &str = r"(?<h>[0-9]{1,2}):?(?<min>[0-9]{2})(?::?(?<s>[0-9]{2})(?:[.,][0-9]+)?)?(?:\s*(?<half>[ap])\.?\s?m\b\.?)?";
const ZONE: &str = r"(?<name>[a-z]{1,5})?\s*(?:(?<sign>[-+−])(?<zh>[0-9]{1,2})(?::?(?<zm>[0-9]{2}))?\s*[a-z]{0,5})?\s*(?:\([^()]*\))?";
const WEEKDAY: &str = r"(?:[^\W\d_]{2,}[.,\s]+)?";

static FORMS: LazyLock<Vec<Regex>> = LazyLock::new(forms);

#[allow(clippy::expect_used, reason = "compiled in; tests use every form")]
fn forms() -> Vec<Regex> {
    let rest = format!(r"(?:\s*,?(?:\s*T|\s+(?:at\s+|-\s+)?){CLOCK}\s*{ZONE})?");
    let days = DAYS.iter().map(|day| format!("{day}{rest}"));
    let year_last = YEAR_LAST.replace("{CLOCK}", CLOCK).replace("{ZONE}", ZONE);
    days.chain([year_last])
        .map(|form| {
            Regex::new(&format!("(?i)^{WEEKDAY}{form}$")).expect("every form is a regular expression")
        })
        .collect()
}

/// Beginnings of the names of months in English, Spanish, French, German, Italian and Portuguese.
#[allow(clippy::expect_used, reason = "compiled in; tests read every month")]
static MONTHS: LazyLock<[Vec<String>; 12]> =
    LazyLock::new(|| serde_json::from_str(include_str!("months.json")).expect("twelve lists of texts"));

/// Time zones by name, in minutes from UTC. Of several meanings of a name, the one most common in feeds.
const ZONES: [(&str, i64); 19] = [
    ("z ut utc gmt wet", 0),
    ("cet met mez bst west", 60),
    ("cest mest mesz eet sast", 120),
    ("eest msk", 180),
    ("pkt", 300),
    ("ist", 330),
    ("wib ict", 420),
    ("sgt hkt pht myt awst", 480),
    ("jst kst", 540),
    ("aest", 600),
    ("aedt", 660),
    ("nzst", 720),
    ("nzdt", 780),
    ("adt art brt", -180),
    ("edt ast", -240),
    ("est cdt", -300),
    ("cst mdt", -360),
    ("mst pdt", -420),
    ("pst", -480),
];

/// Returns milliseconds since the epoch.
pub(super) fn read(date: &str) -> Option<u64> {
    let date = date.trim();
    // Seconds, or milliseconds, since the epoch.
    let is_number = date.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && matches!(date.len(), 9 | 10 | 13) {
        let number: u64 = date.parse().ok()?;
        return Some(if date.len() == 13 { number } else { number * 1000 });
    }
    // Longer texts are no dates.
    if date.len() > 100 {
        return None;
    }
    let seconds = FORMS.iter().find_map(|form| seconds(&form.captures(date)?))?;
    u64::try_from(seconds).ok()?.checked_mul(1000)
}

fn seconds(found: &Captures<'_>) -> Option<i64> {
    let number = |name: &str| found.name(name)?.as_str().parse::<i64>().ok();
    let (month, day) = match (number("a"), number("b")) {
        // One of the two is a day: the one that is no month.
        (Some(a), Some(b)) if a > 12 || a == b => (b, a),
        (Some(a), Some(b)) if b > 12 => (a, b),
        (Some(_), _) => return None,
        _ => (month(found.name("m")?.as_str())?, number("d")?),
    };
    let year = match (found.name("y")?.as_str().len(), number("y")?) {
        (2, year) if year < 50 => 2000 + year,
        (2, year) => 1900 + year,
        (_, year) => year,
    };
    let hour = match (
        number("h").unwrap_or(0),
        found.name("half").map(|half| half.as_str()),
    ) {
        (hour @ 0..=12, Some("a" | "A")) => hour % 12,
        (hour @ 0..12, Some(_)) => hour + 12,
        (_, Some("a" | "A")) => return None,
        // "13:00 PM", or without either.
        (hour, _) => hour,
    };
    let (minute, second) = (number("min").unwrap_or(0), number("s").unwrap_or(0));
    // 24:00 is the end of the day, and 60 a leap second.
    let is_clock = hour < 24 && minute < 60 && second <= 60 || (hour, minute, second) == (24, 0, 0);
    let clock = hour * 3600 + minute * 60 + second;
    Some(start_of_day(year, month, day)? + is_clock.then_some(clock)? - 60 * offset(found)?)
}

fn month(name: &str) -> Option<i64> {
    let number = name.parse().ok();
    number.or_else(|| {
        let name = name.to_lowercase();
        let is_called = |month: &Vec<String>| month.iter().any(|start| name.starts_with(start));
        (1..)
            .zip(&*MONTHS)
            .find_map(|(number, month)| is_called(month).then_some(number))
    })
}

/// Returns the minutes from UTC to local time. Of a name with a number, as in "GMT+0200", the number counts.
fn offset(found: &Captures<'_>) -> Option<i64> {
    let number = |name: &str| {
        found
            .name(name)
            .map_or(Some(0), |digits| digits.as_str().parse::<i64>().ok())
    };
    let (hours, minutes) = (number("zh")?, number("zm")?);
    match (found.name("sign"), found.name("name")) {
        (None, None) => Some(0),
        (None, Some(name)) => {
            let name = name.as_str().to_ascii_lowercase();
            let is_among = |(names, _): &&(&str, i64)| names.split(' ').any(|known| known == name);
            ZONES.iter().find(is_among).map(|(_, minutes)| *minutes)
        }
        (Some(_), _) if hours > 14 || minutes > 59 => None,
        (Some(sign), _) if sign.as_str() == "+" => Some(hours * 60 + minutes),
        (Some(_), _) => Some(-hours * 60 - minutes),
    }
}

/// Returns the seconds from the epoch to the start of a day of the Gregorian calendar.
fn start_of_day(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=days).contains(&day) {
        return None;
    }
    // Years start in March, so that a leap day is the last day.
    let (year, month) = if month < 3 {
        (year - 1, month + 9)
    } else {
        (year, month - 3)
    };
    let century = year.div_euclid(400);
    let of_century = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    let days = century * 146_097 + of_century * 365 + of_century / 4 - of_century / 100 + of_year - 719_468;
    Some(days * 86_400)
}
