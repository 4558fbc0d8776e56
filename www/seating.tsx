// The dialog for the seating of a running discussion: join, leave and change places.
import { useEffect, useState } from "preact/hooks";
import { openDialog } from "./dialog.tsx";
import { Button, drawing } from "./elements.tsx";
import type { acquire } from "./engine.js";
import type { Config } from "./fields/controls.tsx";
import { tableOf } from "./fields/switch-protocol.js";
import { type Fault, goTo } from "./fields/places.ts";
import { TableForm } from "./form.tsx";
import { language, t } from "./i18n.js";
import type { Language } from "./pkg/quorate.d.ts";

type Lab = Awaited<ReturnType<typeof acquire>>;
type Engine = typeof import("./engine.js");

/** Milliseconds without edits before they are checked. */
const QUIET = 150;

/** The present seating: that of the last change, else that of the configuration. */
function current({ session }: Lab) {
  const entries: { what: any }[] = session.entries();
  const seated = entries.findLast(({ what }) => what.type === "commanded" && what.command.do === "reseat");
  const { agents, participants } = seated?.what.command.table ?? session.config;
  return structuredClone(tableOf({ agents, participants }, t("floor.guest")));
}

/** Opens the dialog; resolves when it is closed. */
export function changeTable(lab: Lab, engine: Engine) {
  const { agents: _, participants: __, ...rest } = lab.session.config as Config;
  const config = { ...structuredClone(rest), protocol: "discussion", agents: current(lab) };
  let leave = () => {};
  return openDialog(t("table.change"), (close: (value?: unknown) => void) => {
    const content = drawing(<Seating lab={lab} engine={engine} config={config} close={close} />);
    leave = content.leave;
    return content.node;
  }, { wide: true, testid: "table" }).finally(() => leave());
}

function Seating(
  { lab, engine, config, close }: { lab: Lab; engine: Engine; config: Config; close: (value?: unknown) => void },
) {
  const check = (): Fault[] => engine.check(config, language() as Language).faults;
  const [before] = useState(() => JSON.stringify(config.agents));
  const [faults, setFaults] = useState(check);
  const [edits, setEdits] = useState(0);
  const [refusal, setRefusal] = useState("");
  const [isChanged, setChanged] = useState(false);
  const update = () => {
    const found = check();
    setFaults(found);
    setRefusal("");
    setChanged(JSON.stringify(config.agents) !== before);
    return found;
  };
  useEffect(() => {
    if (!edits) return;
    const timer = setTimeout(update, QUIET);
    return () => clearTimeout(timer);
  }, [edits]);
  const apply = () => {
    if (update().length || JSON.stringify(config.agents) === before) return;
    try {
      lab.session.reseat({ agents: config.agents });
      lab.run();
      lab.changed();
      close(true);
    } catch (error) {
      setRefusal((error as Error).message);
    }
  };
  return (
    <div>
      <p class="quiet">{t("table.text")}</p>
      <TableForm config={config} engine={engine} faults={faults} onChange={() => setEdits((n) => n + 1)} />
      <div class="dialog-foot">
        <div class="checks" role="status" data-testid="table-faults">
          {refusal && (
            <p class="bad">
              {t("table.refused")} <span lang="en">{refusal}</span>
            </p>
          )}
          {!refusal && faults.length > 0 && (
            <>
              <p class="bad">{t("setup.faults", { n: faults.length })}</p>
              <ul>
                {faults.map(({ path, message }) => (
                  <li>
                    <button class="link" type="button" onClick={() => goTo(config, path)}>
                      <code>{path}</code>
                    </button>{" "}
                    {message}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
        <div class="row">
          <Button onClick={() => close()}>{t("cancel")}</Button>
          <Button kind="primary" data-testid="table-apply" disabled={faults.length > 0 || !isChanged} onClick={apply}>
            {t("table.apply")}
          </Button>
        </div>
      </div>
    </div>
  );
}
