import { createHash } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { flavorsFor, testMysqlDatabase } from "#tests/mysql.ts";
import { type ForeignBox, openForeignBox, publishedAt } from "./foreign-box.fixture.ts";

const SIXTEEN_MEGABYTES = 16_000_000;

describe.each(flavorsFor("mariadb"))("bytes of payloads of %s", (flavor) => {
  const database = testMysqlDatabase(flavor);
  let box: ForeignBox;
  afterEach(() => box?.store.close());

  test("a payload of more than one piece is exact, and headers in another character set are UTF-8", async () => {
    const { query } = database();
    await query(
      "CREATE TABLE outbox (id bigint PRIMARY KEY, payload longblob, headers text CHARACTER SET latin1, published_at datetime(6))",
    );
    const bytes = Buffer.alloc(9_000_000, Buffer.from("00ff8b1f0a27", "hex"));
    await query("INSERT INTO outbox VALUES (1, REPEAT(UNHEX('00ff8b1f0a27'), 1500000), 'Zo\u00eb', NULL)");
    box = await openForeignBox(database(), {
      table: "outbox",
      roles: { id: "id", payload: "payload", headers: "headers" },
      lifecycle: publishedAt,
    });
    const { payload, headers } = (await box.outbox.read.bytes("1", { most: SIXTEEN_MEGABYTES })) ?? {};
    const hash = (value: Uint8Array) => createHash("sha256").update(value).digest("hex");
    expect(payload).toMatchObject({ totalBytes: bytes.length, kind: "binary", columnType: "longblob" });
    expect(hash(payload?.bytes ?? Buffer.alloc(0))).toBe(hash(bytes));
    expect(Buffer.from(headers?.bytes ?? []).toString()).toBe("Zo\u00eb");
    const cut = (await box.outbox.read.bytes("1", { most: 4_000_007 }))?.payload;
    expect(hash(cut?.bytes ?? Buffer.alloc(0))).toBe(hash(bytes.subarray(0, 4_000_007)));
    expect(await box.outbox.read.bytes("1", { part: "headers", most: 100 })).toEqual({ payload: null, headers });
  });
});
