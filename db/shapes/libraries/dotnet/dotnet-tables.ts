import type { LibraryTable } from "../library-table-type.ts";
import { abpInbox, abpInbox8, abpOutbox } from "./abp.ts";
import { brighter, brighterInbox, brighterOlder } from "./brighter.ts";
import { cap, capLock, capReceived } from "./cap.ts";
import { dekaf, dekafLeases, dekafRelays } from "./dekaf.ts";
import {
  dotnetDdd,
  dotnetDddInbox,
  dotnetDddInboxConsumers,
  dotnetDddInboxWithoutError,
  dotnetDddOutboxConsumers,
  dotnetDddWithoutError,
} from "./dotnet-ddd.ts";
import { eShop } from "./eshop.ts";
import { kgrzybekCommands, kgrzybekInbox, kgrzybekOutbox } from "./kgrzybek.ts";
import { massTransit, massTransitInboxState, massTransitOutboxState } from "./masstransit.ts";
import { nServiceBus } from "./nservicebus.ts";
import { outboxKit, outboxKitDeleting } from "./outboxkit.ts";
import { rebus } from "./rebus.ts";
import { slimMessageBus } from "./slim-message-bus.ts";
import { wolverineDeadLetters, wolverineIncoming, wolverineOutgoing } from "./wolverine.ts";

/** Libraries of .NET. */
export const dotnetTables: readonly LibraryTable[] = [
  abpInbox,
  abpInbox8,
  abpOutbox,
  brighter,
  brighterInbox,
  brighterOlder,
  cap,
  capLock,
  capReceived,
  dekaf,
  dekafLeases,
  dekafRelays,
  dotnetDdd,
  dotnetDddInbox,
  dotnetDddInboxConsumers,
  dotnetDddInboxWithoutError,
  dotnetDddOutboxConsumers,
  dotnetDddWithoutError,
  eShop,
  kgrzybekCommands,
  kgrzybekInbox,
  kgrzybekOutbox,
  massTransit,
  massTransitInboxState,
  massTransitOutboxState,
  nServiceBus,
  outboxKit,
  outboxKitDeleting,
  rebus,
  slimMessageBus,
  wolverineDeadLetters,
  wolverineIncoming,
  wolverineOutgoing,
];
