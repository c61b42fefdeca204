import type { LibraryCase } from "../library-case.fixture.ts";
import { emmettCase } from "./emmett.case.ts";
import { eventDrivenIoCase } from "./event-driven-io.case.ts";
import { eventferryCase } from "./eventferry.case.ts";
import { fabioCase } from "./fabio.case.ts";
import { nestOutboxCase } from "./nest-outbox.case.ts";
import { nestarcCase } from "./nestarc.case.ts";
import { fullstackhouseCases, nestixisCases } from "./nestixis.case.ts";
import { nestjsCases } from "./nestjs.case.ts";
import { outboxEventBusCase, outboxEventBusTextCase } from "./outbox-event-bus.case.ts";
import { outboxyCase } from "./outboxy.case.ts";
import { sapCapCase, sapCapWithoutStatusCase } from "./sap-cap.case.ts";
import { sapEventqueueCase } from "./sap-eventqueue.case.ts";
import { trxOutboxCase } from "./trx-outbox.case.ts";

/** Cases of the libraries of JavaScript and TypeScript, and of SAP CAP. */
export const nodeCases: readonly LibraryCase[] = [
  emmettCase,
  eventDrivenIoCase,
  eventferryCase,
  fabioCase,
  ...fullstackhouseCases,
  nestOutboxCase,
  nestarcCase,
  ...nestixisCases,
  ...nestjsCases,
  outboxEventBusCase,
  outboxEventBusTextCase,
  outboxyCase,
  sapCapCase,
  sapCapWithoutStatusCase,
  sapEventqueueCase,
  trxOutboxCase,
];
