import type { OutboxRef } from "../port/outbox-ref.ts";
import type { OutboxWatch } from "../port/outbox-watch.ts";
import { watchWith } from "../shared/read/watch-with.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { toStoreError } from "./connection/to-store-error.ts";
import { gatherFacts } from "./diagnosis-facts/gather-facts.ts";
import { readWhyReadOnly } from "./diagnosis-facts/read-why-read-only.ts";

export function createOutboxWatch(pools: StorePools, ref: OutboxRef): OutboxWatch {
  return watchWith(`outbox ${ref.name}`, toStoreError, {
    gather: (limits) => gatherFacts(pools, ref, limits),
    noWrites: () => readWhyReadOnly(pools.writes(), ref.name),
  });
}
