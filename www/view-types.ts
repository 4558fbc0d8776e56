// Types of what the page keeps of a run.
import type { acquire } from "./engine.js";
import type { AskView, DebateView, DebaterView, DiscussionView, ItemView, JusticeView, ParticipantView, PersonView,
  Request, Role, RunView, Session, SpeakerView, Status, Usage } from "./pkg/quorate.js";

/** A participant of any procedure. */
export type Participant =
  & PersonView
  & Partial<Omit<ParticipantView, keyof PersonView>>
  & Partial<Omit<SpeakerView, keyof PersonView | "role">>
  & Partial<Omit<DebaterView, keyof PersonView | "role">>
  & { role?: SpeakerView["role"] | DebaterView["role"] };

/** An ask; `waits`: why the call is delayed; `request`: the exact question. */
export type Ask = AskView & { waits?: string | null; request?: Request };

/** A run of any procedure: the engine's view, with maps by name, id and key in place of lists (view.js). */
export type View =
  & Omit<RunView, "people" | "asks" | "items">
  & { people: Map<string, Participant>; asks: Map<string, Ask>; items: Map<string, ItemView> }
  & Partial<Pick<JusticeView, "roundStep" | "figures">>
  & Partial<Pick<DiscussionView, "order" | "topic" | "rules" | "turnsPerCall">>
  & Partial<Pick<DebateView, "question">>;

/** An open session (engine.js). */
export type Lab = Omit<Awaited<ReturnType<typeof acquire>>, "session" | "view" | "status" | "usage" | "role"> & {
  session: Session;
  view: View;
  status: Status;
  usage: Usage;
  role: Role;
};

export type Engine = typeof import("./engine.js");
