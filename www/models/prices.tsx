// The table of prices: view, change, add.
import { useRef, useState } from "preact/hooks";
import { NumberField } from "../answer/number-field.tsx";
import { Button } from "../elements.tsx";
import { language, t } from "../i18n.js";
import type { TypedNumber } from "../answer/number-field.tsx";
import { NumberInput, useUid } from "../inputs.tsx";
import { failed, type Message, Notice, useMessage } from "../notice.tsx";
import { allows, originOf } from "../origins.js";
import type { Price, Prices } from "../pkg/quorate.js";
import { keep, LIST, own, refresh } from "../prices.js";
import type { Engine } from "../view-types.ts";

/** Rows shown without a search. */
const SHOWN = 12;
const KINDS = ["input", "output", "cached"] as const;
type Kind = (typeof KINDS)[number];
type Rows = Record<string, Price>;

/** A model's present price; its three fields change it one by one. */
function PriceField(
  { model, kind, price, save }: { model: string; kind: Kind; price: Price; save: (price: Price) => void },
) {
  const [typed, setTyped] = useState<TypedNumber>(price[kind]);
  /** The same, at once. */
  const now = useRef(typed);
  const setValue = (value: TypedNumber) => setTyped(now.current = value);
  const place = useRef<HTMLTableCellElement>(null);
  const take = () => {
    const value = now.current;
    // A number that may be two is asked about first.
    if (typeof value === "string" && place.current!.querySelector("button")) return;
    // Only the price for cached tokens may be empty.
    if (value === undefined ? kind !== "cached" : !(Number(value) >= 0)) return setValue(price[kind]);
    const { [kind]: _, ...others } = price;
    save((value === undefined ? others : { ...others, [kind]: value }) as Price);
  };
  return (
    <td ref={place} onChange={take} onClick={({ target }) => (target as Element).closest("button") && take()}>
      <NumberField language={language()} value={typed} placeholder={kind === "cached" ? "–" : ""} onValue={setValue}
        attributes={{ class: "price", "aria-label": t("prices.of", { model, what: t(`prices.${kind}`) }),
          "data-testid": `price-${kind}` }} />
    </td>
  );
}

function Row(
  { model, price, isOwn, undo, save, reset }: { model: string; price: Price; isOwn: boolean; undo: string;
    save: (price: Price) => void; reset: () => void },
) {
  return (
    <tr data-model={model} class={isOwn ? "own" : undefined}>
      <th scope="row">
        <code>{model}</code>
        <span class="mark">{isOwn && <span class="tag">{t("prices.own")}</span>}</span>
      </th>
      {KINDS.map((kind) => <PriceField key={kind} model={model} kind={kind} price={price} save={save} />)}
      <td class="undo">
        {isOwn && (
          <Button kind="quiet" more="details" aria-label={`${undo}: ${model}`} data-testid="price-reset"
            onClick={reset}>
            {undo}
          </Button>
        )}
      </td>
    </tr>
  );
}

/** The form for the price of another model. */
function Add({ add }: { add: (model: string, price: Price) => void }) {
  const id = useUid("price");
  const [times, setTimes] = useState(0);
  const amounts = useRef<{ input?: TypedNumber; output?: TypedNumber }>({});
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const unset = (["input", "output"] as const).find((kind) => !(Number(amounts.current[kind]) >= 0));
    if (unset) return document.getElementById(`${id}-${unset}`)!.focus();
    add(new FormData(form).get("model")!.toString().trim(), amounts.current as Price);
    amounts.current = {};
    form.reset();
    setTimes(times + 1);
  };
  return (
    <form class="row prices-add" onSubmit={submit}>
      <div class="field">
        <label for={id}>{t("prices.model")}</label>
        <input id={id} name="model" type="text" required spellcheck={false} placeholder="openai/gpt-5-mini"
          data-testid="prices-model" />
      </div>
      {(["input", "output"] as const).map((kind) => (
        <div key={`${kind} ${times}`} class="field">
          <label for={`${id}-${kind}`}>{t(`prices.${kind}`)}</label>
          <NumberInput id={`${id}-${kind}`} required onChange={(value) => (amounts.current[kind] = value)}
            data-testid={`prices-${kind}`} />
        </div>
      ))}
      <button type="submit" class="button">{t("prices.add")}</button>
    </form>
  );
}

/** All rows by name, with those of this browser in place of the engine's. */
const rowsOf = (base: Rows) =>
  Object.entries({ ...base, ...own() as Rows }).filter(([, row]) => row).sort(([a], [b]) => a.localeCompare(b));

/** The models that a search finds, and which of them are shown: without a search, the changed ones first. */
function find(base: Rows, query: string, isWhole: boolean) {
  const wanted = query.trim().toLowerCase();
  const found = rowsOf(base).map(([model]) => model).filter((model) => model.toLowerCase().includes(wanted));
  const mine = own();
  const shown = wanted || isWhole
    ? found
    : [...found].sort((a, b) => Number(b in mine) - Number(a in mine)).slice(0, SHOWN);
  return { query, isWhole, shown, all: found.length };
}

/** The folded content of the section. */
export function PricesPanel({ engine }: { engine: Engine }) {
  const base: Prices = engine.prices();
  const search = useRef<HTMLInputElement>(null);
  const id = useUid("price");
  const [message, setMessage] = useMessage();
  const [isBusy, setBusy] = useState(false);
  // Changed rows stay where they are until the next search.
  const [{ query, isWhole, shown, all, turn }, setFound] = useState({ ...find(base.models, "", false), turn: 0 });
  const draw = (text = query, whole = isWhole) => setFound({ ...find(base.models, text, whole), turn: turn + 1 });
  const mine: Rows = own();
  const changed = Object.keys(mine).length;
  const stored = (isKept: boolean, key: string, values = {}): Message => ({
    text: isKept ? t(key, values) : t("prices.notkept"),
    isGood: isKept,
  });
  function save(model: string, price?: Price) {
    const next: Rows = { ...own() };
    if (price) next[model] = price;
    else delete next[model];
    setMessage(stored(keep(next), "prices.kept"));
  }
  const reset = (model: string) => {
    save(model);
    draw();
    search.current!.focus();
  };
  const add = (model: string, price: Price) => {
    save(model, price);
    draw(model);
  };
  const renew = async () => {
    const origin = originOf(LIST);
    if (!allows(origin)) return void (await import("../allow-origins.js")).allowOrigins([origin]);
    setBusy(true);
    try {
      const { added, changed, isKept } = await refresh(engine);
      setMessage(stored(isKept, "prices.refreshed", { added, changed }));
      draw();
    } catch (error) {
      setMessage(failed("prices.refresh.failed", error));
    }
    setBusy(false);
  };
  return (
    <details class="provider prices" data-testid="prices">
      <summary>
        <h3>{t("prices.table")}</h3>
        <span class="quiet" data-testid="prices-state">
          {t("prices.date.short", { date: base.date })}
          {changed > 0 && ` · ${t("prices.changed", { n: changed })}`}
        </span>
      </summary>
      <div class="provider-body">
        <p class="help">{t("prices.date", { date: base.date, currency: base.currency })}</p>
        <div class="row">
          <Button disabled={isBusy} data-testid="prices-refresh" onClick={renew}>{t("prices.refresh")}</Button>
          <span class="help">{t("prices.refresh.text")}</span>
        </div>
        <div class="field prices-search">
          <label for={id}>{t("prices.search")}</label>
          <input ref={search} id={id} type="search" spellcheck={false} value={query} data-testid="prices-search"
            onInput={({ currentTarget }) => draw(currentTarget.value)} />
        </div>
        <p class="quiet" role="status">
          {t("prices.count", { n: shown.length, all })}{" "}
          {shown.length < all && (
            <button type="button" class="link" data-testid="prices-all" onClick={() => draw(query, true)}>
              <span>{t("prices.all")}</span>
            </button>
          )}
        </p>
        <div class="scroll" tabIndex={0} role="region" aria-label={t("prices.table")}>
          <table class="numbers">
            <thead>
              <tr>
                <th scope="col">{t("prices.model")}</th>
                {KINDS.map((kind) => <th scope="col">{t(`prices.${kind}`)}</th>)}
                <th scope="col">
                  <span class="sr-only">{t("prices.change")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((model) => (
                <Row key={`${turn} ${model}`} model={model} price={(mine[model] ?? base.models[model])!}
                  isOwn={model in mine} undo={t(model in base.models ? "prices.reset" : "prices.remove")}
                  save={(price) => save(model, price)} reset={() => reset(model)} />
              ))}
            </tbody>
          </table>
        </div>
        <Notice message={message} role="status" testid="prices-said" />
        <h4>{t("prices.another")}</h4>
        <Add add={add} />
      </div>
    </details>
  );
}
