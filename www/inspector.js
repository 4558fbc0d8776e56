// The details of an item of the transcript: requests, replies, how they were read; and branching from it.
import { h, button, put } from "./dom.js";
import { t, has, number, clock, span } from "./i18n.js";
import { openDialog } from "./dialog.tsx";
import { isSecret } from "./view.js";
import { reasonText } from "./participants.tsx";
import { callFacts } from "./costs.js";
import { fellBackText } from "./fallback-notice.js";

/** Ids of all asks of an item, in order. */
export function asksOf(item) {
  return [...new Set([...item.asks, ...(item.members ?? []).flatMap((one) => [...one.asks, ...(one.ballots ?? [])])])];
}

/**
 * Opens the details of an item. `onBranch(seq, answer)` is called if branching is possible; `costs()` returns the costs
 * of calls.
 */
export function inspect(item, view, options) {
  const all = asksOf(item).map((id) => view.asks.get(id)).filter(Boolean);
  // The number of asks would reveal a secret vote: only voters for a constraint are asked for an amount.
  const asks = all.filter((ask, at) =>
    !isSecret(view, ask) || all.findIndex((one) => one.seat === ask.seat && isSecret(view, one)) === at
  );
  return inspectAsks(asks, view, options);
}

/** The same for a list of asks. */
export function inspectAsks(asks, view, { onBranch = null, costs = () => null, asked = (ask) => null } = {}) {
  return openDialog(t("inspect.title"), (close) => {
    const body = h("div", { class: "inspect" });
    if (!asks.length) return h("p", { class: "quiet" }, t("inspect.empty"));
    const callCosts = costs();
    const costOf = (ask) =>
      callFacts(callCosts?.calls.find((call) => call.ask === ask.id), callCosts?.currency ?? undefined);
    const show = (ask) =>
      put(body,
        askDetails({ ...ask, request: ask.request ?? asked(ask.id).request }, view, costOf(ask), close,
          onBranch && ((...args) => {
            close();
            onBranch(...args);
          })));
    const last = asks.findLast((ask) => ask.reply && !isSecret(view, ask)) ?? asks[0];
    show(last);
    if (asks.length === 1) return body;
    return [
      h("label", { class: "stack" }, t("inspect.which", { n: asks.length }),
        h("select", { "data-testid": "inspect-ask", on: { change: (event) => show(asks[Number(event.target.value)]) } },
          asks.map((ask, index) =>
            h("option", { value: index, selected: ask === last },
              `${ask.seat} · ${t(`kind_of_ask.${ask.kind}`)}${
                ask.attempt > 1 ? ` · ${t("attempt", { n: ask.attempt })}` : ""
              }`)
          ))),
      body,
    ];
  }, { wide: true, testid: "inspector" });
}

function facts(pairs) {
  return h("dl", { class: "facts" },
    pairs.filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false).map((
      [name, value],
    ) => h("div", null, h("dt", null, name), h("dd", null, value))));
}

const block = (title, ...content) => h("section", { class: "inspect-block" }, h("h3", null, title), ...content);
const raw = (text, label) => h("pre", { class: "raw", tabindex: "0", role: "region", "aria-label": label }, text);

function askDetails(ask, view, costs, close, onBranch) {
  const { request, reply } = ask;
  const secret = isSecret(view, ask);
  return [
    facts([[t("inspect.seat"), ask.seat], [t("inspect.kind"), t(`kind_of_ask.${ask.kind}`)], [t("inspect.round"),
      ask.round && number(ask.round)], [t("inspect.attempt"), ask.attempt > 1 && number(ask.attempt)], [t("inspect.id"),
      h("code", null, ask.id)]]),
    block(t("inspect.asked"),
      h("details", null, h("summary", null, t("inspect.system")), raw(request.system, t("inspect.system"))),
      request.messages.map((message) =>
        h("div", { class: "message" }, h("p", { class: "quiet" }, t(`role.${message.role}`)),
          raw(message.content, t(`role.${message.role}`)))
      ), request.schema
      && h("details", null, h("summary", null, t("inspect.schema")),
        raw(JSON.stringify(request.schema, null, 1), t("inspect.schema"))),
      facts([[t("inspect.model"), request.model], [t("inspect.url"), request.base_url], [t("inspect.temperature"),
        request.temperature !== undefined && number(request.temperature)], [t("inspect.max"),
        number(request.max_tokens)], [t("inspect.stop"), request.stop?.length ? JSON.stringify(request.stop) : null], [
        t("inspect.limits"),
        ask.timeLimits.length ? ask.timeLimits.map(span).join(" · ") : t("inspect.nolimit"),
      ]])),
    block(t("inspect.answer"), secret
      ? h("p", { class: "missing" }, t("inspect.secret"))
      : reply
      ? [reply.recorded && savedNote(reply.recorded, close), raw(reply.text, t("inspect.answer")), reply.reasoning
        && h("details", null, h("summary", null, t("inspect.reasoning")), raw(reply.reasoning, t("inspect.reasoning"))),
        facts([[t("inspect.answeredby"), reply.model], [t("inspect.finish"), reply.finish], [t("inspect.form"),
          reply.answered_as && t(`inspect.form.${reply.answered_as}`)], ...(costs.length && !reply.recorded
            ? costs
            : [[t("inspect.tokens"),
              reply.usage && t("inspect.inout", { i: reply.usage.input, o: reply.usage.output })]]), [t("inspect.sent"),
          clock(reply.sent_at ?? ask.tries.at(-1)?.sentAt ?? ask.at)], [t("inspect.first"),
          reply.first_piece_at && reply.sent_at && span(reply.first_piece_at - reply.sent_at)], [t("inspect.took"),
          span(ask.repliedAt - (reply.sent_at ?? ask.tries.at(-1)?.sentAt ?? ask.at))]])]
      : h("p", { class: "missing" }, t(`inspect.state.${ask.state}`))),
    !secret && block(t("inspect.read"), reading(ask)),
    ask.fellBack.length || ask.tries.some((one) => one.outcome && one.outcome !== "answered") || ask.tries.length > 1
      ? block(t("inspect.tries"), tries(ask, reply ? [] : costs))
      : null,
    onBranch && ask.repliedSeq !== null && !secret ? branchForm(ask, onBranch) : null,
  ];
}

/** Where a reused answer comes from. */
const savedNote = ({ session, seq }, close) =>
  h("p", { class: "note", "data-testid": "recorded-note" }, t("inspect.recorded"), " ",
    h("a", { href: `#/replay/${session}`, on: { click: () => close() } }, t("inspect.recorded.session")),
    ` · ${t("inspect.recorded.entry", { n: seq })}`);

/** All attempts, and changes of model between them; `costs` if no answer has them. */
function tries(ask, costs) {
  const changes = (place) =>
    ask.fellBack.filter((one) => one.after === place).map((one) =>
      h("li", { class: "change", "data-testid": "try-fellback" }, fellBackText(one))
    );
  return [
    h("ol", { class: "tries" },
      ask.tries.map((one,
        place) => [changes(place),
        h("li", null, one.sentAt && clock(one.sentAt), " · ",
          one.outcome ? t(`outcome.${one.outcome}`) : t("outcome.open"),
          one.sentAt && one.endedAt && ` · ${span(one.endedAt - one.sentAt)}`, one.failure
          && h("p", null, t(`failure.${one.failure.kind}`), one.failure.status ? ` (${one.failure.status})` : "",
            h("br"), h("span", { class: "quiet", lang: "en" }, one.failure.message)),
          one.failure?.body && raw(one.failure.body, t("inspect.body")))]
      ), changes(ask.tries.length)),
    costs.length > 0 && facts(costs),
  ];
}

function reading(ask) {
  if (!ask.reading) return h("p", { class: "quiet" }, t("inspect.unparsed"));
  if (ask.reading.value === null) {
    return h("p", { class: "missing" }, t("inspect.unread"), " ", reasonText(ask.reading.reason));
  }
  const words = ask.reading.span && ask.reply?.text.slice(...ask.reading.span);
  return facts([[t("inspect.value"), h("code", null, JSON.stringify(ask.reading.value))], [t("inspect.how"),
    has(`how.${ask.reading.how}`) ? t(`how.${ask.reading.how}`) : h("code", null, ask.reading.how)], [
    t("inspect.words"),
    words && h("q", { "data-testid": "decided" }, words),
  ]]);
}

function branchForm(ask, onBranch) {
  const field = h("textarea", { id: "branch-answer", rows: "4", value: ask.reply.text });
  return h("section", { class: "inspect-block branch" }, h("h3", null, t("branch.title")),
    h("p", { class: "quiet" }, t("branch.text")),
    h("details", null, h("summary", null, t("branch.change")),
      h("label", { for: "branch-answer", class: "sr-only" }, t("branch.answer")), field,
      h("p", { class: "row" },
        button(t("branch.with"), () => onBranch(ask.repliedSeq, field.value), { kind: "primary",
          testid: "branch-with" }))),
    h("p", { class: "row" }, button(t("branch.again"), () => onBranch(ask.repliedSeq, null), { testid: "branch" })));
}
