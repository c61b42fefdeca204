import { recogniseOutbox } from "#db/shapes/recognise.ts";
import { type OutboxMapping, tellerOf } from "#db/stores/port/mapping.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { StatusValues } from "#db/stores/port/outbox-reader.ts";
import { MASK } from "#domain/masking/mask-rules.ts";
import { maskNamed } from "../masking/mask-decoded.ts";
import { maskRow } from "../masking/mask-rows.ts";
import type { Masker } from "../masking/masker.ts";
import type { MappedTable } from "../runtime.ts";
import { overridesOf } from "../stores/resolve-mapping.ts";

const STRUCTURES = /json|bytea|blob|binary|xml|hstore/i;

/** Roles whose texts lists show. */
const SHOWN_ROLES = ["id", "eventType", "aggregateType", "aggregateId", "topic"] as const;

/** How a proposed mapping shows columns while values are masked. */
export interface Veil {
  masker: Masker;
  /** Payload and headers of the present mapping, and columns of structures or bytes: never shown in another role. */
  hidden: ReadonlySet<string>;
  /**
   * Columns that lists show by the present mapping. What any other holds is shown as masking shows a value of its name.
   */
  shown: ReadonlySet<string>;
}

export function veilOf({ catalog, tables, config }: MappedTable, masker: Masker): Veil {
  const present = recogniseOutbox(catalog, tables, overridesOf(config));
  const columns: Partial<OutboxMapping["columns"]> = "problem" in present ? {} : present.mapping.columns;
  const names = (roles: readonly (keyof OutboxMapping["columns"])[]) =>
    roles.flatMap((role) => columns[role]?.name ?? []);
  const status = "problem" in present ? null : tellerOf(present.mapping);
  const structures = catalog.columns.flatMap(({ name, type }) => (STRUCTURES.test(type) ? [name] : []));
  return {
    masker,
    hidden: new Set([...names(["payload", "headers"]), ...structures]),
    shown: new Set([...names(SHOWN_ROLES), ...(status ? [status.name] : [])]),
  };
}

type Shown = Pick<MessageRow, "id" | "eventType" | "aggregateId" | "lastError">;

export function veilRow<Row extends Shown>(row: Row, { columns }: OutboxMapping, veil: Veil): Row {
  const seen = (role: "id" | "eventType" | "aggregateId", text: string | null) =>
    veilText(veil, columns[role]?.name, text);
  const lastError = maskRow(veil.masker, row).lastError;
  return {
    ...maskRow(veil.masker, row),
    ...{ id: seen("id", row.id) ?? MASK, eventType: seen("eventType", row.eventType) },
    ...{ aggregateId: seen("aggregateId", row.aggregateId) },
    lastError: lastError !== null && veil.hidden.has(columns.lastError?.name ?? "") ? MASK : lastError,
  };
}

/** Null where a value is masked: the words of a status are shown all or not at all. */
export function veilValues(values: StatusValues | null, veil: Veil): StatusValues | null {
  const isSeen = ({ value }: StatusValues["values"][number]) => veilText(veil, values?.column, value) === value;
  return values?.values.every(isSeen) ? values : null;
}

function veilText({ masker, hidden, shown }: Veil, column = "", text: string | null): string | null {
  if (text === null || shown.has(column)) return text;
  const rules = masker.unknown();
  if (hidden.has(column) || (rules !== null && rules.hidden !== null)) return MASK;
  return rules === null ? text : maskNamed(column, text, rules);
}
