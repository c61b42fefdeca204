import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { MAX_BODY_BYTES } from "./max-body.ts";
import { PEER_HEADER } from "./peer-header.ts";

vi.mock("server-only", () => ({}));

const { createGate } = await import("./request-gate.ts");
const { noteAccepted } = await import("./accepted-clients.ts");
type Listener = ReturnType<typeof createGate>;

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function listen(next: Listener): Promise<number> {
  server = createServer(createGate({ next })).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
}

/** Sends the text as raw bytes and returns everything received until the connection ends. */
async function send(port: number, text: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write(text);
  let answer = "";
  for await (const chunk of socket) answer += chunk;
  return answer;
}

const HOST = "Host: 127.0.0.1\r\nConnection: close\r\n";

test.each([
  ["TRACE", `TRACE / HTTP/1.1\r\n${HOST}\r\n`, 405],
  ["an unusual method", `PROPFIND / HTTP/1.1\r\n${HOST}\r\n`, 405],
  ["an absolute address", `GET http://evil.example/ HTTP/1.1\r\n${HOST}\r\n`, 400],
  ["an absolute address of this host", `GET http://127.0.0.1/api/health HTTP/1.1\r\n${HOST}\r\n`, 400],
  ["an asterisk", `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, 400],
  ["two slashes", `GET //evil.example/x HTTP/1.1\r\n${HOST}\r\n`, 400],
  ["a backslash", `GET /\\evil.example HTTP/1.1\r\n${HOST}\r\n`, 400],
  ["two hosts", `GET / HTTP/1.1\r\nHost: evil.example\r\n${HOST}\r\n`, 400],
  ["two schemes", `GET / HTTP/1.1\r\nX-Forwarded-Proto: https,http\r\n${HOST}\r\n`, 400],
  [
    "two headers of schemes",
    `GET / HTTP/1.1\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Proto: http\r\n${HOST}\r\n`,
    400,
  ],
  ["no scheme", `GET / HTTP/1.1\r\nX-Forwarded-Proto: javascript\r\n${HOST}\r\n`, 400],
])("%s is refused with a sentence, and Next does not see it", async (_, text, status) => {
  const next = vi.fn();
  const answer = await send(await listen(next), text);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const { error } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")));
  expect(error).toMatchObject({ code: "invalid_input", message: expect.stringMatching(/^[A-Z].+\.$/) });
  expect(next).not.toHaveBeenCalled();
});

test("the peer's address is that of the connection, whatever the client says", async () => {
  const port = await listen((request, response) => void response.end(String(request.headers[PEER_HEADER])));
  const answer = await send(
    port,
    `GET / HTTP/1.1\r\n${PEER_HEADER}: 192.0.2.1\r\nX-Forwarded-Proto: https\r\n${HOST}\r\n`,
  );
  expect(answer).toMatch(/127\.0\.0\.1$/);
});

test("a body without an end is read to the limit, answered, and its connection closed", async () => {
  let read = 0;
  const port = await listen(async (request, response) => {
    for await (const chunk of request) read += chunk.length;
    response.writeHead(413).end("too large");
  });
  const socket = connect({ port, host: "127.0.0.1" });
  let sent = 0;
  const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
  const pump = () => {
    while (socket.writable && socket.write(chunk)) sent += 0x10000;
    if (socket.writable) socket.once("drain", pump);
  };
  socket.on("error", () => undefined);
  socket.write(`POST /api/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`, pump);
  let answer = "";
  socket.on("data", (data) => {
    answer += data;
  });
  await new Promise((resolve) => socket.once("close", resolve));
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
  expect(read).toBeGreaterThan(MAX_BODY_BYTES);
  expect(read).toBeLessThan(2 * MAX_BODY_BYTES);
  // Bytes buffered in the kernel count as sent.
  expect(sent).toBeLessThan(64 * MAX_BODY_BYTES);
});

test("a body within the limit arrives whole, and its connection goes on", async () => {
  const port = await listen(async (request, response) => {
    let size = 0;
    for await (const chunk of request) size += chunk.length;
    response.end(String(size));
  });
  for (const size of [0, 1, 70_000, MAX_BODY_BYTES]) {
    const response = await fetch(`http://127.0.0.1:${port}/api/x`, { method: "POST", body: "x".repeat(size) });
    expect(await response.text()).toBe(String(size));
  }
});

test("few pages are drawn at a time; endpoints do not wait for them", async () => {
  const drawing: (() => void)[] = [];
  const port = await listen((request, response) => {
    if (request.url?.startsWith("/api/")) response.end("pass");
    else drawing.push(() => response.end("page"));
  });
  const pages = Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${port}/sign-in`));
  await expect.poll(() => drawing.length).toBe(2);
  expect(await (await fetch(`http://127.0.0.1:${port}/api/health/live`)).text()).toBe("pass");
  expect(drawing.length).toBe(2);
  for (let page = 0; page < 20; page += 1) {
    await expect.poll(() => drawing.length).toBeGreaterThan(0);
    drawing.shift()?.();
  }
  expect((await Promise.all(pages)).every(({ status }) => status === 200)).toBe(true);
});

test("what is pipelined on one connection waits its turn, and strangers have few at work", async () => {
  const working: string[] = [];
  const answers: (() => void)[] = [];
  const port = await listen((request, response) => {
    working.push(request.url ?? "");
    answers.push(() => response.end("done"));
  });
  const one = (number: number, last: boolean) =>
    `GET /api/${number} HTTP/1.1\r\nHost: x\r\n${last ? "Connection: close\r\n" : ""}\r\n`;
  const pipeline = send(port, one(1, false) + one(2, false) + one(3, true));
  await expect.poll(() => working).toEqual(["/api/1"]);
  const others = Array.from({ length: 20 }, (_, index) => fetch(`http://127.0.0.1:${port}/api/other-${index}`));
  await expect.poll(() => working.length).toBe(8);
  noteAccepted(new Headers({ authorization: "Basic eA==" }), { byProxy: false });
  const unknown = fetch(`http://127.0.0.1:${port}/api/unknown`, {
    headers: { authorization: "Basic eQ==", cookie: "outbox-console=x" },
  });
  const known = fetch(`http://127.0.0.1:${port}/api/known`, { headers: { authorization: "Basic eA==" } });
  await expect.poll(() => working.length).toBe(9);
  expect(working).toContain("/api/known");
  for (let count = 0; count < 25; count += 1) {
    await expect.poll(() => answers.length).toBeGreaterThan(0);
    answers.shift()?.();
  }
  await Promise.all([...others, known, unknown]);
  expect((await pipeline).match(/HTTP\/1.1 200/g)).toHaveLength(3);
  expect(working.filter((url) => /^\/api\/\d$/.test(url))).toEqual(["/api/1", "/api/2", "/api/3"]);
});

test("a page that nobody reads keeps no other from being drawn", async () => {
  const page = "x".repeat(64 * 1024);
  const port = await listen(async (_request, response) => {
    for (let part = 0; part < 256; part += 1)
      if (!response.write(page)) await new Promise((resolve) => response.once("drain", resolve));
    response.end();
  });
  const deaf = Array.from({ length: 4 }, () => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.write(`GET /sign-in HTTP/1.1\r\nHost: x\r\n\r\n`);
    return socket.pause();
  });
  for (let reader = 0; reader < 4; reader += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/sign-in`);
    expect((await answer.arrayBuffer()).byteLength).toBe(256 * page.length);
  }
  for (const socket of deaf) socket.destroy();
});

test("a connection that sends far more requests than it waits for is closed", async () => {
  const port = await listen(() => undefined);
  const socket = connect({ port, host: "127.0.0.1" });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => undefined);
  socket.write("GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n".repeat(100));
  await closed;
});

test("an answer with Next's listeners and ours raises no warning of a leak", async () => {
  const warnings: string[] = [];
  const note = (warning: Error) => void warnings.push(warning.name);
  process.on("warning", note);
  try {
    const port = await listen((_, response) => {
      // As many as Next adds for a route of the API.
      for (let added = 0; added < 8; added += 1) response.once("close", () => undefined);
      response.end("ok");
    });
    expect(await send(port, `GET /api/health HTTP/1.1\r\n${HOST}\r\n`)).toMatch(/ok$/);
    // Warnings are emitted in the next tick.
    await new Promise(setImmediate);
  } finally {
    process.off("warning", note);
  }
  expect(warnings).toEqual([]);
});
