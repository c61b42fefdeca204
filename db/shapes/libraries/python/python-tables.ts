import type { LibraryTable } from "../library-table-type.ts";
import { celeryOutbox, celeryOutboxDeadLetters } from "./celery-outbox.ts";
import { djangoOutboxPattern, djangoOutboxPatternReceived } from "./django-outbox-pattern.ts";
import { faststream, faststreamDeadLetters } from "./faststream.ts";
import { jaiminho } from "./jaiminho.ts";
import { sentryControl, sentryRegion } from "./sentry.ts";

/** Libraries of Python. */
export const pythonTables: readonly LibraryTable[] = [
  celeryOutbox,
  celeryOutboxDeadLetters,
  djangoOutboxPattern,
  djangoOutboxPatternReceived,
  faststream,
  faststreamDeadLetters,
  jaiminho,
  sentryControl,
  sentryRegion,
];
