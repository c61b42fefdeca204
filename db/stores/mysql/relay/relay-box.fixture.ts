import { afterEach, beforeEach } from "vitest";
import type { Claim, ClaimRequest, ClaimResult } from "#db/stores/port/relay/claim.ts";
import type { AcquiredLease, Lease } from "#db/stores/port/relay/lease.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { MessageOutcome, SettleResult } from "#db/stores/port/relay/settle.ts";
import { borrowMysqlDatabase, type MysqlFlavor, type MysqlTestDatabase } from "#tests/mysql.ts";
import { CREATE_BOX, mapBox, READ_ALL } from "./box.fixture.ts";
import { createRelayTable, type RelayTableOptions } from "./mysql-relay-table.ts";

export const PUBLISHED: MessageOutcome = { kind: "published", startedAt: new Date(), durationMs: 1 };

/** A new table "box" for each test, and a relay that holds its lease. */
export interface RelayBox {
  readonly database: MysqlTestDatabase;
  readonly table: RelayTable;
  readonly lease: Lease;
  /** Another relay of the same table; closed after the test. */
  open(options?: Partial<RelayTableOptions>): RelayTable;
  insert(count: number): Promise<unknown>;
  claim(fields?: Partial<ClaimRequest>): Promise<ClaimResult>;
  /** Claims; empty when nothing is due. */
  claimed(): Promise<Claim>;
  /** One outcome for every message of a claim, which ends it. */
  settle(claimed: Claim, outcome: MessageOutcome): Promise<SettleResult>;
  take(table: RelayTable, owner: string, leaseMs?: number): Promise<AcquiredLease>;
  /** The first value of a query. */
  number(sql: string): Promise<number>;
}

export function relayBox(flavor: MysqlFlavor): RelayBox {
  let database: MysqlTestDatabase;
  let tables: RelayTable[];
  let lease: Lease;

  const open: RelayBox["open"] = (options = {}) => {
    const table = createRelayTable({
      outbox: "box",
      ordering: "aggregate",
      maxAttempts: 3,
      relayId: "r",
      sinkName: "s",
      mapping: mapBox(database.name),
      url: database.url,
      own: database.own,
      ...options,
    });
    tables.push(table);
    return table;
  };
  const first = () => {
    const [table] = tables;
    if (!table) throw new Error("no relay is open");
    return table;
  };
  const claim: RelayBox["claim"] = (fields = {}) => first().claimNew({ ...READ_ALL, lease, ...fields });
  const take: RelayBox["take"] = async (table, owner, leaseMs = 60_000) => {
    const taken = await table.acquireLease({ owner, leaseMs });
    if (!taken) throw new Error("the lease is not free");
    return taken;
  };

  beforeEach(async () => {
    database = await borrowMysqlDatabase(flavor);
    await database.query(CREATE_BOX);
    tables = [];
    lease = await take(open(), "me");
  });
  afterEach(async () => {
    for (const table of tables) await table.close();
    await database.drop();
  });

  return {
    get database() {
      return database;
    },
    get table() {
      return first();
    },
    get lease() {
      return lease;
    },
    open,
    insert: (count) => {
      const rows = Array.from({ length: count }, (_, index) => `('a${index % 3}', 'x')`);
      return database.query(`INSERT INTO box (aggregate_id, payload) VALUES ${rows.join(", ")}`);
    },
    claim,
    claimed: async () => (await claim()).claim ?? { token: "", messages: [] },
    settle: (claimed, outcome) =>
      first().settle({
        lease,
        entries: claimed.messages.map((message) => ({ token: claimed.token, message, outcome })),
        endedTokens: [claimed.token],
        afterDoubt: false,
      }),
    take,
    number: async (sql) => Number(Object.values((await database.query(sql))[0] ?? {})[0]),
  };
}
