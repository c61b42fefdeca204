import { expect, test } from "vitest";
import { connectionString, problemOfUrl } from "./connection-string.ts";

test.each([
  "postgres://user:password@db/shop",
  "postgresql://user@db:5432/shop?sslmode=verify-full&sslrootcert=/etc/ca.pem",
  "postgres:///shop?host=/var/run/postgresql&user=me",
  "postgres://localhost:5432/shop?user=me@company",
  "postgres://user:p%2Fa%40%25@db/shop",
  "postgres://user:with@at@db/shop",
  "postgres://user:com,ma@db/shop?options=-c%20a=1,2",
  "postgres://user@/shop?host=/tmp",
  "postgres://[::1]:5432/shop",
  "postgres://db/shop?pgbouncer=true",
  // Another check reports unset variables.
  `postgres://user:\${PASSWORD}@db/shop`,
])("nothing is wrong with %s", (url) => {
  expect(problemOfUrl(url)).toBeNull();
});

test.each([
  "postgres://user:pa/ss@db/shop",
  "postgres://user:pa#ss@db/shop",
  "postgres://user:pa?ss@db/shop",
  "postgres://user:12/34@db/shop",
  "postgres://user:12#34@db/shop",
  "postgres://user:12?34@db/shop",
  "postgres://user:100%@db/shop",
  "postgres://user:pa%e4ss@db/shop",
])("a password that is not percent-encoded: %s", (url) => {
  expect(problemOfUrl(url)).toMatch(/must be percent-encoded/);
});

test.each([
  "postgres://user:pa,ss@db1:5432,db2:5433/shop?target_session_attrs=read-write",
  "postgres://db1,db2/shop",
  "postgres:///shop?user=me&host=db1,db2",
])("several hosts: %s", (url) => {
  expect(problemOfUrl(url)).toMatch(/names several hosts/);
});

test("an sslmode that does not exist", () => {
  expect(problemOfUrl("postgres://db/shop?sslmode=required")).toMatch(/sslmode is none of disable, allow, prefer/);
});

test("a URL without sslmode, or with pg's own switch, is left as it is", () => {
  for (const url of ["postgres://u:p@db/shop", "postgres://u:p@db/shop?sslmode=require&uselibpqcompat=true", "no url"])
    expect(connectionString(url)).toBe(url);
});
