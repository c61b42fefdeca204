import { DrizzleQueryError, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { causeOf, errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { testDatabase } from "#tests/postgres.ts";
import { isConnectionError, toDatabaseError } from "./database-error.ts";
import { queryOn } from "./query-on.ts";
import { withReadTransaction } from "./transaction.ts";

const database = testDatabase("empty");
const SECRET = "4111 1111 1111 1111";

/** An error as a logger prints it: its message, its stack and those of its causes. */
function printed(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.message}\n${error.stack}\n${printed(error.cause)}`;
}

async function failureOf(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("It did not fail.");
}

const db = () => queryOn(database().pool);
const failing = () => db().execute(sql`SELECT ${SECRET}::text, 1 / 0`);
const selecting = async () => db().select({ value: sql`1 / 0` }).from(sql`(SELECT ${SECRET}::text) one`);

describe("a query that fails", () => {
  test("throws what the driver threw: neither its statement nor its parameters are in it", async () => {
    for (const work of [failing, selecting]) {
      const error = await failureOf(work());
      expect(errorCode(error)).toBe("22012");
      expect(printed(error)).toContain("division by zero");
      expect(printed(error)).not.toContain(SECRET);
      expect(printed(error)).not.toContain("/ 0");
    }
  });

  test("is shown and logged without them where Drizzle's own error comes through", () => {
    const thrown = Object.assign(new Error("division by zero"), { code: "22012" });
    const error = new DrizzleQueryError("SELECT $1, 1 / 0", [SECRET], thrown);
    expect(printed(error)).toContain(SECRET);
    expect(causeOf(error)).toBe(thrown);
    const shown = toDatabaseError(error, "shop");
    expect(printed(shown)).toContain("division by zero");
    expect(printed(shown)).not.toContain(SECRET);
    expect(printed(shown)).not.toContain("SELECT");
  });

  test("says that the table refuses it where a generated column would be written, or a value is too long", async () => {
    await database().pool.query(
      "CREATE TABLE refusing (n int, twice int GENERATED ALWAYS AS (n * 2) STORED, word varchar(2))",
    );
    const sayings = ["UPDATE refusing SET twice = 1", "INSERT INTO refusing (word) VALUES ('long')"];
    const errors = await Promise.all(sayings.map((text) => failureOf(database().pool.query(text))));
    expect(errors.map((error) => toDatabaseError(error, "shop"))).toMatchObject([
      { code: "conflict", message: expect.stringContaining("it computes a column that would have to be written") },
      { code: "conflict", message: expect.stringContaining("a value does not fit its column") },
    ]);
  });

  test("leaves a transaction as what the driver threw", async () => {
    const work = withReadTransaction(database().pool, 3000, (client) =>
      queryOn(client).execute(sql`SELECT ${SECRET}::text::int`),
    );
    const error = await failureOf(work);
    expect(error).not.toBeInstanceOf(DrizzleQueryError);
    expect(errorCode(error)).toBe("22P02");
  });

  test("says that the time is over, as it always did", async () => {
    const work = withReadTransaction(database().pool, 50, (client) => queryOn(client).execute(sql`SELECT pg_sleep(5)`));
    const error = await failureOf(work);
    expect(toDatabaseError(error, "shop")).toMatchObject({ code: "query_timeout" });
  });

  test("on a table of our own that is gone, blames neither the user's table nor its mapping", async () => {
    const work = database().pool.query("SELECT FROM outbox_console.claim");
    const error = await failureOf(work);
    const { message } = toDatabaseError(error, "outbox orders");
    expect(message).toContain("own table outbox_console.claim is not in the database");
    expect(message).not.toContain("mapping");
  });

  test.each([
    [
      "53100",
      'could not write to file "base/pgsql_tmp/1.0": No space left on device',
      /no space left on its disk \(could/,
    ],
    ["53200", "out of shared memory", /is out of memory \(out of shared memory\)/],
    ["58030", 'could not read block 3 in file "base/5/16": Input/output error', /cannot read or write its files/],
    ["XX001", "invalid page in block 0 of relation base/5/16", /has a damaged table \(invalid page/],
  ])("because of the server (%s), says so in the server's words", (code, text, sentence) => {
    const known = toDatabaseError(Object.assign(new Error(text), { code }), "outbox orders");
    expect(known).toMatchObject({ code: "unavailable", message: expect.stringMatching(sentence) });
  });

  test("says that the connection is gone, inside a query as well", () => {
    const lost = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    const error = new DrizzleQueryError("SELECT $1", [SECRET], lost);
    expect(isConnectionError(error)).toBe(true);
    expect(toDatabaseError(error, "shop")).toMatchObject({ code: "unavailable", cause: lost });
  });
});
