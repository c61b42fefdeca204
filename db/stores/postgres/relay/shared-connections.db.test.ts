import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "#tests/postgres.ts";
import { openRelayPool } from "../connection/relay-connections.ts";
import { RelaySessions } from "../connection/sessions.ts";

const NAP = { name: "nap", text: "SELECT pg_sleep(0.05)::text", values: [] };
const OURS =
  "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'outbox-console relay'";

describe("relays of one store", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  const open: RelaySessions[] = [];

  const share = (relays: number, limits: { all: number; each: number }) => {
    const pool = openRelayPool({ url: database.url, ...limits });
    const sessions = Array.from({ length: relays }, () => RelaySessions.of(pool));
    open.push(...sessions);
    return sessions;
  };
  const connections = async (): Promise<number> => (await database.pool.query(OURS)).rows[0].count;

  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((sessions) => sessions.close()));
    await database.drop();
  });

  test("twelve relays at work together open as many connections as they may share", async () => {
    const relays = share(12, { all: 5, each: 4 });
    await Promise.all(relays.flatMap((sessions) => [sessions.once([NAP]), sessions.once([NAP])]));
    expect(await connections()).toBe(4);
    await Promise.all(relays.flatMap((sessions) => [sessions.once([NAP]), sessions.urgent.once([NAP])]));
    expect(await connections()).toBe(5);
  });

  test("each prepares its own statement of the same name, straight and by the driver", async () => {
    const relays = share(3, { all: 1, each: 1 });
    for (const round of ["first", "again"])
      for (const [n, sessions] of relays.entries()) {
        const step = { name: "which", text: `SELECT '${n}'::text`, values: [] };
        expect(await sessions.once([step]), round).toEqual([[[`${n}`]]]);
        const { rows } = await sessions.single("which by the driver", `SELECT '${n} too'::text`, []);
        expect(rows, round).toEqual([[`${n} too`]]);
      }
  });

  test("what a relay has prepared goes with it, and the others stay", async () => {
    const [gone, stays] = share(2, { all: 1, each: 1 }) as [RelaySessions, RelaySessions];
    await gone.once([{ name: "prepared", text: "SELECT '1'::text", values: [] }]);
    await gone.close();
    await expect(gone.once([NAP])).rejects.toThrow("closed");
    const statements = { name: "statements", text: "SELECT name FROM pg_prepared_statements", values: [] };
    await stays.once([NAP]);
    expect(await stays.once([statements])).toEqual([[["statements_2"]]]);
    await stays.close();
    await expect.poll(connections).toBe(0);
  });

  test("a relay that joins after the last has left gets new connections", async () => {
    const pool = openRelayPool({ url: database.url });
    for (const round of [1, 2]) {
      const sessions = RelaySessions.of(pool);
      expect(await sessions.once([{ name: "round", text: `SELECT '${round}'`, values: [] }])).toEqual([[[`${round}`]]]);
      await sessions.close();
    }
  });
});
