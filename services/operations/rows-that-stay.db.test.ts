import { describe, expect, test } from "vitest";
import { layoutNamed, operatedOutbox } from "./operated-outbox.fixture.ts";

const { database, open, openTable, act, put, rowsOf } = operatedOutbox();
const PLAIN = layoutNamed("(a)");

describe("tables whose rows must stay", () => {
  const referenced = "CREATE TABLE effect (event_id uuid REFERENCES outbox_events)";
  const trigger =
    "CREATE FUNCTION noop() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'; CREATE TRIGGER t AFTER DELETE ON outbox_events FOR EACH ROW EXECUTE FUNCTION noop()";
  const publication = "CREATE PUBLICATION cdc FOR TABLE outbox_events";

  test.each([
    ["a foreign key", referenced],
    ["a trigger", trigger],
    ["a publication", publication],
  ])("%s: another program would still send it, so dead-letter is refused", async (_, ddl) => {
    await open(PLAIN);
    await database().pool.query(ddl);
    const id = await put(PLAIN, "pending");
    expect((await act("dead-letter", id)).outcomes[0]).toMatchObject({
      outcome: "skipped",
      code: "wrong_state",
      message: expect.stringContaining("would still send it"),
    });
    await database().pool.query("DROP PUBLICATION IF EXISTS cdc");
  });

  test.each([
    ["a foreign key", referenced],
    ["a trigger", trigger],
    ["a publication", publication],
  ])("%s: dead-lettered beside, where our relay reads that; archive refused", async (_, ddl) => {
    await database().pool.query(PLAIN.ddl);
    openTable(PLAIN.table, { ...PLAIN.settings, mode: "relay", relay: { sink: "stdout" } });
    await database().pool.query(ddl);
    const id = await put(PLAIN, "pending");
    const published = await put(PLAIN, "published");
    const before = await rowsOf("outbox_events");
    expect((await act("dead-letter", id)).outcomes[0]).toMatchObject({ outcome: "done", stateAfter: "dead" });
    expect(await rowsOf("outbox_events")).toEqual(before);
    expect((await act("archive", published)).outcomes[0]).toMatchObject({ outcome: "skipped", code: "wrong_state" });
    expect((await act("archive", id)).outcomes[0]).toMatchObject({ outcome: "skipped", code: "wrong_state" });
    expect((await act("retry", id)).outcomes[0]).toMatchObject({ outcome: "done", stateAfter: "pending" });
    expect(await rowsOf("outbox_events")).toEqual(before);
    await database().pool.query("DROP PUBLICATION IF EXISTS cdc");
  });

  test("a publication of all tables, or of a partition's parent, counts", async () => {
    const layout = layoutNamed("(d)");
    await open(layout);
    await database().pool.query("CREATE PUBLICATION cdc FOR TABLE outbox");
    const id = await put(layout, "published");
    expect((await act("archive", id)).outcomes[0]?.code).toBe("wrong_state");
    await database().pool.query("DROP PUBLICATION cdc; CREATE PUBLICATION cdc FOR TABLE outbox_2026");
    expect((await act("archive", id)).outcomes[0]?.code).toBe("wrong_state");
    await database().pool.query("DROP PUBLICATION cdc");
    expect((await act("archive", id)).done).toBe(1);
  });
});
