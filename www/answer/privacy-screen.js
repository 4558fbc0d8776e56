// Several people at one device: a screen between turns hides the page from the others.
import { h, button } from "../dom.js";
import { t } from "../i18n.js";

/**
 * `of(open)` returns the questions that may be shown now; `seat()` the seat at the device, null while it is unknown.
 * `role()` returns the role switch (visibility.js).
 */
export function privacyScreen(lab, { redraw, role }) {
  // Everything in a discussion is public.
  const people = () => (lab.view.head?.protocol === "discussion"
    ? []
    : [...lab.view.people.values()].filter((person) => person.kind === "human"));
  let here = null;
  let coveredFor = null;
  let node = null;
  const hideScreen = () => {
    node?.remove();
    node = null;
  };
  const showScreen = (next) => {
    const title = h("h2", { tabindex: "-1", id: "curtain-title" }, t("curtain.title", { name: next }));
    node = h("dialog", { class: "curtain", "aria-labelledby": "curtain-title", "data-testid": "curtain",
      on: { cancel: (event) => event.preventDefault() } }, title, h("p", null, t("curtain.text", { name: next })),
      button(t("curtain.go", { name: next }), () => {
        here = next;
        redraw();
      }, { kind: "primary", class: "button button-primary button-large", testid: "curtain-go" }),
      h("details", null, h("summary", null, t("run.owner")), h("p", { class: "quiet" }, t("sight.look.help")),
        button(t("sight.look"), async () => {
          if (await role().look()) here = null;
        }, { testid: "curtain-look" })));
    // Modal: the page behind is neither visible nor reachable.
    document.body.append(node);
    node.showModal();
    title.focus();
  };
  return {
    seat: () => (people().length ? here : lab.status?.open.find((ask) => ask.seatKind === "human")?.seat ?? null),
    of(open) {
      if (people().length < 2) return open;
      const isLooking = role().isOwner();
      const mine = isLooking ? [] : open.filter((ask) => ask.seat === here);
      const next = isLooking || mine.length ? null : open[0]?.seat ?? null;
      if (next !== coveredFor) {
        coveredFor = next;
        hideScreen();
        if (next) showScreen(next);
      }
      return mine;
    },
    leave: hideScreen,
  };
}
