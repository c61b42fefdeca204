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
