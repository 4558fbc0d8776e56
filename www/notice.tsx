// What became of something that was tried.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { t } from "./i18n.js";

/** `isGood`: whether it went well, if that is to be seen; `error`: its own words, in English. */
export interface Said {
  text?: ComponentChildren;
  isGood?: boolean;
  error?: unknown;
}

/** `as`: a text of several paragraphs stands in a `div`. */
export const Notice = (
  { said: { text, isGood, error }, role = "alert", testid, as: Tag = "p" }: {
    said: Said;
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

/** What was said last, and a function that says something else. */
export const useSaid = () => useState<Said>({});

/** A button that picks a file; the same one may be picked again. */
export const FileButton = (
  { id, accept, testid, onPick, children }: { id: string; accept: string; testid?: string; onPick: (file: File) => void;
    children: ComponentChildren },
) => (
  <>
    <input type="file" id={id} class="sr-only" accept={accept} data-testid={testid} onChange={({ currentTarget }) => {
      const [picked] = currentTarget.files ?? [];
      currentTarget.value = "";
      if (picked) onPick(picked);
    }} />
    <label for={id} class="button">{children}</label>
  </>
);

/** What is said where something else than the expected happened. */
export const failed = (key: string, error: unknown): Said => ({ text: t(key), isGood: false, error });
