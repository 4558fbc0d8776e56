// The dialog for the seating of a running discussion: join, leave and change places.
import { h, put, button } from "./dom.js";
import { t, language } from "./i18n.js";
import { openDialog } from "./dialog.js";
import { tableForm } from "./form.js";
import { tableOf } from "./fields/switch-protocol.js";

/** The present seating: that of the last change, else that of the configuration. */
function current({ session }) {
  const changes = session.entries().filter(({ what }) => what.type === "commanded" && what.command.do === "reseat");
  const { agents, participants } = changes.at(-1)?.what.command.table ?? session.config;
  return structuredClone(tableOf({ agents, participants }, t("floor.guest")));
}

/** Opens the dialog; resolves when it is closed. */
export async function changeTable(lab, engine) {
  const { agents: _, participants: __, ...rest } = lab.session.config;
  const config = { ...structuredClone(rest), protocol: "discussion", agents: current(lab) };
  const before = JSON.stringify(config.agents);
  const notice = h("div", { class: "checks", role: "status", "data-testid": "table-faults" });
  let timer = 0;
  return openDialog(t("table.change"), (close) => {
    const check = () => {
      const { faults } = engine.check(config, language());
      form.showFaults(faults);
      apply.disabled = faults.length > 0 || JSON.stringify(config.agents) === before;
      put(notice, faults.length
        ? [h("p", { class: "bad" }, t("setup.faults", { n: faults.length })),
          h("ul", null,
            faults.map((fault) =>
              h("li", null, h("button", { class: "link", type: "button", on: { click: () =>
                form.goTo(fault.path) } }, h("code", null, fault.path)), " ", fault.message)
            ))]
        : null);
    };
    const form = tableForm({ config, engine, onChange: () => {
      clearTimeout(timer);
      timer = setTimeout(check, 150);
    } });
    const apply = button(t("table.apply"), () => {
      clearTimeout(timer);
      check();
      if (apply.disabled) return;
      try {
        lab.session.reseat({ agents: config.agents });
        lab.run();
        lab.changed();
        close(true);
      } catch (error) {
        put(notice, h("p", { class: "bad" }, t("table.refused"), " ", h("span", { lang: "en" }, error.message)));
      }
    }, { kind: "primary", testid: "table-apply" });
    check();
    return [h("p", { class: "quiet" }, t("table.text")), form.node,
      h("div", { class: "dialog-foot" }, notice,
        h("div", { class: "row" }, button(t("cancel"), () => close()), apply))];
  }, { wide: true, testid: "table" }).finally(() => clearTimeout(timer));
}
