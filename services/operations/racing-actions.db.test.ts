import { describe, expect, test } from "vitest";
import { layoutNamed, operatedOutbox } from "./operated-outbox.fixture.ts";

const { database, open, openTable, act, read, put, fail, claimIt, everything, auditRows } = operatedOutbox();
const PLAIN = layoutNamed("(a)");
const OWN_COUNTS = layoutNamed("(a) with attempts");

const WORDED = {
  kind: "status",
  pending: ["PENDING"],
  inFlight: ["PROCESSING"],
  published: ["SENT"],
  failed: [],
  dead: ["DEAD"],
};

describe("races", () => {
  test("a row that changed meanwhile is a conflict, and nothing is written", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "pending");
    const { version } = (await read(id)).message;
    await database().pool.query("UPDATE outbox_events SET payload = '{\"changed\": true}'");
    const before = await everything(PLAIN.table);
    const operation = await act("dead-letter", id, { version });
    expect(operation.outcomes[0]).toMatchObject({ outcome: "skipped", code: "conflict" });
    expect(await everything(PLAIN.table)).toBe(before);
  });

  describe("a message that its relay tries again between an operator's look and the click", () => {
    const attempt = (error: string) =>
      database().pool.query(
        "UPDATE outbox_console.delivery SET attempts = attempts + 1, last_error = $1, last_failed_at = now()",
        [error],
      );

    test.each(["dead-letter", "retry"] as const)("still fails alike: %s is done", async (action) => {
      await open(PLAIN);
      const id = await put(PLAIN, "failed");
      const { version } = (await read(id)).message;
      await attempt("HTTP 500");
      expect((await act(action, id, { version })).outcomes[0]).toMatchObject({ outcome: "done" });
    });

    test("still fails alike by the table's own columns, which the attempt has written: done", async () => {
      await open(OWN_COUNTS);
      const id = await put(OWN_COUNTS, "failed");
      await database().pool.query(`UPDATE ${OWN_COUNTS.table} SET attempts = 3`);
      const { version } = (await read(id)).message;
      await database().pool.query(`UPDATE ${OWN_COUNTS.table} SET attempts = attempts + 1`);
      expect((await act("dead-letter", id, { version })).outcomes[0]).toMatchObject({ outcome: "done" });
    });

    test("fails in another way: a conflict", async () => {
      await open(PLAIN);
      const id = await put(PLAIN, "failed");
      const { version } = (await read(id)).message;
      await attempt("HTTP 404: no such customer");
      expect((await act("dead-letter", id, { version })).outcomes[0]?.code).toBe("conflict");
    });

    test("fails alike with another payload: a conflict", async () => {
      await open(PLAIN);
      const id = await put(PLAIN, "failed");
      const { version } = (await read(id)).message;
      await database().pool.query("UPDATE outbox_events SET payload = '{\"changed\": true}'");
      await attempt("HTTP 500");
      expect((await act("dead-letter", id, { version })).outcomes[0]?.code).toBe("conflict");
    });

    test("was retried by another operator and fails alike again: a conflict, for that act came first", async () => {
      await open(PLAIN);
      const id = await put(PLAIN, "failed");
      const { version } = (await read(id)).message;
      expect((await act("retry", id)).outcomes[0]?.outcome).toBe("done");
      await database().pool.query("DELETE FROM outbox_console.delivery");
      await fail(id);
      expect((await act("dead-letter", id, { version })).outcomes[0]?.code).toBe("conflict");
    });

    test("is in flight at the click: waited for, and done once it has failed alike", async () => {
      await open(PLAIN);
      const id = await put(PLAIN, "failed");
      const { version } = (await read(id)).message;
      await claimIt(id, true);
      const waiting = act("dead-letter", id, { version });
      await attempt("HTTP 500");
      await database().pool.query("DELETE FROM outbox_console.claim");
      expect((await waiting).outcomes[0]).toMatchObject({ outcome: "done" });
    });

    test("is published at last: nothing is done", async () => {
      await open(PLAIN);
      const id = await put(PLAIN, "failed");
      const { version } = (await read(id)).message;
      await database().pool.query("UPDATE outbox_events SET dispatched_at = now()");
      expect((await act("dead-letter", id, { version })).outcomes[0]).toMatchObject({ outcome: "skipped" });
    });
  });

  test("twenty clicks at once: one is done", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "failed");
    const { version } = (await read(id)).message;
    const operations = await Promise.all(Array.from({ length: 20 }, () => act("dead-letter", id, { version })));
    const outcomes = operations.flatMap((operation) => operation.outcomes);
    expect(outcomes.filter((outcome) => outcome.outcome === "done")).toHaveLength(1);
    for (const outcome of outcomes.filter((one) => one.outcome !== "done")) {
      expect(outcome.outcome).toBe("skipped");
      expect(["conflict", "wrong_state"]).toContain(outcome.code);
    }
    expect(await auditRows()).toHaveLength(1);
  });

  test("a live claim: in flight, after waiting; a claim that ends meanwhile: done", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "pending");
    await claimIt(id, true);
    const started = performance.now();
    const refused = await act("dead-letter", id);
    expect(refused.outcomes[0]).toMatchObject({ outcome: "skipped", code: "in_flight" });
    expect(performance.now() - started).toBeGreaterThan(4000);
    const waiting = act("dead-letter", id);
    await database().pool.query("DELETE FROM outbox_console.claim");
    expect((await waiting).done).toBe(1);
  });

  test("a claim that is only a word of the status is refused at once, with what to configure", async () => {
    const { pool } = database();
    await pool.query(`CREATE TABLE worded (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL)`);
    await pool.query(
      "INSERT INTO worded (event_type, payload, created_at, status) VALUES ('a', '{}', now() - interval '1 day', 'PROCESSING')",
    );
    openTable("worded", { lifecycle: WORDED });
    const detail = await read("1");
    expect(detail.message).toMatchObject({ state: "in_flight", claimExpired: false, claimUndated: true });
    const told = detail.actions.find(({ action }) => action === "retry");
    expect(told).toMatchObject({ possible: false, reason: expect.stringContaining("columns.lockedUntil") });
    const { outcomes } = await act("retry", "1");
    expect(outcomes[0]).toMatchObject({ outcome: "skipped", code: "wrong_state", message: told?.reason });
    expect((await read("1")).message).toMatchObject({ state: "in_flight", rawStatus: "PROCESSING" });
  });

  test("an expired claim: a retry takes the message out of it", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "pending");
    await claimIt(id, false);
    expect((await read(id)).message).toMatchObject({ state: "pending", claimExpired: true });
    expect((await act("retry", id)).done).toBe(1);
    const { rows } = await database().pool.query("SELECT message_ids FROM outbox_console.claim");
    expect(rows).toEqual([{ message_ids: ["another"] }]);
    expect((await read(id)).message.claimExpired).toBe(false);
  });

  test("a row that another session has locked: locked, with who holds it; claims are not held up meanwhile", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "pending");
    const { version } = (await read(id)).message;
    const holder = await database().pool.connect();
    try {
      await holder.query("SET application_name = 'nightly report'; BEGIN; SELECT 1 FROM outbox_events FOR UPDATE");
      const acting = act("dead-letter", id, { version });
      // Far less than the operator waits for the row.
      await database().pool.query(
        "BEGIN; SET LOCAL lock_timeout = 2500; SELECT pg_advisory_xact_lock_shared(1329742680, hashtext('orders')); COMMIT",
      );
      const operation = await acting;
      expect(operation.outcomes[0]).toMatchObject({ outcome: "skipped", code: "locked" });
      expect(operation.outcomes[0]?.message).toMatch(/pid \d+ \(nightly report\)/);
    } finally {
      await holder.query("ROLLBACK; RESET application_name");
      holder.release();
    }
    expect((await act("dead-letter", id, { version })).done).toBe(1);
  });
});
