//! Dates of feeds: RFC 822 (RSS) and RFC 3339 (Atom, JSON Feed). Invalid dates give `None`.

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// Returns milliseconds since the epoch.
pub(super) fn read(date: &str) -> Option<u64> {
    let date = date.trim();
    let seconds = rfc3339(date).or_else(|| rfc822(date))?;
    u64::try_from(seconds).ok()?.checked_mul(1000)
}

/// Parses `2003-12-13T18:30:02.25+01:00`, or a day alone.
fn rfc3339(date: &str) -> Option<i64> {
    let (day, time) = match date.find(['T', 't', ' ']) {
        Some(at) => (date.get(..at)?, date.get(at + 1..)?),
        None => (date, "00:00:00Z"),
    };
    let mut parts = day.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if year.len() != 4 || month.len() != 2 || day.len() != 2 || parts.next().is_some() {
        return None;
    }
    let zone = time.find(['Z', 'z', '+', '-'])?;
    let clock = time[..zone].split('.').next()?;
    day_seconds(number(year)?, number(month)?, number(day)?)?
        .checked_add(clock_seconds(clock)?)?
        .checked_sub(offset(&time[zone..])?)
}

/// Parses `Sat, 13 Dec 2003 18:30:02 GMT`. The day of the week and the seconds are optional.
fn rfc822(date: &str) -> Option<i64> {
    let date = date.split_once(',').map_or(date, |(_, rest)| rest);
    let mut words = date.split_whitespace();
    let (day, month, year, clock) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let month = month.get(..3)?.to_ascii_lowercase();
    let month = MONTHS.iter().position(|known| *known == month)? as i64 + 1;
    let year = match (year.len(), number(year)?) {
        (4, year) => year,
        (2, year) if year < 50 => 2000 + year,
        (2, year) => 1900 + year,
        _ => return None,
    };
    day_seconds(year, month, number(day)?)?
        .checked_add(clock_seconds(clock)?)?
        .checked_sub(offset(words.next().unwrap_or("GMT"))?)
}

fn number(digits: &str) -> Option<i64> {
    let is_number = (1..=4).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

fn clock_seconds(clock: &str) -> Option<i64> {
    let mut parts = clock.split(':');
    let (hours, minutes) = (number(parts.next()?)?, number(parts.next()?)?);
    let seconds = parts.next().map_or(Some(0), number)?;
    let is_valid = hours < 24 && minutes < 60 && seconds <= 60 && parts.next().is_none();
    is_valid.then_some(hours * 3600 + minutes * 60 + seconds)
}

/// Returns the offset of a time zone from UTC in seconds.
fn offset(zone: &str) -> Option<i64> {
    let hours = match zone.to_ascii_uppercase().as_str() {
        "Z" | "GMT" | "UT" | "UTC" => 0,
        "EST" | "CDT" => -5,
        "EDT" => -4,
        "CST" | "MDT" => -6,
        "MST" | "PDT" => -7,
        "PST" => -8,
        _ => {
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            let digits: String = zone.strip_prefix(['+', '-'])?.split(':').collect();
            let (hours, minutes) = (number(digits.get(..2)?)?, number(digits.get(2..)?)?);
            return (digits.len() == 4 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60));
        }
    };
    Some(hours * 3600)
}

/// Returns the seconds from the epoch to the start of a day of the Gregorian calendar.
fn day_seconds(year: i64, month: i64, day: i64) -> Option<i64> {
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
