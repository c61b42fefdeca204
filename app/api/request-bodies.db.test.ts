import { describe, expect, test, vi } from "vitest";
import { MAX_BODY_BYTES } from "../_server/max-body.ts";
import { type Ask, JSON_TYPE, operation, postOperation, refusal, servedApi } from "./api.fixture.ts";

vi.mock("server-only", () => ({}));

const route = servedApi();
const post = (more: Ask) => postOperation(route(), more);

describe("bodies", () => {
  test("of 10 MB are 413, declared or not", async () => {
    const large = "x".repeat(10 * 1024 * 1024);
    expect(
      await refusal(await post({ body: large, headers: { ...JSON_TYPE, "content-length": String(large.length) } })),
    ).toMatchObject({ status: 413 });
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 160) controller.close();
        else controller.enqueue(new Uint8Array(65_536));
      },
    });
    expect(await refusal(await post({ body: stream }))).toMatchObject({ status: 413, code: "body_too_large" });
    expect(sent * 65_536, "read beyond the limit").toBeLessThan(MAX_BODY_BYTES + 1_000_000);
  });

  test.each([
    ["not JSON", "{", JSON_TYPE],
    ["empty", "", JSON_TYPE],
    ["of another type", operation(), { "content-type": "text/plain" }],
    ["without a type", operation(), {}],
    ["of a type that begins alike", operation(), { "content-type": "application/json-patch+json" }],
    ["of an unknown action", operation({ action: "explode" }), JSON_TYPE],
    ["without targets", operation({ targets: [] }), JSON_TYPE],
    [
      "of 5,001 targets",
      operation({ targets: Array.from({ length: 5001 }, (_, index) => ({ id: String(index), version: "1" })) }),
      JSON_TYPE,
    ],
    ["of targets and a filter", operation({ filter: { state: "dead" } }), JSON_TYPE],
    ["without a reason", operation({ reason: "  " }), JSON_TYPE],
    ["with a reason no database can hold", operation({ reason: "a\0bc" }), JSON_TYPE],
    ["with a key that means nothing", operation({ force: true }), JSON_TYPE],
    ["null", "null", JSON_TYPE],
    ["with a prototype", '{"__proto__": {"action": "retry"}}', JSON_TYPE],
  ])("%s are 400", async (_, body, headers) => {
    expect(await refusal(await post({ body, headers: headers as Record<string, string> }))).toMatchObject({
      status: 400,
      code: "invalid_input",
    });
  });

  test("with an Idempotency-Key that is none are 400", async () => {
    expect(await refusal(await post({ headers: { ...JSON_TYPE, "idempotency-key": "a b" } }))).toMatchObject({
      status: 400,
    });
  });
});
