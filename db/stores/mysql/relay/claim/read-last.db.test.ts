import { describe, expect, test } from "vitest";
import { flavorsFor } from "#tests/mysql.ts";
import { relayBox } from "../relay-box.fixture.ts";

describe.each(flavorsFor("mariadb"))("the row to which the watermark may pass in %s", (flavor) => {
  const box = relayBox(flavor);
  const query = (sql: string) => box.database.query(sql);
  const lastOf = async () => (await box.claim({ wantLast: true })).last;

  test("is the last unsent one where an index has those", async () => {
    await box.insert(9);
    await query("UPDATE box SET published_at = UTC_TIMESTAMP(6) WHERE id > 7");
    expect(await lastOf()).toEqual(["7", "7"]);
  });

  test("is the last of all where only an index of all rows is in order", async () => {
    await query("ALTER TABLE box DROP KEY waiting");
    await box.insert(9);
    await query("UPDATE box SET published_at = UTC_TIMESTAMP(6)");
    expect(await lastOf()).toEqual(["9", "9"]);
  });
});
