// Wraps a transport supplied by a program: its exceptions are logged and what it delivers is checked.
import { guarded, lookInto } from "./intake.js";

/** Calls a program's function. Logs what it throws or rejects with. */
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

/** Wraps the transport that `name` was given; throws if it lacks one of the `needed` methods. */
export function own(name, transport, needed = "publish:function subscribe:function onState:function? close:function?") {
  lookInto(name, needed, transport);
  return {
    publish: (topic, bytes, options) => void carefully(() => transport.publish(topic, bytes, options)),
    subscribe(topic, on) {
      const stop = noted(transport.subscribe(topic, (bytes) => void (bytes instanceof Uint8Array && on(bytes))));
      return () => typeof stop === "function" && carefully(stop);
    },
    onState(on) {
      // A transport without states counts as open.
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
