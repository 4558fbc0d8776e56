// The role with which a run is viewed, where people take part: shown, and changed by the owner.
import { confirmDialog } from "./dialog.tsx";
import { Button, drawing, Icon } from "./elements.tsx";
import { t } from "./i18n.js";
import { isTable } from "./rooms/stored-rooms.js";
import type { Lab } from "./view-types.ts";
import { recordLook } from "./visibility.js";

function RoleLine(
  { isLooking, seat, turn, look }: { isLooking: boolean; seat: string | null; turn: (behind: boolean) => void;
    look: () => void },
) {
  return (
    <>
      <p>
        <Icon name={isLooking ? "warn" : "lock"} />{" "}
        {isLooking ? t("sight.owner") : seat ? t("sight.seat", { name: seat }) : t("sight.audience")}
      </p>
      {isLooking
        ? <Button kind="quiet" data-testid="sight-back" onClick={() => turn(false)}>{t("sight.back")}</Button>
        : (
          <Button kind="quiet" data-testid="sight-look" title={t("sight.look.help")} onClick={look}>
            {t("sight.look")}
          </Button>
        )}
    </>
  );
}

/** `update()` applies the present role; `node` shows it. `here` returns the seat at the device, null while unknown. */
export function roleSwitch(lab: Lab, here: () => string | null) {
  const people = [...lab.view.people.values()].filter(({ kind }) => kind === "human").map(({ name }) => name);
  let isLooking = false;
  const turn = (behind: boolean) => {
    isLooking = behind;
    if (behind) recordLook(lab);
    lab.changed();
  };
  /** Asks first, since it is recorded. */
  const look = async () => {
    const isMeant = await confirmDialog(t("sight.look"), t("sight.look.help"), t("sight.look"));
    if (isMeant) turn(true);
    return isMeant;
  };
  /** Who played alone with programs sees everything at the end. */
  const seesAll = () => people.length === 1 && lab.status.state === "ended" && !isTable(lab.session.id);
  const component = (seat: string | null) => (
    <div class="sight" role="status" data-testid="sight" hidden={!people.length || seesAll()}>
      {people.length > 0 && !seesAll() && <RoleLine isLooking={isLooking} seat={seat} turn={turn} look={look} />}
    </div>
  );
  const { node, show } = drawing(component(null));
  function update() {
    if (!people.length) return;
    const seat = people.length === 1 ? people[0]! : people.find((name) => name === here()) ?? null;
    lab.show(isLooking || seesAll() ? "owner" : seat ? { seat } : "audience");
    show(component(seat));
  }
  return { node, update, isOwner: () => isLooking, look };
}
