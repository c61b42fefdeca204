import { afterEach, beforeEach } from "vitest";
import type { Claim, ClaimRequest, ClaimResult } from "#db/stores/port/relay/claim.ts";
import type { AcquiredLease, Lease } from "#db/stores/port/relay/lease.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { MessageOutcome, SettleResult } from "#db/stores/port/relay/settle.ts";
import { createTestDatabase } from "#tests/postgres.ts";
import type { TestDatabase } from "#tests/test-database.ts";
import { mapBox, READ_ALL, timestamptz } from "./box.fixture.ts";
import { createRelayTable, type RelayTableOptions } from "./postgres-relay-table.ts";

export const MAPPING = mapBox({ createdAt: timestamptz("created_at"), publishedAt: timestamptz("published_at") });
export const PUBLISHED: MessageOutcome = { kind: "published", startedAt: new Date(), durationMs: 1 };

/** A new table "box" for each test, and a relay that holds its lease. */
export interface RelayBox {
  readonly database: TestDatabase;
  readonly table: RelayTable;
  readonly lease: Lease;
  /** Another relay of the same table. */
  open(options?: Partial<RelayTableOptions>): RelayTable;
  insert(count: number, payload?: string): Promise<unknown>;
  claim(fields?: Partial<ClaimRequest>): Promise<ClaimResult>;
  /** Claims; empty when nothing is due. */
  claimed(): Promise<Claim>;
  /** One outcome for every message of a claim, which ends it. */
  settle(claimed: Claim, outcome: MessageOutcome, of?: Lease, afterDoubt?: boolean): Promise<SettleResult>;
  take(owner: string, leaseMs?: number): Promise<AcquiredLease>;
  /** The first value of a query. */
  number(sql: string): Promise<number>;
}

export function relayBox(): RelayBox {
  let database: TestDatabase;
  let table: RelayTable;
  let lease: Lease;

  const open: RelayBox["open"] = (options = {}) =>
    createRelayTable({
      outbox: "box",
      ordering: "aggregate",
      maxAttempts: 3,
      relayId: "r",
      sinkName: "s",
      mapping: MAPPING,
      url: database.url,
      ...options,
    });
  const claim: RelayBox["claim"] = (fields = {}) => table.claimNew({ ...READ_ALL, lease, ...fields });
  const take: RelayBox["take"] = async (owner, leaseMs = 6000) => {
    const taken = await table.acquireLease({ owner, leaseMs });
    if (!taken) throw new Error("the lease is not free");
    return taken;
  };

  beforeEach(async () => {
    database = await createTestDatabase();
    await database.pool.query(
      "CREATE TABLE box (id bigserial PRIMARY KEY, aggregate_id text, payload text, created_at timestamptz DEFAULT now(), published_at timestamptz)",
    );
    table = open();
    lease = await take("me");
  });
  afterEach(async () => {
    await table.close();
    await database.drop();
  });

  return {
    get database() {
      return database;
    },
    get table() {
      return table;
    },
    get lease() {
      return lease;
    },
    open,
    insert: (count, payload = "x") =>
      database.pool.query(
        "INSERT INTO box (aggregate_id, payload) SELECT 'a' || i % 3, $2 FROM generate_series(1, $1) i",
        [count, payload],
      ),
    claim,
    claimed: async () => (await claim()).claim ?? { token: "", messages: [] },
    settle: (claimed, outcome, of = lease, afterDoubt = false) =>
      table.settle({
        lease: of,
        entries: claimed.messages.map((message) => ({ token: claimed.token, message, outcome })),
        endedTokens: [claimed.token],
        afterDoubt,
      }),
    take,
    number: async (sql) => Number((await database.pool.query({ text: sql, rowMode: "array" })).rows[0]?.[0]),
  };
}
