import { expect, test } from "vitest";
import { addressOf } from "./address-of.ts";
import { connectionOptions, problemOfUrl, sslModeOf } from "./connection-string.ts";

test.each([
  "mysql://user:password@db/shop",
  "mariadb://user@db:3306/shop?ssl-mode=VERIFY_IDENTITY&ssl-ca=/etc/ca.pem",
  "mysql://user:p%2Fa%40%25@db/shop",
  "mysql://user:with@at@db/shop",
  "mysql://[::1]:3306/shop",
  "mysql://db/shop?sslmode=verify-full",
  "mysql://db",
])("nothing is wrong with %s", (url) => {
  expect(problemOfUrl(url)).toBeNull();
});

test.each([
  "mysql://user:pa/ss@db/shop",
  "mysql://user:pa#ss@db/shop",
  "mysql://user:pa?ss@db/shop",
  "mysql://user:100%@db/shop",
  "mysql://user:pa%e4ss@db/shop",
])("a password that is not percent-encoded: %s", (url) => {
  expect(problemOfUrl(url)).toMatch(/must be percent-encoded/);
});

test("several hosts", () => {
  expect(problemOfUrl("mysql://user:pw@db1:3306,db2:3306/shop")).toMatch(/names several hosts/);
});

test("an address without a host", () => {
  expect(problemOfUrl("mysql://user@/shop")).toMatch(/names no host/);
});

test("an ssl-mode that does not exist", () => {
  expect(problemOfUrl("mysql://db/shop?ssl-mode=on")).toMatch(/ssl-mode is none of DISABLED, PREFERRED, REQUIRED/);
});

test.each([
  ["", "disabled"],
  ["?ssl-mode=Required", "required"],
  ["?sslmode=verify-ca", "verify_ca"],
  ["?sslmode=no-verify", "required"],
  ["?ssl-mode=nonsense", null],
])("%s means %s", (query, mode) => {
  expect(sslModeOf(new URL(`mysql://db/shop${query}`))).toBe(mode);
});

test("what the driver is told", () => {
  expect(connectionOptions("mysql://me%40corp:p%3Aw@db/my%20shop?ssl-mode=REQUIRED")).toEqual({
    host: "db",
    port: 3306,
    user: "me@corp",
    password: "p:w",
    database: "my shop",
    ssl: { rejectUnauthorized: false, verifyIdentity: false },
  });
  expect(connectionOptions("mysql://me@[::1]:3307/")).toEqual({ host: "::1", port: 3307, user: "me", password: "" });
  expect(connectionOptions("mysql://me@localhost/shop?socket=/run/mysqld.sock")).toMatchObject({
    socketPath: "/run/mysqld.sock",
  });
});

test("an address without secrets", () => {
  expect(addressOf("mysql://me:secret@db/shop?ssl-mode=REQUIRED")).toBe("db:3306/shop");
  expect(addressOf("no url")).toBe("an address that is not a URL");
});
