import { DrizzleQueryError } from "drizzle-orm";
import { expect, test } from "vitest";
import { AppError } from "#domain/errors.ts";
import { isUnreachable, troubleOf } from "../../port/store-error.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { markRefusal } from "./connection-refusal.ts";
import { AcquireTimeoutError } from "./database-error.ts";
import { asking, toStoreError } from "./to-store-error.ts";

const answered = (errno: number) => Object.assign(new Error(`secret of ${errno}`), { errno, code: `ER_${errno}` });
const lost = (code: string) => Object.assign(new Error("secret"), { code });

test.each([
  [1205, "locked", "locked"],
  [3572, "locked", "locked"],
  [1213, "refused", "locked"],
  [1146, "missing", "unavailable"],
  [1054, "missing", "unavailable"],
  [1049, "missing", "unavailable"],
  [1142, "forbidden", "forbidden"],
  [1044, "forbidden", "forbidden"],
  [1227, "forbidden", "forbidden"],
  [3024, "refused", "query_timeout"],
  [1969, "refused", "query_timeout"],
  [1040, "refused", "unavailable"],
  [1203, "refused", "unavailable"],
  [1290, "refused", "unavailable"],
  [1792, "refused", "unavailable"],
  [1062, "refused", "conflict"],
  [1451, "refused", "conflict"],
  [1452, "refused", "conflict"],
  [3819, "refused", "conflict"],
  [4025, "refused", "conflict"],
  [1644, "refused", "conflict"],
  [1053, "unreachable", "unavailable"],
  [1927, "unreachable", "unavailable"],
  [1064, "refused", "internal"],
])("error %i of the server is %s, and %s for people", (errno, trouble, forPeople) => {
  const cause = answered(errno);
  const error = toStoreError(cause, "outbox orders");
  expect(troubleOf(error)).toBe(trouble);
  expect(error).toMatchObject({ code: forPeople, cause });
  expect(error.message).not.toContain("secret");
});

test.each([
  ["ECONNREFUSED", "ECONNREFUSED"],
  ["PROTOCOL_CONNECTION_LOST", "PROTOCOL_CONNECTION_LOST"],
  ["PROTOCOL_SEQUENCE_TIMEOUT", "no answer came in time"],
  ["EPIPE", "EPIPE"],
])("%s is no answer", (code, said) => {
  const error = toStoreError(lost(code), "outbox orders");
  expect(troubleOf(error)).toBe("unreachable");
  expect(error.message).toBe(`The database of outbox orders does not answer (${said}).`);
});

test("a host name that is not known asks for the URL", () => {
  const error = toStoreError(lost("ENOTFOUND"), "outbox orders");
  expect(troubleOf(error)).toBe("unreachable");
  expect(error.message).toMatch(/host name in its URL is not known.*percent-encoded/);
});

test.each([
  [3118, /has locked this user's account/],
  [4151, /has locked this user's account/],
  [1862, /password of this user .* has expired/],
  [3032, /is in offline mode/],
  [1040, /has no connection left \(max_connections\)/],
  [1203, /has no connection left for this user/],
  [1064, /answered with an error \(1064\); the console's log has its words/],
])("error %i of the server is said to people", (errno, words) => {
  expect(toStoreError(answered(errno), "outbox orders").message).toMatch(words);
});

test("connections that are all busy are told from a server that is silent", () => {
  const error = toStoreError(new AcquireTimeoutError(), "outbox orders");
  expect(troubleOf(error)).toBe("unreachable");
  expect(error.message).toBe("Every connection to the database of outbox orders is busy. Try again in a moment.");
});

test("a commit in doubt is its own trouble, and nothing answered", () => {
  const error = toStoreError(new CommitInDoubtError(lost("ECONNRESET")), "outbox orders");
  expect(troubleOf(error)).toBe("commit_in_doubt");
  expect(isUnreachable(error)).toBe(true);
});

test("what Drizzle wraps is judged and kept without its statement", () => {
  const cause = answered(1146);
  const error = toStoreError(new DrizzleQueryError("SELECT secret", ["parameter"], cause), "the console");
  expect(troubleOf(error)).toBe("missing");
  expect(error.cause).toBe(cause);
});

test("a sentence for people passes as it is", async () => {
  const own = new AppError("not_found", "This message is not there any more.");
  await expect(asking("outbox orders", () => Promise.reject(own))).rejects.toBe(own);
});

test("a server that lets this user in no more has refused: who is connected already goes on", () => {
  const denied = answered(1045);
  expect(troubleOf(toStoreError(denied, "outbox orders"))).toBe("forbidden");
  markRefusal(denied);
  expect(troubleOf(toStoreError(denied, "outbox orders"))).toBe("refused");
});
