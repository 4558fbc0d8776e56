// Several people at one device: a screen between turns hides the page from the others.
import { Button, drawn } from "../elements.tsx";
import type { acquire } from "../engine.js";
import { t } from "../i18n.js";
import type { OpenAsk } from "../pkg/quorate.d.ts";
import type { Person } from "../participants.tsx";

type Lab = Awaited<ReturnType<typeof acquire>>;
/** The role switch (visibility.js). */
interface Role {
  isOwner(): boolean;
  /** Asks the owner to confirm, and resolves to whether everything is shown now. */
  look(): Promise<boolean>;
}

const PrivacyScreen = ({ name, begin, look }: { name: string; begin: () => void; look: () => void }) => (
  <dialog class="curtain" aria-labelledby="curtain-title" data-testid="curtain" onCancel={(event) =>
    event.preventDefault()}>
    <h2 tabIndex={-1} id="curtain-title">{t("curtain.title", { name })}</h2>
    <p>{t("curtain.text", { name })}</p>
    <Button kind="primary" more="button-large" data-testid="curtain-go" onClick={begin}>
      {t("curtain.go", { name })}
    </Button>
    <details>
      <summary>{t("run.owner")}</summary>
      <p class="quiet">{t("sight.look.help")}</p>
      <Button data-testid="curtain-look" onClick={look}>{t("sight.look")}</Button>
    </details>
  </dialog>
);

/** `of(open)` returns the questions that may be shown now; `seat()` the seat at the device, null while it is unknown. */
export function privacyScreen(lab: Lab, { redraw, role }: { redraw: () => void; role: () => Role }) {
  // Everything in a discussion is public.
  const people = (): Person[] => (lab.view.head?.protocol === "discussion"
    ? []
    : [...lab.view.people.values()].filter((person: Person) => person.kind === "human"));
  let here: string | null = null;
  let coveredFor: string | null = null;
  let screen: HTMLDialogElement | null = null;
  const hide = () => {
    screen?.remove();
    screen = null;
  };
  const show = (name: string) => {
    const begin = () => {
      here = name;
      redraw();
    };
    const look = async () => {
      if (await role().look()) here = null;
    };
    screen = drawn(<PrivacyScreen name={name} begin={begin} look={look} />) as HTMLDialogElement;
    // Modal: the page behind is neither visible nor reachable.
    document.body.append(screen);
    screen.showModal();
    screen.querySelector("h2")!.focus();
  };
  return {
    seat: () =>
      people().length ? here : lab.status?.open.find((ask: OpenAsk) => ask.seatKind === "human")?.seat ?? null,
    of(open: OpenAsk[]) {
      if (people().length < 2) return open;
      const isLooking = role().isOwner();
      const mine = isLooking ? [] : open.filter((ask) => ask.seat === here);
      const next = isLooking || mine.length ? null : open[0]?.seat ?? null;
      if (next !== coveredFor) {
        coveredFor = next;
        hide();
        if (next) show(next);
      }
      return mine;
    },
    leave: hide,
  };
}
