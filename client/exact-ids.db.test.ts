import { createPool, type Pool } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testMysqlDatabase } from "../tests/mysql.ts";
import { mysql2 } from "./adapters/mysql2.ts";
import { createInbox, type InboxOptions } from "./inbox/create-inbox.ts";
import { createOutbox } from "./outbox/create-outbox.ts";
import type { LayoutOptions } from "./outbox/layout.ts";
import { contractEvents, contractPayload } from "./testing/contract-events.ts";
import { contractMessage } from "./testing/inbox-contract.ts";
import { testOutbox } from "./testing/test-outbox.ts";

/** Ids that MySQL's collations treat as equal: they differ in case, in an accent, or in a space at the end. */
const PAIRS = [
  ["order-aB3x", "order-Ab3x"],
  ["order-é", "order-e"],
  ["order-7", "order-7 "],
] as const;

describe.each(["mysql", "mariadb"] as const)("over %s, another id that its collation takes for the same", (flavor) => {
  const database = testMysqlDatabase(flavor, "empty");
  const via = mysql2();
  let pool: Pool | undefined;
  const db = () => pool as Pool;
  beforeAll(async () => {
    const failures = "done datetime(6), tries int, problem text, parked datetime(6)";
    await database().query(createOutbox(contractEvents, { via }).schema());
    await database().query(createInbox(contractEvents, { via, consumer: "one" }).schema());
    for (const table of ["marks (id varchar(64), done datetime(6)", `rows_of_all (id varchar(64), ${failures}`])
      await database().query(
        `CREATE TABLE ${table}, consumer varchar(64), PRIMARY KEY (consumer, id)) CHARACTER SET utf8mb4`,
      );
    await database().query(
      `CREATE TABLE events (id varchar(64) PRIMARY KEY, type text, body json, due datetime(6)) CHARACTER SET utf8mb4`,
    );
    pool = createPool({ uri: database().url.replace(/^\w+:/, "mysql:"), connectionLimit: 4 });
  });
  afterAll(() => pool?.end());

  const columns = { id: "id", eventType: "type", payload: "body", availableAt: "due" } as const;
  const layouts: Record<string, LayoutOptions> = { recommended: {}, "of a team": { table: "events", columns } };
  const add = (layout: LayoutOptions, id: string) =>
    via.transaction(db(), (tx) =>
      createOutbox(contractEvents, { via, ...layout }).add(tx, "contract.checked", contractPayload(id), {
        id,
        delay: "10m",
      }),
    );

  test.each(Object.entries(layouts))("is not said to be written already in an outbox %s", async (_, layout) => {
    for (const [one, other] of PAIRS) {
      await add(layout, one);
      expect(await add(layout, one)).toEqual({ id: one, added: false });
      const second = await add(layout, other).catch((error: Error) => error.message);
      expect([{ id: other, added: true }, expect.stringContaining("Duplicate entry")]).toContainEqual(second);
    }
  });

  test("a given id is refused in a table without a unique key over it alone, and then nothing is written", async () => {
    await database().query(`CREATE TABLE parted (id char(36), type text, body json, due datetime(6), at datetime(6) NOT NULL,
      PRIMARY KEY (id, at), UNIQUE KEY by_time (at, id)) PARTITION BY HASH (MICROSECOND(at)) PARTITIONS 2`);
    const layout: LayoutOptions = { table: "parted", columns: { ...columns, createdAt: "at" } };
    await expect(add(layout, "one")).rejects.toMatchObject({
      code: "unusable_table",
      message:
        "parted has no unique key over id, by which a repeat is recognised: add one, or leave the option id out.",
    });
    expect(await testOutbox(createOutbox(contractEvents, { via, ...layout }), db()).events()).toEqual([]);
    await database().query("CREATE VIEW seen_events AS SELECT * FROM events");
    expect(await add({ table: "seen_events", columns }, "by-view")).toMatchObject({ added: true });
  });

  test("an id that the database makes, and a character that the table lacks, are refused with what to do", async () => {
    await database().query(`CREATE TABLE counted (id int AUTO_INCREMENT PRIMARY KEY, type text, body json, due datetime(6));
      CREATE TABLE latin (id varchar(64) PRIMARY KEY, type text, body text, due datetime(6)) CHARACTER SET latin1`);
    for (const [table, id] of [
      ["counted", "0b887799-3c1e-4d0a-9f2b-7d6e5c4b3a21"],
      ["counted", "4e887799-3c1e-4d0a-9f2b-7d6e5c4b3a21"],
      ["latin", "漢"],
    ] as const)
      await expect(add({ table, columns }, id)).rejects.toMatchObject({
        code: "unusable_table",
        message: expect.stringMatching(/type: "generated" .*an enum may lack the word, a character set the character/),
      });
  });

  test("of a list that the database refuses it is said that other events may be written", async () => {
    const outbox = createOutbox(contractEvents, { via });
    const added = via.transaction(db(), (tx) =>
      outbox.add(tx, [
        ["contract.checked", contractPayload("a")],
        ["contract.checked", contractPayload("k".repeat(300)), { delay: "10m" }],
      ]),
    );
    await expect(added).rejects.toThrow(
      /too long.* Other events of the list may be written: roll the transaction back/,
    );
  });

  test("is not cancelled", async () => {
    const layout = layouts["of a team"] ?? {};
    const outbox = createOutbox(contractEvents, { via, ...layout });
    for (const [one, other] of PAIRS.map((pair) => pair.map((id) => `cancelled-${id}`) as [string, string])) {
      await add(layout, one);
      const cancel = (id: string) => via.transaction(db(), (tx) => outbox.cancel(tx, id));
      expect([await cancel(other), await cancel(one)]).toMatchObject([{ outcome: "absent" }, { outcome: "cancelled" }]);
    }
  });

  const [counted, marked] = [
    {
      messageId: "id",
      consumer: "consumer",
      processedAt: "done",
      attempts: "tries",
      error: "problem",
      parkedAt: "parked",
    },
    { messageId: "id", consumer: "consumer", processedAt: "done" },
  ];
  const inboxes: Record<string, Partial<InboxOptions<never, never>>> = {
    recommended: {},
    "of marks": { table: "marks", columns: marked },
    "of rows": { table: "rows_of_all", columns: counted },
  };
  const open = (options: object, consumer = "one") => createInbox(contractEvents, { via, consumer, ...options });
  const REFUSED = /Duplicate entry|treats the id .* as equal to another message's/;

  test.each(Object.entries(inboxes))("is no duplicate in an inbox %s", async (_, options) => {
    for (const [one, other] of PAIRS) {
      const once = (id: string, name?: string) =>
        open(options, name).once(db(), contractMessage(id), async () => "done");
      expect(await once(one)).toMatchObject({ outcome: "processed" });
      expect(await once(one)).toMatchObject({ outcome: "duplicate" });
      const answers = [
        await once(other).catch((error: Error) => error.message),
        await once(one, "ONE").catch((error: Error) => error.message),
      ];
      for (const answer of answers)
        expect([expect.objectContaining({ outcome: "processed" }), expect.stringMatching(REFUSED)]).toContainEqual(
          answer,
        );
    }
  });

  test.each(["wait", "skip"] as const)("neither counts nor ends a message that failed, with %s", async (concurrent) => {
    for (const [one, other] of PAIRS) {
      const inbox = open({ ...inboxes["of rows"], concurrent, maxAttempts: 2 }, concurrent);
      const fail = (id: string) => inbox.once(db(), contractMessage(id), () => Promise.reject(new Error("no")));
      await expect(fail(one)).rejects.toThrow("no");
      await expect(fail(other)).rejects.toThrow(new RegExp(`${REFUSED.source}|^no$`));
      expect(await inbox.once(db(), contractMessage(one), async () => "done")).toMatchObject({ outcome: "processed" });
    }
  });
});
