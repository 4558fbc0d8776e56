// The results of a run: the outcome, the protocol's own parts (results/), the draws, verification and files.
import { h, put, button, table } from "./dom.js";
import { t, has, number } from "./i18n.js";
import { costSection } from "./costs.js";
import { outcomeSentence } from "./outcome.js";
import { roleSwitch } from "./visibility.js";
import { exportButtons } from "./library/exports.tsx";
import { resultBlocks } from "./results/blocks.tsx";
import { parts as justice } from "./results/justice.js";
import { parts as discussion } from "./results/discussion.js";

/** The parts of each protocol. */
const PARTS = { justice, discussion, debate: async (lab) => (await import("./results/debate.js")).parts(lab) };

export async function view({ args: [id], engine }) {
  const lab = await engine.acquire(id);
  const { view: shown } = lab;
  const leave = () => engine.release(lab);
  const title = shown.head?.config?.title || t("untitled");
  if (!shown.result) {
    return { title, leave,
      node: h("div", { class: "page narrow" }, h("h1", null, title), h("p", { class: "lead" }, t("outcome.unfinished")),
        h("p", { class: "row" },
          h("a", { class: "button button-primary", href: `#/run/${id}` }, t("library.resume")))) };
  }
  const node = h("div", { class: "page results" });
  // A participant sees their own data and what is public; the rest is for the owner.
  const role = roleSwitch(lab, () => null);
  let own = null;
  async function build() {
    const { view: shown } = lab;
    const made = shown.results
      ? resultBlocks(shown)
      : { nodes: [], ...(await (PARTS[shown.head.protocol] ?? justice)(lab)) };
    if (shown !== lab.view) return;
    own?.leave?.();
    own = made;
    put(node,
      h("header", { class: "page-head" },
        h("div", null, h("p", { class: "eyebrow" }, title),
          h("h1", { "data-testid": "outcome", class: "outcome" }, outcomeSentence(shown)),
          [...shown.people.values()].some((person) => person.kind === "scripted")
            && h("p", { class: "simulated" }, t("simulated.results"))),
        h("div", { class: "row no-print" }, h("a", { class: "button", href: `#/run/${id}` }, t("results.transcript")),
          h("a", { class: "button", href: `#/replay/${id}`, "data-testid": "replay" }, t("library.replay")),
          h("a", { class: "button", href: `#/present/${encodeURIComponent(id)}` }, t("present")),
          button(t("results.print"), () => window.print(), { kind: "quiet" }))), role.node, own.nodes,
      lab.role === "owner" && ownerParts(lab), verifySection(lab), lab.role === "owner" && files(lab));
    if (node.isConnected) own.entered?.();
  }
  role.update();
  await build();
  const quiet = lab.listen(() => {
    const before = lab.role;
    role.update();
    if (before !== lab.role) build();
  });
  const shortcuts = [
    { key: "t", says: "shortcut.transcript", go: () => (location.hash = `#/run/${encodeURIComponent(id)}`) },
    { key: "p", says: "shortcut.present", go: () => (location.hash = `#/present/${encodeURIComponent(id)}`) },
  ];
  return { node, title, shortcuts, entered: () => own.entered?.(), leave() {
    quiet();
    own.leave?.();
    lab.show("owner");
    leave();
  } };
}

/** Counts by key. */
function countBy(all, keyOf) {
  const by = new Map();
  for (const one of all) by.set(keyOf(one), [...by.get(keyOf(one)) ?? [], one]);
  return by;
}

/** Translates a warning; one of another version is shown in the record's words. */
function warning({ code, seat, message }) {
  const key = [`warning.${code}`, `chat.note.${code}`].find(has);
  return key ? t(key, { name: seat, about: message }) : h("span", { lang: "en" }, `${seat ?? ""} ${message}`);
}

/** The parts for the owner only. */
function ownerParts(lab) {
  const { view: shown } = lab;
  return [
    costSection(lab.session.costs()),
    draws(lab),
    shown.warnings?.length
      ? h("section", null, h("h2", null, t("results.warnings")),
        h("ul", { class: "warnings" },
          [...countBy(shown.warnings, ({ code, seat, round }) => [code, seat, round].join(" ")).values()].map((same) =>
            h("li", null, same[0].round ? `${t("round", { n: same[0].round })} · ` : "", warning(same[0]),
              same.length > 1 && ` × ${number(same.length)}`)
          )))
      : null,
  ];
}

const files = (lab) =>
  h("section", { class: "no-print" }, h("h2", null, t("export")), h("p", { class: "quiet" }, t("export.text")),
    exportButtons(lab));

function draws(lab) {
  const entries = lab.session.entries();
  const drawn = entries.filter((entry) => entry.what.type === "drew");
  const head = lab.view.head;
  return h("section", null, h("h2", null, t("results.draws")),
    h("dl", { class: "facts" },
      [[t("results.seed"), h("code", { "data-testid": "seed" }, String(lab.view.result.seed ?? head.seed))], [
        t("results.engine"),
        h("code", null, head.engine),
      ], [t("results.hash"), h("code", { class: "hash" }, head.config_hash)], head.forked_from
        && [t("results.forked"), h("code", null, `${head.forked_from.session} @ ${head.forked_from.seq}`)]].filter(
          Boolean,
        ).map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value)))), drawn.length
    ? h("details", null, h("summary", null, t("results.alldraws", { n: drawn.length })),
      table(t("results.draws"), ["#", t("results.stream"), t("results.purpose"), t("results.value")], drawn.map((
        { seq, what },
      ) => [String(seq),
        ...[what.stream, what.purpose, JSON.stringify(what.value)].map((one) => h("code", null, one))]
      ), null))
    : null);
}

/** The result of a verification, in a sentence or two. */
function verdict(lab, report) {
  const { signature } = report;
  const signed = signature?.valid
    ? [" ", t("verify.signed", { key: signature.key })]
    : signature?.valid === null
    ? [" ", t("verify.unchecked")]
    : null;
  if (report.verified) return [t("verify.ok", { n: report.entries }), signed];
  if (!report.intact) return t("verify.altered", { n: report.seq });
  if (signature?.valid === false) return t("verify.forged");
  if (lab.session.onlyFor) return [t("verify.foreign", { n: report.entries, engine: lab.session.onlyFor }), signed];
  return [t("verify.differs", { n: report.seq }), " ", h("span", { lang: "en" }, report.message)];
}

function verifySection(lab) {
  const notice = h("p", { class: "said", role: "status", "data-testid": "verified" });
  return h("section", { class: "no-print" }, h("h2", null, t("verify.title")),
    h("p", { class: "quiet" }, t("verify.text")), h("div", { class: "row" }, button(t("verify"), async () => {
      put(notice, t("verify.running"));
      try {
        const report = await lab.session.verify();
        notice.dataset.ok = String(report.verified);
        put(notice, verdict(lab, report));
      } catch (error) {
        notice.dataset.ok = "false";
        put(notice, t("verify.failed"), " ", h("span", { lang: "en" }, error.message));
      }
    }, { testid: "verify" })), notice);
}
