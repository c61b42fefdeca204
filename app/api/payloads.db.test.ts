import { expect, test, vi } from "vitest";
import { messageListSchema } from "#contracts/message/messages.ts";
import { decodedMessageSchema } from "#contracts/message/payloads.ts";
import { ask, refusal, servedApi } from "./api.fixture.ts";

vi.mock("server-only", () => ({}));

const route = servedApi();
const decoded = () => import("./v1/outboxes/[outbox]/messages/[id]/decoded/route.ts");
const raw = () => import("./v1/outboxes/[outbox]/messages/[id]/raw/route.ts");

async function firstId(): Promise<string> {
  const page = await ask(route().messages.GET, { params: { outbox: "orders" }, path: "/?state=pending" });
  return messageListSchema.parse(await page.json()).messages[0]?.id ?? "";
}

test("a message is decoded as the contract says", async () => {
  const params = { outbox: "orders", id: await firstId() };
  const answer = await ask((await decoded()).GET, { params });
  const { payload } = decodedMessageSchema.parse(await answer.json());
  expect(payload?.chain.at(-1)).toBe("JSON");
  expect(payload?.body).toEqual({ kind: "json", text: "{}" });
});

test("stored bytes are a download of opaque bytes, which no browser shows or guesses", async () => {
  const params = { outbox: "orders", id: await firstId() };
  const answer = await ask((await raw()).GET, { params });
  expect(answer.headers.get("content-type")).toBe("application/octet-stream");
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="orders-[\w.-]+-payload\.bin"$/);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await answer.text()).toBe("{}");
});

test("other parts, other messages and empty columns are refused", async () => {
  const [{ GET }, id] = [await raw(), await firstId()];
  const at = (path: string, message: string) => ask(GET, { params: { outbox: "orders", id: message }, path });
  expect(await refusal(await at("/?part=password", id))).toMatchObject({ status: 400, code: "invalid_input" });
  expect(await refusal(await at("/?part=headers", id))).toMatchObject({ status: 404, code: "not_found" });
  for (const other of ["nope", "\0", "00000000-0000-4000-8000-000000000009"])
    expect(await refusal(await at("/", other))).toMatchObject({ status: 404 });
});
