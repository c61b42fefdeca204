import type { CatalogTable } from "../../stores/port/catalog.ts";
import type { InboxMapping, InboxMark } from "../../stores/port/inbox-mapping.ts";
import { columnsOfCondition, mapCondition } from "../../stores/port/table-rules.ts";
import { fitted } from "../columns/fitted-conditions.ts";
import { type LibraryColumns, libraryColumns } from "../columns/library-columns.ts";
import { primaryKeyOf } from "../columns/primary-key.ts";
import { findLibrary } from "../find-library.ts";
import type { InboxOfLibrary } from "../libraries/library-table-type.ts";

/** The mapping of a library's inbox; null if the table is none. */
export function recogniseLibraryInbox(table: CatalogTable): InboxMapping | null {
  const found = findLibrary(table);
  if (!found?.byName || found.known.kind.role !== "inbox") return null;
  const kind = found.known.kind;
  const columns = libraryColumns(table, { times: kind.times });
  const { messageId, consumer, eventType, receivedAt, processedAt, error } = kind.columns;
  const id = columns.find(messageId);
  const primaryKey = primaryKeyOf(table);
  if (!id || primaryKey.length === 0) return null;
  return {
    table: { schema: table.schema, name: table.name },
    primaryKey,
    messageId: id,
    consumer: columns.find(consumer),
    eventType: columns.find(eventType),
    receivedAt: columns.find(receivedAt),
    processedAt: columns.find(processedAt),
    tracksProcessing: kind.processed !== null,
    mark: markOf(kind, columns),
    error: columns.find(error),
    shape: found.known.slug,
  };
}

function markOf({ processed, failed }: InboxOfLibrary, { need }: LibraryColumns): InboxMark {
  if (processed === null) return { kind: "none" };
  const rules = {
    processed: fitted(mapCondition(processed, need)),
    failed: failed ? fitted(mapCondition(failed, need)) : null,
  };
  const named = [rules.processed, ...(rules.failed ? [rules.failed] : [])];
  return { kind: "rules", ...rules, columns: named.flatMap(columnsOfCondition) };
}
