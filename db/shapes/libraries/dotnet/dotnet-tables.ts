import type { LibraryTable } from "../library.ts";

/** Libraries of .NET. */
export const dotnetTables: readonly LibraryTable[] = [];
