// A room on the wall. The tab that has the room draws it, and sends it to windows of the same browser, so that the wall can
// be on another screen than the host's controls.
import { Button, drawing } from "./elements.tsx";
import { t } from "./i18n.js";
import { follow, getRoom } from "./rooms/hosted-rooms.js";
import { WallScreen } from "./rooms/wall.tsx";
import { type WallView, wallView } from "./rooms/wall-view.ts";
import { apply as applyTheme, theme } from "./theme.js";
import type { Engine } from "./view-types.ts";

const toggleFull = () =>
  document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen().catch(() => {});

/** `start` begins the tables; a window that only follows cannot. */
function Wall({ wall, now, start }: { wall: WallView; now: () => number; start: (() => void) | null }) {
  return (
    <div class="present">
      <div class="wall" tabIndex={-1} role="region" aria-label={t("room.project")} aria-live="polite"
        data-testid="wall">
        <WallScreen wall={wall} now={now} />
      </div>
      <div class="present-bar">
        {start && (
          <Button kind="primary" icon="play" data-testid="wall-start" hidden={wall.stage !== "lobby"}
            disabled={!wall.canStart} onClick={start}>
            {t("room.start")}
          </Button>
        )}
        <output />
        <Button kind="quiet" onClick={toggleFull}>{t("present.full")}</Button>
        {start && (
          <a class="button button-quiet" href={`#/room/${encodeURIComponent(wall.id)}`} data-testid="wall-leave">
            {t("present.leave")}
          </a>
        )}
      </div>
    </div>
  );
}

/** The wall of this tab's own room, or of one in another tab. */
async function source(id: string, engine: Engine) {
  try {
    const hosted = await getRoom(id, engine);
    return { read: () => wallView(hosted), listen: (on: () => void) => hosted.listen(on), now: () => hosted.room.now(),
      start: () => void hosted.room.start() };
  } catch (error) {
    const followed = (error as { code?: string }).code === "locked" && await follow<WallView>(id);
    if (!followed) throw error;
    return { ...followed, start: null };
  }
}

export async function view({ args: [id], engine }: { args: string[]; engine: Engine }) {
  const { read, listen, now, start } = await source(id!, engine);
  const component = () => <Wall wall={read()} now={now} start={start} />;
  const wall = drawing(component());
  const stop = listen(() => wall.show(component()));
  return { node: wall.node, title: t("room.project"), entered() {
    document.documentElement.classList.add("presenting");
    // A bright room needs dark text on white, unless the user has chosen a theme.
    if (theme() === "auto") applyTheme("light");
  }, leave() {
    stop();
    wall.leave();
    document.documentElement.classList.remove("presenting");
    applyTheme();
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  } };
}
