/** A table as a team wrote it, with what its columns mean. */
export interface HandMadeTable {
  is: "outbox" | "inbox";
  /** Creates the table, and the types that it needs. */
  ddl: string;
  /** Column by role; of an inbox by the names of its mapping. */
  roles: Record<string, string>;
}
