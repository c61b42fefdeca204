import { describe, expect, test } from "vitest";
import { failureOfCommand, failureOfConnection, failureOfReply, NotSentError } from "./classify-failure.ts";
import { ReplyError } from "./reply-reader.ts";

describe("failures of Redis", () => {
  test.each([
    ["WRONGTYPE Operation against a key holding the wrong kind of value", "route", "unavailable"],
    ["ERR Elements are too large to be stored", "message", "too_large"],
    ["ERR The stream has exhausted the last possible ID, unable to add more items", "route", "unavailable"],
    ["OOM command not allowed when used memory > 'maxmemory'.", "environment", "unavailable"],
    ["@user_script: 8: -OOM command not allowed when used memory > 'maxmemory'.", "environment", "unavailable"],
    ["READONLY You can't write against a read only replica.", "environment", "unavailable"],
    ["LOADING Redis is loading the dataset in memory", "environment", "unavailable"],
    ["MASTERDOWN Link with MASTER is down", "environment", "unavailable"],
    ["CLUSTERDOWN Hash slot not served", "environment", "unavailable"],
    ["MISCONF Redis is configured to save RDB snapshots", "environment", "unavailable"],
    ["NOREPLICAS Not enough good replicas to write.", "environment", "unavailable"],
    ["ERR max number of clients reached", "environment", "unavailable"],
    ["NOAUTH Authentication required.", "environment", "auth"],
    ["WRONGPASS invalid username-password pair or user is disabled.", "environment", "auth"],
    ["NOPERM this user has no permissions to run the 'evalsha' command", "environment", "auth"],
    ["NOPERM this user has no permissions to access one of the keys used as arguments", "route", "auth"],
    ["NOPERM No permissions to access a key", "route", "auth"],
    ["ERR Protocol error: unauthenticated multibulk length", "environment", "auth"],
    ["ERR something new", "ambiguous", "unknown"],
  ])("%s", (text, kind, code) => {
    expect(failureOfReply(text)).toEqual({ kind, code, message: text });
  });

  test("an error about a key names the stream, which Redis does not", () => {
    const [wrong, full] = ["WRONGTYPE Operation against a key", "OOM command not allowed"];
    expect(failureOfReply(wrong, "orders").message).toBe(`The stream orders: ${wrong}`);
    expect(failureOfReply(full, "orders").message).toBe(full);
  });

  test("arguments repeated in Redis' error are not shown", () => {
    const { message } = failureOfReply("ERR unknown command 'AUTH', with args beginning with: 'pa55word' ");
    expect(message).toBe("ERR unknown command 'AUTH'");
  });

  test("an unsent message is an environment failure, a sent one is ambiguous", () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
    expect(failureOfConnection(new AggregateError([refused], ""))).toEqual({
      code: "unreachable",
      kind: "environment",
      message: "connect ECONNREFUSED 127.0.0.1:1",
    });
    expect(failureOfConnection(new ReplyError("ERR odd"))).toMatchObject({ kind: "environment", code: "unavailable" });
    expect(failureOfCommand(new NotSentError())).toMatchObject({ kind: "environment", code: "unreachable" });
    expect(failureOfCommand(new Error("read ECONNRESET"))).toMatchObject({ kind: "ambiguous", code: "unreachable" });
  });
});
