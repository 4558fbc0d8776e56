// Where the host's page and the devices meet, as the host says it: what is beside the page, or a broker by its address.
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { field } from "./asked.js";

/** The origin of a broker's address as policies write it; null where it is none that this page may use. */
export function originOf(address) {
  try {
    const { protocol, host, hostname, hash } = new URL(address);
    const isHere = ["localhost", "127.0.0.1"].includes(hostname);
    return !hash && (protocol === "wss:" || (protocol === "ws:" && isHere)) && /^[a-z0-9.:-]+$/.test(host) ? `${protocol}//${host}` : null;
  } catch {
    return null;
  }
}

/** `{ node, read }`; `read()` is null for what is beside the page, `{ transport, user, password }`, or `{ fault }`. */
export function meeting() {
  const address = h("input", { type: "text", inputmode: "url", autocomplete: "off", spellcheck: "false", placeholder: "wss://", "data-testid": "broker-address" });
  const user = h("input", { type: "text", autocomplete: "off", spellcheck: "false", "data-testid": "broker-user" });
  const password = h("input", { type: "password", autocomplete: "off", "data-testid": "broker-password" });
  const own = h("div", { class: "fields", hidden: true },
    field(t("meeting.address"), address, t("meeting.address.help")), field(t("meeting.user"), user), field(t("meeting.password"), password, t("meeting.password.help")),
    h("p", { class: "help" }, t("meeting.reload")));
  const where = h("select", { "data-testid": "invite-meeting", on: { change: () => (own.hidden = where.value === "beside") } }, ["beside", "broker"].map((one) => h("option", { value: one }, t(`meeting.${one}`))));
  return {
    node: h("div", { class: "stack" }, field(t("meeting"), where), own),
    read() {
      if (where.value === "beside") return null;
      if (!originOf(address.value.trim())) return { fault: t("meeting.wrong") };
      return { transport: address.value.trim(), ...(user.value && { user: user.value }), ...(password.value && { password: password.value }) };
    },
  };
}
