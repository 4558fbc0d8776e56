// The results of a run: the outcome, what the engine words or the protocol's own parts, the draws, verification and files.
import { ResultBlocks } from "../block-item.tsx";
import type { Block } from "../pkg/quorate.d.ts";
import { CostSection } from "../cost-tables.tsx";
import { Button, drawing, Made, Table } from "../elements.tsx";
import { acquire } from "../engine.js";
import { t } from "../i18n.js";
import { Exports } from "../library/exports.tsx";
import { failed, Notice, useMessage } from "../notice.tsx";
import { outcomeSentence } from "../outcome.js";
import type { Person } from "../participants.tsx";
import { roleSwitch } from "../role-switch.tsx";

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

function Head({ lab, id, title }: { lab: Lab; id: string; title: string }) {
  const people: Person[] = [...lab.view.people.values()];
  return (
    <header class="page-head">
      <div>
        <p class="eyebrow">{title}</p>
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
  { lab, id, title, role, after }: { lab: Lab; id: string; title: string; role: Node; after: Node | null },
) {
  const isOwner = lab.role === "owner";
  const { results, people }: { results?: Block[]; people: Map<string, Person> } = lab.view;
  return (
    <div class="page results">
      <Head lab={lab} id={id} title={title} />
      <Made node={role} />
      {results && <ResultBlocks results={results} people={people} />}
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
  const component = () => <Results lab={lab} id={id} title={title} role={role.node} after={after} />;
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
