import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { flavorsFor, type MysqlTestDatabase } from "#tests/mysql.ts";
import { waitFor } from "#tests/wait-for.ts";
import { relayBox } from "./relay-box.fixture.ts";
import { SmallRelay } from "./small-relay.fixture.ts";

const AGGREGATES = 12;
const PRODUCERS = 8;
const PRODUCE_MS = 6000;
/** Longest time between an insert and its commit; the numbers of later inserts are committed in between. */
const OPEN_MS = 60;

/**
 * Producers that write the events of one aggregate one after the other, and commit out of the order of their numbers.
 */
async function produce(database: MysqlTestDatabase, untilMs: number): Promise<number[]> {
  const counts = Array.from({ length: AGGREGATES }, () => 0);
  const busy = new Set<number>();
  const producer = async () => {
    const connection = await database.connect();
    while (performance.now() < untilMs) {
      const aggregate = Math.floor(Math.random() * AGGREGATES);
      if (busy.has(aggregate)) {
        await delay(1);
        continue;
      }
      busy.add(aggregate);
      const number = (counts[aggregate] ?? 0) + 1;
      await connection.query("START TRANSACTION");
      await connection.query("INSERT INTO box (aggregate_id, payload) VALUES (?, ?)", [
        `a${aggregate}`,
        String(number),
      ]);
      await delay(Math.random() * OPEN_MS);
      const kept = Math.random() < 0.9;
      await connection.query(kept ? "COMMIT" : "ROLLBACK");
      if (kept) counts[aggregate] = number;
      busy.delete(aggregate);
    }
    await connection.end();
  };
  await Promise.all(Array.from({ length: PRODUCERS }, producer));
  return counts;
}

describe.each(flavorsFor("mysql"))("two owners of an outbox in %s", (flavor) => {
  const box = relayBox(flavor);

  test("lose nothing and invert nothing while producers commit out of order, and one of the owners is killed", async () => {
    await box.table.releaseLease(box.lease);
    const first = new Map<string, number[]>();
    const seen = new Set<string>();
    const publish = async ({
      id,
      aggregateId,
      payload,
    }: {
      id: string;
      aggregateId: string | null;
      payload: string | null;
    }) => {
      await delay(Math.random() * 3);
      if (seen.has(id)) return;
      seen.add(id);
      first.set(aggregateId ?? "", [...(first.get(aggregateId ?? "") ?? []), Number(payload)]);
    };
    const [doomed, heir] = ["doomed", "heir"].map(
      (owner) => new SmallRelay(box.open({ relayId: owner }), owner, publish),
    );
    if (!doomed || !heir) throw new Error("there are two");
    for (const relay of [doomed, heir]) relay.share(16);
    const running = [doomed.run(), heir.run()];
    const produced = produce(box.database, performance.now() + PRODUCE_MS);
    await delay(PRODUCE_MS / 2);
    doomed.kill();
    heir.share(32);
    const counts = await produced;
    await waitFor(async () => (await box.number("SELECT COUNT(*) FROM box WHERE published_at IS NULL")) === 0, {
      message: "everything is published",
      timeoutMs: 15_000,
    });
    // Other tests' sessions may keep the server from a fresh list of its transactions for longer than the producers
    // ran.
    heir.stay();
    const passes = async () => {
      await box.database.query("INSERT INTO box (aggregate_id, payload) VALUES ('later', '1')");
      return heir.passed > 0;
    };
    await waitFor(passes, { message: "the watermark passes a place" });
    heir.stop();
    await Promise.all(running);
    const expected = counts.map((count) => Array.from({ length: count }, (_, index) => index + 1));
    expect(counts.map((_, aggregate) => first.get(`a${aggregate}`) ?? [])).toEqual(expected);
  }, 120_000);
});
