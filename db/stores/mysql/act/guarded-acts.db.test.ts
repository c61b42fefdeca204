import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { OutboxStore, Store } from "#db/stores/port/store.ts";
import type { VerbRequest } from "#db/stores/port/verb.ts";
import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import { borrowMysqlDatabase, type MysqlTestDatabase } from "#tests/mysql.ts";
import { createPool, type Pool } from "../connection/pool.ts";
import type { Session } from "../connection/session.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { openMysqlStore } from "../open-mysql-store.ts";
import { findMessage } from "../read/find-message.ts";
import { CREATE_BOX, mapBox } from "../relay/box.fixture.ts";
import { archiveMessage } from "./archive-message.ts";
import { deadLetterMessage } from "./dead-letter-message.ts";
import { purgeMessage } from "./purge-message.ts";
import { restoreMessage } from "./restore-message.ts";
import { retryMessage } from "./retry-message.ts";

const VERBS = {
  retry: retryMessage,
  "dead-letter": deadLetterMessage,
  archive: archiveMessage,
  restore: restoreMessage,
  purge: purgeMessage,
};

/** Two acts on a message must not both succeed, even if one takes no outbox lock, like retention or a script. */
describe.each(["mysql", "mariadb"] as const)("an act of %s on a message that somebody else moves", (flavor) => {
  let database: MysqlTestDatabase;
  let store: Store;
  let outbox: OutboxStore;
  let pool: Pool;
  let ref: OutboxRef;
  let id: string;

  beforeEach(async () => {
    database = await borrowMysqlDatabase(flavor);
    const { name, url, own, query } = database;
    await query(CREATE_BOX);
    await query("INSERT INTO box (aggregate_id, payload) VALUES ('a', '{}')");
    ref = { name: "box", mapping: mapBox(name), storeSide: true, maxAttempts: 3, estimatedRows: 1 };
    store = openMysqlStore({ name: "shop", url, own, applicationName: "test" });
    outbox = store.outbox(ref);
    pool = createPool({ url, own, applicationName: "test", readOnly: false, max: 2, statementTimeoutMs: 5000 });
    id = "1";
  });
  afterEach(async () => {
    await pool.end();
    await store.close();
    await database.drop();
  });

  const request = (action: MessageAction, version: string): VerbRequest => ({
    ...{ id, version, action, actor: { name: "ada", role: "admin" }, reason: "INC-42" },
    ...{ operationId: randomUUID(), dryRun: false },
  });
  const publish = () => database.query("UPDATE box SET published_at = NOW(6)");
  const act = async (action: MessageAction) =>
    outbox.act.perform(request(action, (await outbox.read.find([id]))[0]?.version ?? ""), 0);
  const look = (session: Session) => findMessage(session, ref, id) as Promise<FoundMessage>;
  const inWrite = <T>(work: (session: Session) => Promise<T>) => withWriteTransaction(pool, work);
  const places = async () => {
    const { own } = database;
    const [row] = await database.query(
      `SELECT (SELECT COUNT(*) FROM box) AS box, (SELECT COUNT(*) FROM ${own.database}.dead_letter) AS dead,
        (SELECT COUNT(*) FROM ${own.database}.archive) AS archived, (SELECT COUNT(*) FROM ${own.database}.audit) AS audited`,
    );
    return row;
  };

  test.each([
    ["archive", ["dead-letter"]],
    ["retry", ["dead-letter"]],
    ["archive", ["publish"]],
    ["dead-letter", []],
    ["restore", ["dead-letter", "archive"]],
    ["restore", ["publish", "archive"]],
    ["purge", ["publish", "archive"]],
  ] as const)("%s after %j changes nothing if the message is gone since it was read", async (action, before) => {
    for (const earlier of before) await (earlier === "publish" ? publish() : act(earlier));
    const found = await inWrite(look);
    await database.query(`DELETE FROM box`);
    for (const table of ["dead_letter", "archive"])
      await database.query(`DELETE FROM ${database.own.database}.${table}`);
    const gone = await places();
    const acting = inWrite((session) => VERBS[action](session, ref, found, request(action, found.row.version)));
    await expect(acting).rejects.toMatchObject({ code: expect.stringMatching(/^(conflict|not_found)$/) });
    expect(await places()).toEqual(gone);
  });

  test.each([
    ["dead_letter", ["dead-letter"], ["retry", "archive"]],
    ["archive", ["publish", "archive"], ["restore", "purge"]],
  ] as const)("one whose record in %s another session has locked is locked", async (table, before, actions) => {
    for (const earlier of before) await (earlier === "publish" ? publish() : act(earlier));
    const other = await database.connect();
    await other.query("START TRANSACTION");
    await other.query(`SELECT 1 FROM ${database.own.database}.${table} FOR UPDATE`);
    const start = await places();
    for (const action of actions) await expect(act(action), action).rejects.toMatchObject({ code: "locked" });
    expect(await places()).toEqual(start);
    await other.query("ROLLBACK");
    const [action] = actions;
    expect(await act(action)).toMatchObject({ stateBefore: expect.any(String) });
    await other.end();
  });
});
