import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { makeCertificates } from "#tests/make-certificates.ts";
import { testDatabase } from "#tests/postgres.ts";
import { startTlsPostgres, type TlsPostgres } from "#tests/tls-postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { toDatabaseError } from "./database-error.ts";
import { createPool } from "./pool.ts";

const plain = testDatabase("empty");
const certificates = makeCertificates();
const other = makeCertificates("DNS:elsewhere.internal");
let folder: string;
let server: TlsPostgres;
let elsewhere: TlsPostgres;
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "outbox-console-refusals-"));
  writeFileSync(file("ca.pem"), certificates.ca);
  writeFileSync(file("other.pem"), other.ca);
  writeFileSync(file("garbage.pem"), "no certificate");
  [server, elsewhere] = await Promise.all([startTlsPostgres(certificates.server), startTlsPostgres(other.server)]);
});

afterAll(async () => {
  await Promise.all([server.stop(), elsewhere.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Whether the connection has TLS, or the sentence that an operator reads. */
async function opens(url: string): Promise<"tls" | "plain" | string> {
  const pool = createPool({ url, applicationName: "refusal test", readOnly: true, max: 1, statementTimeoutMs: 5000 });
  try {
    const { rows } = await pool.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
    return rows[0]?.ssl ? "tls" : "plain";
  } catch (error) {
    const known = toDatabaseError(error, "store shop");
    expect(known.code).toBe("unavailable");
    expect(known.message).toContain("store shop");
    expect(known.message).not.toContain(new URL(server.url).password);
    return known.message;
  } finally {
    await pool.end();
  }
}

const tls = (query: string) => `${server.url}${query}`;

describe("sslmode means what psql takes it to mean", () => {
  test.each([
    ["", "plain"],
    ["?sslmode=disable", "plain"],
    ["?sslmode=allow", "plain"],
    ["?sslmode=prefer", "tls"],
    ["?sslmode=require", "tls"],
    ["?sslmode=no-verify", "tls"],
  ])("%s without an authority", async (query, expected) => {
    expect(await opens(tls(query))).toBe(expected);
  });

  test("verify-ca checks the authority alone, verify-full the name as well", async () => {
    expect(await opens(tls(`?sslmode=verify-full&sslrootcert=${file("ca.pem")}`))).toBe("tls");
    const { url } = elsewhere;
    expect(await opens(`${url}?sslmode=verify-ca&sslrootcert=${file("other.pem")}`)).toBe("tls");
    expect(await opens(`${url}?sslmode=verify-full&sslrootcert=${file("other.pem")}`)).toMatch(
      /is for another host name.*verify-ca/,
    );
    expect(await opens(tls(`?sslmode=require&sslrootcert=${file("other.pem")}`))).toContain("not trusted here");
  });
});

describe("one sentence with the line to change", () => {
  test.each([
    ["?sslmode=verify-full", /authority that is not trusted here \(\w+\)\. .*sslrootcert/],
    ["?ssl=true", /authority that is not trusted here/],
    ["?sslmode=verify-ca", /sslmode=verify-ca and no sslrootcert/],
    ["?sslmode=verify-full&sslrootcert=system", /authority that is not trusted here/],
    [
      "?sslmode=verify-full&sslrootcert=/nowhere/ca.pem",
      /certificate file .* \(ca\.pem: ENOENT\)\. Correct sslrootcert/,
    ],
    ["?sslmode=require&sslcert=/&sslkey=/", /certificate file .*EISDIR/],
  ])("%s", async (query, sentence) => {
    expect(await opens(tls(query))).toMatch(sentence);
  });

  test("an authority that is another's, and a file that holds none", async () => {
    expect(await opens(tls(`?sslmode=verify-full&sslrootcert=${file("other.pem")}`))).toMatch(/not trusted here/);
    expect(await opens(tls(`?sslmode=verify-full&sslrootcert=${file("garbage.pem")}`))).toMatch(/not trusted here/);
  });

  test("a wrong password, and none", async () => {
    const { username, host, pathname } = new URL(server.url);
    const password = process.env.PGPASSWORD;
    delete process.env.PGPASSWORD;
    onTestFinished(() => {
      if (password !== undefined) process.env.PGPASSWORD = password;
    });
    expect(await opens(`postgres://${username}:wrong@${host}${pathname}`)).toMatch(/refuses the user name or password/);
    expect(await opens(`postgres://${username}@${host}${pathname}`)).toMatch(
      /asks for a password and the URL has none/,
    );
  });

  test("a user who may not log in, and a database that is closed: no word of a password", async () => {
    const admin = plain().pool;
    const url = new URL(plain().url);
    Object.assign(url, { username: `shut_out_${process.pid}`, password: "right" });
    await admin.query(`CREATE ROLE ${url.username} NOLOGIN PASSWORD 'right'`);
    expect(await opens(url.href)).toMatch(/does not let this user log in\. Run ALTER ROLE … LOGIN/);
    await admin.query(`ALTER ROLE ${url.username} LOGIN`);
    url.pathname = "/template0";
    expect(await opens(url.href)).toMatch(/closed to connections .* ALLOW_CONNECTIONS true/);
    await admin.query(`DROP ROLE ${url.username}`);
  });

  // A number before the reserved sign would be read as a port: the configuration refuses that.
  test.each(["pa/ss", "pa#ss", "pa?ss", "pa%e4ss"])("a password %s that is not percent-encoded", async (password) => {
    const { username, host, pathname } = new URL(server.url);
    expect(await opens(`postgres://${username}:${password}@${host}${pathname}`)).toMatch(
      /Percent-encode the user name/,
    );
  });

  test("a server without TLS", async () => {
    expect(await opens(`${plain().url}?sslmode=require`)).toMatch(/offers no TLS\. Write sslmode=disable/);
  });

  test("a server that wants nothing but TLS", async () => {
    await server.admit("hostssl all all 127.0.0.1/32 scram-sha-256");
    await waitFor(async () => (await opens(server.url)) !== "plain", { message: "the server has read its new rules" });
    expect(await opens(server.url)).toMatch(/takes no unencrypted connection .* Add sslmode=require to the URL/);
    expect(await opens(`${server.url}?sslmode=require`)).toBe("tls");
  });

  test("a server whose rules reject the user: TLS is not offered as the way out", async () => {
    await elsewhere.admit("host all all 127.0.0.1/32 reject");
    await waitFor(async () => (await opens(elsewhere.url)) !== "plain", { message: "the server has read its rules" });
    for (const query of ["", "?sslmode=require"])
      expect(await opens(elsewhere.url + query)).toMatch(/has a line in pg_hba\.conf that rejects this user/);
  });
});

test("a user who may not connect to the database: the statement that lets it", async () => {
  const { pool, name } = plain();
  const url = new URL(plain().url);
  Object.assign(url, { username: `kept_out_${process.pid}`, password: "right" });
  await pool.query(
    `CREATE ROLE ${url.username} LOGIN PASSWORD 'right'; REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`,
  );
  const sentence = await opens(url.href);
  await pool.query(`GRANT CONNECT ON DATABASE ${name} TO PUBLIC; DROP ROLE ${url.username}`);
  expect(sentence).toMatch(/may not connect to .* Run GRANT CONNECT ON DATABASE/);
});

test("a socket in the file system that is not there is a server that does not answer", async () => {
  const pool = new pg.Pool({ host: folder, user: "postgres" });
  const error: unknown = await pool.query("SELECT 1").catch((reason: unknown) => reason);
  await pool.end();
  expect(toDatabaseError(error, "store shop").message).toBe("The database of store shop does not answer (ENOENT).");
});
