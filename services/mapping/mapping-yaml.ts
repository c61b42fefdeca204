import { stringify } from "yaml";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { escaped, type MappingEntry } from "../config/edit-config.ts";
import type { OutboxConfig } from "../config/outbox-schema.ts";
import { mappingSettings } from "./mapping-settings.ts";

/** Section of outbox.yaml for this mapping; `found` as in mappingSettings. */
export function mappingEntry(config: OutboxConfig, mapping: OutboxMapping, found: readonly string[]): MappingEntry {
  const { store, table, mode, timeZone } = config;
  const zone = timeZone === "UTC" ? {} : { timeZone };
  return { store, table, mode, ...zone, ...mappingSettings(mapping, { found, said: config.lifecycle }) };
}

/** The same as text. */
export function mappingYaml(outbox: string, entry: MappingEntry): string {
  return stringify({ outboxes: { [outbox]: escaped(entry) } }, { lineWidth: 100 }).trimEnd();
}
