// The outcome of a run in a sentence, as the engine words it.
import { outcomeText } from "./engine.js";
import { language, t } from "./i18n.js";

/**
 * From a view.
 * @param {{ outcome?: string | undefined }} view
 */
export const outcomeSentence = ({ outcome }) => outcome ?? t("outcome.unfinished");

/**
 * From a summary of a run.
 * @param {{ protocol?: string, outcome?: unknown }} run
 */
export const outcomeOf = ({ outcome, protocol }) => outcome ? outcomeText(protocol, outcome, language()) : "";
