import type { LibraryTable } from "../library.ts";
import { debezium } from "./debezium.ts";

/** Tables that a reader of the log publishes. */
export const cdcTables: readonly LibraryTable[] = [debezium];
