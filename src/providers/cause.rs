//! What an error means, by its status and what it says: the kind of failure, and more than the kind where
//! people are told more. Which words mean what stands here and nowhere else.

use super::said::Said;
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

const BLOCKED: [&str; 6] = [
    "content management policy",
    "flagged",
    "inappropriate content",
    "usage guidelines",
    "content exists risk",
    "data_inspection",
];
const BLOCKED_CODES: [&str; 2] = ["content_filter", "content_policy"];
const CREDIT_CODES: [&str; 5] = [
    "insufficient_quota",
    "usage_limit_reached",
    "billing_",
    "insufficient_credits",
    "insufficient_balance",
];
const CREDIT: [&str; 15] = [
    "exceeded your current quota",
    "check your plan and billing",
    "credit balance",
    "out of credit",
    "any credits",
    "available credits",
    "insufficient credit",
    "insufficient balance",
    "spending limit",
    "credit limit",
    "credit_limit",
    "key limit exceeded",
    "inference limit",
    "good standing",
    "overdue",
];
fn says_credit(said: &Said) -> bool {
    said.has(&CREDIT) || CREDIT_ELSEWHERE.lines().any(|words| said.has(&[words]))
}
/// The same as providers in China say it, a line each.
const CREDIT_ELSEWHERE: &str = include_str!("credit.zh.txt");
const KEY: [&str; 6] = [
    "api key not valid",
    "incorrect api key",
    "invalid api key",
    "invalid_api_key",
    "api_key_invalid",
    "valid api key",
];
const ACCOUNT: [&str; 3] = ["location is not supported", "must be verified", "data policy"];
const GARBLED: [&str; 4] = [
    "tool_use_failed",
    "json_validate_failed",
    "call a tool",
    "called a tool",
];
const TOO_LONG: [&str; 10] = [
    "context_length",
    "context length",
    "maximum context",
    "exceed_context_size",
    "context size",
    "context window",
    "input length",
    "n_ctx",
    "too long",
    "request too large",
];
const NO_MODEL_CODES: [&str; 6] = [
    "model_not",
    "model_decommissioned",
    "invalid_model",
    "endpoint_not_running",
    "deploymentnotfound",
    "model_does_not",
];
const NO_MODEL: [&str; 9] = [
    "not a valid model",
    "invalid model",
    "unknown model",
    "no endpoints",
    "not supported by any provider",
    "model not exist",
    "model not found",
    "not found for account",
    "no healthy deployments",
];
const UNFIT: [&str; 4] = [
    "jinja exception",
    "roles must alternate",
    "roles are supported",
    "more system memory",
];

/// `delay`: what the error itself says about waiting; who is to wait has something left to pay with.
pub(super) fn of(status: u16, said: &Said, delay: Option<Millis>) -> Option<Cause> {
    let rejected = matches!(status, 400 | 403 | 404 | 410 | 412 | 422);
    let server = status >= 500;
    let either = rejected || server;
    let payable = either || matches!(status, 401 | 402 | 429);
    Some(
        if matches!(status, 401 | 403) && said.has(&["cors requests are not allowed"]) {
            Cause::Cors
        } else if rejected && (said.has_code(&BLOCKED_CODES) || said.has(&BLOCKED)) {
            Cause::Blocked
        } else if payable && (said.has_code(&CREDIT_CODES) || delay.is_none() && says_credit(said)) {
            Cause::Credit
        } else if status == 400 && said.has(&KEY) {
            Cause::Key
        } else if rejected && said.has(&ACCOUNT) {
            Cause::Account
        } else if either && said.has(&GARBLED) {
            Cause::Garbled
        } else if status == 413
            || either && is_too_long(said)
            || status == 429 && said.has(&["request too large"])
        {
            Cause::TooLong
        } else if rejected && is_about_model(status, said) {
            Cause::Model
        } else if server && said.has(&UNFIT) {
            Cause::Unfit
        } else if server && said.has(&["loading model", "loading the model"]) {
            Cause::Loading
        } else if status == 529 || either && said.has(&["overloaded", "over capacity", "degraded"]) {
            Cause::Overloaded
        } else {
            return None;
        },
    )
}

fn is_about_model(status: u16, said: &Said) -> bool {
    let missing = ["does not exist", "decommissioned", "non-serverless"];
    status == 404 && said.has(&["model"])
        || said.has_code(&NO_MODEL_CODES)
        || said.has(&NO_MODEL)
        || said.has(&["model"]) && said.has(&missing)
}

/// Whether an error of a request has another reason than a setting.
pub(super) fn is_no_setting(status: u16, said: &Said) -> bool {
    let cause = of(status, said, None);
    cause.is_some_and(|cause| !matches!(cause, Cause::Garbled | Cause::Unfit))
}

fn is_too_long(said: &Said) -> bool {
    said.has(&TOO_LONG) && !said.has(&["took too long"])
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
pub(super) fn status(said: &Said) -> u16 {
    let table: [(u16, &[&str]); 6] = [
        (
            429,
            &[
                "rate_limit",
                "insufficient_quota",
                "usage_limit",
                "resource_exhausted",
                "too_many",
            ],
        ),
        (401, &["authentication", "invalid_api_key", "unauthenticated"]),
        (403, &["permission"]),
        (404, &["not_found"]),
        (402, &["insufficient_credits", "payment"]),
        (
            400,
            &[
                "invalid_request",
                "invalid_argument",
                "context_length",
                "content_filter",
                "content_policy",
            ],
        ),
    ];
    let by_code = || {
        let row = table.iter().find(|(_, words)| said.has_code(words));
        row.map(|(status, _)| *status)
    };
    said.number.or_else(by_code).unwrap_or(500)
}
