import type { LibraryTable } from "../library.ts";

/** Libraries of Go. */
export const goTables: readonly LibraryTable[] = [];
