import { AuthenticationError, MultipleErrors, NetworkError, ProtocolError, TimeoutError } from "@platformatic/kafka";
import { describe, expect, test } from "vitest";
import { failureOfCode, failureOfError, isTimeout, verdictOf } from "./classify-failure.ts";

const caused = (code: string, message: string) => Object.assign(new Error(message), { code });

describe("a broker's answer", () => {
  test.each([
    ["UNKNOWN_SERVER_ERROR", -1, "unsure", "ambiguous", "server_error"],
    ["CORRUPT_MESSAGE", 2, "split", "ambiguous", "rejected"],
    ["UNKNOWN_TOPIC_OR_PARTITION", 3, "refresh", "route", "unroutable"],
    ["LEADER_NOT_AVAILABLE", 5, "refresh", "route", "unavailable"],
    ["NOT_LEADER_OR_FOLLOWER", 6, "refresh", "route", "unavailable"],
    ["REQUEST_TIMED_OUT", 7, "unsure", "route", "timeout"],
    ["MESSAGE_TOO_LARGE", 10, "split", "message", "too_large"],
    ["INVALID_TOPIC_EXCEPTION", 17, "fail", "message", "unroutable"],
    ["RECORD_LIST_TOO_LARGE", 18, "split", "message", "too_large"],
    ["NOT_ENOUGH_REPLICAS", 19, "fail", "route", "unavailable"],
    ["NOT_ENOUGH_REPLICAS_AFTER_APPEND", 20, "unsure", "route", "unavailable"],
    ["TOPIC_AUTHORIZATION_FAILED", 29, "fail", "route", "auth"],
    ["CLUSTER_AUTHORIZATION_FAILED", 31, "fail", "environment", "auth"],
    ["INVALID_TIMESTAMP", 32, "split", "route", "rejected"],
    ["POLICY_VIOLATION", 44, "split", "message", "rejected"],
    ["OUT_OF_ORDER_SEQUENCE_NUMBER", 45, "renew", "environment", "unavailable"],
    ["INVALID_PRODUCER_EPOCH", 47, "renew", "environment", "unavailable"],
    ["KAFKA_STORAGE_ERROR", 56, "refresh", "route", "unavailable"],
    ["SASL_AUTHENTICATION_FAILED", 58, "fail", "environment", "auth"],
    ["UNKNOWN_PRODUCER_ID", 59, "renew", "environment", "unavailable"],
    ["INVALID_RECORD", 87, "split", "message", "rejected"],
    ["THROTTLING_QUOTA_EXCEEDED", 89, "fail", "environment", "throttled"],
    ["PRODUCER_FENCED", 90, "renew", "environment", "unavailable"],
  ] as const)("%s (%i): %s, a failure of the %s: %s", (name, errorCode, verdict, kind, code) => {
    expect(verdictOf(errorCode)).toBe(verdict);
    const message = `Kafka answered ${name} for the topic orders: because`;
    expect(failureOfCode(errorCode, "the topic orders", "because\nof this")).toEqual({ kind, code, message });
    expect(new ProtocolError(errorCode).apiId).toBe(name);
  });

  test("no error, or a batch that was already written, is a confirmation", () => {
    expect([verdictOf(0), verdictOf(46)]).toEqual(["published", "published"]);
  });

  test("an unknown error code may mean that the batch was written", () => {
    expect(verdictOf(9999)).toBe("unsure");
    expect(failureOfCode(9999, "the topic orders")).toMatchObject({ kind: "ambiguous", code: "unknown" });
  });
});

describe("a request without an answer", () => {
  test("not sent is an environment failure that says where and why", () => {
    const refused = caused("ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:1");
    const error = new MultipleErrors("Cannot connect to any broker.", [
      new NetworkError("Connection to 127.0.0.1:1 failed.", { cause: refused }),
    ]);
    expect(failureOfError(error, false)).toEqual({
      kind: "environment",
      code: "unreachable",
      message: "Cannot connect to any broker: connect ECONNREFUSED 127.0.0.1:1",
    });
  });

  test("sent is ambiguous", () => {
    expect(failureOfError(new NetworkError("Connection closed"), true)).toEqual({
      kind: "ambiguous",
      code: "unreachable",
      message: "Connection closed",
    });
    const late = new TimeoutError("Request timed out");
    expect(failureOfError(late, true)).toMatchObject({ kind: "ambiguous", code: "timeout" });
    expect([isTimeout(late), isTimeout(new NetworkError("x"))]).toEqual([true, false]);
  });

  test.each([
    ["a wrong password", new NetworkError("failed", { cause: new AuthenticationError("SASL authentication failed.") })],
    [
      "a certificate that is wanted",
      new NetworkError("x", { cause: caused("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "alert") }),
    ],
  ])("for %s is a matter of credentials, sent or not", (_, error) => {
    expect(failureOfError(error, false)).toMatchObject({ kind: "environment", code: "auth" });
    expect(failureOfError(error, true)).toMatchObject({ kind: "environment", code: "auth" });
  });

  test("with a Kafka error code is classified by the code", () => {
    const error = new MultipleErrors("x", [new ProtocolError("CLUSTER_AUTHORIZATION_FAILED")]);
    expect(failureOfError(error, false)).toMatchObject({ kind: "environment", code: "auth" });
  });

  test("from a broker that has just started is an environment failure", () => {
    const error = new MultipleErrors("x", [new ProtocolError("COORDINATOR_LOAD_IN_PROGRESS")]);
    expect(failureOfError(error, false)).toMatchObject({ kind: "environment", code: "unavailable" });
  });

  test("copes with a value that is not an Error", () => {
    expect(failureOfError("what", false)).toEqual({
      kind: "environment",
      code: "unreachable",
      message: "the request failed",
    });
  });
});
