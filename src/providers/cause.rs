//! Classification of errors by status and body: the kind of failure, and the cause where the message to the
//! user is more specific than the kind.

use super::error_body::ErrorBody;
use super::error_pattern::Sign;
use crate::core::ask::{FailureKind, Millis};

/// The cause, where the body is more specific than the status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// The organisation does not allow calls from web pages.
    Cors,
    /// A content filter.
    Blocked,
    Credit,
    /// The key is invalid.
    Key,
    /// The key is valid, but lacks the permission.
    Account,
    /// The model's answer broke the provider's own rules; a retry may succeed.
    Garbled,
    /// Prompt and answer exceed a limit of the model or the account.
    TooLong,
    /// The answer may not be as long as requested.
    AnswerLength,
    /// The model is offered by another interface.
    OtherApi,
    /// The model is unknown.
    Model,
    /// A permanent server error: the model does not fit into memory, or its template rejects the turns.
    Unfit,
    /// The model is still loading.
    Loading,
    Overloaded,
}

/// Determines the cause. An error with a `delay` is no lack of credit, unless its code is one.
pub(super) fn of(status: u16, error: &ErrorBody, delay: Option<Millis>) -> Option<Cause> {
    let rejected = matches!(status, 400 | 403 | 404 | 410 | 412 | 422);
    let server = status >= 500;
    let either = rejected || server;
    let can_be_credit = either || matches!(status, 401 | 402 | 429);
    let has = |sign| error.has(sign);
    let is_too_long = has(Sign::TooLong) && !has(Sign::TookTooLong);
    let is_about_model =
        status == 404 && has(Sign::Model) || has(Sign::NoModel) || has(Sign::Model) && has(Sign::Missing);
    Some(if matches!(status, 401 | 403) && has(Sign::Cors) {
        Cause::Cors
    } else if rejected && has(Sign::Blocked) {
        Cause::Blocked
    } else if can_be_credit && (has(Sign::CreditCode) || delay.is_none() && has(Sign::Credit)) {
        Cause::Credit
    } else if status == 400 && has(Sign::Key) {
        Cause::Key
    } else if rejected && has(Sign::Account) {
        Cause::Account
    } else if either && has(Sign::Garbled) {
        Cause::Garbled
    } else if status == 413 || either && is_too_long || status == 429 && has(Sign::RequestTooLarge) {
        Cause::TooLong
    } else if rejected && has(Sign::AnswerLength) {
        Cause::AnswerLength
    } else if rejected && has(Sign::OtherApi) {
        Cause::OtherApi
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

/// Returns whether the error of a request has another cause than a setting.
pub(super) fn is_other_than_setting(status: u16, error: &ErrorBody) -> bool {
    let cause = of(status, error, None);
    cause.is_some_and(|cause| !matches!(cause, Cause::Garbled | Cause::Unfit | Cause::AnswerLength))
}

pub(super) fn kind(status: u16, cause: Option<Cause>) -> FailureKind {
    match (cause, status) {
        (Some(Cause::Blocked), _) => FailureKind::Refused,
        (Some(Cause::Credit), _) => FailureKind::Quota,
        (Some(Cause::Key | Cause::Account | Cause::Cors), _) => FailureKind::Key,
        (
            Some(Cause::TooLong | Cause::AnswerLength | Cause::OtherApi | Cause::Model | Cause::Unfit),
            400..,
        ) => FailureKind::Request,
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

/// Returns the status of an error without one: its numeric code, or the status that providers send with such
/// codes.
pub(super) fn status(error: &ErrorBody) -> u16 {
    const BY_CODE: [(Sign, u16); 6] = [
        (Sign::Status429, 429),
        (Sign::Status401, 401),
        (Sign::Status403, 403),
        (Sign::Status404, 404),
        (Sign::Status402, 402),
        (Sign::Status400, 400),
    ];
    let by_code = || BY_CODE.into_iter().find(|(sign, _)| error.has(*sign));
    error.status.or_else(|| Some(by_code()?.1)).unwrap_or(500)
}
