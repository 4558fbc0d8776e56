// The host's choice of the connection service: the page's own server, or a broker by its address.
import { h, uid } from "../dom.js";
import { t } from "../i18n.js";
import { field } from "./questionnaire.js";

/** The origin of a broker's address as policies write it; null if this page may not use it. */
export function originOf(address) {
  try {
    const { protocol, host, hostname, hash } = new URL(address);
    const isHere = ["localhost", "127.0.0.1"].includes(hostname);
    return !hash && (protocol === "wss:" || (protocol === "ws:" && isHere)) && /^[a-z0-9.:-]+$/.test(host)
      ? `${protocol}//${host}`
      : null;
  } catch {
    return null;
  }
}

/** User and password for a broker: `{ nodes, read }`. The password is stored with the room only if requested. */
function login() {
  const user = h("input", { type: "text", autocomplete: "off", spellcheck: "false", "data-testid": "broker-user" });
  const password = h("input", { type: "password", autocomplete: "off", "data-testid": "broker-password" });
  const keep = h("input", { type: "checkbox", id: uid("keep"), "data-testid": "broker-keep" });
  keep.setAttribute("aria-describedby", `${keep.id}-help`);
  return {
    nodes: [field(t("meeting.user"), user), field(t("meeting.password"), password, t("meeting.password.help")),
      h("div", { class: "field" }, h("label", { class: "tickbox" }, keep, h("span", null, t("meeting.keep"))),
        h("p", { class: "help", id: `${keep.id}-help` }, t("meeting.keep.help")))],
    read: () => ({ ...(user.value && { user: user.value }),
      ...(password.value && { password: password.value, keepPassword: keep.checked }) }),
  };
}

/** The form for a broker that requires a user and password; `signIn(login)` gets what was entered. */
export function signIn(signs) {
  const { nodes, read } = login();
  return h("form", { class: "banner bad stack", "data-testid": "broker-signin", on: { submit: (event) => {
    event.preventDefault();
    signs(read());
  } } }, h("p", null, t("meeting.signin")), h("div", { class: "fields" }, nodes),
    h("p", null,
      h("button", { type: "submit", class: "button button-primary", "data-testid": "broker-connect" },
        t("meeting.connect"))));
}

/**
 * Returns `{ node, read }`; `read()` returns null for the page's own server, `{ transport, user, password, keepPassword
 * }`, or `{ fault }`.
 */
export function connectionService() {
  const address = h("input", { type: "text", inputmode: "url", autocomplete: "off", spellcheck: "false",
    placeholder: "wss://", "data-testid": "broker-address" });
  const { nodes, read: readLogin } = login();
  const own = h("div", { class: "fields", hidden: true },
    field(t("meeting.address"), address, t("meeting.address.help")), nodes,
    h("p", { class: "help" }, t("meeting.reload")));
  const where = h("select", { "data-testid": "invite-meeting",
    on: { change: () => (own.hidden = where.value === "beside") } },
    ["beside", "broker"].map((one) => h("option", { value: one }, t(`meeting.${one}`))));
  return {
    node: h("div", { class: "stack" }, field(t("meeting"), where), own),
    read() {
      if (where.value === "beside") return null;
      if (!originOf(address.value.trim())) return { fault: t("meeting.wrong") };
      return { transport: address.value.trim(), ...readLogin() };
    },
  };
}
