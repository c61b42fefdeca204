/** The index of waiting items, as the table describes it. */
export interface WaitingIndex {
  name: string;
  /** Its partition key: an attribute that only waiting items have, or their status. */
  hash: string;
  hashType: string;
  /** Its sort key, if that is the order of messages, so that a read can begin anywhere. */
  sortedBy: { name: string; type: string } | null;
  keys: readonly string[] | null;
  /** It holds every attribute. */
  whole: boolean;
  /** Partition key of the table. */
  tableHash: string;
}
