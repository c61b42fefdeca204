import { recogniseOutbox } from "#db/shapes/recognise.ts";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { StatusValues } from "#db/stores/port/outbox-reader.ts";
import { MASK } from "#domain/masking/mask-rules.ts";
import { maskRow } from "../masking/mask-rows.ts";
import type { Masker } from "../masking/masker.ts";
import type { MappedTable } from "../runtime.ts";
import { overridesOf } from "../stores/resolve-mapping.ts";

const STRUCTURES = /json|bytea|blob|binary|xml|hstore/i;

/**
 * Columns that a proposed mapping must not show in another role while values are masked: those of payload and headers in the
 * present mapping, and all with structures or bytes.
 */
export function veiledColumns({ catalog, tables, config }: MappedTable): ReadonlySet<string> {
  const present = recogniseOutbox(catalog, tables, overridesOf(config));
  const contents = "problem" in present ? [] : [present.mapping.columns.payload, present.mapping.columns.headers];
  return new Set([
    ...contents.flatMap((column) => column?.name ?? []),
    ...catalog.columns.flatMap(({ name, type }) => (STRUCTURES.test(type) ? [name] : [])),
  ]);
}

type Shown = Pick<MessageRow, "eventType" | "aggregateId" | "lastError">;

export function veilRow<Row extends Shown>(
  row: Row,
  { columns }: OutboxMapping,
  { masker, veiled }: { masker: Masker; veiled: ReadonlySet<string> },
): Row {
  const seen = (role: "eventType" | "aggregateId" | "lastError", text: string | null) =>
    text !== null && veiled.has(columns[role]?.name ?? "") ? MASK : text;
  return {
    ...maskRow(masker, row),
    ...{ eventType: seen("eventType", row.eventType), aggregateId: seen("aggregateId", row.aggregateId) },
    lastError: seen("lastError", maskRow(masker, row).lastError),
  };
}

export function veilValues(values: StatusValues | null, veiled: ReadonlySet<string>): StatusValues | null {
  return values !== null && veiled.has(values.column) ? null : values;
}
