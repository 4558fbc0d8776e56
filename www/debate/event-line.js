// One line for debate events that concern several seats or end what was to follow.
import { t, number } from "../i18n.js";
import { share } from "./judge.js";

const yes = (answers) => number(answers.filter((answer) => answer.yes === true).length);

const LINE = {
  ready: ({ count, of }) => t("debate.moment.ready", { count: number(count), of: number(of) }),
  polled: ({ answers }) => t("debate.moment.polled", { count: yes(answers), of: number(answers.length) }),
  settled: ({ seat, said }) => t(said.conclusive ? "debate.moment.settled" : "debate.moment.unsettled", { name: seat }),
  stable: ({ stability }) => t("debate.moment.stable", { value: share(stability.score) }),
  prepared: ({ leader, answers, quorum }) =>
    t("debate.moment.prepared", { name: leader, count: yes(answers), of: number(answers.length),
      quorum: number(quorum) }),
  committed: ({ leader, answers, quorum }) =>
    t("debate.moment.committed", { name: leader, count: yes(answers), of: number(answers.length),
      quorum: number(quorum) }),
  circuit: ({ seat, state }) => t(`debate.circuit.${state}`, { name: seat }),
};

/** The line for an event. */
export const eventLine = (
  event,
) => [LINE[event.type]?.(event) ?? event.type, event.ends && ` ${t("debate.moment.ends")}`];
