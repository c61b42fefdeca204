import type { LibraryTable } from "../library-table-type.ts";
import { dnakitare, dnakitareDeadLetters } from "./dnakitare.ts";
import { eventsauce } from "./eventsauce.ts";
import { symfonyMessenger } from "./symfony.ts";
import { webrek } from "./webrek.ts";

/** Libraries of PHP. */
export const phpTables: readonly LibraryTable[] = [
  dnakitare,
  dnakitareDeadLetters,
  eventsauce,
  symfonyMessenger,
  webrek,
];
