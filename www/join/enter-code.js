// The form for the eight-letter code of a room, used if there is no link.
import { findCode, makeLink, meet, readCode, readLink } from "../../src/web/room/guest.js";
import { brokerAddress } from "../../src/web/room/link.js";
import { button, h, isComposing, put, uid } from "../dom.js";
import { t } from "./words.js";

/** The form; `found(link)` gets the text of the link. `isBroken`: the page was opened with an invalid link. */
export function codeEntry(isBroken, found) {
  const [id, other] = [uid("code"), uid("address")];
  const notice = h("p", { class: "said", role: "status", "data-testid": "code-said" },
    isBroken && h("span", { class: "bad" }, t("link.broken")));
  const input = h("input", { id, type: "text", autocomplete: "off", autocapitalize: "characters", spellcheck: "false",
    maxlength: 2000, "aria-describedby": `${id}-help`, class: "join-code", "data-testid": "code" });
  const address = h("input", { id: other, type: "text", inputmode: "url", autocomplete: "off", spellcheck: "false" });
  const go = button(t("code.go"), () => lookUp(), { kind: "primary", testid: "code-go" });
  async function lookUp() {
    const pasted = readLink(input.value);
    if (pasted) return found(makeLink(pasted));
    const code = readCode(input.value);
    if (!code) return put(notice, h("span", { class: "bad" }, t("code.wrong")));
    const typed = address.value.trim();
    const place = typed ? brokerAddress(typed) : null;
    if (typed && !place) return put(notice, h("span", { class: "bad" }, t("code.address.wrong")));
    put(notice, t("code.searching"));
    go.disabled = true;
    // Lets the text be drawn before the key derivation blocks.
    await new Promise((done) => setTimeout(done, 30));
    const places = place ? [meet({ kind: "broker", address: place })] : [meet({ kind: "own" }), meet({ kind: "tabs" })];
    const reached = new Set();
    for (const one of places) one.onState(({ state }) => state === "open" && reached.add(one));
    const link = await findCode(places, code);
    for (const one of places) one.close();
    go.disabled = false;
    if (link) return found(makeLink(link));
    put(notice, h("span", { class: "bad" }, t(reached.has(places[0]) ? "code.none" : "code.offline")));
    input.focus();
  }
  const typed = { keydown: (event) => event.key === "Enter" && !isComposing(event) && !go.disabled && lookUp() };
  input.addEventListener("keydown", typed.keydown);
  address.addEventListener("keydown", typed.keydown);
  return h("section", { class: "join-card" }, h("h2", null, t("code.title")),
    h("p", null, h("label", { for: id }, t("code.label")), input),
    h("p", { class: "quiet", id: `${id}-help` }, t("code.help")), notice, go,
    h("details", null, h("summary", null, t("code.other")),
      h("p", null, h("label", { for: other }, t("code.address")), address)));
}
