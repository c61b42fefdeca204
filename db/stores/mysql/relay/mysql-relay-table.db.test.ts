import { describe, expect, test } from "vitest";
import { flavorsFor } from "#tests/mysql.ts";
import { PUBLISHED, relayBox } from "./relay-box.fixture.ts";

describe.each(flavorsFor("mariadb"))("the relay's side of a table in %s", (flavor) => {
  const box = relayBox(flavor);

  test("claims in order and marks", async () => {
    await box.insert(5);
    const claimed = await box.claimed();
    expect(claimed.messages.map(({ id }) => id)).toEqual(["1", "2", "3", "4", "5"]);
    expect((await box.settle(claimed, PUBLISHED)).published).toHaveLength(5);
    expect(await box.number("SELECT COUNT(*) FROM box WHERE published_at IS NOT NULL")).toBe(5);
    expect(await box.number(`SELECT COUNT(*) FROM ${box.database.own.database}.claim`)).toBe(0);
  });
});
