import { stringify } from "yaml";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { STATUS_LISTS } from "#db/stores/port/mapping-fingerprint.ts";
import type { OutboxHandle } from "../runtime.ts";

/**
 * Lines for outbox.yaml that confirm a likely mapping: every role and the lifecycle as recognised, for a person to
 * correct. If no column marks published messages, the options are listed as comments.
 */
export function mappingBlock(outbox: Pick<OutboxHandle, "name" | "mapping" | "catalog">): string {
  const { name, mapping } = outbox;
  const columns = Object.fromEntries(Object.entries(mapping.columns).map(([role, column]) => [role, column.name]));
  const lifecycle = lifecycleBlock(mapping);
  const block = stringify(
    { outboxes: { [name]: { columns, ...(lifecycle ? { lifecycle } : {}) } } },
    { lineWidth: 0, flowCollectionPadding: true },
  ).trimEnd();
  return lifecycle ? block : `${block}\n${choices(outbox)}`;
}

function lifecycleBlock({ lifecycle }: OutboxMapping): Record<string, unknown> | null {
  if (lifecycle.kind === "unknown" || lifecycle.kind === "log") return null;
  if (lifecycle.kind !== "status") return { kind: lifecycle.kind };
  const lists = STATUS_LISTS.map((list) => [list, likelyWords(lifecycle[list], lifecycle.guessed === true)]);
  return { kind: "status", ...Object.fromEntries(lists.filter(([, words]) => words?.length !== 0)) };
}

/** Of guessed words, only the one we would write: a list of all spellings helps nobody. */
function likelyWords(words: readonly string[], guessed: boolean): readonly string[] {
  return guessed ? words.slice(0, 1) : words;
}

function choices({ catalog, mapping }: Pick<OutboxHandle, "mapping" | "catalog">): string {
  const used = new Set(Object.values(mapping.columns).map((column) => column.name));
  const free = catalog.columns.filter(({ name }) => !used.has(name)).map(({ name, type }) => `${name} (${type})`);
  return [
    `    # Choose how a message is marked as published. Columns without a role: ${free.join(", ") || "none"}.`,
    "    #   a time that is set:      columns: { publishedAt: … } and lifecycle: { kind: timestamp }",
    "    #   a boolean that is true:  columns: { publishedAt: … } and lifecycle: { kind: flag }",
    "    #   a word:                  columns: { status: … } and lifecycle: { kind: status, pending: [ … ], published: [ … ] }",
    "    #   the row is deleted:      lifecycle: { kind: delete }",
  ].join("\n");
}
