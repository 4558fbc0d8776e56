// Wraps a transport supplied by a program: its exceptions are logged and what it delivers is checked.
import { guarded, checkFields } from "./intake.js";

/** Calls a program's function. Logs what it throws or rejects with. */
export function callSafely(act) {
  try {
    return logRejection(act());
  } catch (error) {
    logError(error);
    return undefined;
  }
}
const logError = (error) => console.error(error);
function logRejection(result) {
  if (result instanceof Promise) result.catch(logError);
  return result;
}

/** Wraps the transport that `name` was given; throws if it lacks one of the `needed` methods. */
export function wrapTransport(name, transport, needed = "publish:function subscribe:function onState:function? close:function?") {
  checkFields(name, needed, transport);
  return {
    // A program may hand the options to a worker, which takes no functions.
    publish: (topic, bytes, { retain = false, fleeting = false } = {}) => void callSafely(() => transport.publish(topic, bytes, { retain, fleeting })),
    subscribe(topic, on) {
      const stop = logRejection(transport.subscribe(topic, (bytes) => void (bytes instanceof Uint8Array && on(bytes))));
      return () => typeof stop === "function" && callSafely(stop);
    },
    onState(on) {
      // A transport without states counts as open.
      if (!transport.onState) on({ state: "open" });
      const stop = logRejection(transport.onState?.(guarded(`onState of ${name}`, "now:object", (now) => {
        checkFields(`onState of ${name}`, "state:string reason:string?", now);
        const { state, reason } = now;
        on({ state, ...(reason && { reason }) });
      })));
      return () => typeof stop === "function" && callSafely(stop);
    },
    close: () => void callSafely(() => transport.close?.()),
  };
}
