import { stringify } from "yaml";
import { ifBareIsNew } from "#db/shapes/open-question.ts";
import { escaped } from "../config/edit-config.ts";
import { mappingSettings } from "../mapping/mapping-settings.ts";
import type { OutboxHandle } from "../runtime.ts";

/**
 * Lines for outbox.yaml that confirm a likely mapping: its library, or every role and the lifecycle as recognised, for
 * a person to correct. Whole, because a discovered outbox has no entry yet. If no column marks published messages, the
 * options are listed as comments.
 */
export function mappingBlock(outbox: Pick<OutboxHandle, "name" | "store" | "mapping" | "catalog" | "config">): string {
  const { name, mapping, config } = outbox;
  const settings = mappingSettings(mapping, { said: config.lifecycle });
  const { schema, name: table } = mapping.table;
  const entry = escaped({ store: outbox.store.name, table: `${schema}.${table}`, ...settings });
  const block = stringify({ outboxes: { [name]: entry } }, { lineWidth: 0, flowCollectionPadding: true }).trimEnd();
  const { lifecycle } = mapping;
  if (lifecycle.kind === "rules" && lifecycle.reading !== undefined)
    return `${block}\n${otherMarks(lifecycle.reading)}`;
  const bare = lifecycle.kind === "status" ? ifBareIsNew(lifecycle, outbox.catalog) : null;
  if (bare !== null) return `${block}\n    # ${bare}`;
  return "columns" in settings && !settings.lifecycle ? `${block}\n${choices(outbox)}` : block;
}

function otherMarks(reading: string): string {
  return [
    `    # ${reading}`,
    "    # If the other marks say nothing, add lifecycle: { kind: timestamp } or { kind: flag }, as publishedAt is.",
  ].join("\n");
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
