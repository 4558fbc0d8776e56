// A transport of a program's own, as rooms and guests use it: what it throws stops nothing of theirs, and what it hands in is
// looked at. Not here: the transports of this package.
import { guarded, lookInto } from "./intake.js";

/** Does what a program does; what it throws or rejects is its own affair. */
export function carefully(act) {
  try {
    return noted(act());
  } catch (error) {
    report(error);
    return undefined;
  }
}
const report = (error) => console.error(error);
function noted(came) {
  if (came instanceof Promise) came.catch(report);
  return came;
}

/** The transport that `name` was given; throws where it lacks one of the methods that are `needed`. */
export function own(name, transport, needed = "publish:function subscribe:function onState:function? close:function?") {
  lookInto(name, needed, transport);
  return {
    publish: (topic, bytes, options) => void carefully(() => transport.publish(topic, bytes, options)),
    subscribe(topic, on) {
      const stop = noted(transport.subscribe(topic, (bytes) => void (bytes instanceof Uint8Array && on(bytes))));
      return () => typeof stop === "function" && carefully(stop);
    },
    onState(on) {
      // One that does not say how it is has to be taken as it stands.
      if (!transport.onState) on({ state: "open" });
      const stop = noted(transport.onState?.(guarded(`onState of ${name}`, "now:object", (now) => {
        lookInto(`onState of ${name}`, "state:string reason:string?", now);
        const { state, reason } = now;
        on({ state, ...(reason && { reason }) });
      })));
      return () => typeof stop === "function" && carefully(stop);
    },
    close: () => void carefully(() => transport.close?.()),
  };
}
