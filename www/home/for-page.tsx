// What there is for researchers, and for developers. #/for/WHOM
import { drawing, Filled } from "../elements.tsx";
import { t } from "../i18n.js";

/** Views for researchers, with the word of their link. */
const VIEWS = [["setup", "nav.setup"], ["study", "study.title"], ["presets", "home.presets"], ["library",
  "library.title"], ["models", "nav.models"]];
const DOCUMENTS: { [whom: string]: string } = { researchers: "researchers.md, settings.md, prompts.md",
  developers: "programmers.md, rooms.md" };

/** Of this site. */
const address = (path: string) => new URL(path, document.baseURI).href;

const Researchers = () => (
  <ul class="plain list-about">
    {VIEWS.map(([name, word]) => (
      <li key={name}>
        <a href={`#/${name}`} data-testid={`for-${name}`}>{t(word!)}</a>
        <p class="quiet">{t(`home.researchers.${name}`)}</p>
      </li>
    ))}
  </ul>
);

const Developers = () => (
  <>
    <p>{t("home.developers.module")}</p>
    <pre class="code" tabIndex={0} role="region" aria-label={t("home.developers.module")}>
      {`import init, { presets, Session } from "${address("pkg/quorate.js")}";

await init();
const session = await Session.create(presets()[0].config);
console.log(await session.run());`}
    </pre>
    <ul class="plain list-about">
      <li>
        <a href="pkg/quorate.schema.json">{t("home.developers.schema")}</a>
        <p class="quiet">{t("home.developers.schema.text")}</p>
      </li>
    </ul>
  </>
);

const WHOM = { researchers: Researchers, developers: Developers };

export async function view({ args: [wanted] }: { args: string[] }) {
  const whom = wanted === "developers" ? "developers" : "researchers";
  const Content = WHOM[whom];
  const page = drawing(
    <div class="page narrow">
      <h1>{t(`home.${whom}`)}</h1>
      <p class="lead">{t(`home.${whom}.lead`)}</p>
      <Content />
      <p class="quiet">
        <Filled text={t("home.documents")} with={{ files: <span lang="en">{DOCUMENTS[whom]}</span> }} />
      </p>
    </div>,
  );
  return { node: page.node, leave: page.leave, title: t(`home.${whom}`) };
}
