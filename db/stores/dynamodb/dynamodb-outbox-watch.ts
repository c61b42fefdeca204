import type { OutboxWatch } from "../port/outbox-watch.ts";
import { asking } from "./connection/to-store-error.ts";
import { gatherFacts } from "./diagnosis-facts/gather-facts.ts";
import { whyNoWrites } from "./diagnosis-facts/why-no-writes.ts";
import type { Room } from "./room.ts";

export function createOutboxWatch(room: Room): OutboxWatch {
  return {
    facts: (limits) => asking(`outbox ${room.ref.name}`, () => gatherFacts(room, limits)),
    noWrites: () => asking(`outbox ${room.ref.name}`, () => whyNoWrites(room)),
  };
}
