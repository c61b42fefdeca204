import { stringify } from "yaml";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { STATUS_LISTS } from "#db/stores/port/mapping-fingerprint.ts";
import type { OutboxConfig } from "../config/outbox-schema.ts";
import type { OutboxHandle } from "../runtime.ts";

/** The block of outbox.yaml that gives this mapping: every role in use, and the lifecycle with its words. */
export function mappingYaml(input: { handle: OutboxHandle; config: OutboxConfig; mapping: OutboxMapping }): string {
  const { handle, config, mapping } = input;
  const { lifecycle } = mapping;
  const isLibrary = lifecycle.kind === "rules" || lifecycle.kind === "untold";
  const named = Object.entries(mapping.columns).map(([role, column]) => [role, column.name]);
  const zone = config.timeZone === "UTC" ? {} : { timeZone: config.timeZone };
  const block = {
    store: config.store,
    table: config.table,
    mode: config.mode,
    ...zone,
    ...(isLibrary ? { shape: mapping.shape } : { columns: Object.fromEntries(named), ...lifecycleOf(mapping) }),
  };
  return stringify(
    { outboxes: { [handle.name]: block } },
    { lineWidth: 100, flowCollectionPadding: true, collectionStyle: "any" },
  ).trimEnd();
}

function lifecycleOf({ lifecycle }: OutboxMapping): { lifecycle?: Record<string, unknown> } {
  if (lifecycle.kind === "timestamp" || lifecycle.kind === "flag" || lifecycle.kind === "delete")
    return { lifecycle: { kind: lifecycle.kind } };
  if (lifecycle.kind !== "status") return {};
  const lists = STATUS_LISTS.filter((list) => lifecycle[list].length > 0).map((list) => {
    // Of words that are only a guess, a list of all spellings helps nobody.
    return [list, lifecycle.guessed ? lifecycle[list].slice(0, 1) : lifecycle[list]];
  });
  return { lifecycle: { kind: "status", ...Object.fromEntries(lists) } };
}
