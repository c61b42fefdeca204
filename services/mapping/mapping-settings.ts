import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { STATUS_LISTS } from "#db/stores/port/mapping-fingerprint.ts";
import type { OutboxConfig } from "../config/outbox-schema.ts";

type Settings = { shape: string } | { columns: Record<string, string>; lifecycle?: Record<string, unknown> };

interface Told {
  /** Values in the table, which decide between words that were guessed. */
  found?: readonly string[];
  /** Lists that a person has written or chosen: they stay as they are. */
  said?: OutboxConfig["lifecycle"];
}

/** Settings of this mapping for outbox.yaml; without a lifecycle if no column marks published rows. */
export function mappingSettings({ columns, lifecycle, shape }: OutboxMapping, told: Told = {}): Settings {
  const isOwn = lifecycle.kind === "rules" && lifecycle.reading !== undefined;
  if ((lifecycle.kind === "rules" && !isOwn) || lifecycle.kind === "untold") return { shape };
  const named = Object.fromEntries(Object.entries(columns).map(([role, column]) => [role, column.name]));
  if (isOwn || lifecycle.kind === "unknown" || lifecycle.kind === "log") return { columns: named };
  if (lifecycle.kind !== "status") return { columns: named, lifecycle: { kind: lifecycle.kind } };
  const lists = STATUS_LISTS.map((list) => [list, likelyWords(lifecycle, list, told)] as const);
  const used = lists.filter(([list, words]) => words.length > 0 || told.said?.[list] !== undefined);
  return { columns: named, lifecycle: { kind: "status", ...Object.fromEntries(used) } };
}

type Status = Extract<OutboxMapping["lifecycle"], { kind: "status" }>;

/**
 * Guessed words that occur in the table. Only these, because pasted settings count as a person's answer and may be
 * written. Pending and published need a word: the usual one, unless the table has words of unknown meaning.
 */
function likelyWords(lifecycle: Status, list: (typeof STATUS_LISTS)[number], { found = [], said }: Told) {
  const words = lifecycle[list];
  if (lifecycle.guessed !== true || said?.[list] !== undefined) return words;
  const shown = [...found, ...(lifecycle.shown ?? [])];
  const seen = words.filter((word) => shown.includes(word));
  const known = STATUS_LISTS.flatMap((each) => lifecycle[each]);
  const isNeeded = list === "pending" || list === "published";
  return seen.length > 0 || !isNeeded || shown.some((word) => !known.includes(word)) ? seen : words.slice(0, 1);
}
