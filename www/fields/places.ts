// The fields of a form by the paths of their settings: where a fault is shown, and how it is named.
import { counts, parts, read, settingAt, wordsOf } from "../fields.js";
import { has, t } from "../i18n.js";
import type { Config } from "./controls.tsx";

/** What is wrong with a configuration. */
export interface Fault {
  path: string;
  message: string;
}

/** The field of a path, or the nearest one above it; empty if the form has none. */
export function fieldAt(config: Config, path: string) {
  const keys = parts(path);
  for (let length = keys.length; length > 0; length -= 1) {
    const above = keys.slice(0, length).join(".");
    if (isField(config, above)) return above;
  }
  return "";
}

function isField(config: Config, path: string) {
  const [, at] = /^agents\.(\d+)\.\D/.exec(path) ?? [];
  if (at !== undefined) {
    return Number(at) < mostAgents(config) && Boolean(settingAt(config, path)?.group) && counts(config, path);
  }
  if (/^schedule\.\d+$/.test(path)) return Array.isArray(config.schedule);
  return path === "agents" || path === "prompts" || (!/\.\d+/.test(path) && Boolean(settingAt(config, path)?.group));
}

/** The group of a field. */
export const groupAt = (config: Config, field: string) =>
  /^agents/.test(field) ? "participants" : field === "prompts" ? field : settingAt(config, field)?.group;

/** Most participants that are shown. */
export const mostAgents = (config: Config): number => settingAt(config, "agents").kind.most;

/** The id of a field's control: without dots, which selectors do not take. */
export const idOf = (field: string) => `field-${field.replaceAll(".", "-")}`;

/** Unfolds and focuses the field of a path. */
export function goTo(config: Config, path: string) {
  const control = document.getElementById(idOf(fieldAt(config, path)));
  for (let up = control?.closest("details"); up; up = up.parentElement!.closest("details")) up.open = true;
  control?.focus();
}

/** The name of the setting at a path, with its participant; empty if the form has no name for it. */
export function labelOf(config: Config, path: string) {
  const setting = path && settingAt(config, path);
  if (!setting || !has(wordsOf(setting))) return "";
  const [, agent] = /^agents\[(\d+)\]/.exec(path) ?? [];
  const whose = agent && (read(config, `agents.${agent}.name`) || nameOfNew(Number(agent) + 1));
  const [which] = parts(path).slice(agent ? 2 : 0).filter((part) => /^\d+$/.test(part));
  return [whose, t(wordsOf(setting)) + (which ? ` (${Number(which) + 1})` : "")].filter(Boolean).join(" · ");
}

/** The name of the nth participant, if it has none. */
export const nameOfNew = (n: number) => t("agent.new", { n: String(n) });
