import type { LibraryTable } from "../library-table-type.ts";
import { emmett, emmettProcessors, emmettStreams } from "./emmett.ts";
import { eventDrivenIo } from "./event-driven-io.ts";
import { eventferry } from "./eventferry.ts";
import { fabio } from "./fabio.ts";
import { fullstackhouse } from "./fullstackhouse.ts";
import { nestOutbox, nestOutboxInbox, nestOutboxProcessed } from "./nest-outbox.ts";
import { nestarc } from "./nestarc.ts";
import { nestixis } from "./nestixis.ts";
import { nestjsDeadLetters, nestjsInbox, nestjsMessages } from "./nestjs.ts";
import { outboxEventBus, outboxEventBusArchive } from "./outbox-event-bus.ts";
import { outboxy, outboxyConfig, outboxyInbox } from "./outboxy.ts";
import { sapCap, sapCapWithoutStatus } from "./sap-cap.ts";
import { sapEventqueue, sapEventqueueLock } from "./sap-eventqueue.ts";
import { trxInbox, trxOutbox } from "./trx-outbox.ts";

/** Libraries of JavaScript and TypeScript, and SAP CAP. */
export const nodeTables: readonly LibraryTable[] = [
  emmett,
  emmettProcessors,
  emmettStreams,
  eventDrivenIo,
  eventferry,
  fabio,
  fullstackhouse,
  nestOutbox,
  nestOutboxInbox,
  nestOutboxProcessed,
  nestarc,
  nestixis,
  nestjsDeadLetters,
  nestjsInbox,
  nestjsMessages,
  outboxEventBus,
  outboxEventBusArchive,
  outboxy,
  outboxyConfig,
  outboxyInbox,
  sapCap,
  sapCapWithoutStatus,
  sapEventqueue,
  sapEventqueueLock,
  trxInbox,
  trxOutbox,
];
