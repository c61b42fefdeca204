import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FactLimits } from "#db/stores/port/outbox-watch.ts";
import { type OperatorDesk, openDesk } from "../../conformance/operator-desk.fixture.ts";
import { PLAIN } from "../../conformance/store-under-test.fixture.ts";
import { mariadbUnderTest, mysqlUnderTest } from "../conformance/mysql-under-test.fixture.ts";
import { StaleReadingError } from "./sessions/innodb-transactions.ts";

const LIMITS: FactLimits = {
  overdueSeconds: 60,
  claimGraceSeconds: 0,
  lockHeldSeconds: 0,
  oldTransactionSeconds: 0,
  scheduledFarSeconds: 86_400,
  clockSkewSeconds: 60,
  relay: { lanes: true },
};

describe.each([mysqlUnderTest, mariadbUnderTest])("facts of $kind", (engine) => {
  let desk: OperatorDesk;
  beforeEach(async () => {
    desk = await openDesk(engine, PLAIN);
    await desk.table.insert([{}, {}]);
  });
  afterEach(() => desk.close());

  test("of a locked table wait for its lock once, not one after the other", async () => {
    const lock = await desk.table.lockTable?.();
    const { facts, unread } = await desk.outbox.watch.facts(LIMITS);
    await lock?.release();
    const names = unread.map(({ fact }) => fact);
    expect(names).toEqual(expect.arrayContaining(["waiting", "waitingByType", "scheduledFar"]));
    expect(facts).toMatchObject({ dead: [], expiredClaims: { claims: 0 } });
    // Facts that did not wait for the lock have the reason of the one that did.
    // Other tests may keep the server from a fresh list of transactions.
    const causes = unread.map(({ error }) => (error instanceof Error ? (error.cause ?? error) : error));
    const reasons = new Set(causes.filter((cause) => !(cause instanceof StaleReadingError)));
    expect(reasons.size).toBe(1);
  });
});
