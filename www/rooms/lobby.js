// The lobby as the host sees it: a link, its QR code for phones, a code to type, and the guests.
import { h, put, button } from "../dom.js";
import { confirmDialog } from "../dialog.js";
import { t } from "../i18n.js";
import { qr } from "./qr.js";

/** The code in two halves, for reading aloud. */
export const codeInHalves = (code) => `${code.slice(0, 4)} ${code.slice(4)}`;
/** The address at which a code is typed: the guest's page without its scheme. */
export const codeAddress = (link) => link.replace(/#.*$/, "").replace(/^https?:\/\//, "");

/**
 * How to join by code, in a sentence that names a connection service other than the page's own; null if guests need a
 * password, which only the link contains.
 */
export function codeHint({ link, meeting }) {
  const address = codeAddress(link);
  if (meeting.kind !== "broker") return t("room.code", { address });
  return new URL(meeting.address).username ? null : t("room.code.at", { address, place: meeting.address });
}

/** Returns whether the link works on this computer only; tabs of one browser are reported separately. */
const isOfThisMachine = ({ link, meeting }) =>
  meeting.kind !== "tabs" && ["127.0.0.1", "localhost", "[::1]"].includes(new URL(link).hostname);

/** Returns whether a guest waits for a table, or sits at one that has not begun. */
export const canStart = ({ closed, waiting, tables }) =>
  !closed && (waiting > 0 || tables.some((one) => !one.begun && one.seats.some((seat) => seat.guest !== null)));

/** Free seats as `[table, seat]`: of tables not yet begun, and of the next one. */
function places({ tables, mostTables, seats }) {
  const free = tables.filter((one) => !one.begun).flatMap((one) =>
    one.seats.filter((seat) => seat.guest === null).map((seat) => [one.number, seat.seat])
  );
  return tables.length < mostTables ? [...free, ...seats.map((seat) => [tables.length + 1, seat])] : free;
}

/** Returns `{ node, draw }`: how to join, and the guests. */
export function lobby({ room, act, announce }) {
  const link = h("input", { type: "text", readonly: true, id: "room-link", value: room.link, "data-testid": "room-link",
    on: { focus: () => link.select() } });
  const copied = h("span", { class: "said", role: "status" });
  const copy = button(t("room.copy"), async () => {
    try {
      await navigator.clipboard.writeText(room.link);
    } catch {
      link.select();
      document.execCommand("copy");
    }
    put(copied, t("room.copied"));
  }, { testid: "room-copy" });
  const reach = h("p", { class: "bad", "data-testid": "room-reach" });
  const code = h("p", { class: "room-code" });
  const picture = h("div", { class: "room-qr" });
  const guests = h("div");
  let announced = -1;
  const node = h("section", { class: "room-join", "aria-label": t("room.join") },
    h("div", { class: "room-ways" }, picture,
      h("div", { class: "stack" }, h("label", { for: "room-link" }, t("room.link")),
        h("div", { class: "row" }, link, copy, copied), code,
        h("p", { class: "quiet", "data-testid": "room-words" }, t("room.words", { words: room.fingerprint })), reach,
        h("p", { class: "help" }, t("room.sealed")))), guests);
  let shown = "";
  let drawn = "";
  const seatsFor = (guest, view) => {
    const free = places(view);
    return h("select", { "aria-label": t("room.seat", { name: nameOf(guest) }), "data-testid": "room-seat",
      on: { change: ({ target }) => act((one) => one.deal(guest.number, ...free[target.value])) } },
      h("option", { value: "" }, t("room.seat.choose")),
      free.map(([table, seat], at) => h("option", { value: at }, `${t("room.table", { n: table })} · ${seat}`)));
  };
  function draw(view) {
    if (shown !== room.link + room.code) {
      shown = room.link + room.code;
      link.value = room.link;
      put(picture, qr(room.link, t("room.qr")));
      put(reach, isOfThisMachine(room) && t("room.reach"));
      put(code, room.code && codeHint(room) && [codeHint(room), " ", h("strong", null, codeInHalves(room.code))]);
    }
    const waiting = view.guests.filter((guest) => !guest.way && !guest.table);
    // Not redrawn while unchanged, so that an open choice stays.
    const now = JSON.stringify([waiting, room.plan.deal === "hand" && places(view)]);
    if (now === drawn) return;
    drawn = now;
    const here = waiting.filter((guest) => guest.here).length;
    put(guests, h("h3", null, t("room.arrived", { n: here })), waiting.length
      ? h("ul", { class: "chips plain", "data-testid": "room-arrived" },
        waiting.map((guest) =>
          h("li", { class: ["chip", !guest.here && "away"] }, h("span", { class: "dot", "aria-hidden": "true" }),
            nameOf(guest), waiting.some((other) => other !== guest && nameOf(other) === nameOf(guest))
            && h("span", { class: "quiet" }, guest.pseudonym ?? guest.number),
            guest.stage === "arriving" && h("span", { class: "quiet" }, t("room.arriving")),
            !guest.here && h("span", { class: "quiet" }, t("room.away")),
            guest.elsewhere && h("span", { class: "quiet" }, t("room.elsewhere")),
            room.plan.deal === "hand" && guest.stage === "lobby" && seatsFor(guest, view), button("", () =>
              confirmDialog(t("room.remove.title", { name: nameOf(guest) }), t("room.remove.text"), t("room.remove.do"))
                .then((yes) =>
                  yes && act((one) =>
                    one.remove(guest.number)
                  )
                ), { class: "button button-icon button-quiet", icon: "cross",
              "aria-label": t("room.remove", { name: nameOf(guest) }) }))
        ))
      : h("p", { class: "quiet" }, t("room.nobody")), waiting.length > 1
      && button(t("room.clear"),
        () =>
          confirmDialog(t("room.clear"), t("room.clear.text"), t("room.clear")).then((yes) =>
            yes && act((one) => one.clear())
          ), { kind: "quiet", testid: "room-clear" }));
    if (announced >= 0 && here !== announced) announce(t("room.arrived", { n: here }));
    announced = here;
  }
  return { node, draw };
}

/** The host's name for a guest: the guest's own, else the pseudonym of the record. */
export const nameOf = ({ name, pseudonym, number }) => name || pseudonym || t("room.guest", { n: number });
