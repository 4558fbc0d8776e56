// Starting a ready-made session from a page: what is said meanwhile, and where it fails.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n.js";
import { start } from "./start.js";

type Engine = typeof import("../engine.js");
type Presets = ReturnType<Engine["presets"]>;
export type Begin = (choose: (presets: Presets) => object) => void;

/** `[begin, message]`: begins a session of the chosen configuration; and an element that says how that goes. */
export function useStart(starting: Promise<Engine>): [Begin, ComponentChildren] {
  const [said, setSaid] = useState<{ text: ComponentChildren; isBad?: boolean } | null>(null);
  const [isStarting, setStarting] = useState(false);
  const begin: Begin = async (choose) => {
    if (isStarting) return;
    setStarting(true);
    const waiting = setTimeout(() => setSaid({ text: t("loading") }), 200);
    try {
      await start(starting, choose);
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      const why = code === "storage" || code === "quota" ? t(`trouble.${code}`) : t("home.failed");
      setSaid({ text: (
        <>
          {why} <span lang="en">{message}</span>
        </>
      ), isBad: true });
    }
    clearTimeout(waiting);
    setStarting(false);
  };
  return [begin, (
    <p class="said" role="alert" data-ok={said?.isBad ? "false" : undefined}>{said?.text}</p>
  )];
}
