import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { createStorePools } from "./store-pools.ts";

const database = testDatabase("empty");

test.each(["reads", "browse", "pings"] as const)(
  "sessions of %s refuse to write, and say who they are",
  async (kind) => {
    const pools = createStorePools({ url: database().url, applicationName: "outbox-console test" });
    onTestFinished(() => pools.close());
    const pool = pools[kind]();
    await database().pool.query("CREATE TABLE IF NOT EXISTS theirs (id int)");
    await expect(pool.query("DELETE FROM theirs")).rejects.toMatchObject({ code: "25006" });
    await expect(pool.query("CREATE TABLE ours (id int)")).rejects.toMatchObject({ code: "25006" });
    const { rows } = await pool.query(
      "SELECT current_setting('application_name') AS name, current_setting('statement_timeout') AS timeout",
    );
    expect(rows).toEqual([{ name: "outbox-console test", timeout: expect.stringMatching(/s$/) }]);
  },
);
