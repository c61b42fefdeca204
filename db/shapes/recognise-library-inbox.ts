import type { CatalogColumn, CatalogTable } from "../stores/port/catalog.ts";
import type { InboxMapping, InboxMark } from "../stores/port/inbox-mapping.ts";
import type { MappedColumn } from "../stores/port/mapping.ts";
import { columnsOfCondition, mapCondition } from "../stores/port/table-rules.ts";
import { columnNamed, findLibrary } from "./find-library.ts";
import type { InboxOfLibrary } from "./libraries/library.ts";
import { primaryKeyOf } from "./primary-key.ts";
import { timeEncodingOf } from "./time-encoding.ts";
import { normalise } from "./vocabulary.ts";

/** The mapping of a library's inbox; null if the table is none. */
export function recogniseLibraryInbox(table: CatalogTable): InboxMapping | null {
  const found = findLibrary(table);
  if (!found?.byName || found.known.kind.role !== "inbox") return null;
  const kind = found.known.kind;
  const of = (name: string | undefined) => {
    const column = name === undefined ? undefined : columnNamed(table, name);
    return column ? mapped(column, kind) : null;
  };
  const { messageId, consumer, eventType, receivedAt, processedAt, error } = kind.columns;
  const id = of(messageId);
  const primaryKey = primaryKeyOf(table);
  if (!id || primaryKey.length === 0) return null;
  return {
    table: { schema: table.schema, name: table.name },
    primaryKey,
    messageId: id,
    consumer: of(consumer),
    eventType: of(eventType),
    receivedAt: of(receivedAt),
    processedAt: of(processedAt),
    tracksProcessing: kind.processed !== null,
    mark: markOf(table, kind),
    error: of(error),
    shape: found.known.slug,
  };
}

function markOf(table: CatalogTable, kind: InboxOfLibrary): InboxMark {
  if (kind.processed === null) return { kind: "none" };
  const to = (name: string) => {
    const column = columnNamed(table, name);
    if (!column)
      throw new Error(`${table.schema}.${table.name} has no column ${name}, which its library's rules need.`);
    return mapped(column, kind);
  };
  const processed = mapCondition(kind.processed, to);
  const failed = kind.failed ? mapCondition(kind.failed, to) : null;
  const columns = [processed, ...(failed ? [failed] : [])].flatMap(columnsOfCondition);
  return { kind: "rules", processed, failed, columns };
}

function mapped(column: CatalogColumn, { times }: InboxOfLibrary): MappedColumn {
  const told = Object.entries(times ?? {}).find(([name]) => normalise(name) === normalise(column.name))?.[1];
  const time = told ?? timeEncodingOf(column, "UTC");
  return { name: column.name, type: column.type, nullable: column.nullable, ...(time ? { time } : {}), from: "shape" };
}
