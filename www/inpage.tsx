// Models that run inside this page: which are available, downloading one, and starting a discussion with it.
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "./elements.tsx";
import { localised, presetsFor } from "./home/presets.js";
import { number, t } from "./i18n.js";
import { useUid } from "./inputs.tsx";
import { RUNNERS } from "./inpage/runners.js";
import { FileButton, type Message, Notice, useMessage } from "./notice.tsx";

interface Runner {
  runner: string;
  /** Why this browser does not support it: the key of a text. */
  trouble: () => Promise<string | null>;
  models: () => Promise<KnownModel[]>;
  load: (model: string, onShare: (share: number) => void,
    options: { file?: File | undefined; signal: AbortSignal }) => Promise<unknown>;
  forget?: (model: string) => Promise<unknown>;
}
const ALL = RUNNERS as Runner[];
interface KnownModel {
  id: string;
  /** Bytes. */
  size?: number;
  isHere: boolean;
}

/** One card for each runner, once it is known which of them this browser supports. */
export function InPageModels({ onReady }: { onReady: () => void }) {
  const [reasons, setReasons] = useState<(string | null)[] | null>(null);
  useEffect(() => {
    void Promise.all(ALL.map((one) => one.trouble())).then((all) => {
      setReasons(all);
      onReady();
    });
  }, []);
  return reasons && (
    <div class="providers three">
      {ALL.map((one, at) => <Card key={one.runner} of={one} reason={reasons[at] ?? null} />)}
    </div>
  );
}

function Card({ of: one, reason }: { of: Runner; reason: string | null }) {
  const { runner } = one;
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="provider" data-testid={`inpage-${runner}`}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h3>{t(`inpage.${runner}`)}</h3>
        {reason && <span class="quiet">{t("inpage.not")}</span>}
      </summary>
      <div class="provider-body">
        <p class="quiet">{t(`inpage.${runner}.text`)}</p>
        {reason
          ? <p class="note" data-testid="inpage-trouble">{t(reason)}</p>
          : <Choice of={one} isOpen={isOpen} />}
      </div>
    </details>
  );
}

const gigabytes = (bytes: number) =>
  t("inpage.size", { n: number(bytes / 1e9, { maximumFractionDigits: bytes < 1e8 ? 3 : 1 }) });

/** The field that names a model of a runner. */
function ModelField(
  { runner, models, value, setValue }: { runner: string; models: KnownModel[]; value: string;
    setValue: (id: string) => void },
) {
  const id = useUid("inpage");
  if (runner === "builtin") return null;
  if (runner === "gguf") {
    return (
      <div class="field">
        <label for={id}>{t("inpage.url")}</label>
        <input id={id} type="url" placeholder="https://…/model.gguf" spellcheck={false} data-testid="inpage-url"
          value={value} onInput={({ currentTarget }) => setValue(currentTarget.value)} />
        <p class="help">{t("inpage.url.help")}</p>
      </div>
    );
  }
  return (
    <div class="field">
      <label for={id}>{t("inpage.model")}</label>
      <select id={id} data-testid="inpage-select" value={value}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}>
        {models.map((model) => (
          <option key={model.id} value={model.id}>{`${model.id} · ${gigabytes(model.size!)}`}</option>
        ))}
      </select>
    </div>
  );
}

/** Choosing, downloading and using a model of a runner. */
function Choice({ of: one, isOpen }: { of: Runner; isOpen: boolean }) {
  const { runner } = one;
  const [message, setMessage] = useMessage();
  const [models, setModels] = useState<KnownModel[]>([]);
  const [chosen, setChosen] = useState(runner === "builtin" ? "default" : "");
  /** What is downloaded of a model, 0 to 1; undefined while unknown, null if nothing is being downloaded. */
  const [share, setShare] = useState<number | undefined | null>(null);
  const stop = useRef<AbortController>();
  const value = (chosen || (runner === "webllm" && models[0]?.id) || "").trim();
  const isLoading = share !== null;

  const list = async () => setModels(await one.models().catch(() => []));
  // Stored models can only be listed by loading the library, so that waits until the card is opened.
  useEffect(() => {
    if (isOpen) void list();
  }, [isOpen]);

  async function load(model: string, file?: File) {
    if (!model) return setMessage({ text: t("inpage.which"), isGood: false });
    const { signal } = stop.current = new AbortController();
    setShare(undefined);
    setMessage({ text: t("inpage.getting") });
    try {
      await one.load(model, (now: number) => setShare(Math.min(1, now)), { file, signal });
      setMessage({ text: t("inpage.ready"), isGood: true });
    } catch (error) {
      const message: Message = signal.aborted ? { text: t("inpage.stopped") } : { text: t("inpage.failed"), error };
      setMessage({ ...message, isGood: false });
    }
    setShare(null);
    await list();
  }
  const forget = async (model: string) => {
    await one.forget!(model);
    setMessage({ text: t("inpage.forgotten") });
    await list();
  };
  return (
    <div class="stack">
      <ModelField runner={runner} models={models} value={chosen} setValue={setChosen} />
      <div class="row">
        <Button kind="primary" disabled={isLoading} data-testid="inpage-get" onClick={() => load(value)}>
          {t("inpage.get")}
        </Button>
        {runner === "gguf" && (
          <FileButton id="inpage-file" accept=".gguf" testid="inpage-file" onPick={(file) =>
            void load(`file:${file.name}`, file)}>
            {t("inpage.file")}
          </FileButton>
        )}
        <Button kind="quiet" hidden={!isLoading || runner === "builtin"} onClick={() => stop.current?.abort()}>
          {t("cancel")}
        </Button>
      </div>
      {/* Without a value it shows that the share is unknown. */}
      <progress key={typeof share} max="1" value={share ?? undefined} hidden={!isLoading}
        aria-label={t("inpage.progress")} />
      <Notice message={message} role="status" />
      <ul class="plain inpage-kept">
        {models.filter(({ isHere }) => isHere).map((model) => (
          <li key={model.id} data-testid="inpage-kept">
            <code>{model.id}</code>
            {model.size && <span class="quiet">{` ${gigabytes(model.size)}`}</span>}
            <span class="row">
              <Button kind="primary" icon="play" data-testid="inpage-start" onClick={() => start(runner, model.id)}>
                {t("inpage.start")}
              </Button>
              {one.forget && (
                <Button kind="quiet" aria-label={t("inpage.forget.of", { model: model.id })} onClick={() =>
                  forget(model.id)}>
                  {t("inpage.forget")}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Preset {
  config: { protocol?: string; agents: { kind?: string }[] };
}

/** Starts a short discussion in which this model takes all seats. */
async function start(runner: string, model: string) {
  const engine = await import("./engine.js");
  const preset = presetsFor(engine.presets()).find(({ config }: Preset) =>
    config.protocol === "discussion" && !config.agents.some((agent) => agent.kind === "human")
  );
  const config = localised(preset);
  delete config.seed;
  config.agents = config.agents.map((agent: object) => ({ ...agent, kind: "custom", program: runner, model }));
  // Small models on one processor are slow.
  Object.assign(config, { turn_timeout: 600, limits: { ...config.limits, max_answer_tokens: 200 } });
  location.hash = `#/run/${await engine.create(config)}`;
}
