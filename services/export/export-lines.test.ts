import { describe, expect, it } from "vitest";
import { ndjsonLine } from "./ndjson-line.ts";
import { MOST_PAYLOAD_BYTES, storedCell } from "./stored-cell.ts";

const stored = (bytes: Uint8Array, totalBytes = bytes.length) =>
  storedCell({ bytes, totalBytes, kind: "text", columnType: "text" });

describe("a stored value in an export", () => {
  it("keeps every digit of JSON, in one line", () => {
    const [payload] = stored(
      Buffer.from('{\r\n "total": 12.10,\n "ref": 9007199254740993, "e": 1.0e-8, "a\\n": "x"\n}'),
    );
    const line = ndjsonLine(["id", "payload"], ["1", payload]);
    expect(line).toBe('{"id":"1","payload":{  "total": 12.10,  "ref": 9007199254740993, "e": 1.0e-8, "a\\n": "x" }}\n');
    expect(JSON.parse(line)).toMatchObject({ payload: { total: 12.1 } });
  });

  it("says what it is", () => {
    expect(stored(Buffer.from("not json, é 漢 😀"))).toEqual(["not json, é 漢 😀", "text"]);
    expect(stored(Buffer.from([0xff, 0]))).toEqual(["/wA=", "base64"]);
    expect(stored(Buffer.from("﻿{}"))).toEqual(["﻿{}", "text"]);
    expect(storedCell(null)).toEqual([null, "none"]);
  });

  it("is left out with its size when it is large, never cut", () => {
    expect(stored(new Uint8Array(), MOST_PAYLOAD_BYTES + 1)).toEqual([null, "left out: 1000001 bytes"]);
  });
});
