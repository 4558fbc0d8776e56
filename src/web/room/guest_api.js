// `quorate/guest`: the guest's side of rooms (guest.js) with checked arguments.
import { lookAtOptions, post, readLink } from "./shared_api.js";
import * as guest from "./guest.js";
import { guarded, guardMethods, LabError, lookInto } from "./intake.js";
import { own } from "./custom_transport.js";

export { broker, makeLink, readLink, tabs } from "./shared_api.js";
export { LabError };

const METHODS = { now: "", answer: "async ask:string values:object", back: "", leave: "", forget: "", close: "" };

function join(given, options = {}) {
  const link = readLink(typeof given === "string" ? given : guest.makeLink(given));
  if (!link) throw new LabError("input", "join: this is no link to a room");
  lookInto("join", "transport:object? onState:function? language:string? params:object?", options);
  const transport = options.transport && own("the transport of join", options.transport);
  const params = options.params && guest.few(Object.entries(options.params));
  const page = typeof given === "string" ? given : undefined;
  return guardMethods("Guest", guest.join(page ?? link, { ...options, transport, params }), METHODS);
}

function met(meeting, options = {}) {
  lookInto("meet", "kind:string address:string?", meeting);
  lookInto("meet", "page:string?", options);
  lookAtOptions(options);
  return post(guest.meet(meeting, options));
}

async function findCode(transports, code, options) {
  const letters = guest.readCode(code);
  if (!letters) throw new LabError("input", "findCode: this is no code of a room, which has eight letters");
  if (options) lookInto("findCode", "seconds:number?", options);
  const found = [transports].flat().map((one) => own("a transport of findCode", Object(one), "subscribe:function"));
  return guest.findCode(found, letters, options);
}

const joined = guarded("join", "link options:object?", join);
const found = guarded("findCode", "async transports:object code:string options:object?", findCode);
export const meet = guarded("meet", "meeting:object options:object?", met);
export const readCode = guarded("readCode", "text", guest.readCode);
export { found as findCode, joined as join };
