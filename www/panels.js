// The side panels of a run: its steps, and the participants with bank, memory and activity.
import { h, put, button } from "./dom.js";
import { t, number, dollars } from "./i18n.js";
import { avatar, kindTag, nameOf, orderOf, principleName } from "./participants.tsx";
import { roleTag } from "./chat.js";
import { activity, isOver, isSecret } from "./view.js";
import { MOMENTS } from "./justice.js";
import { badge } from "./explain.js";
import { roleOf } from "./debate/role.js";

/** The stepper. `onGo(key)` is called when a step is chosen. */
export function stepBar(onGo) {
  const node = h("nav", { class: "stepper", "aria-label": t("steps") });
  const now = h("p", { class: "step-now", "data-testid": "step-now" });
  let drawn = "";
  function update(view) {
    const { steps } = view;
    const key = JSON.stringify([steps, view.roundStep]);
    if (key === drawn) return;
    drawn = key;
    const focused = node.contains(document.activeElement) ? document.activeElement.getAttribute("data-key") : null;
    const current = steps.find((step) => step.state === "current");
    put(now, current
      ? `${current.phase && !current.kinds ? `${t(`phase${current.phase}`)} · ` : ""}${stepLabel(current)}${
        current.step === "round" && view.roundStep ? ` · ${t(`step.${view.roundStep}`)}` : ""
      }`
      : "");
    const part = (phase) =>
      h("section", null, h("h2", null, phase && !steps[0]?.kinds
        ? t(`phase${phase}`)
        : t(view.head?.protocol === "debate" ? "debate.rounds" : "rounds")), h("ol", null, steps.filter((step) =>
          step.phase === phase
        ).map((step) =>
          h("li", { class: `step step-${step.state}`, "aria-current": step.state === "current" ? "step" : null },
            h("button", { type: "button", "data-key": step.key,
              disabled: step.state === "coming" || step.state === "skipped", on: { click: () => onGo(step.key) } },
              h("span", { class: "step-mark", "aria-hidden": "true" }),
              h("span", null, stepLabel(step), step.state === "current" && step.step === "round" && view.roundStep
                ? h("small", null, t(`step.${view.roundStep}`))
                : null, step.phase === 1 && step.state !== "done" && step.finished
                ? h("small", null, t("step.count", { n: step.finished, of: step.of }))
                : null, h("span", { class: "sr-only" }, ` ${t(`step.state.${step.state}`)}`))))
        )));
    put(node, now, h("div", { class: "steps-all" }, [...new Set(steps.map((step) => step.phase))].map(part)));
    if (focused) node.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }
  return { node, update };
}

/** The name of a step. */
export const stepLabel = (
  step,
) => (step.kinds
  ? `${step.round} · ${
    step.extended ? t("debate.extended") : step.kinds.map((kind) => t(`debate.kind.${kind}`)).join(", ")
  }`
  : step.step === "round"
  ? t("round", { n: step.round })
  : t(`step.${step.step}`, { n: step.round }));

/**
 * Why a seat's calls are delayed (`limit`, `minute`, `retry`), or null. The run's bar has the countdown. Hidden in a
 * secret ballot.
 */
function waitingFor(view, status, name) {
  if (status?.state !== "running") return null;
  const isOpen = (ask) =>
    ask.seat === name && ask.waiting && view.asks.has(ask.id) && !isSecret(view, view.asks.get(ask.id));
  return status.open.find(isOpen)?.waiting.why ?? null;
}

/** All participants; `update(view, status)`, with the status of a running session. */
export function peoplePanel(onOpen) {
  const list = h("ul", { class: "people plain" });
  const cards = new Map();
  let of = null;
  const node = h("div", null, h("h2", null, t("people")), list);
  function update(view, status = null) {
    // Another role sees other data.
    if (view !== of) {
      of = view;
      cards.clear();
      put(list);
    }
    for (const person of view.people.values()) {
      const doing = activity(view, person.name);
      const waits = waitingFor(view, status, person.name);
      const debates = view.head?.protocol === "debate";
      const key = JSON.stringify([isOver(view), doing, waits, person.bank, person.memory?.length, person.memoryChanges,
        person.favored, person.role, person.said, person.passed, person.edition]);
      let card = cards.get(person.name);
      if (card?.key === key) continue;
      if (!card) {
        const state = h("p", { class: "doing" });
        const remembers = "memory" in person;
        const role = h("p", { class: "stands" });
        const bank = h("dd");
        const memory = h("dd");
        const standing = h("p", { class: "stands" });
        const open = button(t(debates ? "debate.person.open" : remembers ? "person.open" : "person.about"), () =>
          onOpen(person.name), { kind: "quiet",
          "aria-label": t(debates ? "debate.person.open.of" : remembers ? "person.open.of" : "person.about.of", {
            name: person.name,
          }), testid: "person-open" });
        card = {
          state,
          bank,
          memory,
          stands: standing,
          role,
          key: "",
          node: h("li", { class: "person" }, avatar(person, "small"),
            h("div", null, h("h3", null, nameOf(person)), state, remembers
              ? [
                h("dl", null, h("div", null, h("dt", null, t("bank")), bank),
                  h("div", null, h("dt", null, t("memory")), memory)),
                standing,
              ]
              : role, open)),
        };
        cards.set(person.name, card);
        list.append(card.node);
      }
      card.key = key;
      card.node.dataset.doing = waits ? "waits" : doing ?? "";
      put(card.state, isOver(view)
        ? null
        : waits
        ? t(`activity.waits.${waits}`)
        : doing
        ? [t(`activity.${doing}`), !["queued", "failed", "next", "left", "turn"].includes(doing)
          && h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"))]
        : t("activity.none"));
      if (!("memory" in person)) {
        if (debates) {
          put(card.role, roleOf(person), person.edition ? ` · ${t("debate.version", { n: person.edition })}` : "");
        } else if ("said" in person) {
          put(card.role, roleTag(person.role), " ", t("contributions", { n: person.said }));
        }
        continue;
      }
      put(card.bank, dollars(person.bank));
      put(card.memory, t("characters", { n: [...person.memory].length }));
      put(card.stands, person.favored ? [t("favors"), " ", badge(person.favored, null, false)] : null);
    }
  }
  return { node, update };
}

/** The details of one participant. `onAsks(ids)` opens the requests behind the memory. */
export function personDetails(view, person, onAsks) {
  if (view.head?.protocol === "debate") return debaterDetails(view, person, onAsks);
  return h("div", { class: "person-details" },
    h("p", { class: "row" }, avatar(person), kindTag(person.kind), person.model && h("code", null, person.model)),
    person.personality && h("p", { class: "quiet" }, person.personality), "said" in person
    && h("dl", { class: "facts" },
      person.role && h("div", null, h("dt", null, t("seat.role")), h("dd", null, roleTag(person.role))),
      h("div", null, h("dt", null, t("chat.said")), h("dd", null, t("contributions", { n: person.said })))),
    person.manipulator
      && h("p", null, person.target
        ? t("target", { name: person.name, principle: principleName(person.target) })
        : t("person.manipulator")), "memory" in person && memoryAndRankings(view, person, onAsks));
}

function memoryAndRankings(view, person, onAsks) {
  return [
    h("dl", { class: "facts" }, h("div", null, h("dt", null, t("bank")), h("dd", null, dollars(person.bank))),
      h("div", null, h("dt", null, t("memory")), h("dd", null, t("characters", { n: [...person.memory].length })))),
    h("h3", null, t("memory")),
    h("div", { class: "memory pre", tabindex: "0", role: "region", "aria-label": t("memory"), "data-testid": "memory" },
      person.memory || h("span", { class: "quiet" }, t("memory.empty"))),
    person.memoryAsk && h("p", null, button(t("memory.details"), () => onAsks([person.memoryAsk]), { kind: "quiet" })),
    h("h3", null, t("rankings")),
    h("dl", { class: "facts" },
      MOMENTS.filter((moment) => moment in person.rankings).map((moment) =>
        h("div", null, h("dt", null, t(`moment.${moment}`)),
          h("dd", null, orderOf(person.rankings[moment]), person.rankings[moment]?.certainty
            && h("span", { class: "quiet" }, t(`certainty.${person.rankings[moment].certainty}`))))
      )),
  ];
}

function debaterDetails(view, person, onAsks) {
  const { versions } = person;
  const asks = [...view.asks.values()].filter((ask) => ask.seat === person.name).map((ask) => ask.id);
  return h("div", { class: "person-details" },
    h("p", { class: "row" }, avatar(person), kindTag(person.kind), person.model && h("code", null, person.model)),
    h("p", null, roleOf(person)), person.personality && h("p", { class: "quiet" }, person.personality), asks.length
    ? h("p", null, button(t("debate.person.asks", { n: asks.length }), () => onAsks(asks), { kind: "quiet" }))
    : null,
    versions.map((one) =>
      h("details", null,
        h("summary", null, t("debate.version", { n: one.version }),
          h("span", { class: "quiet" }, ` · ${t("round", { n: one.round })}`)), h("div", { class: "pre" }, one.text))
    ));
}
