// The talk at a table: what was said, newest at the bottom, and the field for the next line, which stays open while others speak.
import { Component, createRef } from "preact";
import type { TargetedEvent } from "preact";
import type { Guest, GuestState, Question } from "../../src/web/guest.d.ts";
import type { ItemView, RunView } from "../../src/web/quorate.d.ts";
import { Materials } from "../answer/material.tsx";
import { Blocks, isTag } from "../blocks.tsx";
import { Button, Filled, Verbatim } from "../elements.tsx";
import { Face } from "../pictures/people.tsx";
import { drafts } from "./drafts.js";
import { authorOf, named, ProgramTag, seatedAt } from "./table.tsx";
import { refusalOf, TimeLeft } from "./question.tsx";
import { Ticking } from "./ticking.tsx";
import { isFailedVote, VoteResult } from "./vote-result.tsx";
import { languageCode, languageTag, t } from "./words.js";

/** Items of a talk; other texts that are said, such as proposals, have forms of their own. */
const TALK = ["statement", "message"];
const isTalk = ({ type, isSpeech }: ItemView) => isSpeech && TALK.includes(type);

const askOf = ({ view }: GuestState, { ask }: Question) => view?.asks?.find(({ id }) => id === ask);
/** Whether all write at any time. Then a line has no item before it is written. */
const isOpen = (state: GuestState, question: Question) => askOf(state, question)?.kind === "message";
/** Whether a question asks for the next line of a talk. */
export function asksToTalk(state: GuestState, question: Question) {
  const { fields } = question.form;
  const item = state.view?.items?.find(({ key }) => key === askOf(state, question)?.item);
  const talks = isOpen(state, question) || (item !== undefined && isTalk(item));
  return talks && fields.length === 1 && fields[0]!.input === "text";
}
/** Whether the talk is what goes on now. */
export function isTalking({ view }: GuestState) {
  const last = view?.sections?.reduce<RunView["sections"][number] | undefined>(
    (latest, one) => !latest || one.place >= latest.place ? one : latest,
    undefined,
  );
  const items = view?.items?.filter(({ section }) => section === last?.key) ?? [];
  const busy = items.filter(({ done }) => !done);
  return busy.length ? busy.some(isTalk) : items.length > 0 && isTalk(items.at(-1)!);
}

/** What was said, without measures, tags and folds. */
const saidIn = ({ blocks }: ItemView) =>
  blocks.filter((one) => one.block === "quote" || (one.block === "text" && !isTag(one)));

class Lines extends Component<{ state: GuestState; items: ItemView[] }> {
  #list = createRef<HTMLDivElement>();
  /** Whether the newest line is in sight. */
  #isAtEnd = true;

  #toEnd() {
    const list = this.#list.current!;
    list.scrollTop = list.scrollHeight;
  }
  override componentDidMount() {
    this.#toEnd();
  }
  override componentDidUpdate() {
    if (this.#isAtEnd) this.#toEnd();
  }
  #scrolled = ({ currentTarget }: TargetedEvent<HTMLElement>) => {
    this.#isAtEnd = currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < 80;
  };
  override render({ state, items }: { state: GuestState; items: ItemView[] }) {
    const all = seatedAt(state);
    const reader = {
      name: (seat: string, called = all.find((one) => one.seat === seat)?.name) => <Verbatim>{called ?? seat}
      </Verbatim>,
    };
    return (
      <div class="talk-lines" role="log" tabIndex={0} aria-label={t("talk")} data-testid="chat" ref={this.#list}
        onScroll={this.#scrolled}>
        <ol class="plain">
          {items.map((item) => {
            if (isFailedVote(item)) {
              return (
                <li key={item.key} class="line-vote">
                  <VoteResult item={item} />
                </li>
              );
            }
            const isOwn = item.seat === state.table?.seat && !item.standsIn;
            const who = authorOf(item, all);
            return (
              <li key={item.key} class={isOwn ? "line-own" : who?.kind === "human" ? "" : "line-program"}>
                {!isOwn && <Face index={who?.index ?? 0} kind={who?.kind} size={32} />}
                <div>
                  <b class={isOwn ? "sr-only" : ""}>
                    <Verbatim>{who?.name ?? item.seat!}</Verbatim> <ProgramTag kind={who?.kind} />
                  </b>
                  {item.done ? <Blocks blocks={saidIn(item)} reader={reader} /> : (
                    <span class="dots">
                      <i />
                      <i />
                      <i />
                    </span>
                  )}
                </div>
              </li>
            );
          })}
        </ol>
      </div>
    );
  }
}

interface Props {
  guest: Guest;
  question: Question | null;
}
interface State {
  text: string;
  fault?: string;
}

/** The field for the next line. */
class Composer extends Component<Props, State> {
  #draft = drafts(this.props.guest.link.room);
  override state: State = { text: this.#stored() };

  #stored(): string {
    const { guest: { state }, question } = this.props;
    const refused = question && state.answers[question.ask];
    const draft = (question && this.#draft.read(question.ask)) ?? this.#draft.read("next");
    return String(draft?.text ?? refused?.values.text ?? "");
  }

  override componentDidUpdate({ question }: Props) {
    const now = this.props.question;
    const wasRefused = now && !question && this.props.guest.state.answers[now.ask]?.state === "refused";
    if (wasRefused && !this.state.text) this.setState({ text: this.#stored() });
  }

  #type(text: string) {
    this.#draft.write(this.props.question?.ask ?? "next", { text });
    this.setState({ text, fault: "" });
  }

  #send(text: string) {
    const { guest, question } = this.props;
    try {
      void guest.answer(question!.ask, text ? { text } : {}).then(({ state }) =>
        state === "kept" && this.#draft.remove()
      );
      this.setState({ text: "", fault: "" });
    } catch (fault) {
      this.setState({ fault: (fault as Error).message });
    }
  }

  override render({ guest, question }: Props, { text, fault }: State) {
    const field = question?.form.fields[0];
    const most = field?.input === "text" ? field.most : 0;
    const refusal = question
      && refusalOf(guest.state.answers[question.ask], languageTag(languageCode(question.form.language)));
    const n = [...text].length;
    return (
      <div class="composer">
        <p class="said" role="status">{fault ? <span class="bad">{fault}</span> : refusal?.message}</p>
        <div class="ask-fields composer-row">
          <div data-field="text">
            <textarea id="composer" rows={2} value={text} aria-label={question?.form.question ?? t("talk.next")}
              placeholder={t(question ? "talk.write" : "talk.next")} data-testid="human-answer"
              onInput={({ currentTarget }) => this.#type(currentTarget.value)} />
            {n > 0 && <span class="count" aria-hidden="true">{most > 0 && most < 5000 ? `${n}/${most}` : n}</span>}
          </div>
          <div class="sends">
            <Button kind="primary" data-testid="send" aria-label={question?.form.send ?? t("talk.send")}
              disabled={!question}
              onClick={() => text.trim() ? this.#send(text) : this.setState({ fault: t("talk.write") })}>
              ↑
            </Button>
          </div>
        </div>
        {question?.form.skip && !text && (
          <Button kind="quiet" data-testid="skip" onClick={() => this.#send("")}>{question.form.skip}</Button>
        )}
      </div>
    );
  }
}

/** Who writes, in large type. */
function Turn({ state, question }: { state: GuestState; question: Question | null }) {
  if (question && !isOpen(state, question)) return <>{t("turn")}</>;
  const busy = seatedAt(state).filter(({ seat }) => seat !== state.table?.seat && state.view?.doing[seat]);
  if (!busy.length) return <>{t("talk")}</>;
  return (
    <Filled text={t(busy.length === 1 ? "talk.writes" : "talk.write.many")}
      with={{ names: named(busy.map(({ name }) => name)) }} />
  );
}

export function Chat({ guest, question }: Props) {
  const { state } = guest;
  const items = (state.view?.items ?? []).filter((item) =>
    isFailedVote(item) || isTalk(item) && (item.done ? saidIn(item).length > 0 : item.seat !== state.table?.seat)
  );
  const ask = question?.ask;
  const material = question?.form.material.filter((one) => one.material !== "statements").map((one) => ({
    ...one,
    isFolded: items.length > 0,
  })) ?? [];
  const isNext = !question && state.view?.next[0] === state.table?.seat;
  return (
    <section class="talk" aria-labelledby="ask-title" data-testid={question ? "question" : "waiting"} data-ask={ask}>
      <header class="talk-head">
        <h2 tabIndex={-1} id="ask-title">
          <Turn state={state} question={question} />
        </h2>
        {isNext && <p class="quiet">{t("talk.you.next")}</p>}
        {question && (
          <Ticking>
            {() => <TimeLeft milliseconds={question.deadline === null ? null : question.deadline - guest.now()} />}
          </Ticking>
        )}
      </header>
      {question && (
        <div lang={languageTag(languageCode(question.form.language))}>
          <p class="quiet human-question">{question.form.question}</p>
          <Materials material={material} />
        </div>
      )}
      <Lines state={state} items={items} />
      <Composer guest={guest} question={question} />
    </section>
  );
}
