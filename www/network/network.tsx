// The test for the day before a lesson: whether phones reach this page, the connection service, and keep their screen on.
import { drawing, Icon } from "../elements.tsx";
import { t } from "../i18n.js";
import { ConnectionPicker, useConnection } from "../rooms/connection-picker.tsx";

const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** A finding: good, or something that can be done better. */
const Finding = ({ is, name, testid }: { is: boolean; name: string; testid: string }) => (
  <li class={is ? "finding good" : "finding note"} data-testid={testid} data-ok={String(is)}>
    <Icon name={is ? "check" : "warn"} />
    <span>{t(`network.${name}`, { address: location.host })}</span>
  </li>
);

function Network() {
  const connection = useConnection();
  const canWake = "wakeLock" in navigator && isSecureContext && !isHere;
  return (
    <div class="page narrow">
      <h1>{t("network.title")}</h1>
      <p class="lead">{t("network.lead")}</p>
      <h2>{t("network.page")}</h2>
      <ul class="plain findings">
        <Finding is={!isHere} name={isHere ? "here" : "reach"} testid="network-page" />
        <Finding is={location.protocol === "https:"} name={location.protocol === "https:" ? "https" : "http"}
          testid="network-https" />
        <Finding is={canWake} name={canWake ? "awake" : "asleep"} testid="network-awake" />
      </ul>
      <h2>{t("network.connection")}</h2>
      <ConnectionPicker connection={connection} testsAtOnce={connection.address !== null} />
      <p>{t("network.phone")}</p>
      <p>
        <a class="button" href="#/teach">{t("network.back")}</a>
      </p>
    </div>
  );
}

export async function view() {
  const page = drawing(<Network />);
  return { node: page.node, leave: page.leave, title: t("network.title") };
}
