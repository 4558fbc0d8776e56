// The two sides of a run: how far it has come, and who takes part with bank, memory and doings.
import { h, put, button } from "./dom.js";
import { t, number, dollars } from "./i18n.js";
import { avatar, kindTag, nameOf, principle, orderOf, principleName } from "./people.js";
import { stepper, activity, MOMENTS } from "./transcript.js";
import { roleOf } from "./debate/role.js";

/** The stepper. `onGo(key)` when a step is picked. */
export function stepBar(onGo) {
  const node = h("nav", { class: "stepper", "aria-label": t("steps") });
  const now = h("p", { class: "step-now", "data-testid": "step-now" });
  let drawn = "";
  function update(view) {
    const steps = stepper(view);
    const key = JSON.stringify([steps, view.roundStep]);
    if (key === drawn) return;
    drawn = key;
    const focused = node.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const current = steps.find((step) => step.state === "current");
    put(now, current ? `${current.kinds ? "" : `${t(`phase${current.phase}`)} · `}${label(current)}${current.step === "round" && view.roundStep ? ` · ${t(`step.${view.roundStep}`)}` : ""}` : "");
    const part = (phase) => h("section", null, h("h2", null, t(steps[0]?.kinds ? "debate.rounds" : `phase${phase}`)), h("ol", null, steps.filter((step) => step.phase === phase).map((step) => h("li", { class: `step step-${step.state}`, "aria-current": step.state === "current" ? "step" : null },
      h("button", { type: "button", "data-key": step.key, disabled: step.state === "coming" || step.state === "skipped", on: { click: () => onGo(step.key) } },
        h("span", { class: "step-mark", "aria-hidden": "true" }), h("span", null, label(step), step.state === "current" && step.step === "round" && view.roundStep ? h("small", null, t(`step.${view.roundStep}`)) : null,
          step.phase === 1 && step.state !== "done" && step.finished ? h("small", null, t("step.count", { n: step.finished, of: step.of })) : null, h("span", { class: "sr-only" }, ` ${t(`step.state.${step.state}`)}`)))))));
    put(node, now, h("div", { class: "steps-all" }, part(1), steps.some((step) => step.phase === 2) && part(2)));
    if (focused) node.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }
  return { node, update };
}

const label = (step) => (step.kinds ? `${step.round} · ${step.extended ? t("debate.extended") : step.kinds.map((kind) => t(`debate.kind.${kind}`)).join(", ")}` : step.step === "round" ? t("round", { n: step.round }) : t(`step.${step.step}`));

/** Everybody at the table. */
export function peoplePanel(onOpen) {
  const list = h("ul", { class: "people plain" });
  const cards = new Map();
  const node = h("div", null, h("h2", null, t("people")), list);
  function update(view) {
    for (const person of view.people.values()) {
      const doing = activity(view, person.name);
      const debates = person.role !== undefined;
      const key = JSON.stringify([view.run === "ended", doing, person.bank, person.edition, person.memory?.length, person.memoryChanges, person.favored]);
      let card = cards.get(person.name);
      if (card?.key === key) continue;
      if (!card) {
        const state = h("p", { class: "doing" });
        const bank = h("dd");
        const memory = h("dd");
        const stands = h("p", { class: "stands" });
        const open = button(t(debates ? "debate.person.open" : "person.open"), () => onOpen(person.name), { kind: "quiet", "aria-label": t(debates ? "debate.person.open.of" : "person.open.of", { name: person.name }), testid: "person-open" });
        card = { state, bank, memory, stands, key: "", node: h("li", { class: "person" }, avatar(person, "small"), h("div", null, h("h3", null, nameOf(person)), state, !debates && h("dl", null, h("div", null, h("dt", null, t("bank")), bank), h("div", null, h("dt", null, t("memory")), memory)), stands, open)) };
        cards.set(person.name, card);
        list.append(card.node);
      }
      card.key = key;
      card.node.dataset.doing = doing ?? "";
      put(card.state, view.run === "ended" ? null : doing ? [t(`activity.${doing}`), !["queued", "failed"].includes(doing) && h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"))] : t("activity.none"));
      if (debates) {
        put(card.stands, roleOf(person), person.edition ? ` · ${t("debate.version", { n: person.edition })}` : "");
        continue;
      }
      put(card.bank, dollars(person.bank));
      put(card.memory, t("characters", { n: [...person.memory].length }));
      put(card.stands, person.favored ? [t("favors"), " ", principle(person.favored)] : null);
    }
  }
  return { node, update };
}

/** All that is known of one participant. `onAsks(ids)` opens what stands behind the memory. */
export function personDetails(view, person, onAsks) {
  if (person.role !== undefined) return debaterDetails(view, person, onAsks);
  return h("div", { class: "person-details" },
    h("p", { class: "row" }, avatar(person), kindTag(person.kind), person.model && h("code", null, person.model)),
    person.personality && h("p", { class: "quiet" }, person.personality),
    person.manipulator && h("p", null, person.target ? t("target", { name: person.name, principle: principleName(person.target) }) : t("person.manipulator")),
    h("dl", { class: "facts" }, h("div", null, h("dt", null, t("bank")), h("dd", null, dollars(person.bank))), h("div", null, h("dt", null, t("memory")), h("dd", null, t("characters", { n: [...person.memory].length })))),
    h("h3", null, t("memory")),
    h("div", { class: "memory pre", tabindex: "0", role: "region", "aria-label": t("memory"), "data-testid": "memory" }, person.memory || h("span", { class: "quiet" }, t("memory.empty"))),
    person.memoryAsk && h("p", null, button(t("memory.details"), () => onAsks([person.memoryAsk]), { kind: "quiet" })),
    h("h3", null, t("rankings")),
    h("dl", { class: "facts" }, MOMENTS.filter((moment) => moment in person.rankings).map((moment) => h("div", null, h("dt", null, t(`moment.${moment}`)), h("dd", null, orderOf(person.rankings[moment]), person.rankings[moment]?.certainty && h("span", { class: "quiet" }, t(`certainty.${person.rankings[moment].certainty}`)))))));
}

function debaterDetails(view, person, onAsks) {
  const versions = view.proposals.get(person.name) ?? [];
  const asks = [...view.asks.values()].filter((ask) => ask.seat === person.name).map((ask) => ask.id);
  return h("div", { class: "person-details" },
    h("p", { class: "row" }, avatar(person), kindTag(person.kind), person.model && h("code", null, person.model)),
    h("p", null, roleOf(person)), person.personality && h("p", { class: "quiet" }, person.personality),
    asks.length ? h("p", null, button(t("debate.person.asks", { n: asks.length }), () => onAsks(asks), { kind: "quiet" })) : null,
    versions.map((one) => h("details", null, h("summary", null, t("debate.version", { n: one.version }), h("span", { class: "quiet" }, ` · ${t("round", { n: one.round })}`)), h("div", { class: "pre" }, one.text))));
}
