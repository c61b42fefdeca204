import type { InboxState } from "#db/stores/port/inbox-reader.ts";

/** A library's inbox, and rows in every state that it knows. The key of a row is its number. */
export interface LibraryInboxCase {
  slug: string;
  /** Column definitions, in Postgres. */
  columns: string;
  table: string;
  /** Values of all columns by the state that they mean. `{id}` stands for a new uuid. */
  rows: readonly (readonly [InboxState, string])[];
}
