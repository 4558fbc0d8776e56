// The floor of a discussion: who speaks, who is next, why it rests, and a field for messages out of turn. A person's
// own turn is asked by question-panel.js.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isBlank } from "./answer/blank.js";
import { confirmDialog } from "./dialog.tsx";
import { draftKeeper } from "./draft.js";
import { Button, Icon } from "./elements.tsx";
import { list, t } from "./i18n.js";
import { useUid } from "./inputs.tsx";
import { Avatar } from "./participants.tsx";
import { changeTable } from "./seating.tsx";
import type { DiscussionView } from "./pkg/quorate.js";
import type { Engine, Lab, View } from "./view-types.ts";
import { activity } from "./view.js";

/** Name of the draft of a message out of turn. */
const DRAFT = "floor";

type Place = DiscussionView["order"][number];

/** Why a discussion rests, or null. */
const restReason = ({ status }: Lab) =>
  status.state === "halted" && status.halt.because === "rests" ? status.halt.reason : null;

/** The topic and the rules. */
export function Topic({ view: { topic, rules = [] } }: { view: View }) {
  if (!topic && !rules.length) return null;
  return (
    <div class="topic" data-testid="topic">
      {topic && <p class="lead">{topic}</p>}
      {rules.length > 0 && (
        <details>
          <summary>{t("chat.rules", { n: rules.length })}</summary>
          <ul>{rules.map((rule) => <li>{rule}</li>)}</ul>
        </details>
      )}
    </div>
  );
}

function sentence({ name, person }: Place, doing: string | null, isStill: boolean) {
  if (isStill) return t("floor.next", { name });
  if (person) return t("floor.person", { name });
  const words: { [doing: string]: string } = { speaking: "floor.speaking", failed: "floor.failed" };
  return t(words[doing ?? ""] ?? "floor.next", { name });
}

/** Whose turn it is, and why a discussion rests. */
export function NextSpeaker({ lab }: { lab: Lab }) {
  const { view, status } = lab;
  const coming = view.next.map((name) => view.order!.find((one) => one.name === name)!);
  const [first, ...others] = coming;
  const reason = restReason(lab);
  return (
    <div class="floor-next" hidden={status.state === "ended"}>
      <p class="floor-line" data-testid="next">
        {first && (
          <>
            <Avatar person={view.people.get(first.name)} size="small" />
            <span>{sentence(first, activity(view, first.name), status.state !== "running")}</span>
            {others.length > 0 && (
              <span class="quiet">{t("floor.then", { names: list(others.map(({ name }) => name)) })}</span>
            )}
          </>
        )}
      </p>
      <div class="floor-rest">{reason && <RestNote lab={lab} reason={reason} name={first?.name ?? ""} />}</div>
    </div>
  );
}

/** Why a discussion rests, and how it can go on. */
function RestNote({ lab, reason, name }: { lab: Lab; reason: string; name: string }) {
  const known = ["message", "turn_limit", "no_answer", "no_speakers"].includes(reason) ? reason : "other";
  const values = { name, n: lab.view.turnsPerCall };
  return (
    <div class="banner" data-testid="rests" data-reason={reason}>
      <Icon name="people" />
      <div>
        <p class="banner-text">{t(`rests.${known}`, values)}</p>
        <p class="row">
          <Button {...(known !== "message" && { kind: "primary" as const })} icon="play" data-testid="floor-go"
            onClick={() => lab.go()}>
            {t(`rests.${known}.go`, values)}
          </Button>
        </p>
      </div>
    </div>
  );
}

/** The field for messages out of turn, folded while the discussion does not need it. */
export function Composer({ lab, engine }: { lab: Lab; engine: Engine }) {
  const { view, status, session } = lab;
  const id = useUid("floor");
  const [message, setMessage] = useState<ComponentChildren>(null);
  const fold = useRef<HTMLDetailsElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const who = useRef<HTMLSelectElement>(null);
  const saveDraft = useRef(() => {});
  useEffect(() => {
    saveDraft.current = draftKeeper(engine.Library, session.id, DRAFT, field.current);
    void engine.Library.draft(session.id, DRAFT).catch(() => null).then((draft) => {
      if (!draft || field.current!.value) return;
      field.current!.value = draft;
      saveDraft.current();
      fold.current!.open = true;
    });
  }, []);
  // Open from the start if the discussion waits for a first message.
  const isFirst = restReason(lab) === "message";
  useLayoutEffect(() => {
    fold.current!.open = isFirst || (fold.current!.open && Boolean(field.current!.value));
  }, [isFirst]);

  const send = () => {
    const { value } = field.current!;
    if (isBlank(value)) {
      setMessage(t("human.empty"));
      return field.current!.focus();
    }
    try {
      session.say(who.current!.value || t("floor.guest"), value);
      field.current!.value = "";
      setMessage(null);
      saveDraft.current();
      lab.run();
      lab.changed();
    } catch (error) {
      setMessage(<span lang="en">{(error as Error).message}</span>);
    }
  };
  const close = async () => {
    if (await confirmDialog(t("floor.close"), t("floor.close.text"), t("floor.close"))) session.closeDiscussion();
    lab.run();
  };
  const people = view.order!.filter((one) => one.person).map((one) => one.name);
  // A person whose turn it is has a field of their own.
  const hasTurn = status.open.some((ask) => ask.seatKind === "human" && ask.since !== null);
  return (
    <section class="floor" aria-label={t("floor.label")} data-testid="floor" hidden={status.state === "ended"}>
      <details ref={fold} class="floor-fold" hidden={hasTurn && people.length < 2}>
        <summary data-testid="floor-open">{t(isFirst ? "floor.begin" : "floor.speak")}</summary>
        <div class="stack floor-form">
          <label for={id}>{t("floor.say")}</label>
          <p class="quiet">{t("floor.say.help")}</p>
          <textarea ref={field} id={id} rows={3} maxLength={20_000} data-testid="floor-text"
            onInput={() => saveDraft.current()} />
          <div class="row">
            <label class="inline" hidden={people.length < 2}>
              {t("floor.who")}
              <select ref={who} data-testid="floor-who">
                {people.map((name) => <option key={name} value={name}>{name}</option>)}
                <option key="" value="">{t("floor.guest")}</option>
              </select>
            </label>
            <Button data-testid="floor-send" onClick={send}>{t("human.send")}</Button>
            <p class="said" role="status">{message}</p>
          </div>
        </div>
      </details>
      <p class="row end">
        <Button kind="quiet" icon="people" data-testid="table-change" onClick={() => changeTable(lab, engine)}>
          {t("table.change")}
        </Button>
        <Button kind="quiet" data-testid="floor-close" onClick={close}>{t("floor.close")}</Button>
      </p>
    </section>
  );
}
