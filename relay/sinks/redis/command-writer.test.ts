import { expect, test } from "vitest";
import { CommandWriter } from "./command-writer.ts";

test("lengths are in bytes, whatever the words are", () => {
  const bytes = new CommandWriter()
    .command(["PING"])
    .command(["XADD", "", "Zoë", "漢字 😀"])
    .command(["SET", "k", Buffer.from([0, 255, 10])])
    .bytes();
  const expected = Buffer.concat([
    Buffer.from("*1\r\n$4\r\nPING\r\n*4\r\n$4\r\nXADD\r\n$0\r\n\r\n$4\r\nZoë\r\n$11\r\n漢字 😀\r\n"),
    Buffer.from("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$3\r\n"),
    Buffer.from([0, 255, 10, 13, 10]),
  ]);
  expect(bytes).toEqual(expected);
});

test.each(["x", "ë"])("writes words of any size (%s)", (letter) => {
  const words = [1, 20_000, 70_000, 3_000_000].map((length) => letter.repeat(length));
  const writer = new CommandWriter().command(words).command(["PING"]);
  const expected = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("");
  expect(writer.bytes().equals(Buffer.from(`*4\r\n${expected}*1\r\n$4\r\nPING\r\n`))).toBe(true);
});
