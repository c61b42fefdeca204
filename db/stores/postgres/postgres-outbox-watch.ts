import type { OutboxRef } from "../port/outbox-ref.ts";
import type { OutboxWatch } from "../port/outbox-watch.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { asking, toStoreError } from "./connection/to-store-error.ts";
import { gatherFacts } from "./diagnosis-facts/gather-facts.ts";
import { readWhyReadOnly } from "./diagnosis-facts/read-why-read-only.ts";

export function createOutboxWatch(pools: StorePools, ref: OutboxRef): OutboxWatch {
  const of = `outbox ${ref.name}`;
  return {
    async facts(limits) {
      const { unread, ...gathered } = await asking(of, () => gatherFacts(pools, ref, limits));
      return { ...gathered, unread: unread.map(({ fact, error }) => ({ fact, error: toStoreError(error, of) })) };
    },
    noWrites: () => asking(of, () => readWhyReadOnly(pools.writes(), ref.name)),
  };
}
