import { fingerprintOf } from "../port/mapping-fingerprint.ts";
import type { Claim, ClaimRequest } from "../port/relay/claim.ts";
import type { AcquiredLease, Lease } from "../port/relay/lease.ts";
import type { RelayTable } from "../port/relay/relay-table.ts";
import type { MessageOutcome, SettleResult } from "../port/relay/settle.ts";
import type { OutboxStore, RelayTableSettings, Store } from "../port/store.ts";
import type { OutboxUnderTest } from "./store-under-test.fixture.ts";

/** Failures of the store side after which a message is dead. */
const MAX_ATTEMPTS = 3;

/** The outbox as the console opens it: with an accepted mapping and our own schema. */
export async function openOutbox(store: Store, { name, mapping }: OutboxUnderTest): Promise<OutboxStore> {
  const { tables } = await store.catalog();
  const table = tables.find((one) => one.schema === mapping.table.schema && one.name === mapping.table.name);
  const accepted = table && fingerprintOf(table, mapping);
  if (!accepted) throw new Error(`The catalog does not have the table of ${name} with all its columns.`);
  await store.records.keepFirstMapping({ outbox: name, fingerprint: accepted, by: "test" });
  return store.outbox({
    name,
    mapping,
    accepted,
    storeSide: true,
    maxAttempts: MAX_ATTEMPTS,
    estimatedRows: table.estimatedRows,
  });
}

export const PUBLISHED: MessageOutcome = { kind: "published", startedAt: new Date(), durationMs: 1 };
const FAILURE = { code: "server_error", kind: "ambiguous", message: "HTTP 500 from the gateway" } as const;
export const DEAD: MessageOutcome = { kind: "dead", startedAt: new Date(), durationMs: 1, failure: FAILURE };
export const GIVEN_BACK: MessageOutcome = { kind: "given_back" };

export function failed(nextAttemptInMs: number): MessageOutcome {
  return { kind: "failed", startedAt: new Date(), durationMs: 1, failure: FAILURE, nextAttemptInMs };
}

/** A request for all due messages, from the start of the table. */
export const READ_ALL = {
  after: null,
  limit: 1000,
  excludeIds: [],
  excludeAggregates: [],
  maxBytes: 10_000_000,
  wantLast: false,
} satisfies Omit<ClaimRequest, "lease">;

/** A relay instance, one step at a time. */
export interface RelayHand {
  readonly table: RelayTable;
  readonly lease: Lease;
  acquire(more?: { leaseMs?: number; share?: boolean; most?: number }): Promise<AcquiredLease | null>;
  /** Claims due messages; fails when there are none. */
  claim(fields?: Partial<ClaimRequest>): Promise<Claim>;
  /** One outcome for every message of a claim, which ends it. */
  settle(claim: Claim, outcome: MessageOutcome, more?: { afterDoubt?: boolean; lease?: Lease }): Promise<SettleResult>;
}

export function openRelayHand(
  outbox: OutboxStore,
  owner = "relay-1",
  more: Partial<RelayTableSettings> = {},
): RelayHand {
  const table = outbox.openRelay({
    ordering: "aggregate",
    maxAttempts: MAX_ATTEMPTS,
    onDead: "pass",
    relayId: owner,
    sinkName: "test",
    fields: {},
    ...more,
  });
  let held: Lease | null = null;
  const lease = () => {
    if (held === null) throw new Error(`${owner} has no lease.`);
    return held;
  };
  return {
    table,
    get lease() {
      return lease();
    },
    acquire: async ({ leaseMs = 60_000, ...share } = {}) => {
      const taken = await table.acquireLease({ owner, leaseMs, ...share });
      if (taken) held = taken;
      return taken;
    },
    claim: async (fields = {}) => {
      const { claim } = await table.claimNew({ ...READ_ALL, lease: lease(), ...fields });
      if (!claim) throw new Error("Nothing was claimed.");
      return claim;
    },
    settle: (claim, outcome, { afterDoubt = false, lease: under = lease() } = {}) =>
      table.settle({
        lease: under,
        entries: claim.messages.map((message) => ({ token: claim.token, message, outcome })),
        endedTokens: [claim.token],
        afterDoubt,
      }),
  };
}
