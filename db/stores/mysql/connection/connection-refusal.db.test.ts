import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findFreePort } from "#tests/free-port.ts";
import { makeCertificates } from "#tests/make-certificates.ts";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { errorNumber, isConnectionError, toDatabaseError } from "./database-error.ts";
import { failureOf, openPool } from "./test-pool.fixture.ts";
import { withSession } from "./transaction.ts";

describe.each(["mysql", "mariadb"] as const)("a connection to %s", (flavor) => {
  const database = testMysqlDatabase(flavor, "empty");

  /** The cipher of a connection, empty without TLS; or the sentence that an operator reads. */
  const opens = async (change: (url: URL) => void): Promise<string> => {
    const url = new URL(database().url);
    change(url);
    const pool = openPool({ url: url.toString(), own: database().own });
    try {
      const rows = await withSession(pool, (session) => session.rows("SHOW STATUS LIKE 'Ssl_cipher'"));
      return rows[0]?.[1] === "" ? "plain" : "tls";
    } catch (error) {
      const known = toDatabaseError(error, "store shop");
      expect(known.code).toBe("unavailable");
      expect(known.message).toContain("store shop");
      expect(known.message).not.toContain(url.password || "no password");
      return known.message;
    }
  };
  const withQuery = (query: string) => opens((url) => void Object.assign(url, { search: query }));

  test("is plain without ssl-mode", async () => {
    expect(await withQuery("")).toBe("plain");
    expect(await withQuery("?ssl-mode=DISABLED")).toBe("plain");
  });

  test("with a wrong password", async () => {
    expect(await opens((url) => Object.assign(url, { username: "nobody", password: "wrong" }))).toMatch(
      /refuses the user name or password/,
    );
  });

  test("of a user who has used up its statements of the hour: no connection is missing", async () => {
    const { query } = database();
    await query("CREATE USER busy_relay IDENTIFIED BY 'word4hour' WITH MAX_QUERIES_PER_HOUR 1");
    onTestFinished(async () => void (await query("DROP USER busy_relay")));
    const account = (url: URL) =>
      void Object.assign(url, { username: "busy_relay", password: "word4hour", pathname: "/" });
    await opens(account);
    expect(await opens(account)).toMatch(/used up what it may do in an hour\. Raise .* WITH MAX_QUERIES_PER_HOUR 0/);
  });

  test("to a database that does not exist", async () => {
    expect(await opens((url) => void Object.assign(url, { pathname: "/no_such" }))).toMatch(
      /does not exist on that server/,
    );
  });

  test("to nobody", async () => {
    const port = await findFreePort();
    const pool = openPool({ url: `mysql://root@127.0.0.1:${port}/`, own: database().own });
    const error = await failureOf(withSession(pool, (session) => session.rows("SELECT 1")));
    expect(isConnectionError(error)).toBe(true);
    expect(errorNumber(error)).toBeUndefined();
    expect(toDatabaseError(error, "store shop").message).toBe(
      "The database of store shop does not answer (ECONNREFUSED).",
    );
  });

  test("with certificates that cannot be used", async () => {
    const folder = mkdtempSync(join(tmpdir(), "outbox-console-refusals-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const other = join(folder, "other.pem");
    writeFileSync(other, makeCertificates().ca);
    expect(await withQuery("?ssl-mode=VERIFY_CA&ssl-ca=/nowhere/ca.pem")).toMatch(
      /certificate file .* \(ca\.pem: ENOENT\)\. Correct ssl-ca/,
    );
    const offered = await withQuery("?ssl-mode=REQUIRED");
    if (offered === "tls") {
      expect(await withQuery("?ssl-mode=VERIFY_CA")).toMatch(/authority that is not trusted here/);
      expect(await withQuery(`?ssl-mode=VERIFY_IDENTITY&ssl-ca=${other}`)).toMatch(/not trusted here/);
    } else expect(offered).toMatch(/offers no TLS\. Write ssl-mode=DISABLED/);
  });
});
