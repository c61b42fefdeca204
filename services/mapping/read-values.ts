import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { StatusValues } from "#db/stores/port/outbox-reader.ts";
import type { OutboxStore } from "#db/stores/port/store.ts";
import { AppError } from "#domain/errors.ts";
import type { MappedTable } from "../runtime.ts";

/** The table under a mapping, for reading it. */
export function openUnder({ name, store, catalog }: MappedTable, mapping: OutboxMapping): OutboxStore {
  const { estimatedRows, partitioned } = catalog;
  return store.outbox({ name, mapping, storeSide: false, maxAttempts: null, estimatedRows, partitioned });
}

/**
 * Values of the column that marks the state; null where only a scan of a large table could find them, or after a
 * timeout.
 */
export async function readValues({ read }: OutboxStore): Promise<StatusValues | null> {
  try {
    return await read.statusValues();
  } catch (error) {
    return ignoreUnread(error);
  }
}

/** The words among the values. */
export function wordsIn(values: StatusValues | null): string[] {
  return values?.values.flatMap(({ value }) => value ?? []) ?? [];
}

/** Null for a read that would have been a scan, or took too long. */
export function ignoreUnread(error: unknown): null {
  if (error instanceof AppError && ["filter_not_indexed", "query_timeout"].includes(error.code)) return null;
  throw error;
}
