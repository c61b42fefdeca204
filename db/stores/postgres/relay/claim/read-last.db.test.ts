import { describe, expect, test } from "vitest";
import { column, READ_ALL, timestamptz } from "../box.fixture.ts";
import { MAPPING, relayBox } from "../relay-box.fixture.ts";

const { order: _, ...unordered } = MAPPING.columns;

describe("the row to which the watermark may pass", () => {
  const box = relayBox();
  const query = (sql: string) => box.database.pool.query(sql);
  const lastOf = async () => (await box.claim({ wantLast: true })).last;

  test("is the last of all where only an index of all rows is in order, so that no published row is walked over", async () => {
    await box.insert(9);
    expect(await lastOf()).toEqual(["9", "9"]);
    await query("UPDATE box SET published_at = now()");
    expect(await lastOf()).toEqual(["9", "9"]);
  });

  test("is the last unsent one where an index has those", async () => {
    await query("CREATE INDEX ON box (id) WHERE published_at IS NULL");
    await box.insert(9);
    await query("UPDATE box SET published_at = now() WHERE id > 7");
    expect(await lastOf()).toEqual(["7", "7"]);
  });

  test("is not looked for in a large table where no index finds it", async () => {
    await query("ALTER TABLE box DROP CONSTRAINT box_pkey");
    await query("CREATE UNIQUE INDEX ON box (aggregate_id, id)");
    await query("ALTER TABLE box ALTER payload SET STORAGE PLAIN");
    await box.insert(3000, "y".repeat(4000));
    const mapping = { ...MAPPING, primaryKey: [column("aggregate_id", "text"), column("id", "bigint")] };
    const other = box.open({ mapping });
    expect((await other.claimNew({ ...READ_ALL, lease: box.lease, wantLast: true })).last).toBeNull();
    await other.close();
  });

  test("is not in the future, where rows are in the order of their times", async () => {
    await query("CREATE INDEX ON box (created_at)");
    await box.insert(3);
    await query("UPDATE box SET published_at = now(), created_at = now() + (id - 2) * interval '1 hour'");
    const other = box.open({
      mapping: { ...MAPPING, columns: { ...unordered, createdAt: timestamptz("created_at") } },
    });
    expect((await other.claimNew({ ...READ_ALL, lease: box.lease, wantLast: true })).last?.[1]).toBe("2");
    await other.close();
  });

  test("has no number of a text", async () => {
    await query("ALTER TABLE box ALTER id DROP DEFAULT, ALTER id TYPE text");
    await query("INSERT INTO box (id, aggregate_id, published_at) VALUES ('z', 'a', now()), ('m', 'a', NULL)");
    const id = column("id", "text");
    const other = box.open({
      mapping: { ...MAPPING, primaryKey: [id], columns: { ...MAPPING.columns, id, order: id } },
    });
    expect((await other.claimNew({ ...READ_ALL, lease: box.lease, wantLast: true })).last).toEqual(["m", "m"]);
    await other.close();
  });
});
