// All ready-made sessions, by procedure.
import { Button, drawing } from "../elements.tsx";
import { t } from "../i18n.js";
import { Avatar } from "../participants.tsx";
import { loadPresets, localised, needsKey, presetsFor, presetText, presetTitle, protocolOf } from "./presets.js";
import { type Begin, useStart } from "./starting.tsx";

type Engine = typeof import("../engine.js");
interface Preset {
  id: string;
  config: { protocol?: string; agents: { name: string }[] };
}

function Card({ preset, begin }: { preset: Preset; begin: Begin }) {
  const title = presetTitle(preset);
  const agents: Preset["config"]["agents"] = localised(preset).agents;
  return (
    <li class="card">
      <h3>{title}</h3>
      <p>{presetText(preset)}</p>
      <p class="faces" aria-hidden="true">
        {agents.slice(0, 10).map(({ name }, index) => <Avatar person={{ name, index }} size="small" />)}
      </p>
      <div class="row">
        {!needsKey(preset) && (
          <Button icon="play" aria-label={`${t("home.run")}: ${title}`} data-testid={`preset-${preset.id}`}
            onClick={() => begin(() => localised(preset))}>
            {t("home.run")}
          </Button>
        )}
        <a class="button button-quiet" href={`#/setup/${encodeURIComponent(preset.id)}`}
          aria-label={`${t("home.change")}: ${title}`}>
          {t("home.change")}
        </a>
      </div>
    </li>
  );
}

function Presets({ presets, starting }: { presets: Preset[]; starting: Promise<Engine> }) {
  const [begin, message] = useStart(starting);
  return (
    <div class="page">
      <h1>{t("home.presets")}</h1>
      {message}
      {[...new Set(presets.map(protocolOf))].map((protocol) => (
        <section key={protocol}>
          <h2 class="protocol eyebrow">{t(`home.presets.${protocol}`)}</h2>
          <ul class="cards plain">
            {presets.filter((one) => protocolOf(one) === protocol).map((one) => (
              <Card key={one.id} preset={one} begin={begin} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

export async function view({ starting }: { starting: Promise<Engine> }) {
  const presets: Preset[] = presetsFor(await loadPresets());
  const page = drawing(<Presets presets={presets} starting={starting} />);
  return { node: page.node, leave: page.leave, title: t("home.presets") };
}
