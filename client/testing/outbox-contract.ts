import { deepStrictEqual, equal, ok, rejects } from "node:assert/strict";
import { isClientError } from "../errors.ts";
import type { ReceivedMessage } from "../messages/received-message.ts";
import { createOutbox, type OutboxOptions } from "../outbox/create-outbox.ts";
import type { LayoutOptions } from "../outbox/layout.ts";
import type { Adapter } from "../sql/adapter.ts";
import { sql } from "../sql/statement.ts";
import { contractEvents, contractPayload } from "./contract-events.ts";
import { readStored } from "./stored-event.ts";

/** One promise of the suite: register `run` as a test of that name with any runner. */
export interface ContractCase {
  name: string;
  run(): Promise<void>;
}

export interface OutboxHarness<Tx, Db> {
  via: Adapter<Tx, Db>;
  /** The library's handle outside a transaction; called in each case. */
  db(): Db;
  /** The table; it must exist. Cases use new keys and leave their rows. */
  layout: LayoutOptions;
  /** Runs `use` with each handle that is no open transaction: the root, a connection before BEGIN, one after COMMIT. */
  outside(use: (handle: Tx) => Promise<void>): Promise<void>;
}

const TYPE = "contract.checked";

/** Settings under which the usual way to write a string into a statement means another string, and back. */
const UNUSUAL_STRINGS = {
  postgres: [[sql`SET LOCAL standard_conforming_strings = off`], [sql`SET LOCAL standard_conforming_strings = on`]],
  mysql: [
    [
      sql`SET @outbox_client_mode = @@SESSION.sql_mode`,
      sql`SET SESSION sql_mode = CONCAT(@@SESSION.sql_mode, ',NO_BACKSLASH_ESCAPES,ANSI_QUOTES')`,
    ],
    [sql`SET SESSION sql_mode = @outbox_client_mode`],
  ],
} as const;

const newKey = () => crypto.randomUUID();

/** Requirements of every adapter and every table, over a real database. */
export function outboxContract<Tx, Db>(harness: OutboxHarness<Tx, Db>): ContractCase[] {
  const { via, layout } = harness;
  const open = (options: Partial<OutboxOptions<Tx, Db>> = {}) =>
    createOutbox(contractEvents, { via, ...layout, ...options });
  const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => via.transaction(harness.db(), work);
  const stored = async (key: string): Promise<ReceivedMessage[]> =>
    (await readStored(via, harness.db(), open().layout)).filter(({ aggregateId }) => aggregateId === key);
  const { columns } = open().layout;
  const cases: [name: string, run: () => Promise<void>, needed?: boolean][] = [
    [
      "an event is there once its transaction has committed, exactly as it was given",
      async () => {
        const key = newKey();
        const payload = contractPayload(key, "quotes \" and ' and \\ and ? and $1 and :x and é 漢 🎈");
        const { id, added } = await inTransaction((tx) => open().add(tx, TYPE, payload));
        const [event, ...others] = await stored(key);
        equal(added, true);
        deepStrictEqual(others, []);
        deepStrictEqual(event?.payload, payload);
        equal(event?.type, TYPE);
        if (columns.id) equal(event?.id, id);
        if (columns.headers) equal(event?.version, 3);
      },
    ],
    [
      "an event is there exactly as it was given, whatever the session takes a backslash and a quote for",
      async () => {
        const key = newKey();
        const payload = contractPayload(key, "quotes \" and ' and \\ and \\' and ` and \n and ? and é 🎈");
        const [set, reset] = UNUSUAL_STRINGS[via.dialect];
        const added = await inTransaction(async (tx) => {
          for (const statement of set) await via.run(tx, statement);
          try {
            return await open().add(tx, TYPE, payload);
          } finally {
            for (const statement of reset) await via.run(tx, statement).catch(() => undefined);
          }
        });
        const [event, ...others] = await stored(key);
        deepStrictEqual([event?.payload, others], [payload, []]);
        if (columns.id) equal(event?.id, added.id);
      },
    ],
    [
      "an event is not there when its transaction has rolled back",
      async () => {
        const key = newKey();
        const work = inTransaction(async (tx) => {
          await open().add(tx, TYPE, contractPayload(key));
          throw new Error("the business failed");
        });
        await rejects(work, /the business failed/);
        deepStrictEqual(await stored(key), []);
      },
    ],
    [
      "a handle that is no open transaction is refused, and nothing is written",
      async () => {
        const key = newKey();
        await harness.outside(async (handle) => {
          const refusal = open().add(handle, TYPE, contractPayload(key));
          await rejects(refusal, (error) => isClientError(error, "not_in_transaction"));
        });
        deepStrictEqual(await stored(key), []);
      },
    ],
    [
      "with the strict guard a transaction that has ended is refused, and nothing is written",
      async () => {
        const key = newKey();
        const add = (tx: Tx) => open({ guard: "strict" }).add(tx, TYPE, contractPayload(key));
        const ended: Tx[] = [];
        await inTransaction(async (tx) => ended.push(tx));
        const fails = inTransaction(async (tx) => {
          ended.push(tx);
          throw new Error("the business failed");
        });
        await rejects(fails, /the business failed/);
        for (const tx of ended) await rejects(add(tx));
        deepStrictEqual(await stored(key), []);
      },
    ],
    [
      "with the strict guard the database is asked, and agrees within a transaction",
      async () => {
        const key = newKey();
        await inTransaction((tx) => open({ guard: "strict" }).add(tx, TYPE, contractPayload(key)));
        equal((await stored(key)).length, 1);
      },
    ],
    [
      "a list is written in its order",
      async () => {
        const key = newKey();
        const notes = Array.from({ length: 25 }, (_, index) => `note ${index}`);
        await inTransaction((tx) =>
          open().add(
            tx,
            notes.map((note) => [TYPE, contractPayload(key, note)] as const),
          ),
        );
        const found = (await stored(key)).map(({ payload }) => (payload as { note: string }).note);
        deepStrictEqual(
          columns.createdAt && columns.id ? found : found.toSorted(),
          columns.createdAt && columns.id ? notes : notes.toSorted(),
        );
      },
    ],
    [
      "events that are added at the same time are all written, also with the strict guard",
      async () => {
        const key = newKey();
        await inTransaction((tx) =>
          Promise.all(
            (["handle", "strict"] as const).flatMap((guard) =>
              ["one", "two", "three"].map((note) => open({ guard }).add(tx, TYPE, contractPayload(key, note))),
            ),
          ),
        );
        equal((await stored(key)).length, 6);
      },
    ],
    [
      "a payload that its schema refuses, and one that is too large, are not written",
      async () => {
        const key = newKey();
        const wrong = { key, note: 7 } as never;
        const large = contractPayload(key, "x".repeat(2000));
        await inTransaction(async (tx) => {
          await rejects(open().add(tx, TYPE, wrong), (error) => isClientError(error, "invalid_payload"));
          const refusal = open({ maxBytes: 1000 }).add(tx, TYPE, large);
          await rejects(refusal, (error) => isClientError(error, "too_large"));
        });
        deepStrictEqual(await stored(key), []);
      },
    ],
    [
      "an event with the id of another is not written, in one transaction or two",
      async () => {
        const key = newKey();
        const id = crypto.randomUUID();
        const add = (tx: Tx) => open().add(tx, TYPE, contractPayload(key), { id });
        const both = await inTransaction(async (tx) => [await add(tx), await add(tx)]);
        const later = await inTransaction(add);
        deepStrictEqual(
          [...both, later],
          [true, false, false].map((added) => ({ id, added })),
        );
        equal((await stored(key)).length, 1);
      },
      columns.id !== undefined && columns.id.type !== "generated",
    ],
    [
      "of a list with given ids each event says whether it was written",
      async () => {
        const [key, there, first, last] = [newKey(), newKey(), newKey(), newKey()];
        const event = (id: string) => [TYPE, contractPayload(key), { id }] as const;
        await inTransaction((tx) => open().add(tx, [event(there)]));
        const own = [TYPE, contractPayload(key)] as const;
        const list = [event(first), event(there), event(first), own, event(last)];
        const added = await inTransaction((tx) => open().add(tx, list));
        deepStrictEqual(
          added.map((one) => one.added),
          [true, false, false, true, true],
        );
        deepStrictEqual(
          added.toSpliced(3, 1).map(({ id }) => id),
          [first, there, first, last],
        );
        equal((await stored(key)).length, 4);
      },
      columns.id !== undefined && columns.id.type !== "generated",
    ],
    [
      "a delayed event is there with its due time and can be cancelled, once",
      async () => {
        const key = newKey();
        const { id } = await inTransaction((tx) => open().add(tx, TYPE, contractPayload(key), { delay: "10m" }));
        const cancel = () => inTransaction((tx) => open().cancel(tx, String(id)));
        const first = await cancel();
        ok(first.outcome === "cancelled" && first.dueInMs > 500_000 && first.dueInMs <= 600_000, JSON.stringify(first));
        deepStrictEqual(await cancel(), { outcome: "absent" });
        deepStrictEqual(await stored(key), []);
      },
      columns.id !== undefined && columns.availableAt !== undefined && columns.availableAt.type !== "compact-text",
    ],
    [
      "an event that is due is not cancelled",
      async () => {
        const key = newKey();
        const { id } = await inTransaction((tx) => open().add(tx, TYPE, contractPayload(key)));
        deepStrictEqual(await inTransaction((tx) => open().cancel(tx, String(id))), { outcome: "taken" });
        equal((await stored(key)).length, 1);
      },
      columns.id !== undefined && columns.availableAt !== undefined && columns.availableAt.type !== "compact-text",
    ],
    [
      "headers and the trace are sent with the event",
      async () => {
        const key = newKey();
        const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        const traced = open({ trace: () => ({ traceparent }) });
        await inTransaction((tx) =>
          traced.add(tx, TYPE, contractPayload(key), {
            headers: { source: "a ? b" },
            sequence: 7,
          }),
        );
        const [event] = await stored(key);
        deepStrictEqual(event?.headers, {
          ...{ source: "a ? b", traceparent },
          ...{ "event-version": "3", "event-sequence": "7" },
        });
      },
      columns.headers !== undefined,
    ],
  ];
  return cases.filter(([, , needed = true]) => needed).map(([name, run]) => ({ name, run }));
}
