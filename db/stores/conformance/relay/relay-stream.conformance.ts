import { describe, expect, test } from "vitest";
import { StreamError } from "../../port/relay/relay-stream.ts";
import { PLAIN, type StoreUnderTest } from "../store-under-test.fixture.ts";
import { stageStreams } from "./stream-stage.fixture.ts";

/**
 * Notices from the log: every committed insert, after its transaction's commit, in commit order, until it is confirmed.
 */
export function describeRelayStream(engine: StoreUnderTest): void {
  describe(`${engine.kind} as a log of inserts`, () => {
    const { stage, options, reader, listen, listenAgain } = stageStreams(engine, PLAIN, { cuttable: true });

    test("says what is missing with the statement that mends it, and creates it when asked, once", async () => {
      const stream = options("column");
      const { table } = stage.relay("one", { stream });
      const problem = await table.stream?.check();
      expect(problem?.message).toMatch(/\.$/);
      expect([problem?.passes, typeof problem?.sql]).toEqual([false, "string"]);
      await expect(table.stream?.open({ notice, commit: notice, position: notice, flushed: notice })).rejects.toThrow(
        StreamError,
      );
      expect((await stage.outbox.createStream(stream)).length).toBeGreaterThan(0);
      expect(await table.stream?.check()).toBeNull();
      expect(await stage.outbox.createStream(stream)).toEqual([]);
    });

    test("tells of rows in the order of their commits", async () => {
      const { stream } = await reader("column");
      const listening = await listen(stream);
      const early = await stage.table.beginInsert([{ aggregateId: "a" }, { aggregateId: null }]);
      const later = await stage.table.insert([{ aggregateId: "b" }]);
      await listening.heard(1);
      await early.commit();
      const notices = await listening.heard(3);
      expect(notices.map(({ id }) => id)).toEqual([...later, ...early.ids]);
      const positions = notices.map(({ transaction }) => transaction.position);
      expect(positions).toEqual([...positions].sort());
      expect(new Set(positions).size).toBe(engine.logOfRows ? 3 : 2);
      expect([...listening.commits]).toEqual([...listening.commits].sort());
      expect(notices[1]?.aggregateKey).not.toBe(notices[0]?.aggregateKey);
      expect(notices[2]?.aggregateKey).toBeNull();
      expect(Math.abs((notices[0]?.transaction.committedAtMs ?? 0) - Date.now())).toBeLessThan(3_600_000);
    });

    test("tells nothing of a transaction that was aborted", async () => {
      const { stream } = await reader("column");
      const listening = await listen(stream);
      const aborted = await stage.table.beginInsert([{}]);
      await aborted.rollback();
      const [id] = await stage.table.insert([{}]);
      expect((await listening.heard(1)).map((notice) => notice.id)).toEqual([id]);
    });

    test("tells of what was committed before anyone listened, and of nothing from before it was created", async () => {
      await stage.table.insert([{}]);
      const { stream } = await reader("column");
      const ids = await stage.table.insert([{}, {}]);
      const listening = await listen(stream);
      expect((await listening.heard(2)).map(({ id }) => id)).toEqual(ids);
    });

    test("what was confirmed is not told again after reopening; everything else is", async () => {
      const { stream } = await reader("column");
      const first = await listen(stream);
      await stage.table.insert([{}, {}]);
      await first.heard(2);
      // Not the first: some engines also report transactions without a row of this table.
      const confirmed = first.commits.at(-1);
      const rest = await stage.table.insert([{ aggregateId: "b" }]);
      await first.heard(3);
      first.open.confirm(confirmed ?? "");
      await first.open.close();
      expect(await first.open.ended).toBeNull();
      const second = await listenAgain(stream);
      expect((await second.heard(1)).map(({ id }) => id)).toEqual(rest);
      expect((await stream.status()).confirmed).toBe(confirmed);
    });

    test("what nobody confirmed is told again, though it was published", async () => {
      const { stream } = await reader("column");
      const first = await listen(stream);
      const ids = await stage.table.insert([{}, { aggregateId: "b" }]);
      await first.heard(2);
      await stage.table.publishByOther(ids[0] ?? "");
      await first.open.close();
      const second = await listenAgain(stream);
      expect((await second.heard(2)).map(({ id }) => id)).toEqual(ids);
    });

    test("a confirmation never goes back", async () => {
      const { stream } = await reader("column");
      const listening = await listen(stream);
      await stage.table.insert([{}]);
      await listening.heard(1);
      await stage.table.insert([{}]);
      await listening.heard(2);
      const [one, two] = listening.commits as [string, string];
      listening.open.confirm(two);
      listening.open.confirm(one);
      await listening.open.close();
      await expect.poll(async () => (await stream.status()).confirmed).toBe(two);
    });

    test("a lost connection ends the stream with a problem that passes, and loses nothing", async () => {
      const { stream } = await reader("column");
      const first = await listen(stream);
      const ids = await stage.table.insert([{}]);
      await first.heard(1);
      const fault = stage.database.cutAt(1, "before");
      // Resolves if a statement of the reader itself was the first to arrive, and was cut.
      await stage.store.ping().catch(() => undefined);
      expect(fault.struck()).toBe(true);
      // Awaited while connections are still cut, because a reader that polls may otherwise not notice the cut.
      expect((await first.open.ended)?.passes).toBe(true);
      fault.clear();
      const second = await listenAgain(stream);
      expect((await second.heard(1)).map(({ id }) => id)).toEqual(ids);
    });

    test("status names the reader, how much is kept for it, and its place", async () => {
      const { stream } = await reader("column");
      expect(stream.name).toBe(options("column").reader);
      await stage.table.insert([{}]);
      const { name, state, lag, confirmed } = await stream.status();
      expect([name, state]).toEqual([stream.name, "ok"]);
      expect(lag === null || lag.value >= 0).toBe(true);
      expect(confirmed === null || confirmed.length > 0).toBe(true);
    });
  });
}

const notice = () => undefined;
