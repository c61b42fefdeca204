import type { LibraryTable } from "../library.ts";

/** Libraries of Ruby. */
export const rubyTables: readonly LibraryTable[] = [];
