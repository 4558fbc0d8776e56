// Buttons that move an entry of a list up or down, or remove it.
import { Button } from "./elements.tsx";
import { t } from "./i18n.js";

/** `moved` is called with the entry's new place, -1 if it was removed, and the class of the button that was used. */
export function Movers(
  { list, at, name, moved }: { list: unknown[]; at: number; name: string;
    moved: (to: number, button?: string) => void },
) {
  const move = (to: number, button: string) => {
    list.splice(to, 0, ...list.splice(at, 1));
    moved(to, button);
  };
  const remove = () => {
    list.splice(at, 1);
    moved(-1);
  };
  return (
    <div class="row tight movers">
      <Button kind="quiet" more="button-icon up" icon="up" disabled={at === 0} aria-label={t("agent.up", { name })}
        onClick={() => move(at - 1, "up")} />
      <Button kind="quiet" more="button-icon down" icon="down" disabled={at === list.length - 1}
        aria-label={t("agent.down", { name })} onClick={() => move(at + 1, "down")} />
      <Button kind="quiet" more="button-icon cross" icon="cross" aria-label={t("agent.remove", { name })}
        onClick={remove} />
    </div>
  );
}
