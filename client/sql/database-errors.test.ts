import { expect, test } from "vitest";
import { isDuplicateKey, isOutage, isTransient, saysNoTransaction } from "./database-errors.ts";

const coded = (code: unknown, more: object = {}) => Object.assign(new Error("failed"), { code, ...more });

test.each([
  ["a deadlock in Postgres", coded("40P01")],
  ["a deadlock in MySQL", coded("ER_LOCK_DEADLOCK", { errno: 1213 })],
  ["a connection that pg lost", new Error("Connection terminated unexpectedly")],
  [
    "a statement after pg lost its connection",
    new Error("Client has encountered a connection error and is not queryable"),
  ],
  ["a connection that mysql2 lost", coded("PROTOCOL_CONNECTION_LOST")],
  [
    "a statement after mysql2 lost its connection",
    new Error("Can't add new command when connection is in closed state"),
  ],
  ["a connection that postgres.js lost", coded("CONNECTION_CLOSED")],
  ["a rollback that Knex could not send", new Error("ROLLBACK - Connection terminated unexpectedly")],
  ["a runner that TypeORM gave up", Object.assign(new Error("x"), { name: "QueryRunnerAlreadyReleasedError" })],
  ["a socket that MariaDB's driver lost", new Error("failed", { cause: { originalCode: "45009" } })],
  ["a server that refuses", coded("ECONNREFUSED")],
  ["what an ORM wrapped", new Error("query failed", { cause: coded("40001") })],
  ["what Sequelize wrapped", Object.assign(new Error("failed"), { original: coded("40001") })],
])("%s may succeed at the next try", (_, error) => {
  expect(isTransient(error)).toBe(true);
});

test.each([
  ["a violated constraint", coded("23505")],
  ["a transaction that waited for its work too long", coded("25P03")],
  ["an error of the work", new Error("no such customer")],
  ["a text", "Connection terminated"],
  ["an error of the work that speaks of a connection", new Error("Connection terminated by the customer")],
  ["nothing", undefined],
])("%s is a failure of the message", (_, error) => {
  expect(isTransient(error)).toBe(false);
});

test("a deadlock is no lost connection", () => {
  expect([coded("40P01"), coded("x", { errno: 1213 }), coded("ECONNRESET"), coded("P1001")].map(isOutage)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test("a duplicate and a missing transaction are found by either server's code, also when wrapped", () => {
  const wrapped = (error: Error) => new Error("query failed", { cause: error });
  expect([coded("23505"), coded("ER_DUP_ENTRY", { errno: 1062 })].map(wrapped).map(isDuplicateKey)).toEqual([
    true,
    true,
  ]);
  expect([coded("25P01"), coded("x", { errno: 1305 })].map(wrapped).map(saysNoTransaction)).toEqual([true, true]);
});

test("errors that wrap each other in a circle end the search", () => {
  const one: { cause?: unknown } = {};
  one.cause = { cause: one };
  expect(isTransient(one)).toBe(false);
});
