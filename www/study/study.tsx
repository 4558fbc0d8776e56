// Studies: those of this browser, or one of them. #/study, #/study/ID
import { drawing } from "../elements.tsx";
import { t } from "../i18n.js";
import type { Engine } from "../view-types.ts";
import { openStudy } from "./studies.js";
import { StudyPage } from "./study-page.tsx";
import { Studies } from "./studies-page.tsx";

export async function view({ args: [id], engine }: { args: (string | undefined)[]; engine: Engine }) {
  const study = id ? await openStudy(id) : null;
  if (study?.isGoing) void study.go();
  const page = drawing(study ? <StudyPage study={study} engine={engine} /> : <Studies engine={engine} />);
  return { node: page.node, leave: page.leave, title: study ? study.file.title || study.file.id : t("study.title") };
}
