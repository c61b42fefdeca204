import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { createPool } from "../connection/pool.ts";
import { readWhyReadOnly } from "./read-why-read-only.ts";

const database = testDatabase("empty");

test("says that sessions are read-only by default, wherever that is set, and nothing of a database that takes writes", async () => {
  const why = async () => {
    const options = { url: database().url, applicationName: "test", readOnly: false, max: 1, statementTimeoutMs: 5000 };
    const pool = createPool(options);
    return readWhyReadOnly(pool).finally(() => pool.end());
  };
  expect(await why()).toBeNull();
  const { pool, name } = database();
  onTestFinished(async () => void (await pool.query(`ALTER DATABASE "${name}" RESET default_transaction_read_only`)));
  await pool.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
  expect(await why()).toBe("its sessions are read-only by default");
});
