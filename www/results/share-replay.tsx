// A file without names that shows the run again.
import { Button } from "../elements.tsx";
import { language, t } from "../i18n.js";
import { failed, Notice, useMessage } from "../notice.tsx";
import { replayFile } from "../replay-file.ts";
import type { Engine, Lab } from "../view-types.ts";

export function ShareReplay({ lab, engine }: { lab: Lab; engine: Engine }) {
  const [message, setMessage] = useMessage();
  const save = async () => {
    try {
      engine.download({ name: "quorate-replay.json", type: "application/json",
        text: await replayFile(lab, engine, language()) });
      setMessage({});
    } catch (error) {
      setMessage(failed("replay.share.failed", error));
    }
  };
  return (
    <section class="no-print">
      <h2>{t("replay.share")}</h2>
      <p class="quiet">{t("replay.share.text")}</p>
      <Button data-testid="share-replay" onClick={() => void save()}>{t("replay.share")}</Button>
      <Notice message={message} />
    </section>
  );
}
