import type { Refusal } from "../gateway/receive-event.ts";
import type { FaultName } from "./fault-board.ts";

/** Answers of a gateway whose consumers fail. */
export function refuseEvents(options: { isActive: (fault: FaultName) => boolean; poisonedId: () => string }): Refusal {
  return (message) => {
    if (options.isActive("reject-type") && message.type === "invoice.rendered") {
      return {
        status: 422,
        body: "invoice.rendered: schema version 3 is not known here, versions 1 and 2 are",
      };
    }
    if (options.isActive("poison-aggregate") && message.aggregateId === options.poisonedId()) {
      return { status: 500, body: "no FX rate for XBT" };
    }
    return null;
  };
}
