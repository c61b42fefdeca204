/**
 * Kinds of values of an attribute; the store itself has no such types. `time`: RFC 3339 text. `seconds`,
 * `milliseconds`: a number, counted from 1970.
 */
export const ATTRIBUTE_KINDS = [
  "text",
  "json",
  "number",
  "boolean",
  "binary",
  "time",
  "seconds",
  "milliseconds",
] as const;
export type AttributeKind = (typeof ATTRIBUTE_KINDS)[number];

/** The items of one outbox or inbox, in a store whose tables may hold items of several kinds. */
export interface ItemFamily {
  /** The store's table. */
  table: string;
  /** Its items are those whose partition key begins so; without it, all items of the table. */
  keyPrefix?: string | undefined;
  /** Attributes besides those of keys and indexes. */
  attributes: Readonly<Record<string, AttributeKind>>;
  /**
   * Index that holds only items that wait. `keys`: every value that its partition key has; without them the index is
   * scanned, which gives no order.
   */
  waiting?: { index: string; keys?: readonly string[] | undefined } | undefined;
  /** By which attribute the store deletes items, and how long our relay keeps what it has published. */
  keepPublished?: { attribute: string; days: number } | undefined;
}
