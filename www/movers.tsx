// Buttons that move an entry of a list up or down, or remove it.
import { Button } from "./elements.tsx";
import { t } from "./i18n.js";

export const moveIn = (list: unknown[], at: number, to: number) => list.splice(to, 0, ...list.splice(at, 1));

export function Movers(
  { name, at, count, move, remove, more = "" }: { name: string; at: number; count: number;
    move: (to: number, which: "up" | "down") => void; remove: () => void; more?: string },
) {
  const round = (which: "up" | "down" | "cross") => `button-icon ${which}`;
  return (
    <div class={`row tight ${more}`.trim()}>
      <Button kind="quiet" more={round("up")} icon="up" disabled={at === 0} aria-label={t("agent.up", { name })}
        onClick={() => move(at - 1, "up")} />
      <Button kind="quiet" more={round("down")} icon="down" disabled={at === count - 1}
        aria-label={t("agent.down", { name })} onClick={() => move(at + 1, "down")} />
      <Button kind="quiet" more={round("cross")} icon="cross" aria-label={t("agent.remove", { name })}
        onClick={remove} />
    </div>
  );
}
