import type { LibraryTable } from "../library-table-type.ts";
import { debezium, debeziumConsumed } from "./debezium.ts";
import { gustavofreze } from "./gustavofreze.ts";

/** Tables that a reader of the log publishes. */
export const cdcTables: readonly LibraryTable[] = [debezium, debeziumConsumed, gustavofreze];
