// Messages on the outcome of an action.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { t } from "./i18n.js";

/** `isGood`: whether it went well, if that is to be seen; `error`: its own words, in English. */
export interface Message {
  text?: ComponentChildren;
  isGood?: boolean;
  error?: unknown;
}

/** `as`: a text of several paragraphs stands in a `div`. */
export const Notice = (
  { message: { text, isGood, error }, role = "alert", testid, as: Tag = "p" }: {
    message: Message;
    role?: "alert" | "status";
    testid?: string;
    as?: "p" | "div";
  },
) => (
  <Tag class="said" role={role} data-ok={isGood === undefined ? undefined : String(isGood)} data-testid={testid}>
    {text}
    {error !== undefined && [" ", <span lang="en">{(error as Error).message}</span>]}
  </Tag>
);

/** The last message, and a function that replaces it. */
export const useMessage = () => useState<Message>({});

/** A button that picks a file; the same one may be picked again. */
export const FileButton = (
  { id, accept, testid, kind, onPick, children }: { id: string; accept: string; testid?: string; kind?: "quiet";
    onPick: (file: File) => void; children: ComponentChildren },
) => (
  <>
    <input type="file" id={id} class="sr-only" accept={accept} data-testid={testid} onChange={({ currentTarget }) => {
      const [picked] = currentTarget.files ?? [];
      currentTarget.value = "";
      if (picked) onPick(picked);
    }} />
    <label for={id} class={kind ? `button button-${kind}` : "button"}>{children}</label>
  </>
);

/** The message of an action that failed. */
export const failed = (key: string, error: unknown): Message => ({ text: t(key), isGood: false, error });
