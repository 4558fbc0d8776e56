// The knowledge library: conclusions of debates and notes, with the search that debates use too.
import { useRef, useState } from "preact/hooks";
import type { Knowledge, MemoryRow } from "../../src/web/quorate.d.ts";
import { confirmDialog } from "../dialog.tsx";
import { Button } from "../elements.tsx";
import { download } from "../engine.js";
import { has, moment, number, t } from "../i18n.js";
import { failed, FileButton, Notice, useMessage } from "../notice.tsx";
import { textOf } from "../text-file.js";
import type { Place } from "./memory.tsx";

type Row = MemoryRow<Knowledge>;

/** Milliseconds after the last key before a search starts. */
const PAUSE = 200;
/** Most items shown by a search. */
const MOST = 50;

function Item({ item, remove }: { item: Knowledge; remove: () => void }) {
  const source = has(`memory.source.${item.source}`) ? t(`memory.source.${item.source}`) : item.source;
  const facts = [source, t("memory.sure", { share: number(item.confidence, { style: "percent" }) }),
    moment(item.updated_at), t("memory.used", { good: item.reinforced, bad: item.weakened })];
  const ask = async () => {
    const text = t("memory.delete.text", { title: item.title });
    if (await confirmDialog(t("memory.delete.title"), text, t("library.delete"))) remove();
  };
  return (
    <li class="card item" data-testid="item">
      <h3>{item.title || t("untitled")}</h3>
      <p class="item-text">{item.text}</p>
      <p class="quiet">
        {facts.join(" · ")}
        {item.source === "debate" && (
          <>
            · <a href={`#/results/${item.source_id}`}>{t("memory.from")}</a>
          </>
        )}
      </p>
      <div class="row">
        <Button kind="quiet" aria-label={`${t("library.delete")}: ${item.title}`} onClick={ask}>
          {t("library.delete")}
        </Button>
      </div>
    </li>
  );
}

function NewItem({ add }: { add: (title: string, text: string) => Promise<void> }) {
  const title = useRef<HTMLInputElement>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    void add(title.current!.value, text.current!.value).then(() => form.reset());
  };
  return (
    <details class="add">
      <summary>{t("memory.add.title")}</summary>
      <form class="stack" data-testid="item-form" onSubmit={submit}>
        <label for="item-title">{t("memory.item.title")}</label>
        <input ref={title} id="item-title" maxLength={200} required />
        <label for="item-text">{t("memory.item.text")}</label>
        <textarea ref={text} id="item-text" rows={4} maxLength={20_000} required />
        <div class="row">
          <button class="button" type="submit">{t("memory.add")}</button>
        </div>
      </form>
    </details>
  );
}

function Library({ all, engine: { Memory }, announce }: Place & { all: Row[] }) {
  /** What is shown, and the search that found it. */
  const [{ rows, query }, setShown] = useState({ rows: all, query: "" });
  const [message, setMessage] = useMessage();
  const search = useRef({ wanted: "", timer: 0 });

  const find = async () => {
    const { wanted } = search.current;
    const stored = await Memory.items("knowledge");
    const hits = wanted.trim() ? await Memory.search(wanted, { limit: MOST, kinds: ["knowledge"] }) : null;
    if (wanted !== search.current.wanted) return;
    setShown({ rows: hits?.flatMap(({ id }) => stored.find((row) => row.id === id) ?? []) ?? stored, query: wanted });
  };
  const type = (text: string) => {
    clearTimeout(search.current.timer);
    const timer = window.setTimeout(() => void find().catch((error) => setMessage({ error })), PAUSE);
    search.current = { wanted: text, timer };
  };
  const act = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      setMessage({ text: done, isGood: true });
      await find();
    } catch (error) {
      setMessage(failed((error as { code?: string }).code === "quota" ? "trouble.quota" : "memory.failed", error));
      throw error;
    }
  };
  const attempt = (work: () => Promise<unknown>, done: string) => act(work, done).catch(() => {});
  const take = (file: File) =>
    attempt(async () => {
      const { added } = await Memory.import(await textOf(file));
      announce(t("memory.imported", { n: added }));
    }, t("library.imported", { name: file.name }));
  const remove = (id: string) =>
    attempt(async () => {
      await Memory.remove("knowledge", id);
      announce(t("memory.deleted"));
    }, "");

  return (
    <section>
      <h2 class="sr-only">{t("memory.knowledge")}</h2>
      <p class="quiet">{t("memory.knowledge.text")}</p>
      <div class="memory-bar">
        <div class="field">
          <label for="memory-search">{t("memory.search")}</label>
          <input type="search" id="memory-search" autocomplete="off" data-testid="memory-search"
            onInput={({ currentTarget }) => type(currentTarget.value)} />
        </div>
        <div class="row">
          <Button data-testid="memory-export" onClick={async () => download(await Memory.export())}>
            {t("memory.export")}
          </Button>
          <FileButton id="memory-file" accept=".jsonl,application/jsonl" onPick={take}>{t("memory.import")}</FileButton>
        </div>
      </div>
      <Notice message={message} />
      <div data-testid="knowledge" aria-live="polite">
        {rows.length
          ? (
            <ul class="plain items">
              {rows.map(({ id, value }) => <Item key={id} item={value} remove={() => void remove(id)} />)}
            </ul>
          )
          : <p class="empty">{t(query.trim() ? "memory.search.none" : "memory.knowledge.empty")}</p>}
      </div>
      <NewItem add={(title, text) => act(() => Memory.add({ title, text }), t("memory.added"))} />
    </section>
  );
}

export const knowledge = async (place: Place) => (
  <Library {...place} all={await place.engine.Memory.items("knowledge")} />
);
