import { describe, expect, onTestFinished, test } from "vitest";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { openMysqlStore } from "../open-mysql-store.ts";
import { CREATE_BOX, mapBox } from "../relay/box.fixture.ts";

describe.each(["mysql", "mariadb"] as const)("the doctor of the binary log on %s", (flavor) => {
  const database = testMysqlDatabase(flavor);
  const stream = { reader: "doctor_box", feed: "unused", mark: "column" } as const;

  test("prints the statement that creates a missing reader, and then how much it has to read", async () => {
    const { own, url, name } = database();
    await database().query(CREATE_BOX);
    const store = openMysqlStore({ name: "shop", url, own, applicationName: "outbox-console test" });
    onTestFinished(() => store.close());
    const outbox = store.outbox({
      ...{ name: "orders", mapping: mapBox(name), storeSide: true },
      ...{ maxAttempts: null, estimatedRows: 0 },
    });
    const check = () => outbox.doctor({ mode: "relay", stream });
    const [missing] = await check();
    expect(missing).toMatchObject({ level: "bad", text: expect.stringContaining("There is no reader doctor_box") });
    expect(missing?.fix).toMatch(/^INSERT INTO `.*`\.`binlog_reader` /);
    await database().query(missing?.fix ?? "");
    expect(await check()).toMatchObject([
      { level: "ok", text: expect.stringMatching(/by the reader doctor_box, from binlog\.\d+:\d+ on$/) },
      { level: "ok", text: expect.stringMatching(/it has [\d.]+ k?B to read now; the server keeps its log/) },
      { level: "later", text: expect.stringContaining("the audit") },
    ]);
    expect(await outbox.createStream(stream)).toEqual([]);
  });

  test("says that our tables are missing before it asks for a reader", async () => {
    const { url, name } = database();
    const own = { database: `${name}_none` };
    const store = openMysqlStore({ name: "shop", url, own, applicationName: "outbox-console test" });
    onTestFinished(() => store.close());
    const outbox = store.outbox({
      ...{ name: "orders", mapping: mapBox(name), storeSide: false },
      ...{ maxAttempts: null, estimatedRows: 0 },
    });
    const findings = await outbox.doctor({ mode: "relay", stream });
    expect(findings.at(-1)).toMatchObject({ level: "bad", fix: "npm run migrate -- --cdc" });
  });
});
