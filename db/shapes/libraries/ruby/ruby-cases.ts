import type { LibraryCase } from "../library-case.fixture.ts";
import { activeOutboxCase } from "./active-outbox.case.ts";
import { bookingsyncCase } from "./bookingsync.case.ts";
import { outboxerCase } from "./outboxer.case.ts";
import { resOutboxCase } from "./res-outbox.case.ts";
import { sbmtCase } from "./sbmt.case.ts";

/** Cases of the libraries of Ruby. */
export const rubyCases: readonly LibraryCase[] = [
  activeOutboxCase,
  bookingsyncCase,
  outboxerCase,
  resOutboxCase,
  sbmtCase,
];
