import type { ColumnRole, TimeEncoding } from "../../stores/port/mapping.ts";
import type { Condition, StateRules, VerbRules } from "../../stores/port/table-rules.ts";

/**
 * One table of a library that other teams use, as the library creates and reads it. Columns are named as in the
 * library's own DDL; they are found whatever their case and underscores.
 */
export interface LibraryTable {
  /** Of the file's name; also `outboxes.<name>.shape` in the configuration. Unique among all tables. */
  slug: string;
  /** The library as its users call it. */
  library: string;
  /** Which versions create this layout, and where that was read, e.g. `1.5; schema-postgresql.sql`. */
  source: string;
  /** The library's default name, over the name in lower case without anything but letters and digits. */
  name: RegExp;
  /** The columns alone do not tell the table from others. */
  nameDecides?: true;
  required: readonly string[];
  /** Further columns of some versions. A column that is neither may be any, unless it looks like a mark of its own. */
  optional?: readonly string[];
  /** Columns of other layouts that have every required one. */
  forbidden?: readonly string[];
  kind: OutboxOfLibrary | InboxOfLibrary | HelperOfLibrary;
}

/** `dead letters`: a second table into which the library moves what it gives up; listed as an outbox of its own. */
export interface OutboxOfLibrary {
  role: "outbox" | "dead letters";
  columns: Partial<Record<ColumnRole, string>> & { id: string; payload: string };
  /** Encodings that the type alone does not tell, by column. */
  times?: Readonly<Record<string, TimeEncoding>>;
  lifecycle:
    | {
        kind: "rules";
        shown?: string;
        /** Sentence: how the library itself says that rows it has sent may be deleted; absent where it does not. */
        sentRowsMayGo?: string;
        states: StateRules<string>;
        verbs: VerbRules<string, string>;
      }
    /** `where`: a clause, e.g. "the replication slot of its connector". */
    | { kind: "untold"; where: string };
  /** What an operator of this table has to know, as sentences. */
  traps?: readonly string[];
}

/** Messages that a consumer has taken, so that repeats do nothing. */
export interface InboxOfLibrary {
  role: "inbox";
  columns: {
    messageId: string;
    consumer?: string;
    eventType?: string;
    receivedAt?: string;
    processedAt?: string;
    error?: string;
  };
  times?: Readonly<Record<string, TimeEncoding>>;
  /** The library has processed the message; null where a row only says that it was received. */
  processed: Condition<string> | null;
  /** It was given up, or its last attempt has failed. */
  failed?: Condition<string>;
  traps?: readonly string[];
}

/** A lock, a lease, a list of offsets: no messages are in it. `reason` is a clause. */
interface HelperOfLibrary {
  role: "helper";
  reason: string;
}
