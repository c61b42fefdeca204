import { describe, expect, test } from "vitest";
import type { MessageOutcome, SettleEntry } from "#db/stores/port/relay/settle.ts";
import { startStatementRecorder } from "#tests/statement-recorder.ts";
import { waitFor } from "#tests/wait-for.ts";
import { FAILED, READ_ALL } from "../box.fixture.ts";
import { PUBLISHED, relayBox } from "../relay-box.fixture.ts";

describe("the relay's side of a table", () => {
  const box = relayBox();
  const { insert, claimed, settle, number } = box;

  test("tells what someone else published, and what it published itself before a doubtful commit", async () => {
    await insert(3);
    const mine = await claimed();
    await box.database.pool.query("UPDATE box SET published_at = '2026-01-01' WHERE id = 2");
    const part = { ...mine, messages: mine.messages.slice(0, 2) };
    const entries = part.messages.map((message) => ({ token: mine.token, message, outcome: PUBLISHED }));
    const result = await box.table.settle({ lease: box.lease, entries, endedTokens: [], afterDoubt: false });
    expect(result).toMatchObject({ published: ["1"], foreign: ["2"], fenced: [] });
    expect(await number("SELECT extract(year FROM published_at) FROM box WHERE id = 2")).toBe(2026);
    expect(result.latenciesMs).toHaveLength(1);
    const again = await settle(mine, PUBLISHED, box.lease, true);
    expect(again).toMatchObject({ published: ["1", "2", "3"], foreign: [] });
    expect(await number("SELECT count(*) FROM outbox_console.claim")).toBe(0);
  });

  test("a row that keeps its state without an error is refused, and not taken for another program's", async () => {
    await insert(2);
    const mine = await claimed();
    await box.database.pool.query(`CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER keep BEFORE UPDATE ON box FOR EACH ROW WHEN (NEW.id = 2) EXECUTE FUNCTION keep()`);
    await expect(settle(mine, PUBLISHED)).rejects.toThrow(
      /leaves the row as it is: a trigger, a rule or row level security/,
    );
    expect(await number("SELECT count(*) FROM outbox_console.claim"), "it stays claimed").toBe(1);
    await box.database.pool.query("DROP TRIGGER keep ON box; DROP FUNCTION keep");
    expect(await settle(mine, PUBLISHED)).toMatchObject({ published: ["1", "2"], foreign: [] });
  });

  test("a row whose mark a trigger empties is refused at once, and so is each later one", async () => {
    await insert(3);
    const mine = await claimed();
    await box.database.pool.query(`CREATE FUNCTION empty() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.published_at := NULL; RETURN NEW; END $$;
      CREATE TRIGGER empty BEFORE UPDATE ON box FOR EACH ROW WHEN (NEW.id > 1) EXECUTE FUNCTION empty()`);
    for (let times = 0; times < 2; times += 1)
      await expect(settle(mine, PUBLISHED)).rejects.toThrow(/leaves the row as it is: a trigger/);
    expect(await number("SELECT count(*) FROM outbox_console.claim"), "it stays claimed").toBe(1);
    await box.database.pool.query("DROP TRIGGER empty ON box; DROP FUNCTION empty");
    expect(await settle(mine, PUBLISHED)).toMatchObject({ published: ["1", "2", "3"], foreign: [] });
  });

  test("messages of several claims are marked by one statement, however shortly before their claims they were written", async () => {
    const recorder = await startStatementRecorder(box.database.url);
    const table = box.open({ url: recorder.url });
    try {
      const entries: SettleEntry[] = [];
      for (let turn = 0; turn < 3; turn += 1) {
        await insert(2);
        const { claim } = await table.claimNew({
          ...READ_ALL,
          lease: box.lease,
          excludeIds: entries.map(({ message }) => message.id),
        });
        for (const message of claim?.messages ?? []) entries.push({ token: claim!.token, message, outcome: PUBLISHED });
      }
      expect(entries).toHaveLength(6);
      const endedTokens = [...new Set(entries.map(({ token }) => token))];
      recorder.forget();
      const result = await table.settle({ lease: box.lease, entries, endedTokens, afterDoubt: false });
      expect(result).toMatchObject({ foreign: [], fenced: [] });
      expect(result.published).toHaveLength(6);
      const names = recorder.statements.map(({ name }) => name).filter((name) => /^mark-published|^lock-/.test(name));
      expect(names).toHaveLength(1);
    } finally {
      await table.close();
      await recorder.close();
    }
  });

  test("an outcome that is written twice after a doubtful commit burns one attempt", async () => {
    await insert(2);
    const mine = await claimed();
    const entries = [{ token: mine.token, message: mine.messages[0]!, outcome: FAILED }];
    const request = { lease: box.lease, entries, endedTokens: [], afterDoubt: false };
    await box.table.settle(request);
    expect(await number("SELECT cardinality(message_ids) FROM outbox_console.claim")).toBe(1);
    expect(await box.table.settle({ ...request, afterDoubt: true })).toMatchObject({ fenced: ["1"] });
    expect(await number("SELECT attempts FROM outbox_console.delivery")).toBe(1);
    expect(await number("SELECT count(*) FROM outbox_console.attempt")).toBe(1);
  });

  test("what succeeds after an operator's retry leaves its attempt in the history and nothing beside the row", async () => {
    await insert(1);
    await settle(await claimed(), FAILED);
    await box.database.pool.query(
      "UPDATE outbox_console.delivery SET attempts = 0, next_attempt_at = clock_timestamp()",
    );
    const again = await box.table.claimDueRetries({ lease: box.lease, limit: 10, excludeIds: [] });
    await settle(again!, PUBLISHED);
    const { rows } = await box.database.pool.query("SELECT outcome FROM outbox_console.attempt ORDER BY id");
    expect(rows.map((row) => row.outcome)).toEqual(["failed", "published"]);
    expect(await number("SELECT count(*) FROM outbox_console.delivery")).toBe(0);
  });

  test("a dead message whose image would not come back stays in its table and is told beside it", async () => {
    await box.database.pool.query("ALTER TABLE box ADD extra json");
    await insert(2);
    await box.database.pool.query(`UPDATE box SET extra = '{"a":"\\u0000"}' WHERE id = 1`);
    await settle(await claimed(), { ...FAILED, kind: "dead" } as MessageOutcome);
    expect(await number("SELECT count(*) FROM box WHERE id = 1")).toBe(1);
    expect(
      await number("SELECT count(*) FROM outbox_console.delivery WHERE message_id = '1' AND dead_at IS NOT NULL"),
    ).toBe(1);
    expect(await number("SELECT count(*) FROM outbox_console.dead_letter WHERE message_id = '2'")).toBe(1);
  });

  test("attempts that are taken back leave no trace of failure but the history", async () => {
    await insert(1);
    await settle(await claimed(), FAILED);
    await box.table.undoAttempts({ lease: box.lease, undo: [{ id: "1", tries: 1, charged: 1 }] });
    expect(await number("SELECT count(*) FROM outbox_console.delivery")).toBe(0);
    expect(await number("SELECT count(*) FROM outbox_console.attempt WHERE outcome = 'given_back'")).toBe(1);
    expect((await claimed()).messages).toMatchObject([{ attempts: 0 }]);
  });

  test("a settle waits for a row that another session holds, and is written when it lets go", async () => {
    await insert(1);
    const mine = await claimed();
    const other = await box.database.pool.connect();
    await other.query("BEGIN");
    await other.query("SELECT * FROM box FOR UPDATE");
    const settling = settle(mine, PUBLISHED);
    await waitFor(
      async () =>
        (await number(
          "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database() AND NOT granted",
        )) > 0,
      {
        message: "the settle waits",
      },
    );
    await other.query("COMMIT");
    other.release();
    expect((await settling).published).toEqual(["1"]);
  });
});
