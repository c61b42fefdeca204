import { afterEach, beforeEach, expect, test } from "vitest";
import { resetUnsortedLimit, unsortedLimit } from "../relay/unsorted-limit.ts";
import { createTutorialShop, eventItem, type TutorialShop } from "../tutorial-shop.fixture.ts";

const STREAM = { reader: "test", feed: "", mark: "column" } as const;

let shop: TutorialShop;
beforeEach(async () => {
  unsortedLimit.items = 3;
  shop = await createTutorialShop();
  await shop.open().store.migrate();
});
afterEach(() => {
  resetUnsortedLimit();
  return shop.drop();
});

test("the index in order and a time to live that fits leave nothing to say", async () => {
  const { outbox } = shop.open({ family: { keepPublished: { attribute: "ttl", days: 7 } } });
  const findings = await outbox.doctor({ mode: "relay" });
  expect(findings.filter(({ level }) => level !== "ok")).toEqual([]);
});

test("a time to live that the table does not have, and an index that must be read whole, are named", async () => {
  const { outbox } = shop.open({
    family: { keepPublished: { attribute: "expires", days: 7 }, waiting: { index: "unpublished" } },
  });
  const later = (await outbox.doctor({ mode: "relay" })).filter(({ level }) => level === "later");
  expect(later.map(({ text }) => text)).toEqual([
    expect.stringContaining("is not sorted by the order of messages, or its keys are not named"),
    expect.stringContaining("the relay sets expires, but"),
  ]);
  expect(later[1]?.fix).toContain("AttributeName=expires");
});

test("an index of which one read takes only a part is named with what follows", async () => {
  const { outbox } = shop.open({ family: { waiting: { index: "unpublished" } } });
  const texts = async () => (await outbox.doctor({ mode: "relay" })).map(({ text }) => text);
  expect(await texts()).toContainEqual(expect.stringContaining("The relay reads all of it for each claim"));
  await shop.tables.put(
    shop.table,
    Array.from({ length: 4 }, () => eventItem()),
  );
  expect(await texts()).toContainEqual(expect.stringContaining("It holds 3 items or more"));
});

test("a stream that is off is told with the command, and is read once it was created", async () => {
  const { outbox } = shop.open({ storeSide: true });
  const ofStream = async () =>
    (await outbox.doctor({ mode: "relay", stream: STREAM })).filter(({ text }) => text.includes("stream"));
  expect(await ofStream()).toMatchObject([{ level: "bad", fix: expect.stringContaining("StreamEnabled=true") }]);
  expect(await outbox.createStream(STREAM)).toHaveLength(2);
  expect(await ofStream()).toMatchObject([{ level: "ok", text: expect.stringContaining("is read by test") }]);
});

test("without an index a relay that reads the stream is told what it will miss", async () => {
  const { outbox } = shop.open({ family: { waiting: undefined } });
  const bad = (await outbox.doctor({ mode: "relay", stream: STREAM })).filter(({ level }) => level === "bad");
  expect(bad.map(({ text }) => text)).toContainEqual(expect.stringContaining("after 24 hours"));
});
