import { describe, expect, test } from "vitest";
import { flavorsFor } from "#tests/mysql.ts";
import { waitFor } from "#tests/wait-for.ts";
import { RelaySessions } from "../../connection/sessions.ts";
import { ownTables } from "../../own-schema/schema.ts";
import { outboxLockSql } from "../../tables/outbox-lock.ts";
import { relayBox } from "../relay-box.fixture.ts";

describe.each(flavorsFor("mariadb"))("an owner that is frozen in the middle of a claim in %s", (flavor) => {
  const box = relayBox(flavor);

  test("keeps the next owner waiting for no longer than the server bears with its silence", async () => {
    const { url, own } = box.database;
    const sessions = RelaySessions.over({ url, own, each: 1 });
    const thaw = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const freeze = () => {
      locked.resolve();
      return thaw.promise;
    };
    const frozen = sessions.transaction(freeze, { opening: [outboxLockSql(ownTables(own), "box", "shared")] });
    frozen.catch(() => undefined);
    await locked.promise;
    await box.table.releaseLease(box.lease);
    const next = box.open({ relayId: "next" });
    const startedMs = performance.now();
    expect(await next.acquireLease({ owner: "next", leaseMs: 60_000 })).toBeNull();
    const lease = await waitFor(() => next.acquireLease({ owner: "next", leaseMs: 60_000 }), {
      message: "the lease is taken",
    });
    expect(lease.epoch).toBeGreaterThan(box.lease.epoch);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    thaw.resolve();
    await expect(frozen).rejects.toThrow();
    await sessions.close();
  });
});
