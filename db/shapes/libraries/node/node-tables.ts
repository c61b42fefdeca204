import type { LibraryTable } from "../library.ts";

/** Libraries of JavaScript and TypeScript, and SAP CAP. */
export const nodeTables: readonly LibraryTable[] = [];
