import type { LibraryCase } from "../library-case.fixture.ts";
import { abpCases } from "./abp.case.ts";
import { brighterCases } from "./brighter.case.ts";
import { capCases } from "./cap.case.ts";
import { dekafCase } from "./dekaf.case.ts";
import { dotnetDddCases } from "./dotnet-ddd.case.ts";
import { eShopCase } from "./eshop.case.ts";
import { kgrzybekCases } from "./kgrzybek.case.ts";
import { massTransitCases } from "./masstransit.case.ts";
import { nServiceBusCases } from "./nservicebus.case.ts";
import { outboxKitCases } from "./outboxkit.case.ts";
import { rebusCase } from "./rebus.case.ts";
import { slimMessageBusCase } from "./slim-message-bus.case.ts";
import { wolverineCases } from "./wolverine.case.ts";

export const dotnetCases: readonly LibraryCase[] = [
  dekafCase,
  rebusCase,
  ...abpCases,
  ...brighterCases,
  ...capCases,
  ...dotnetDddCases,
  eShopCase,
  ...kgrzybekCases,
  ...massTransitCases,
  ...nServiceBusCases,
  ...outboxKitCases,
  slimMessageBusCase,
  ...wolverineCases,
];
