import type { LibraryTable } from "../library-table-type.ts";
import { activeOutbox } from "./active-outbox.ts";
import { bookingsync } from "./bookingsync.ts";
import { outboxer, outboxerHelpers } from "./outboxer.ts";
import { resOutbox, resOutboxLocks } from "./res-outbox.ts";
import { sbmtInbox, sbmtOutbox } from "./sbmt.ts";

/** Libraries of Ruby. */
export const rubyTables: readonly LibraryTable[] = [
  activeOutbox,
  bookingsync,
  outboxer,
  ...outboxerHelpers,
  resOutbox,
  resOutboxLocks,
  sbmtInbox,
  sbmtOutbox,
];
