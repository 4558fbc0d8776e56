//! What an error means, by its status and what it says: the kind of failure, and more than the kind where
//! people are told more.

use super::error_body::ErrorBody;
use super::error_pattern::Sign;
use crate::core::ask::{FailureKind, Millis};

/// What is wrong, where an error says more than its status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// Pages of this organisation may not call.
    Cors,
    /// A content filter.
    Blocked,
    /// Nothing left to pay with.
    Credit,
    /// The key is no key.
    Key,
    /// The key is good, but not for this.
    Account,
    /// The model's answer broke the provider's own rules; another one may not.
    Garbled,
    /// Question and answer are longer than the model takes, or the account.
    TooLong,
    /// Nobody by this name.
    Model,
    /// A server's trouble that stays: the model does not fit, its template does not take the turns.
    Unfit,
    /// The model is not there yet.
    Loading,
    /// Too many others.
    Overloaded,
}

/// `delay`: what the error itself says about waiting; who is to wait has something left to pay with.
pub(super) fn of(status: u16, said: &ErrorBody, delay: Option<Millis>) -> Option<Cause> {
    let rejected = matches!(status, 400 | 403 | 404 | 410 | 412 | 422);
    let server = status >= 500;
    let either = rejected || server;
    let payable = either || matches!(status, 401 | 402 | 429);
    let has = |sign| said.has(sign);
    let is_too_long = has(Sign::TooLong) && !has(Sign::TookTooLong);
    let is_about_model =
        status == 404 && has(Sign::Model) || has(Sign::NoModel) || has(Sign::Model) && has(Sign::Missing);
    Some(if matches!(status, 401 | 403) && has(Sign::Cors) {
        Cause::Cors
    } else if rejected && has(Sign::Blocked) {
        Cause::Blocked
    } else if payable && (has(Sign::CreditCode) || delay.is_none() && has(Sign::Credit)) {
        Cause::Credit
    } else if status == 400 && has(Sign::Key) {
        Cause::Key
    } else if rejected && has(Sign::Account) {
        Cause::Account
    } else if either && has(Sign::Garbled) {
        Cause::Garbled
    } else if status == 413 || either && is_too_long || status == 429 && has(Sign::RequestTooLarge) {
        Cause::TooLong
    } else if rejected && is_about_model {
        Cause::Model
    } else if server && has(Sign::Unfit) {
        Cause::Unfit
    } else if server && has(Sign::Loading) {
        Cause::Loading
    } else if status == 529 || either && has(Sign::Overloaded) {
        Cause::Overloaded
    } else {
        return None;
    })
}

/// Whether an error of a request has another reason than a setting.
pub(super) fn is_no_setting(status: u16, said: &ErrorBody) -> bool {
    let cause = of(status, said, None);
    cause.is_some_and(|cause| !matches!(cause, Cause::Garbled | Cause::Unfit))
}

pub(super) fn kind(status: u16, cause: Option<Cause>) -> FailureKind {
    match (cause, status) {
        (Some(Cause::Blocked), _) => FailureKind::Refused,
        (Some(Cause::Credit), _) => FailureKind::Quota,
        (Some(Cause::Key | Cause::Account | Cause::Cors), _) => FailureKind::Key,
        (Some(Cause::TooLong | Cause::Model | Cause::Unfit), 400..) => FailureKind::Request,
        (Some(Cause::Garbled), _) => FailureKind::Format,
        (Some(Cause::Overloaded), _) => FailureKind::Server,
        (_, 401 | 403) => FailureKind::Key,
        (_, 402) => FailureKind::Quota,
        (_, 429) => FailureKind::RateLimit,
        (_, 408 | 409 | 425 | 500..) => FailureKind::Server,
        (_, 300..=499) => FailureKind::Request,
        _ => FailureKind::Format,
    }
}

/// The status of an error that came without one: its numeric code, or what providers send for such codes
/// when they can still send one.
pub(super) fn status(said: &ErrorBody) -> u16 {
    const BY_CODE: [(Sign, u16); 6] = [
        (Sign::Status429, 429),
        (Sign::Status401, 401),
        (Sign::Status403, 403),
        (Sign::Status404, 404),
        (Sign::Status402, 402),
        (Sign::Status400, 400),
    ];
    let by_code = || BY_CODE.into_iter().find(|(sign, _)| said.has(*sign));
    said.number.or_else(|| Some(by_code()?.1)).unwrap_or(500)
}
