// Modal dialogs on <dialog>: the browser keeps the focus inside and returns it.
import type { ComponentChildren, VNode } from "preact";
import { h } from "./dom.js";
import { Button, drawing, Made } from "./elements.tsx";
import { t } from "./i18n.js";

/** What a dialog shows: a component, or nodes that are made by hand. */
type Content = VNode | Node | unknown[];
const isComponent = (content: Content): content is VNode => !(content instanceof Node || Array.isArray(content));

/** Opens a dialog. `content` gets a function that closes it with a value; resolves with that value. */
export function openDialog<Value = unknown>(
  title: string,
  content: (close: (value?: Value | null) => void) => Content,
  { wide = false, testid, danger = false }: { wide?: boolean; testid?: string; danger?: boolean } = {},
) {
  return new Promise<Value | null>((resolve) => {
    let value: Value | null = null;
    const opener = document.activeElement as HTMLElement | null;
    const place = opener?.closest("[data-key]")?.getAttribute("data-key");
    const close = (result: Value | null = null) => {
      value = result;
      node.close();
    };
    // A dialog closes with the view that opened it.
    const leave = () => close();
    addEventListener("hashchange", leave);
    const closed = () => {
      removeEventListener("hashchange", leave);
      dialog.leave();
      // The run went on behind the dialog, so the button that opened it may have been redrawn.
      if (place && !opener!.isConnected) {
        document.querySelector<HTMLElement>(`[data-key="${CSS.escape(place)}"] .details`)?.focus();
      }
      resolve(value);
    };
    const shown = content(close);
    const dialog = drawing(
      <dialog class={["dialog", wide && "dialog-wide", danger && "dialog-danger"].filter(Boolean).join(" ")}
        aria-labelledby="dialog-title" data-testid={testid} onClose={closed}
        onClick={({ target }) => target === node && close()}>
        <div class="dialog-body">
          <header class="dialog-head">
            <h2 id="dialog-title" tabIndex={-1}>{title}</h2>
            <Button kind="quiet" more="button-icon" icon="cross" aria-label={t("close")} onClick={() => close()}>
              {t("close")}
            </Button>
          </header>
          {isComponent(shown) ? shown : <Made node={h("div", null, shown)} />}
        </div>
      </dialog>,
    );
    const node = dialog.node as HTMLDialogElement;
    document.body.append(node);
    node.showModal();
    node.querySelector("h2")!.focus();
  });
}

/** A question with two answers. Resolves with true or false. */
export const confirmDialog = (title: string, text: ComponentChildren, action: string) =>
  openDialog(title, (close) => (
    <>
      <p>{text}</p>
      <div class="row end">
        <Button onClick={() => close()}>{t("cancel")}</Button>
        <Button kind="danger" data-testid="confirm" onClick={() => close(true)}>{action}</Button>
      </div>
    </>
  ), { danger: true }).then(Boolean);

/** Asks for one line of text. Resolves with it, or null. */
export const promptDialog = (title: string, label: string, value: string) =>
  openDialog<string>(title, (close) => {
    const save = (event: SubmitEvent) => {
      event.preventDefault();
      close(value.trim() || null);
    };
    return (
      <form class="stack" onSubmit={save}>
        <label for="dialog-input">{label}</label>
        <input id="dialog-input" type="text" defaultValue={value} maxLength={200}
          onInput={({ currentTarget }) => (value = currentTarget.value)} />
        <div class="row end">
          <Button onClick={() => close()}>{t("cancel")}</Button>
          <button class="button button-primary" type="submit">{t("save")}</button>
        </div>
      </form>
    );
  });
