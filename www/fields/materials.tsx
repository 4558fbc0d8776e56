// The control for the material of a debate.
import { useRef, useState } from "preact/hooks";
import { isBlank } from "../answer/blank.js";
import { Button } from "../elements.tsx";
import { read } from "../fields.js";
import { number, t } from "../i18n.js";
import { decoded } from "../text-file.js";
import { type ControlProps, setter } from "./controls.tsx";
import { useFocus } from "./focus.ts";

/** Most bytes of a file of material. */
const LARGEST_FILE = 100_000;
const FILES = /\.(txt|md|csv|json)$/i;

interface Item {
  title?: string;
  text?: string;
}
const charactersIn = ({ text = "" }: Item) => [...text].length;

/** Reads a text file; throws a translated message. */
async function textOf(file: File): Promise<Item> {
  if (!FILES.test(file.name)) throw new Error(t("materials.kind", { name: file.name }));
  if (file.size > LARGEST_FILE) {
    throw new Error(t("materials.large", { name: file.name, size: number(Math.ceil(file.size / 1000)) }));
  }
  let text: string;
  try {
    text = decoded(new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    throw new Error(`${file.name}: ${(error as Error).message}`);
  }
  if (isBlank(text)) throw new Error(t("materials.empty", { name: file.name }));
  return { title: file.name, text };
}

/** Longer texts are folded. */
const LONG = 400;

function Material(
  { item, at, id, change, remove }: { item: Item; at: number; id: string; change: () => void; remove: () => void },
) {
  const [isOpen] = useState(() => charactersIn(item) < LONG);
  const name = item.title || t("materials.untitled", { n: at + 1 });
  const retitle = (title: string) => {
    if (title) item.title = title;
    else delete item.title;
    change();
  };
  const rewrite = (text: string) => {
    item.text = text;
    change();
  };
  return (
    <li class="material" data-testid="material">
      <div class="material-head">
        <label for={`${id}-title`} class="sr-only">{t("materials.title", { n: at + 1 })}</label>
        <input type="text" id={`${id}-title`} value={item.title ?? ""} placeholder={name}
          onInput={({ currentTarget }) => retitle(currentTarget.value)} />
        <Button kind="quiet" more="button-icon" icon="cross" aria-label={t("agent.remove", { name })}
          onClick={remove} />
      </div>
      <details open={isOpen}>
        <summary>
          {t("materials.text")} · <span class="quiet">{t("characters", { n: charactersIn(item) })}</span>
        </summary>
        <label for={`${id}-text`} class="sr-only">{t("materials.text.of", { name })}</label>
        <textarea id={`${id}-text`} rows={4} value={item.text ?? ""}
          onInput={({ currentTarget }) => rewrite(currentTarget.value)} />
      </details>
    </li>
  );
}

/** Texts that the debaters are given: typed, or from files. */
export function Materials({ path, form, attributes: { "aria-invalid": _, ...attributes } }: ControlProps) {
  const [items, setItems] = useState((): { key: number; item: Item }[] => {
    const given = read(form.config, path);
    const all = Array.isArray(given) ? given : given ? [String(given)] : [];
    return all.map((one, key) => ({ key, item: typeof one === "string" ? { text: one } : one ?? {} }));
  });
  const [refused, setRefused] = useState<string[]>([]);
  const place = useRef<HTMLDivElement>(null);
  const focus = useFocus(place);
  const save = (next = items) => {
    setItems(next);
    setter(path, form)(next.length ? next.map(({ item }) => item) : undefined);
  };
  const withMore = (more: Item[]) => {
    const last = items.at(-1)?.key ?? 0;
    return [...items, ...more.map((item, at) => ({ key: last + at + 1, item }))];
  };
  const take = async (input: HTMLInputElement) => {
    const picked = [...input.files ?? []];
    input.value = "";
    const read: Item[] = [];
    const failed: string[] = [];
    for (const file of picked) {
      await textOf(file).then((item) => read.push(item), ({ message }) => failed.push(message));
    }
    setRefused(failed);
    save(withMore(read));
  };
  const filesId = `${attributes.id}-files`;
  return (
    <div class="stack" ref={place}>
      <ul class="materials plain">
        {items.map(({ key, item }, at) => (
          <Material key={key} item={item} at={at} id={`${attributes.id}-${key}`} change={save} remove={() => {
            focus("[data-testid=material-write]");
            save(items.filter((one) => one.key !== key));
          }} />
        ))}
      </ul>
      <div class="row">
        <Button data-testid="material-write" {...attributes} onClick={() => {
          focus("li:last-child textarea");
          setItems(withMore([{ text: "" }]));
        }}>
          {t("materials.write")}
        </Button>
        <input type="file" multiple class="sr-only" accept=".txt,.md,.csv,.json" id={filesId}
          data-testid="material-files" onChange={({ currentTarget }) => void take(currentTarget)} />
        <label for={filesId} class="button">{t("materials.files")}</label>
      </div>
      <div role="alert">{refused.map((message) => <p class="fault">{message}</p>)}</div>
    </div>
  );
}
