import { describe, expect, test } from "vitest";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { waitFor } from "#tests/wait-for.ts";
import { createRelayTable } from "./postgres-relay-table.ts";
import { MAPPING, relayBox } from "./relay-box.fixture.ts";

describe("the relay's side of a table", () => {
  const box = relayBox();
  const { open, take } = box;

  test("who begins a term opens all its connections at once; who waits for one does not", async () => {
    const connections = async () => {
      const { rows } = await box.database.pool.query(
        "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'outbox-console relay'",
      );
      return rows[0].count;
    };
    await take("me");
    await waitFor(async () => (await connections()) === 4, { message: "the owner's connections are open" });
    const other = open();
    expect(await other.acquireLease({ owner: "other", leaseMs: 6000 })).toBeNull();
    expect(await connections()).toBe(5);
    await other.close();
  });

  test("refuses tables that cannot tell what was published", () => {
    const refuse = (mapping: OutboxMapping) => () =>
      createRelayTable({
        outbox: "x",
        mapping,
        url: box.database.url,
        ordering: "none",
        maxAttempts: 1,
        relayId: "r",
        sinkName: "s",
      });
    expect(refuse({ ...MAPPING, lifecycle: { kind: "log" } })).toThrow("do not show");
    expect(refuse({ ...MAPPING, primaryKey: [] })).toThrow("primary key");
  });
});
