import { DrizzleQueryError } from "drizzle-orm";
import { expect, test } from "vitest";
import { AppError } from "#domain/errors.ts";
import { isUnreachable, troubleOf } from "../../port/store-error.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { asking, toStoreError } from "./to-store-error.ts";

const driver = (code: string) => Object.assign(new Error(`relation "secret" of ${code}`), { code });

test.each([
  ["ECONNREFUSED", "unreachable", "unavailable"],
  ["57P01", "unreachable", "unavailable"],
  ["55P03", "locked", "locked"],
  ["42P01", "missing", "unavailable"],
  ["3F000", "missing", "unavailable"],
  ["42883", "missing", "unavailable"],
  ["42501", "forbidden", "forbidden"],
  ["57014", "refused", "query_timeout"],
  ["23505", "refused", "conflict"],
  ["XX000", "refused", "internal"],
])("%s of the driver is %s, and %s for people", (code, trouble, forPeople) => {
  const cause = driver(code);
  const error = toStoreError(cause, "outbox orders");
  expect(troubleOf(error)).toBe(trouble);
  expect(error).toMatchObject({ code: forPeople, cause });
  expect(error.message).not.toContain("secret");
});

test.each([
  ["server login has been failing, try again later (server_login_retry)", "does not reach its server (server login"],
  ["query_wait_timeout", "has no connection left for this statement (query_wait_timeout)"],
  ["no more connections allowed (max_client_conn)", "takes no more clients"],
])("a pooler that answers with %s is named in place of the database", (words, said) => {
  const error = toStoreError(Object.assign(new Error(words), { code: "08P01" }), "outbox orders");
  expect(error.message).toContain(`The pooler in front of the database of outbox orders ${said}`);
  expect(isUnreachable(error)).toBe(true);
});

test("a table whose enum lost a word, and a server without a connection, are named; an error that is not known, by its SQLSTATE", () => {
  const said = (code: string, message: string) =>
    toStoreError(Object.assign(new Error(message), { code }), "outbox orders").message;
  expect(said("22P02", 'invalid input value for enum order_status: "sent"')).toBe(
    "The table of outbox orders is not what the mapping says: the type order_status lacks a word of it; the mapping is reread within a minute.",
  );
  expect(said("53300", "sorry, too many clients already")).toMatch(/has no connection left \(max_connections\)/);
  for (const reserved of [
    "remaining connection slots are reserved for roles with the SUPERUSER attribute",
    'remaining connection slots are reserved for roles with privileges of the "pg_use_reserved_connections" role',
    "remaining connection slots are reserved for non-replication superuser connections",
  ])
    expect(said("53300", reserved)).toMatch(/has no connection left \(max_connections\)/);
  expect(said("53300", 'too many connections for database "shop"')).toMatch(
    /left for this database \(CONNECTION LIMIT\)/,
  );
  expect(said("53300", 'too many connections for role "shop"')).toMatch(/left for this user \(CONNECTION LIMIT\)/);
  expect(said("57P03", "the database system is starting up")).toBe(
    "The database of outbox orders is starting up, shutting down or recovering.",
  );
  expect(said("25P04", "terminating connection due to transaction timeout")).toBe(
    "The database of outbox orders ends our transactions, by transaction_timeout of our user or database: raise it.",
  );
  expect(said("25P03", "terminating connection due to idle-in-transaction timeout")).toMatch(/idle_in_transaction/);
  expect(said("57P05", "terminating connection due to idle-session timeout")).toMatch(/idle_session_timeout/);
  expect(said("22P02", 'invalid input syntax for type uuid: "secret"')).toBe(
    "The database of outbox orders answered with an error (SQLSTATE 22P02); the console's log has its words.",
  );
});

test("a commit in doubt is its own trouble, and nothing answered", () => {
  const error = toStoreError(new CommitInDoubtError(driver("ECONNRESET")), "outbox orders");
  expect(troubleOf(error)).toBe("commit_in_doubt");
  expect(isUnreachable(error)).toBe(true);
});

test("what Drizzle wraps is judged and kept without its statement", () => {
  const cause = driver("42P01");
  const error = toStoreError(new DrizzleQueryError("SELECT secret", ["parameter"], cause), "the console");
  expect(troubleOf(error)).toBe("missing");
  expect(error.cause).toBe(cause);
});

test("a sentence for people passes as it is", async () => {
  const own = new AppError("not_found", "This message is not there any more.");
  await expect(asking("outbox orders", () => Promise.reject(own))).rejects.toBe(own);
});

test("a host name that is not known asks for the URL, without a part of it", () => {
  const error = toStoreError(driver("ENOTFOUND"), "store shop");
  expect(troubleOf(error)).toBe("unreachable");
  expect(error.message).toMatch(
    /host name in its URL is not known\. If it was right before, repair the DNS.*percent-encoded/,
  );
  expect(error.message).not.toContain("secret");
});

test("a DNS server that does not answer is named, and not the database", () => {
  const error = toStoreError(driver("EAI_AGAIN"), "store shop");
  expect(troubleOf(error)).toBe("unreachable");
  expect(error.message).toMatch(/does not answer \(EAI_AGAIN\): the DNS did not resolve the host name/);
});
