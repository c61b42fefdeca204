import type { LibraryTable } from "../library-table-type.ts";
import { assurrussa, assurrussaFailed } from "./assurrussa.ts";
import { efureevInbox, efureevOutbox } from "./efureev.ts";
import { goharvest } from "./goharvest.ts";
import { oagudo } from "./oagudo.ts";
import { openOutbox } from "./open-outbox.ts";
import { outboxen } from "./outboxen.ts";
import { pgxOutbox } from "./pgx-outbox.ts";
import { pkritiotis } from "./pkritiotis.ts";
import { watermill, watermillOffsets, watermillQueue } from "./watermill.ts";

/** Libraries of Go. */
export const goTables: readonly LibraryTable[] = [
  assurrussa,
  assurrussaFailed,
  efureevInbox,
  efureevOutbox,
  goharvest,
  oagudo,
  openOutbox,
  outboxen,
  pgxOutbox,
  pkritiotis,
  watermill,
  watermillOffsets,
  watermillQueue,
];
