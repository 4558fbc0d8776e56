// From a set-up to a room: number of tables, seats, absences, questionnaires before and after, connection service.
// Further settings are edited as YAML.
import { h, put, button } from "../dom.js";
import { t, has } from "../i18n.js";
import { openDialog } from "../dialog.js";
import { parserFor } from "../configtext.js";
import { kindOf } from "../fields.js";
import { field, figure, line, payment, questions, withoutEmpty, firstUnchecked, returnLinks } from "./questionnaire.js";
import { connectionService } from "./connection-service.js";

/** Seconds until something is done about a guest who does not answer. */
const PATIENCE = 180;
const AWAY = 60;

/** The number of people among the participants; if there are none, all of them. */
const peopleOf = (config) =>
  config.agents?.filter((agent) => kindOf(agent) === "human").length || config.agents?.length || 1;

/**
 * The default plan of a room.
 * @returns {Record<string, any>}
 */
export const defaultPlan = (config) => ({
  ...(config.title && { title: config.title }),
  ...(config.language && { language: config.language }),
  session: config,
  tables: 12,
  people: peopleOf(config),
  names: "pseudonyms",
  start: "hand",
  deal: "arrival",
  fill: true,
  absence: { after: AWAY, then: "stand_in" },
  patience: { after: PATIENCE, then: "remind" },
});

/**
 * Asks for the settings; resolves with `{ plan, place }`, or null. `check(plan)` resolves to its faults; `place` is the
 * connection service as connection-service.js reads it.
 */
export function invite(config, { check }) {
  const plan = defaultPlan(config);
  const number = (key) => figure(plan, key, { isWhole: true, "data-testid": `invite-${key}` });
  const choice = (values, value, words, pick, testid) =>
    h("select", { "data-testid": testid, on: { change: (event) => pick(event.target.value) } }, values.map((one) =>
      h("option", { value: one, selected: one === value }, t(`${words}.${one}`))
    ));
  const place = connectionService();
  const list = (key, options) => questions(plan[key] ??= [], { testid: key, ...options });
  const part = (key, ...inside) =>
    h("details", { class: "more", "data-testid": `part-${key}` }, h("summary", null, t(`invite.${key}`)), inside);
  const asked = h("textarea", { rows: 6, spellcheck: "false", class: "code", placeholder: t("invite.more.example"),
    "data-testid": "invite-more" });
  const faults = h("div", { class: "said bad", role: "alert" });
  const showFaults = (...what) => {
    put(faults, what);
    faults.scrollIntoView({ block: "center" });
  };
  return openDialog(t("invite.title"), (close) => [
    h("p", { class: "quiet" }, t("invite.text")),
    h("div", { class: "fields" },
      field(t("invite.people"), number("people"), t("invite.people.help", { n: config.agents?.length ?? 1 })),
      field(t("invite.tables"), number("tables"), t("invite.tables.help")),
      field(t("invite.names"),
        choice(["pseudonyms", "own"], plan.names, "invite.names", (value) => (plan.names = value), "invite-names")),
      field(t("invite.start"),
        choice(["hand", "full"], plan.start, "invite.start", (value) => (plan.start = value), "invite-start")),
      field(t("invite.deal"),
        choice(["arrival", "random", "hand"], plan.deal, "invite.deal", (value) => (plan.deal = value), "invite-deal")),
      field(t("invite.absence"),
        choice(["wait", "remind", "skip", "stand_in", "end"], plan.absence.then, "invite.then",
          (value) => (plan.absence.then = value), "invite-absence"), t("invite.absence.help", { n: AWAY })),
      field(t("invite.patience"),
        choice(["wait", "remind", "skip", "stand_in"], plan.patience.then, "invite.then",
          (value) => (plan.patience.then = value), "invite-patience"), t("invite.patience.help", { n: PATIENCE }))),
    part("arriving",
      field(t("invite.consent"), line(plan, "consent", { rows: 3, "data-testid": "invite-consent" }),
        t("invite.consent.help")), h("h3", null, t("invite.before")), list("before"),
      h("h3", null, t("invite.comprehension")), h("p", { class: "help" }, t("invite.comprehension.help")),
      list("comprehension", { isCheck: true }),
      h("div", { class: "fields" }, field(t("invite.tries"), figure(plan, "tries", { isWhole: true, placeholder: 3 })),
        field(t("invite.wait"), figure(plan, "wait", { isWhole: true }), t("invite.wait.help")))),
    part("after", list("after")),
    part("pay", payment(plan)),
    part("ways", returnLinks(plan)),
    part("meeting", place.node),
    part("more", field(t("invite.more.label"), asked, t("invite.more.help"))),
    faults,
    h("div", { class: "dialog-foot" },
      h("div", { class: "row" }, button(t("cancel"), () => close(null)), button(t("invite.open"), async () => {
        let more = {};
        try {
          more = asked.value.trim() ? await (await parserFor("yaml"))(asked.value) : {};
        } catch (error) {
          return showFaults(h("p", { lang: "en" }, error.message));
        }
        const whole = { ...withoutEmpty(plan), ...(more && typeof more === "object" ? more : {}) };
        if (firstUnchecked(whole)) {
          return showFaults(h("p", null, t("ask.right.missing", { n: firstUnchecked(whole) })));
        }
        const where = place.read();
        if (where?.fault) return showFaults(h("p", null, where.fault));
        const found = await check(whole);
        if (found.length) {
          return showFaults(h("p", null, t("setup.faults", { n: found.length })), h("ul", null, found.map((fault) =>
            h("li", null, has(`invite.${fault.path}`)
              ? `${t(`invite.${fault.path}`)}: `
              : fault.path && [h("code", null, fault.path), " "], fault.message)
          )));
        }
        close({ plan: whole, place: where });
      }, { kind: "primary", testid: "invite-open" }))),
  ], { wide: true, testid: "invite" });
}
