import { describe, expect, test } from "vitest";
import { failureOfAck, failureOfLoss, failureOfNoResponders, failureOfOpen } from "./classify-failure.ts";

describe("why a stream did not keep a message", () => {
  test.each([
    [503, 10077, "maximum messages exceeded", "route", "throttled"],
    [503, 10077, "maximum bytes exceeded", "route", "throttled"],
    [503, 10077, "maximum messages per subject exceeded", "route", "throttled"],
    [503, 10077, "error opening msg block file", "environment", "unavailable"],
    [400, 10054, "message size exceeds maximum allowed", "message", "too_large"],
    [400, 10097, "header size exceeds maximum allowed of 64k", "message", "too_large"],
    [400, 10002, "resource limits exceeded for account", "environment", "throttled"],
    [500, 10047, "insufficient storage resources available", "environment", "throttled"],
    [503, 10039, "JetStream not enabled for account", "environment", "unavailable"],
    [503, 10008, "JetStream system temporarily unavailable", "environment", "unavailable"],
    [400, 10109, "invalid operation on sealed stream", "route", "unavailable"],
    [409, 10158, "duplicate message id is in process", "route", "throttled"],
    [429, 10167, "too many requests", "environment", "throttled"],
    [400, 10071, "wrong last sequence: 7", "message", "rejected"],
    [400, 10060, "expected stream does not match", "message", "rejected"],
    [503, 10999, "something new", "environment", "unavailable"],
    [500, 10999, "something new", "ambiguous", "server_error"],
    [400, 10999, "something new", "message", "rejected"],
  ])("%i %i %s", (code, err_code, description, kind, failure) => {
    expect(failureOfAck("orders.a", { code, err_code, description })).toEqual({
      kind,
      code: failure,
      message: `No stream stored "orders.a": ${description} (${err_code}).`,
    });
  });
});

describe("nobody answered a publish", () => {
  test.each([
    [{ stream: null }, "route", "unroutable"],
    [{ stream: "ORDERS" }, "route", "unavailable"],
    [{ noJetStream: "JetStream not enabled" }, "environment", "unavailable"],
    [{ unknown: "no permission to ask" }, "route", "unroutable"],
  ])("%o", (lookup, kind, code) => {
    const failure = failureOfNoResponders("orders.a", lookup);
    expect(failure).toMatchObject({ kind, code });
    expect(failure.message).toMatch(/\.$/);
  });
});

describe("the connection", () => {
  const named = (name: string, message: string, cause?: Error) =>
    Object.assign(new Error(message, cause === undefined ? {} : { cause }), { name });

  test.each([
    [named("ConnectionError", "connection refused"), "unreachable"],
    [named("AuthorizationError", "Authorization Violation"), "auth"],
    [named("UserAuthenticationExpiredError", "User Authentication Expired"), "auth"],
    [named("PermissionViolationError", 'Permissions Violation for Subscription to "_INBOX.x"'), "auth"],
    [undefined, "unreachable"],
  ])("cannot be had: %s", (error, code) => {
    expect(failureOfOpen(error)).toMatchObject({ kind: "environment", code });
  });

  test("the message is the underlying reason, not its wrapper", () => {
    const cause = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:4222"), { code: "ECONNREFUSED" });
    expect(failureOfOpen(named("ConnectionError", "connection refused", cause)).message).toBe(cause.message);
  });

  test("lost while a message waits is ambiguous", () => {
    expect(failureOfLoss(undefined)).toMatchObject({ kind: "ambiguous", code: "unreachable" });
    expect(failureOfLoss(new Error("read ECONNRESET")).message).toContain("read ECONNRESET");
  });
});
