import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import type { Sink } from "../sink.ts";
import { openTestSink } from "./open-test-sink.fixture.ts";
import { type RawReceiver, startRawReceiver } from "./raw-receiver.fixture.ts";

const never = new AbortController().signal;
const HTML = "content-type: text/html\r\n";
const PAGE = "<!doctype html><html><head><title>Sign in</title></head><body>Who are you?</body></html>";
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">';
const LICENCE = `<!-- ${"All rights reserved. ".repeat(200)} -->`;
const UTF16 = Buffer.from(`\uFEFF${PAGE}`, "utf16le");

let receiver: RawReceiver;
let sink: Sink;
beforeEach(async () => {
  receiver = await startRawReceiver();
  sink = openTestSink({ url: receiver.url });
});
afterEach(async () => {
  await sink.close();
  await receiver.close();
});

async function answered(status: number, headers: string, body: string | Buffer) {
  const bytes = Buffer.from(body);
  const head = `HTTP/1.1 ${status} x\r\n${headers}content-length: ${bytes.length}\r\n\r\n`;
  receiver.answerWith((socket) => void socket.write(Buffer.concat([Buffer.from(head), bytes])));
  return (await sink.publish([makeMessage(1)], never))[0];
}

describe("a web page confirms nothing with status 200", () => {
  test.each<[string, string, string | Buffer]>([
    ["with gzip, which nobody asked for", `${HTML}content-encoding: gzip\r\n`, gzipSync(PAGE)],
    ["with deflate", `${HTML}content-encoding: deflate\r\n`, deflateSync(PAGE)],
    ["with brotli", `${HTML}content-encoding: br\r\n`, brotliCompressSync(PAGE)],
    ["with gzip, longer than is read", `${HTML}content-encoding: gzip\r\n`, gzipSync(noise(PAGE), { level: 1 })],
    ["in a coding that is not known", `${HTML}content-encoding: zstd\r\n`, Buffer.from("28b52ffd2000", "hex")],
    ["of XHTML, after an XML declaration", HTML, `${XML}${PAGE}`],
    ["of XHTML, of its own type", "content-type: application/xhtml+xml\r\n", PAGE],
    ["whose type is sent twice", `${HTML}${HTML}`, PAGE],
    ["in UTF-16", "content-type: text/html; charset=utf-16le\r\n", UTF16],
    ["after two comments", HTML, `<!-- a -->\n<!-- b -->${PAGE}`],
    ["after a comment that is longer than is read", HTML, `${LICENCE}${PAGE}`],
    ["without the tags that may be left out", HTML, '<meta http-equiv="refresh" content="0; url=/login">'],
  ])("%s", async (_, headers, body) => {
    expect(await answered(200, headers, body)).toMatchObject({
      kind: "failed",
      failure: { kind: "route", code: "unavailable", message: expect.stringContaining("with a web page") },
    });
  });

  test.each<[string, string, string | Buffer]>([
    ["a word", HTML, "ok"],
    ["a word with gzip", `${HTML}content-encoding: gzip\r\n`, gzipSync("ok")],
    ["nothing", HTML, ""],
    ["nothing, said to be gzip", `${HTML}content-encoding: gzip\r\n`, ""],
    ["a heading", HTML, "<h1>Thanks</h1>"],
    ["a page of another type", "content-type: text/plain\r\n", PAGE],
  ])("%s confirms", async (_, headers, body) => {
    expect(await answered(200, headers, body)).toEqual({ kind: "published" });
  });
});

describe("the text of an error", () => {
  test.each<[string, string, string | Buffer, string]>([
    ["gzip", "content-encoding: gzip\r\n", gzipSync("no rate for EUR"), "HTTP 500: no rate for EUR"],
    ["x-gzip", "content-encoding: X-GZIP\r\n", gzipSync("no rate for EUR"), "HTTP 500: no rate for EUR"],
    ["a coding that is not known", "content-encoding: zstd\r\n", Buffer.from("28b52ffd2000", "hex"), "HTTP 500"],
    ["gzip that is damaged", "content-encoding: gzip\r\n", "no rate", "HTTP 500"],
    ["Latin 1", "content-type: text/plain; charset=ISO-8859-1\r\n", Buffer.from("Größe", "latin1"), "HTTP 500: Größe"],
    ["UTF-16", 'content-type: text/plain; charset="utf-16le"\r\n', Buffer.from("Größe", "utf16le"), "HTTP 500: Größe"],
    ["a charset that is not known", "content-type: text/plain; charset=klingon\r\n", "Größe", "HTTP 500: Größe"],
    ["control characters", "", "a\0b\x1b[31mred", "HTTP 500: a b [31mred"],
  ])("in %s", async (_, headers, body, message) => {
    expect(await answered(500, headers, body)).toMatchObject({ failure: { code: "server_error", message } });
  });
});

/** The page, and after it text that compresses badly. */
function noise(page: string): string {
  let text = page;
  for (let n = 1; n < 4000; n += 1) text += String.fromCharCode(33 + (((n * n * 7919) % 9973) % 90));
  return text;
}
