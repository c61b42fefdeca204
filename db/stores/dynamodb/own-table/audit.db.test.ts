import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ADA, REASON } from "../../conformance/operator-desk.fixture.ts";
import type { AuditRecord } from "../../port/audit.ts";
import { Link } from "../connection/link.ts";
import { createTutorialShop, type TutorialShop } from "../tutorial-shop.fixture.ts";
import { listAuditRows, transactAudited } from "./audit.ts";
import { type OwnTable, PARTITIONS, putRecord } from "./own-table.ts";

let shop: TutorialShop;
let link: Link;
beforeEach(async () => {
  shop = await createTutorialShop();
  await shop.open({ storeSide: true }).store.migrate();
  const url = `dynamodb://eu-central-1?endpoint=${encodeURIComponent(shop.tables.url)}`;
  link = new Link({ name: "shop", url, applicationName: "test" });
});
afterEach(async () => {
  vi.restoreAllMocks();
  link.close();
  await shop.drop();
});

const record: AuditRecord = { actor: ADA, action: "relay.pause", outbox: "orders", outcome: "done", reason: REASON };

test("an entry whose id another process has just used gets another one, and nothing is refused", async () => {
  // Ids count up from the last one while the clock stands behind it.
  const steady = {
    client: link.client,
    clock: { nowMs: () => Date.now() },
    transact: link.transact.bind(link),
  } as unknown as Link;
  const own: OwnTable = { name: `${shop.tables.prefix}own`, link: steady };
  const nowMs = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(nowMs);
  await transactAudited(own, [], record);
  clock.mockReturnValue(nowMs - 1);
  const listed = async () =>
    (await listAuditRows(own, { filter: {}, before: null, limit: 10 })).map(({ id }) => BigInt(id));
  const [first = 0n] = await listed();
  const taken = String(first + 1n);
  await putRecord(own, { pk: PARTITIONS.audit, sk: taken, doc: { id: taken, at: "" }, v: taken });
  await transactAudited(own, [], record);
  expect(await listed()).toEqual([first + 2n, first + 1n, first]);
});
