// The results of a run: the outcome in a sentence, what it meant for people, what the engine words; costs, draws,
// verification and files for researchers.
import { ResultBlocks } from "../block-item.tsx";
import { CostSection } from "../cost-tables.tsx";
import { Button, drawing, Icon, Made, Table } from "../elements.tsx";
import type { acquire } from "../engine.js";
import { language, t } from "../i18n.js";
import { Exports } from "../library/exports.tsx";
import { failed, Notice, useMessage } from "../notice.tsx";
import { outcomeSentence } from "../outcome.js";
import type { Person } from "../participants.tsx";
import { roleSwitch } from "../role-switch.tsx";
import type { Engine, Lab as OpenLab, View } from "../view-types.ts";
import { emptyView, take } from "../view.js";
import { agreementOf } from "./agreement.ts";
import { ruleText } from "./income-rows.tsx";
import { type Card, ShareCard } from "./share-card.tsx";
import { ShareReplay } from "./share-replay.tsx";
import { Summary } from "./summary.tsx";
import { type Figures, figuresOf } from "./worlds.ts";

type Lab = Awaited<ReturnType<typeof acquire>>;

const Unfinished = ({ title, id }: { title: string; id: string }) => (
  <div class="page narrow">
    <h1>{title}</h1>
    <p class="lead">{t("outcome.unfinished")}</p>
    <p class="row">
      <a class="button button-primary" href={`#/run/${id}`}>{t("library.resume")}</a>
    </p>
  </div>
);

function Agreement({ view }: { view: View }) {
  const agreed = agreementOf(view);
  if (agreed === null) return null;
  return (
    <p class={agreed ? "agreement good" : "agreement"} data-testid="agreement">
      {agreed && <Icon name="check" />}
      {t(agreed ? "results.agreed" : "results.open")}
    </p>
  );
}

/** Whose results these are: the seat's that is shown, or the only person's. */
function ownSeat({ role, view }: { role: Lab["role"]; view: View }): string | null {
  if (typeof role === "object") return role.seat;
  if (role.startsWith("seat:")) return role.slice("seat:".length);
  const people = [...view.people.values()].filter(({ kind }) => kind === "human");
  return people.length === 1 ? people[0]!.name : null;
}

/** Whether a reader may know the rankings of a seat: of several people each only their own, unless their owner looks. */
const knows = ({ role, view: { people } }: Lab, you: string | null) => (seat: string) =>
  role === "owner" || seat === you || [...people.values()].filter(({ kind }) => kind === "human").length <= 1;

const wholeFigures = ({ session }: Lab): Figures | null =>
  figuresOf(take(emptyView(), session.view("owner", 0, language())) as unknown as View);

/** What the picture to share says; nothing of a debate, whose outcome names people. */
function cardOf(view: View, title: string, figures: Figures | null): Card | null {
  const protocol = view.head?.protocol;
  if (protocol === "debate" || protocol === "discussion") return null;
  const chosen = figures?.chosen;
  return { title, figures, sentence: chosen ? t("share.chose", { rule: ruleText(chosen) }) : outcomeSentence(view) };
}

function Head({ lab, id, title }: { lab: Lab; id: string; title: string }) {
  const people: Person[] = [...lab.view.people.values()];
  return (
    <header class="page-head">
      <div>
        <p class="eyebrow">{title}</p>
        <Agreement view={lab.view as unknown as View} />
        <h1 data-testid="outcome" class="outcome">{outcomeSentence(lab.view)}</h1>
        {people.some(({ kind }) => kind === "scripted") && <p class="simulated">{t("simulated.results")}</p>}
      </div>
      <div class="row no-print">
        <a class="button" href={`#/run/${id}`}>{t("results.transcript")}</a>
        <a class="button" href={`#/replay/${id}`} data-testid="replay">{t("library.replay")}</a>
        <a class="button" href={`#/present/${encodeURIComponent(id)}`}>{t("present")}</a>
        <Button kind="quiet" onClick={() => window.print()}>{t("results.print")}</Button>
      </div>
    </header>
  );
}

interface Drew {
  type: string;
  stream: string;
  purpose: string;
  value: unknown;
}

function Draws({ lab }: { lab: Lab }) {
  const entries: { seq: number; what: Drew }[] = lab.session.entries();
  const drawn = entries.filter(({ what }) => what.type === "drew");
  const { head, result } = lab.view;
  const forked = head.forked_from;
  return (
    <section>
      <h2>{t("results.draws")}</h2>
      <dl class="facts">
        <div>
          <dt>{t("results.seed")}</dt>
          <dd>
            <code data-testid="seed">{String(result.seed ?? head.seed)}</code>
          </dd>
        </div>
        <div>
          <dt>{t("results.engine")}</dt>
          <dd>
            <code>{head.engine}</code>
          </dd>
        </div>
        <div>
          <dt>{t("results.hash")}</dt>
          <dd>
            <code class="hash">{head.config_hash}</code>
          </dd>
        </div>
        {forked && (
          <div>
            <dt>{t("results.forked")}</dt>
            <dd>
              <code>{`${forked.session} @ ${forked.seq}`}</code>
            </dd>
          </div>
        )}
      </dl>
      {drawn.length > 0 && (
        <details>
          <summary>{t("results.alldraws", { n: drawn.length })}</summary>
          <Table label={t("results.draws")} head={["#", t("results.stream"), t("results.purpose"), t("results.value")]}
            rows={drawn.map((
              { seq, what },
            ) => [String(seq),
              ...[what.stream, what.purpose, JSON.stringify(what.value)].map((one) => <code>{one}</code>)]
            )} />
        </details>
      )}
    </section>
  );
}

/** The result of a verification, in a sentence or two. */
function verdict({ session }: Lab, report: Awaited<ReturnType<Lab["session"]["verify"]>>) {
  const { signature } = report;
  const signed = signature?.valid
    ? ` ${t("verify.signed", { key: signature.key })}`
    : signature?.valid === null
    ? ` ${t("verify.unchecked")}`
    : "";
  if (report.verified) return t("verify.ok", { n: report.entries }) + signed;
  if (!report.intact) return t("verify.altered", { n: report.seq });
  if (signature?.valid === false) return t("verify.forged");
  if (session.onlyFor) return t("verify.foreign", { n: report.entries, engine: session.onlyFor }) + signed;
  return (
    <>
      {t("verify.differs", { n: report.seq })} <span lang="en">{report.message}</span>
    </>
  );
}

function Verification({ lab }: { lab: Lab }) {
  const [message, setMessage] = useMessage();
  const verify = async () => {
    setMessage({ text: t("verify.running") });
    try {
      const report = await lab.session.verify();
      setMessage({ text: verdict(lab, report), isGood: report.verified });
    } catch (error) {
      setMessage(failed("verify.failed", error));
    }
  };
  return (
    <section class="no-print">
      <h2>{t("verify.title")}</h2>
      <p class="quiet">{t("verify.text")}</p>
      <div class="row">
        <Button data-testid="verify" onClick={verify}>{t("verify")}</Button>
      </div>
      <Notice message={message} role="status" testid="verified" />
    </section>
  );
}

/** A participant sees their own data and what is public; costs, draws and files are for the owner. */
function Results(
  { lab, id, title, role, after, engine }: { lab: Lab; id: string; title: string; role: Node; after: Node | null;
    engine: Engine },
) {
  const isOwner = lab.role === "owner";
  const view = lab.view as unknown as View;
  const { results, people } = view;
  const you = ownSeat({ role: lab.role, view });
  const figures = view.head?.protocol === "justice" ? wholeFigures(lab) : null;
  const card = cardOf(view, title, figures);
  return (
    <div class="page results">
      <Head lab={lab} id={id} title={title} />
      <Made node={role} />
      {figures && <Summary figures={figures} you={you} mayKnow={knows(lab, you)} />}
      {card && <ShareCard card={card} engine={engine} />}
      {results && <ResultBlocks results={results} people={people} />}
      <ShareReplay lab={lab as unknown as OpenLab} engine={engine} />
      <details class="research">
        <summary data-testid="research">
          <h2>{t("results.research")}</h2>
        </summary>
        {after && <Made node={after} />}
        {isOwner && <CostSection costs={lab.session.costs()} />}
        {isOwner && <Draws lab={lab} />}
        <Verification lab={lab} />
        {isOwner && (
          <section class="no-print">
            <h2>{t("export")}</h2>
            <p class="quiet">{t("export.text")}</p>
            <Exports of={lab} />
          </section>
        )}
      </details>
    </div>
  );
}

export async function view({ args: [id], engine }: { args: [string]; engine: typeof import("../engine.js") }) {
  const lab = await engine.acquire(id);
  const title: string = lab.view.head?.config?.title || t("untitled");
  if (!lab.view.result) {
    return { title, node: drawing(<Unfinished title={title} id={id} />).node, leave: () => engine.release(lab) };
  }
  const role = roleSwitch(lab, () => null);
  // What a debate leaves behind comes from the memory, not from the run.
  const after: Node | null = lab.view.head.protocol === "debate"
    ? await (await import("./after-debate.js")).afterDebate(lab)
    : null;
  const component = () => <Results lab={lab} id={id} title={title} role={role.node} after={after} engine={engine} />;
  role.update();
  const page = drawing(component());
  const quiet = lab.listen(() => {
    const before = lab.role;
    role.update();
    if (before !== lab.role) page.show(component());
  });
  const shortcuts = [
    { key: "t", says: "shortcut.transcript", go: () => (location.hash = `#/run/${encodeURIComponent(id)}`) },
    { key: "p", says: "shortcut.present", go: () => (location.hash = `#/present/${encodeURIComponent(id)}`) },
  ];
  return { node: page.node, title, shortcuts, leave() {
    quiet();
    page.leave();
    lab.show("owner");
    engine.release(lab);
  } };
}
