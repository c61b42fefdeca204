import { describe, expect, test } from "vitest";
import { layoutNamed, operatedOutbox } from "./operated-outbox.fixture.ts";

const { database, open, openTable, act, read, stateOf, put, rowsOf } = operatedOutbox();

describe("the words of a status", () => {
  const SEVERAL_SPELLINGS = {
    kind: "status",
    pending: ["PENDING", "pending"],
    failed: ["FAILED", "failed"],
    published: ["PUBLISHED", "published"],
  };

  test("a dead letter of (e) is FAILED from its last attempt, a word that its team knows", async () => {
    const layout = layoutNamed("(e)");
    await open(layout);
    const id = await put(layout, "pending");
    await act("dead-letter", id);
    const { columns } = await read(id);
    const value = (name: string) => columns.find((column) => column.name === name)?.value;
    expect([value("status"), value("retry_count")]).toEqual(["FAILED", "10"]);
  });

  test("are written as the row spells them, where nothing declares them", async () => {
    await database().pool.query(
      "CREATE TABLE outbox (id int PRIMARY KEY, event_type text, payload json, created_at timestamptz DEFAULT now(), status text)",
    );
    await database().pool.query("INSERT INTO outbox VALUES (1, 'a', '{}', now(), 'failed')");
    openTable("outbox", { lifecycle: SEVERAL_SPELLINGS });
    await act("retry", "1");
    expect((await read("1")).message).toMatchObject({ state: "pending", rawStatus: "pending" });
    await act("dead-letter", "1");
    expect(await rowsOf("outbox")).toEqual([]);
    expect(await stateOf("1")).toBe("dead");
  });

  test("an unknown status can be dead-lettered, and nothing else", async () => {
    await database().pool.query(
      "CREATE TABLE outbox (id int PRIMARY KEY, event_type text, payload json, created_at timestamptz DEFAULT now(), status text)",
    );
    await database().pool.query("INSERT INTO outbox VALUES (1, 'a', '{}', now(), 'odd')");
    openTable("outbox", { lifecycle: SEVERAL_SPELLINGS });
    expect((await act("retry", "1")).outcomes[0]?.code).toBe("wrong_state");
    expect((await act("archive", "1")).outcomes[0]?.code).toBe("wrong_state");
    expect((await act("dead-letter", "1")).done).toBe(1);
  });
});
