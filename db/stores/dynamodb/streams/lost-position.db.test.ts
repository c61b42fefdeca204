import { afterEach, beforeEach, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import type { RelayTableSettings } from "../../port/store.ts";
import { Link } from "../connection/link.ts";
import { ItemSource } from "../items/item-source.ts";
import { relayContext } from "../relay/relay-context.ts";
import type { Room } from "../room.ts";
import { createTutorialShop, type TutorialShop } from "../tutorial-shop.fixture.ts";
import { putShards, readCheckpoints } from "./checkpoints.ts";
import { createStream } from "./create-stream.ts";
import { createRelayStream } from "./dynamodb-relay-stream.ts";
import { FakeStream } from "./fake-stream.fixture.ts";

const OPTIONS = { reader: "test", feed: "", mark: "column" } as const;
const SETTINGS: RelayTableSettings = {
  ordering: "aggregate",
  maxAttempts: 3,
  onDead: "pass",
  relayId: "one",
  sinkName: "test",
  fields: {},
};

let shop: TutorialShop;
let link: Link;
let room: Room;
beforeEach(async () => {
  shop = await createTutorialShop();
  await shop.open().store.migrate();
  const url = `dynamodb://eu-central-1?endpoint=${encodeURIComponent(shop.tables.url)}`;
  link = new Link({ name: "shop", url, applicationName: "test" });
  const own = { link, name: `${shop.tables.prefix}own` };
  const { family, mapping } = shop;
  const source = new ItemSource({ link, family, readers: 1, records: null });
  const ref = { name: "orders", mapping, storeSide: true, maxAttempts: null, estimatedRows: -1 };
  room = { link, own, ref, family, source };
});
afterEach(async () => {
  link.close();
  await shop.drop();
});

const silent = { notice: () => undefined, commit: () => undefined, flushed: () => undefined };

test("a position that was trimmed is told as lost until reading has gone on from the oldest record", async () => {
  await createStream(room, OPTIONS);
  const { arn } = (await readCheckpoints(room.own, "orders", "test"))?.reader ?? { arn: "" };
  const fake = new FakeStream();
  fake.add("a");
  const [known = ""] = fake.write("a", 3);
  fake.trim();
  fake.write("a", 2);
  const place = { outbox: "orders", name: "test", arn };
  await putShards(room.own, place, new Map([["a", { sequence: known, done: false }]]));
  const stream = createRelayStream(relayContext(room, SETTINGS), OPTIONS, fake);
  const first = await stream.open({ ...silent, position: () => undefined });
  expect(await first.ended).toMatchObject({ code: "trimmed", passes: true });
  expect(await stream.status()).toMatchObject({ state: "lost", detail: expect.stringContaining("trimmed") });
  let last = "";
  const second = await stream.open({
    ...silent,
    position: (position) => {
      last = position;
    },
  });
  await waitFor(() => Number(last) >= 2, { message: "two records are read" });
  second.confirm(last);
  await second.close();
  expect(await stream.status()).toMatchObject({ state: "ok", confirmed: last });
  expect((await readCheckpoints(room.own, "orders", "test"))?.shards.get("a")?.done).toBe(false);
});
