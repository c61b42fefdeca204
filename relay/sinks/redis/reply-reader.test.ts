import { expect, test } from "vitest";
import { ReplyError, ReplyReader } from "./reply-reader.ts";

const TEXT =
  "+OK\r\n$3\r\n1-0\r\n-OOM command not allowed\r\n:42\r\n$-1\r\n*-1\r\n$0\r\n\r\n*2\r\n:1\r\n*2\r\n$7\r\në\r\n漢\r\n-ERR é\r\n*0\r\n";
const REPLIES = [
  "OK",
  "1-0",
  new ReplyError("OOM command not allowed"),
  42,
  null,
  null,
  "",
  [1, ["ë\r\n漢", new ReplyError("ERR é")]],
  [],
];

test("reads every kind of reply", () => {
  expect(new ReplyReader().read(Buffer.from(TEXT))).toEqual(REPLIES);
});

test("reads replies that come in two parts, cut anywhere, and byte by byte", () => {
  const bytes = Buffer.from(TEXT);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const reader = new ReplyReader();
    const parts = [bytes.subarray(0, cut), bytes.subarray(cut)];
    expect(parts.flatMap((part) => reader.read(part))).toEqual(REPLIES);
  }
  const reader = new ReplyReader();
  expect([...bytes].flatMap((byte) => reader.read(Buffer.from([byte])))).toEqual(REPLIES);
});

test("anything that is not RESP2 throws", () => {
  expect(() => new ReplyReader().read(Buffer.from("HTTP/1.1 400 Bad Request\r\n"))).toThrow("Redis' protocol");
});
