import { AMQPChannelError, AMQPConnectionError, AMQPError } from "rabbitmq-client";
import { describe, expect, test } from "vitest";
import { failureOfOpen, outcomeOfError, type Sent } from "./classify-failure.ts";

/** The client's type declarations omit the constructors. */
function make(kind: unknown, code: string, message: string): Error {
  const Kind = kind as new (code: string, message: string) => Error;
  return new Kind(code, message);
}
const nodeError = (code: string, message: string) => Object.assign(new Error(message), { code });

const ONE_OF_MANY: Sent = { routingKey: "orders.a", bodyBytes: 500, alone: false };

describe("opening RabbitMQ", () => {
  test.each([
    [nodeError("ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:5672"), "unreachable"],
    [nodeError("ENOTFOUND", "getaddrinfo ENOTFOUND nowhere.invalid"), "unreachable"],
    [nodeError("SELF_SIGNED_CERT_IN_CHAIN", "self-signed certificate in certificate chain"), "unreachable"],
    [new AggregateError([nodeError("ECONNREFUSED", "connect ECONNREFUSED ::1:5672")]), "unreachable"],
    [make(AMQPConnectionError, "CONNECTION_TIMEOUT", "connection timed out"), "unreachable"],
    [make(AMQPConnectionError, "CONN_CLOSE", "socket closed unexpectedly by server"), "unreachable"],
    [make(AMQPConnectionError, "ACCESS_REFUSED", "ACCESS_REFUSED - Login was refused"), "auth"],
    [make(AMQPConnectionError, "NOT_ALLOWED", "NOT_ALLOWED - access to vhost 'x' refused for user 'guest'"), "auth"],
    [make(AMQPConnectionError, "NOT_ALLOWED", "NOT_ALLOWED - vhost x not found"), "unavailable"],
    [
      make(
        AMQPConnectionError,
        "NOT_ALLOWED",
        "ConnectionOpen: NOT_ALLOWED - access to vhost '/' refused for user 'guest': connection limit (0) is reached",
      ),
      "unavailable",
    ],
    [
      make(
        AMQPConnectionError,
        "NOT_ALLOWED",
        "NOT_ALLOWED - connection refused for user 'guest': user connection limit (1) is reached",
      ),
      "unavailable",
    ],
    [
      make(
        AMQPConnectionError,
        "NOT_ALLOWED",
        "NOT_ALLOWED - number of channels opened for user 'guest' has reached the maximum allowed user limit of (0)",
      ),
      "unavailable",
    ],
    [make(AMQPChannelError, "NOT_FOUND", "NOT_FOUND - no exchange 'x' in vhost '/'"), "unavailable"],
    [make(AMQPChannelError, "PRECONDITION_FAILED", "PRECONDITION_FAILED - inequivalent arg 'type'"), "unavailable"],
    [
      make(AMQPConnectionError, "CONNECTION_FORCED", "CONNECTION_FORCED - broker forced connection closure"),
      "unavailable",
    ],
  ])("%s is the environment's fault", (error, code) => {
    expect(failureOfOpen(error)).toMatchObject({ kind: "environment", code });
  });
});

test("a refused login's message leaves out the client's undefined method name", () => {
  const error = make(AMQPConnectionError, "ACCESS_REFUSED", "undefined: ACCESS_REFUSED - Login was refused");
  expect(failureOfOpen(error).message).toBe("ACCESS_REFUSED - Login was refused");
});

describe("an error in place of a confirmation", () => {
  test.each([
    [make(AMQPError, "NACK", "message rejected by server"), "route", "throttled"],
    [nodeError("ECONNRESET", "read ECONNRESET"), "ambiguous", "unreachable"],
    [make(AMQPConnectionError, "CONN_CLOSE", "socket closed unexpectedly by server"), "ambiguous", "unreachable"],
    [make(AMQPConnectionError, "CONNECTION_FORCED", "broker forced connection closure"), "ambiguous", "unreachable"],
    [make(AMQPChannelError, "NOT_FOUND", "NOT_FOUND - no exchange 'x' in vhost '/'"), "environment", "unavailable"],
    [
      make(AMQPChannelError, "ACCESS_REFUSED", "ACCESS_REFUSED - access to exchange 'x' refused"),
      "environment",
      "auth",
    ],
    [make(AMQPChannelError, "CODEC", "frame size of 9 bytes exceeds maximum of 8"), "message", "serialisation"],
    [
      make(AMQPChannelError, "PRECONDITION_FAILED", "PRECONDITION_FAILED - of some other kind"),
      "environment",
      "unavailable",
    ],
  ])("%s", (error, kind, code) => {
    expect(outcomeOfError(error, ONE_OF_MANY)).toMatchObject({ kind: "failed", failure: { kind, code } });
  });

  test("a message alone in flight is the one that the broker rejected", () => {
    const error = make(AMQPChannelError, "PRECONDITION_FAILED", "PRECONDITION_FAILED - of some other kind");
    const outcome = outcomeOfError(error, { ...ONE_OF_MANY, alone: true });
    expect(outcome).toMatchObject({ failure: { kind: "message", code: "rejected" } });
  });

  test("a channel closed because of another message is no message's fault", () => {
    expect(outcomeOfError(make(AMQPChannelError, "CH_CLOSE", "channel is closed"), ONE_OF_MANY)).toEqual({
      kind: "aborted",
    });
  });

  test("of several messages in flight, those over the limit are too large", () => {
    const text = "PRECONDITION_FAILED - message size 1500 is larger than configured max size 1000";
    const error = make(AMQPChannelError, "PRECONDITION_FAILED", text);
    const large = outcomeOfError(error, { ...ONE_OF_MANY, bodyBytes: 1200 });
    expect(large).toMatchObject({ failure: { kind: "message", code: "too_large" } });
    expect(outcomeOfError(error, ONE_OF_MANY)).toEqual({ kind: "aborted" });
  });

  test("of several messages in flight, the one with the forbidden routing key may be at fault", () => {
    const text = "ACCESS_REFUSED - access to topic 'orders.a' in exchange 'x' in vhost '/' refused for user 'u'";
    const error = make(AMQPChannelError, "ACCESS_REFUSED", text);
    expect(outcomeOfError(error, ONE_OF_MANY)).toMatchObject({ failure: { kind: "route", code: "auth" } });
    expect(outcomeOfError(error, { ...ONE_OF_MANY, routingKey: "orders.b" })).toEqual({ kind: "aborted" });
  });
});
