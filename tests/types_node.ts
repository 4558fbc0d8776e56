// What the package's types promise in Node.js only, as code: compiled by tests/package/types.test.mjs, never run.
import { Library, Session, folder } from "quorate";
import type { Config, Folder } from "quorate";

const config: Config = { agents: [{ name: "Ana", personality: "" }] };
const store: Folder = folder("runs");
// @ts-expect-error: the folder is named
folder();
await Session.create(config, { store, id: "a" });
await Session.open("a", { store });
const [summary] = await Library.list({ store });
const ended: "unfinished" | "ended" | undefined = summary?.state;
await Library.entries("a", { store });
const text: string = (await Library.export("a", "jsonl", { store })).text;
const blob: Blob = (await Library.export(["a"], "runs", { store, blob: true })).blob;
await Library.delete("a", { store });
// @ts-expect-error: nothing is listed in memory
await Library.list({ store: "memory" });
const unlock = await store.lock("a");
if (typeof unlock !== "string") unlock();
