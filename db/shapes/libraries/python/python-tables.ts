import type { LibraryTable } from "../library.ts";

/** Libraries of Python. */
export const pythonTables: readonly LibraryTable[] = [];
