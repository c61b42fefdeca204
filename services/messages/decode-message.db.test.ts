import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { BytesRequest } from "#db/stores/port/message-detail.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import type { Runtime } from "../runtime.ts";
import { decodeMessage } from "./decode-message.ts";
import { readRawPayload } from "./read-raw-payload.ts";

const TABLE = `CREATE TABLE outbox (id bigint PRIMARY KEY, event_type text, payload bytea, headers jsonb,
  created_at timestamptz DEFAULT now(), published_at timestamptz)`;
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("payloads in bytes", () => {
  const database = testDatabase("migrated");
  let runtime: Runtime;
  const insert = (id: number, payload: Uint8Array | null, headers: string | null = null) =>
    database().pool.query("INSERT INTO outbox (id, event_type, payload, headers) VALUES ($1, 'e', $2, $3)", [
      id,
      payload,
      headers,
    ]);
  const decode = (id: number) => decodeMessage({ runtime, outbox: "orders", id: String(id) });

  beforeAll(async () => {
    await database().pool.query(TABLE);
    runtime = openOperatedRuntime(database().url, "outbox");
  });
  afterAll(() => runtime.close());

  test("are decoded whole although the page's own text is cut", async () => {
    const json = JSON.stringify(
      Array.from({ length: 40_000 }, (_, id) => ({ id, digest: hash(Buffer.from(`${id}`)) })),
    );
    const bytes = gzipSync(json);
    expect(bytes.length).toBeGreaterThan(256 * 1024);
    await insert(1, bytes, '{"trace": 9007199254740993}');
    const { payload, headers } = await decode(1);
    expect(payload?.chain).toEqual(["bytea", "gzip", "JSON"]);
    expect(payload?.body).toEqual({ kind: "json", text: json });
    expect(headers?.chain).toEqual(["jsonb", "JSON"]);
    expect(headers?.body).toEqual({ kind: "json", text: '{"trace": 9007199254740993}' });
  });

  test("beyond 5 MB are decoded in part, and the answer says so", async () => {
    await insert(2, Buffer.alloc(6_000_000, "line of text\n"));
    const { payload } = await decode(2);
    expect(payload?.chain).toEqual(["bytea", "text"]);
    expect(payload?.bytes).toBe(5_000_000);
    expect(payload?.notices).toEqual(["Only the first 5 MB of 6 MB were decoded."]);
  });

  test("are downloaded byte for byte, and refused beyond the bound with another way to read them", async () => {
    const bytes = Buffer.alloc(7_000_003, Buffer.from("00ff8b1f0a27", "hex"));
    await insert(3, bytes);
    const raw = await readRawPayload({ runtime, outbox: "orders", id: "3", part: "payload" });
    expect(hash(raw.bytes)).toBe(hash(bytes));
    expect(raw.fileName).toBe("orders-3-payload.bin");
    await insert(4, Buffer.alloc(16_000_001));
    await expect(readRawPayload({ runtime, outbox: "orders", id: "4", part: "payload" })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("Read it from the database"),
    });
  });

  test("are downloaded without reading the other column, and only their length is read where they are too long", async () => {
    await insert(6, Buffer.alloc(16_000_001), '{"trace": 1}');
    const { store } = await runtime.outbox("orders");
    const open = store.outbox.bind(store);
    const asked: BytesRequest[] = [];
    const spy = vi.spyOn(store, "outbox").mockImplementation((ref) => {
      const outbox = open(ref);
      const bytes = (id: string, request: BytesRequest) => {
        asked.push(request);
        return outbox.read.bytes(id, request);
      };
      return { ...outbox, read: { ...outbox.read, bytes } };
    });
    onTestFinished(() => spy.mockRestore());
    const headers = await readRawPayload({ runtime, outbox: "orders", id: "6", part: "headers" });
    expect(Buffer.from(headers.bytes).toString()).toBe('{"trace": 1}');
    await expect(readRawPayload({ runtime, outbox: "orders", id: "6", part: "payload" })).rejects.toMatchObject({
      message: expect.stringContaining("The payload has 16 MB"),
    });
    expect(asked).toMatchObject([
      { part: "headers", longer: "length" },
      { part: "payload", longer: "length" },
    ]);
  });

  test("that are null, or of no message, are told apart", async () => {
    await insert(5, null);
    expect(await decode(5)).toEqual({ payload: null, headers: null });
    await expect(readRawPayload({ runtime, outbox: "orders", id: "5", part: "payload" })).rejects.toMatchObject({
      code: "not_found",
      message: "This message has no payload.",
    });
    await expect(decode(99)).rejects.toMatchObject({ code: "not_found" });
  });
});
