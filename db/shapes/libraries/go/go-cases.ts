import type { LibraryCase } from "../library-case.fixture.ts";
import { assurrussaCase, assurrussaFailedCase } from "./assurrussa.case.ts";
import { efureevCase } from "./efureev.case.ts";
import { goharvestCase } from "./goharvest.case.ts";
import { oagudoCase } from "./oagudo.case.ts";
import { openOutboxCase } from "./open-outbox.case.ts";
import { outboxenCase } from "./outboxen.case.ts";
import { pgxOutboxCase } from "./pgx-outbox.case.ts";
import { pkritiotisCase } from "./pkritiotis.case.ts";
import { watermillCase, watermillMysqlCase, watermillQueueCase } from "./watermill.case.ts";

/** Cases of the libraries of Go. */
export const goCases: readonly LibraryCase[] = [
  assurrussaCase,
  assurrussaFailedCase,
  efureevCase,
  goharvestCase,
  oagudoCase,
  openOutboxCase,
  outboxenCase,
  pgxOutboxCase,
  pkritiotisCase,
  watermillCase,
  watermillMysqlCase,
  watermillQueueCase,
];
