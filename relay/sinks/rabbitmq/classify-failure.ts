import { AMQPChannelError, AMQPConnectionError, AMQPError } from "rabbitmq-client";
import type { Failure, FailureCode, FailureKind } from "#domain/failure.ts";
import { ABORTED, type PublishOutcome } from "../sink.ts";
import { tlsErrorWords } from "../tls-error-words.ts";

/** A message that got an error instead of a confirmation. */
export interface Sent {
  routingKey: string;
  bodyBytes: number;
  /** True when no other message on its channel waited for a confirmation. */
  alone: boolean;
}

/** The client's own error codes for a dead connection. Every other code is the broker's answer. */
const NO_LINE = new Set(["CONNECTION_TIMEOUT", "CONN_CLOSE", "CLOSING", "READ_END", "SOCKET_TIMEOUT", "TIMEOUT"]);

/** "vhost x not found", "connection limit (5) is reached", "has reached the maximum allowed user limit of (5)". */
const NO_MATTER_OF_RIGHTS = /not found|limit \(\d+\) is reached|reached the maximum/;

/** No connection, channel or exchange: nothing was sent, and every message is affected. */
export function failureOfOpen(error: unknown): Failure {
  const message = describe(error);
  const hint = /no exchange/.test(message) ? ". Make the exchange, or set declare: true for the sink" : "";
  return { code: codeOfOpen(error), kind: "environment", message: `${message}${hint}` };
}

function codeOfOpen(error: unknown): FailureCode {
  if (!(error instanceof AMQPError) || NO_LINE.has(error.code)) return "unreachable";
  if (error.code === "ACCESS_REFUSED") return "auth";
  if (error.code !== "NOT_ALLOWED") return "unavailable";
  // This user may not enter the virtual host; otherwise it does not exist, or a limit on connections is reached.
  return NO_MATTER_OF_RIGHTS.test(error.message) ? "unavailable" : "auth";
}

/**
 * Classifies an error for one of the messages that waited for a confirmation. The broker answers an unacceptable
 * publish by closing the channel, which ends all of them without naming the culprit. Unless the error text names it,
 * a message is to blame only if it was alone in flight.
 */
export function outcomeOfError(error: unknown, sent: Sent): PublishOutcome {
  if (!(error instanceof AMQPError) || error instanceof AMQPConnectionError) {
    return failed("unreachable", "ambiguous", `The connection was lost before the confirmation: ${describe(error)}`);
  }
  if (!(error instanceof AMQPChannelError)) return outcomeOfNack(error, sent);
  switch (error.code) {
    case "CH_CLOSE":
      return ABORTED;
    case "CODEC":
      return failed("serialisation", "message", `The message cannot be sent: ${error.message}`);
    case "NOT_FOUND":
      return failed("unavailable", "environment", describe(error));
    case "ACCESS_REFUSED":
      return outcomeOfRefusal(error, sent);
    default:
      return outcomeOfClosedChannel(error, sent);
  }
}

/** A nack carries no reason, and some of the queues may have the message. */
function outcomeOfNack(error: AMQPError, { routingKey }: Sent): PublishOutcome {
  if (error.code !== "NACK") return failed("unknown", "ambiguous", describe(error));
  return failed("throttled", "route", `Refused "${routingKey}": a queue is full, or the broker could not store it.`);
}

/** Permissions apply to an exchange, and with topic authorisation also to routing keys. */
function outcomeOfRefusal(error: AMQPError, sent: Sent): PublishOutcome {
  const topic = /access to topic '(.*)' in exchange/.exec(error.message)?.[1];
  if (topic === undefined) return failed("auth", "environment", describe(error));
  return topic === sent.routingKey ? failed("auth", "route", describe(error)) : ABORTED;
}

function outcomeOfClosedChannel(error: AMQPError, sent: Sent): PublishOutcome {
  const limit = /message size \d+ .*?max(?:imum)? (?:message )?size (\d+)/.exec(error.message)?.[1];
  if (limit !== undefined) {
    return sent.bodyBytes > Number(limit) ? failed("too_large", "message", describe(error)) : ABORTED;
  }
  if (sent.alone) return failed("rejected", "message", describe(error));
  return failed("unavailable", "environment", `The broker closed the channel: ${describe(error)}`);
}

export function failed(code: FailureCode, kind: FailureKind, message: string): PublishOutcome {
  return { kind: "failed", failure: { code, kind, message } };
}

/** One line, with the code. Node's and the broker's messages name hosts, users and exchanges, never a password. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0]);
  const ofTls = tlsErrorWords(error);
  if (ofTls !== null) return ofTls;
  const text = error instanceof Error && error.message !== "" ? error.message : "the connection failed";
  // The client puts a method name first, which is undefined for a refused login.
  const line = (text.split("\n", 1)[0] ?? text).replace(/^undefined: /, "").slice(0, 500);
  const code = error instanceof Error && "code" in error ? String(error.code ?? "") : "";
  return code === "" || line.includes(code) ? line : `${line} (${code})`;
}
