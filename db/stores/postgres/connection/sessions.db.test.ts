import type { AddressInfo } from "node:net";
import { createServer, connect as dial, type Server } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "#tests/postgres.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { RelaySessions } from "./sessions.ts";

const INSERT = { name: "insert_note", text: "INSERT INTO note (word) VALUES ($1) RETURNING word" };
const COUNT = { name: "count_notes", text: "SELECT count(*)::text, NULL::text FROM note", values: [] };

describe("a transaction of prepared statements in one round trip", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let sessions: RelaySessions;

  const open = (url: string, max = 1) => {
    sessions = RelaySessions.over({ url, each: max });
  };
  const words = async () => (await database.pool.query("SELECT word FROM note ORDER BY word")).rows;

  beforeEach(async () => {
    database = await createTestDatabase();
    await database.pool.query("CREATE TABLE note (word text UNIQUE)");
  });
  afterEach(async () => {
    await sessions.close();
    await database.drop();
  });

  test("each statement sees what those before it did, and all are committed together", async () => {
    open(database.url);
    for (const [word, count] of [
      ["it's", "1"],
      ["plain", "2"],
    ]) {
      const results = await sessions.once([{ ...INSERT, values: [word ?? ""] }, COUNT]);
      expect(results).toEqual([[[word]], [[count, null]]]);
    }
    expect(await words()).toEqual([{ word: "it's" }, { word: "plain" }]);
  });

  test("when one fails nothing of it is kept, and the connection goes on", async () => {
    open(database.url);
    const twice = { ...INSERT, values: ["twice"] };
    await expect(sessions.once([twice, twice, COUNT])).rejects.toMatchObject({ code: "23505" });
    expect(await words()).toEqual([]);
    expect(await sessions.once([twice, COUNT])).toEqual([[["twice"]], [["1", null]]]);
  });

  test("what only the commit refuses is an error too", async () => {
    open(database.url);
    await database.pool.query("ALTER TABLE note ADD CONSTRAINT late UNIQUE (word) DEFERRABLE INITIALLY DEFERRED");
    await database.pool.query("ALTER TABLE note DROP CONSTRAINT note_word_key");
    const twice = { ...INSERT, values: ["twice"] };
    await expect(sessions.once([twice, twice])).rejects.toMatchObject({ code: "23505" });
    expect(await sessions.once([twice, COUNT])).toEqual([[["twice"]], [["1", null]]]);
  });

  test("a connection that is lost in the middle leaves it in doubt, and another takes its place", async () => {
    open(database.url);
    const word = { ...INSERT, values: ["lost"] };
    const end = { name: "end_self", text: "SELECT pg_terminate_backend(pg_backend_pid())::text", values: [] };
    await expect(sessions.once([word, end, COUNT])).rejects.toThrow(CommitInDoubtError);
    expect(await sessions.once([COUNT])).toEqual([[["0", null]]]);
    const opening = sessions.transaction({ opening: [word, end], work: async () => "done" });
    await expect(opening).rejects.toMatchObject({ code: "57P01" });
    const closing = sessions.transaction({ opening: [word], closing: [end], work: async () => "done" });
    await expect(closing).rejects.toThrow(CommitInDoubtError);
    expect(await sessions.once([COUNT])).toEqual([[["0", null]]]);
  });

  test("a setting of the transaction ends with it", async () => {
    open(database.url);
    const wait = { name: "wait", text: "SELECT set_config('lock_timeout', '7s', true)", values: [] };
    const show = { name: "show", text: "SELECT current_setting('lock_timeout')", values: [] };
    expect(await sessions.once([wait, show])).toEqual([[["7s"]], [["7s"]]]);
    expect(await sessions.once([show])).toEqual([[["1s"]]]);
  });

  test("texts have one form, whatever the settings of the role are, straight and over a pooler", async () => {
    const settings =
      "TimeZone = 'Asia/Tokyo', DateStyle = 'SQL, DMY', IntervalStyle = 'iso_8601', bytea_output = 'escape', extra_float_digits = -15";
    for (const setting of settings.split(/, (?=[a-zA-Z_]+ =)/))
      await database.pool.query(`ALTER DATABASE ${database.name} SET ${setting}`);
    const text =
      "SELECT '2026-01-02 03:04:05Z'::timestamptz::text, '1 day'::interval::text, '\\x00ff'::bytea::text, (1.0::float8 / 3)::text";
    const pooler = await likePooler(database.url);
    for (const url of [database.url, pooler.url]) {
      open(url);
      expect(await sessions.once([{ name: "texts", text, values: [] }])).toEqual([
        [["2026-01-02 03:04:05+00", "1 day", "\\x00ff", "0.3333333333333333"]],
      ]);
      if (url === database.url) await sessions.close();
    }
    pooler.server.close();
  });

  test("an opening and a closing that are prepared are in the transaction of the work, straight and over a pooler", async () => {
    const pooler = await likePooler(database.url);
    for (const [url, first] of [
      [database.url, "a"],
      [pooler.url, "b"],
    ] as const) {
      open(url);
      const insert = { ...INSERT, values: [first] };
      const transaction = (fails: boolean) =>
        sessions.transaction({
          opening: [insert],
          closing: ["SELECT 'closed'", COUNT],
          work: async (session, opened, close) => {
            await session.query("more", "INSERT INTO note (word) VALUES ($1)", [`${first} and more`]);
            if (fails) throw new Error("the work failed");
            return [...opened, ...(await close([{ ...INSERT, values: [`${first} at last`] }]))];
          },
        });
      await expect(transaction(true)).rejects.toThrow("the work failed");
      expect(await words()).toEqual([]);
      expect(await transaction(false)).toEqual([[[first]], [[`${first} at last`]], [["closed"]], [["3", null]]]);
      await database.pool.query("TRUNCATE note");
      if (url === database.url) await sessions.close();
    }
    pooler.server.close();
  });

  const insertWord = (word: string) => ({ ...INSERT, values: [word] });
  test.each<[string, (word: string) => Promise<unknown>]>([
    ["a transaction in one trip", (word) => sessions.once([insertWord(word)])],
    ["a transaction", (word) => sessions.transaction({ opening: [insertWord(word)], work: async () => undefined })],
    ["a statement", (word) => sessions.single(INSERT.name, INSERT.text, [word])],
  ])(
    "after %s that was refused as a write, the address is asked anew, as it may lead to another server",
    async (_, write) => {
      const readOnly = (value: string) =>
        database.pool.query(
          `SET default_transaction_read_only = off; ALTER DATABASE ${database.name} ${value} default_transaction_read_only`,
        );
      await database.pool.query(`ALTER DATABASE ${database.name} SET default_transaction_read_only = on`);
      open(database.url);
      await expect(write("refused")).rejects.toMatchObject({ code: "25006" });
      await readOnly("RESET");
      await write("written");
      expect(await words()).toEqual([{ word: "written" }]);
    },
  );

  test("warming up opens every connection and prepares what is to be executed on each", async () => {
    open(database.url, 3);
    await sessions.warmUp([COUNT]);
    const sessionsOfServer = `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'outbox-console relay'`;
    const { rows } = await database.pool.query(sessionsOfServer);
    expect(rows).toEqual([{ count: 3 }]);
    const prepared = { name: "names", text: "SELECT name FROM pg_prepared_statements ORDER BY 1", values: [] };
    const found = await Promise.all([1, 2, 3].map(() => sessions.once([prepared])));
    expect(found).toEqual(found.map(() => [[["count_notes"], ["names"]]]));
  });

  test("a connection that cannot be warmed up is no error: it tells when it is needed", async () => {
    open(database.url);
    await sessions.warmUp([{ name: "wrong", text: "SELECT nothing", values: [] }]);
    expect(await sessions.once([COUNT])).toEqual([[["0", null]]]);
  });

  test("over a pooler, where nothing can be prepared, it is the same in more trips", async () => {
    const pooler = await likePooler(database.url);
    open(pooler.url);
    const twice = { ...INSERT, values: ["twice"] };
    expect(await sessions.once([twice, COUNT])).toEqual([[["twice"]], [["1", null]]]);
    await expect(sessions.once([{ ...INSERT, values: ["other"] }, twice])).rejects.toMatchObject({ code: "23505" });
    expect(await words()).toEqual([{ word: "twice" }]);
    pooler.server.close();
  });
});

/** Forwards the server's answers with another process id, as a pooler does. */
async function likePooler(target: string): Promise<{ url: string; server: Server }> {
  const { hostname, port } = new URL(target);
  const server = createServer((client) => {
    const upstream = dial(Number(port), hostname);
    client.pipe(upstream);
    upstream.on("data", (chunk: Buffer) => {
      const key = chunk.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
      if (key >= 0) chunk.writeUInt32BE(1, key + 5);
      client.write(chunk);
    });
    upstream.on("close", () => client.destroy());
    for (const socket of [client, upstream]) socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.toString(), server };
}
