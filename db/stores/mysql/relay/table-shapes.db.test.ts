import { describe, expect, test } from "vitest";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { Claim } from "#db/stores/port/relay/claim.ts";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { MessageOutcome } from "#db/stores/port/relay/settle.ts";
import { flavorsFor } from "#tests/mysql.ts";
import { column, datetime, mapBox, READ_ALL } from "./box.fixture.ts";
import { PUBLISHED, relayBox } from "./relay-box.fixture.ts";

const FAILED: MessageOutcome = {
  kind: "failed",
  startedAt: new Date(),
  durationMs: 1,
  failure: { code: "server_error", kind: "ambiguous", message: "kaputt: ☃ and more than there is room for" },
  nextAttemptInMs: 0,
};

describe.each(flavorsFor("mariadb"))("tables of other shapes in %s", (flavor) => {
  const box = relayBox(flavor);

  interface Owned {
    table: RelayTable;
    lease: Lease;
    claim(fields?: Partial<Parameters<RelayTable["claimNew"]>[0]>): Promise<Claim>;
    settle(claim: Claim, outcome: MessageOutcome): Promise<unknown>;
  }

  const own = async (mapping: OutboxMapping): Promise<Owned> => {
    const table = box.open({ outbox: "shape", mapping });
    const lease = await box.take(table, "owner");
    return {
      table,
      lease,
      claim: async (fields) =>
        (await table.claimNew({ ...READ_ALL, lease, ...fields })).claim ?? { token: "", messages: [] },
      settle: (claim, outcome) =>
        table.settle({
          lease,
          entries: claim.messages.map((message) => ({ token: claim.token, message, outcome })),
          endedTokens: [claim.token],
          afterDoubt: false,
        }),
    };
  };

  test("a key of two columns, and unsent messages under several words, are claimed in one order", async () => {
    await box.database.query(
      `CREATE TABLE shape (tenant varchar(20) CHARACTER SET latin1, number int unsigned, lane varchar(20), payload json, state varchar(10),
         tries int NOT NULL DEFAULT 0, error varchar(12) CHARACTER SET latin1, at datetime(3), PRIMARY KEY (tenant, number), KEY states (state, at, number))`,
    );
    const rows = Array.from(
      { length: 9 },
      (_, index) =>
        `('té''n', ${index}, 'l${index % 2}', '[]', '${["new", "FAILED", "doing"][index % 3]}', '2026-01-01 00:00:0${index}')`,
    );
    await box.database.query(`INSERT INTO shape (tenant, number, lane, payload, state, at) VALUES ${rows.join(", ")}`);
    const at = column("at", "datetime(3)", { kind: "timestamp", zone: "+02:00" });
    const state = column("state", "varchar(10)");
    const { table: _, ...mapping } = mapBox(box.database.name);
    const owned = await own({
      ...mapping,
      table: { schema: box.database.name, name: "shape" },
      primaryKey: [column("tenant", "varchar(20)"), column("number", "int unsigned")],
      columns: {
        id: column("number", "int unsigned"),
        payload: column("payload", "json"),
        aggregateId: column("lane", "varchar(20)"),
        createdAt: at,
        attempts: column("tries", "int"),
        lastError: column("error", "varchar(12)"),
        status: state,
      },
      lifecycle: {
        ...{ kind: "status", column: state, pending: ["new"], inFlight: ["doing", "DOING"], failed: ["failed"] },
        ...{ published: ["sent"], dead: ["dead"], expired: [] },
      },
    });
    const first = await owned.claim({ limit: 4 });
    expect(first.messages.map(({ eventId }) => eventId)).toEqual(["0", "1", "2", "3"]);
    expect(first.messages[1]).toMatchObject({
      createdAt: "2025-12-31T22:00:01.000Z",
      payloadKind: "json",
      payload: "[]",
    });
    const rest = await owned.claim({
      after: first.messages[3]?.order ?? null,
      excludeIds: first.messages.slice(3).map(({ id }) => id),
    });
    expect(rest.messages.map(({ eventId }) => eventId)).toEqual(["4", "5", "6", "7", "8"]);
    const { rows: ahead } = await owned.table.lookAhead({ lease: owned.lease, after: null, excludeIds: [] });
    expect(ahead).toHaveLength(9);
    await owned.settle(first, FAILED);
    const [told] = await box.database.query("SELECT state, tries, error FROM shape WHERE number = 0");
    expect(told).toEqual({ state: "failed", tries: "1", error: "kaputt: ? an" });
    const retries = await owned.table.claimDueRetries({ lease: owned.lease, limit: 9, excludeIds: [] });
    expect(retries?.messages.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1]);
    await owned.settle(retries ?? { token: "", messages: [] }, PUBLISHED);
    await owned.settle(rest, PUBLISHED);
    expect(await box.number("SELECT COUNT(*) FROM shape WHERE state = 'sent'")).toBe(9);
    expect(await owned.claim()).toMatchObject({ messages: [] });
  });

  test("keys and payloads of bytes travel whole, payloads that are too large for the read among them", async () => {
    await box.database.query(
      "CREATE TABLE shape (id binary(16) PRIMARY KEY, seq bigint unsigned NOT NULL AUTO_INCREMENT UNIQUE, body longblob, sent bit(1) NOT NULL DEFAULT 0)",
    );
    const sizes = [10, 300_000, 0, 200_000, 100];
    const bodies = sizes.map((size) => Buffer.alloc(size, size % 251));
    for (const body of bodies)
      await box.database.query("INSERT INTO shape (id, body) VALUES (UNHEX(REPLACE(UUID(), '-', '')), ?)", [body]);
    await box.database.query("INSERT INTO shape (id, body) VALUES (X'00000000000000000000000000000001', NULL)");
    const owned = await own({
      ...mapBox(box.database.name),
      table: { schema: box.database.name, name: "shape" },
      primaryKey: [column("id", "binary(16)")],
      columns: {
        id: column("id", "binary(16)"),
        payload: column("body", "longblob"),
        order: column("seq", "bigint unsigned"),
      },
      lifecycle: { kind: "flag", column: column("sent", "bit(1)") },
    });
    const claim = await owned.claim({ limit: 100, maxBytes: 1_000_000 });
    const payloads = claim.messages.map(({ payload }) => (payload === null ? null : Buffer.from(payload, "base64")));
    expect(payloads).toEqual([...bodies, null]);
    expect(claim.messages.at(-1)).toMatchObject({ id: "00000000-0000-0000-0000-000000000001", payloadKind: "binary" });
    await owned.settle(claim, PUBLISHED);
    expect(await box.number("SELECT COUNT(*) FROM shape WHERE sent = 1")).toBe(6);
  });

  test("an index that statements name may be dropped while the relay runs", async () => {
    const owned = await own(mapBox(box.database.name, { createdAt: datetime("created_at") }));
    await box.insert(2);
    await owned.settle(await owned.claim({ limit: 1 }), PUBLISHED);
    await box.database.query("DROP INDEX waiting ON box");
    const claim = await owned.claim();
    expect(claim.messages.map(({ id }) => id)).toEqual(["2"]);
    expect(await owned.table.hasNew({ ...READ_ALL, lease: owned.lease, excludeIds: ["2"] })).toBe(false);
    await owned.settle(claim, PUBLISHED);
    expect(await owned.claim()).toMatchObject({ messages: [] });
  });
});
