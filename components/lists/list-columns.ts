import type { MessageColumn } from "#contracts/message/export.ts";

/** Columns that the list can show, in the order of the table, named as in the API; `took` is ours. */
export const LIST_COLUMNS = [
  { key: "state", label: "State", exported: ["state"] },
  { key: "createdAt", label: "Created", exported: ["createdAt"] },
  { key: "eventType", label: "Type", exported: ["eventType"] },
  { key: "aggregateType", label: "Aggregate type", exported: ["aggregateType"] },
  { key: "aggregateId", label: "Aggregate", exported: ["aggregateId"] },
  { key: "ageSeconds", label: "Age", exported: ["ageSeconds"] },
  { key: "took", label: "Took", exported: ["createdAt", "publishedAt"] },
  { key: "attempts", label: "Attempts", exported: ["attempts", "maxAttempts"] },
  { key: "publishedAt", label: "Published", exported: ["publishedAt"] },
  { key: "availableAt", label: "Due", exported: ["availableAt"] },
  { key: "nextAttemptAt", label: "Next attempt", exported: ["nextAttemptAt"] },
  { key: "archivedAt", label: "Archived", exported: ["archivedAt"] },
  { key: "rawStatus", label: "Status", exported: ["rawStatus"] },
  { key: "lastErrorCode", label: "Error code", exported: ["lastErrorCode"] },
  { key: "blockedBy", label: "Waits behind", exported: ["blockedBy"] },
  { key: "lastError", label: "Last error", exported: ["lastError", "lastErrorCode"] },
  { key: "id", label: "Id", exported: ["id"] },
] as const satisfies readonly { key: string; label: string; exported: readonly MessageColumn[] }[];

export type ListColumn = (typeof LIST_COLUMNS)[number]["key"];

export const DEFAULT_COLUMNS: readonly ListColumn[] = [
  "state",
  "eventType",
  "aggregateId",
  "ageSeconds",
  "attempts",
  "lastError",
  "id",
];

/** Columns of a comma-separated text, in the table's order; undefined if it names none. */
export function readColumns(text: string | null): readonly ListColumn[] | undefined {
  const names = text?.split(",") ?? [];
  const known = LIST_COLUMNS.map(({ key }) => key).filter((key) => names.includes(key));
  return known.length === 0 ? undefined : known;
}

export function isDefault(columns: readonly ListColumn[]): boolean {
  return columns.length === DEFAULT_COLUMNS.length && DEFAULT_COLUMNS.every((key) => columns.includes(key));
}

/** The same columns with one more or one less; the last one stays. */
export function toggleColumn(columns: readonly ListColumn[], key: ListColumn): readonly ListColumn[] {
  const rest = columns.filter((column) => column !== key);
  const next = rest.length < columns.length ? rest : [...columns, key];
  return readColumns(next.join(",")) ?? columns;
}

/** What an export of these columns contains: the id first, each once. */
export function exportedColumns(columns: readonly ListColumn[]): MessageColumn[] {
  const shown = LIST_COLUMNS.filter(({ key }) => columns.includes(key));
  return [...new Set<MessageColumn>(["id", ...shown.flatMap(({ exported }) => exported)])];
}
