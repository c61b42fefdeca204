import { expect, test } from "vitest";
import { toDatabaseError as ofMysql } from "../../mysql/connection/database-error.ts";
import { toDatabaseError as ofPostgres } from "../../postgres/connection/database-error.ts";

const LATE = Object.assign(new Error("Query inactivity timeout"), { code: "PROTOCOL_SEQUENCE_TIMEOUT" });

test.each([
  ["Postgres, which is silent", ofPostgres, new Error("Query read timeout"), "no answer came in time"],
  ["MySQL, which is silent", ofMysql, LATE, "no answer came in time"],
  ["Postgres, which went away", ofPostgres, new Error("Connection terminated unexpectedly"), "connection lost"],
  ["MySQL, which went away", ofMysql, new Error("Connection lost: The server closed it."), "connection lost"],
])("%s", (_, toDatabaseError, error, why) => {
  expect(toDatabaseError(error, "store shop").message).toBe(`The database of store shop does not answer (${why}).`);
});

const NO_FILES = Object.assign(new Error("connect EMFILE 127.0.0.1:5432"), { code: "EMFILE", syscall: "connect" });

test.each([
  ["Postgres", ofPostgres],
  ["MySQL", ofMysql],
])("a process without room for another open file does not blame %s", (_, toDatabaseError) => {
  expect(toDatabaseError(NO_FILES, "store shop").message).toMatch(
    /^This process has too many open files to reach the database of store shop \(EMFILE\)\. Raise its limit .* not to blame\.$/,
  );
});
