import type { LibraryTable } from "../library-table-type.ts";
import { hasura, hasuraLogs } from "./hasura.ts";

/** Programs of other languages. */
export const otherTables: readonly LibraryTable[] = [hasura, hasuraLogs];
