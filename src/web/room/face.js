// What `quorate/room` and `quorate/guest` have in common, with what programs hand in looked at.
import * as wire from "./broker.js";
import { guarded, guardMethods } from "./intake.js";
import * as links from "./link.js";
import * as channel from "./tabs.js";

const BYTES = "topic:string bytes:object options:object?";
const post = (transport) => guardMethods("Transport", transport, { publish: BYTES, subscribe: "topic:string on:function", onState: "on:function", close: "" });

export const broker = guarded("broker", "address:string options:object?", (address, options) => post(wire.broker(address, options)));
export const makeLink = guarded("makeLink", "link:object", links.makeLink);
export const readLink = guarded("readLink", "text", links.readLink);
export const tabs = guarded("tabs", "", () => post(channel.tabs()));
