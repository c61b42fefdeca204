import type { LibraryTable } from "../library.ts";

/** Libraries of PHP. */
export const phpTables: readonly LibraryTable[] = [];
