// `quorate/guest`: the guest's side of rooms (guest.js) with checked arguments.
import { checkOptions, guardTransport, readLink } from "./shared_api.js";
import * as guest from "./guest.js";
import { guarded, guardMethods, LabError, checkFields } from "./intake.js";
import { wrapTransport } from "./custom_transport.js";

export { broker, makeLink, readLink, tabs } from "./shared_api.js";
export { LabError };

const METHODS = { now: "", answer: "async ask:string values:object", here: "", back: "", leave: "", forget: "", close: "" };

function joinChecked(given, options = {}) {
  const link = readLink(typeof given === "string" ? given : guest.makeLink(given));
  if (!link) throw new LabError("input", "join: not a link to a room; copy the whole link, including everything after the #");
  checkFields("join", "transport:object? onState:function? language:string? params:object?", options);
  const transport = options.transport && wrapTransport("the transport of join", options.transport);
  const params = options.params && guest.limitParams(Object.entries(options.params));
  const page = typeof given === "string" ? given : undefined;
  return guardMethods("Guest", guest.join(page ?? link, { ...options, transport, params }), METHODS);
}

function meetChecked(meeting, options = {}) {
  checkFields("meet", "kind:string address:string?", meeting);
  checkFields("meet", "page:string?", options);
  checkOptions(options);
  return guardTransport(guest.meet(meeting, options));
}

async function findChecked(transports, code, options) {
  const letters = guest.readCode(code);
  if (!letters) throw new LabError("input", `findCode: not the code of a room: ${JSON.stringify(code)}; a code has eight letters`);
  if (options) checkFields("findCode", "seconds:number?", options);
  const found = [transports].flat().map((one) => wrapTransport("a transport of findCode", Object(one), "subscribe:function"));
  return guest.findCode(found, letters, options);
}

const joinGuarded = guarded("join", "link options:object?", joinChecked);
const findGuarded = guarded("findCode", "async transports:object code:string options:object?", findChecked);
export const meet = guarded("meet", "meeting:object options:object?", meetChecked);
export const readCode = guarded("readCode", "text", guest.readCode);
export { findGuarded as findCode, joinGuarded as join };
