import type { LibraryCase } from "../library-case.fixture.ts";
import { celeryOutboxCase, celeryOutboxDeadLettersCase } from "./celery-outbox.case.ts";
import { djangoOutboxPatternCase } from "./django-outbox-pattern.case.ts";
import { faststreamAloneCase, faststreamCase, faststreamDeadLettersCase } from "./faststream.case.ts";
import { jaiminhoCase } from "./jaiminho.case.ts";
import { sentryCases } from "./sentry.case.ts";

/** Cases of the libraries of Python. */
export const pythonCases: readonly LibraryCase[] = [
  celeryOutboxCase,
  celeryOutboxDeadLettersCase,
  djangoOutboxPatternCase,
  faststreamAloneCase,
  faststreamCase,
  faststreamDeadLettersCase,
  jaiminhoCase,
  ...sentryCases,
];
