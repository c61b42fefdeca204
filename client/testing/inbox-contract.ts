import { deepStrictEqual, equal, rejects } from "node:assert/strict";
import { isClientError } from "../errors.ts";
import { type Concurrent, createInbox, type InboxOptions } from "../inbox/create-inbox.ts";
import type { InboxLayoutOptions } from "../inbox/layout.ts";
import type { ReceivedMessage } from "../messages/received-message.ts";
import { createOutbox } from "../outbox/create-outbox.ts";
import type { LayoutOptions } from "../outbox/layout.ts";
import type { Adapter } from "../sql/adapter.ts";
import { sql } from "../sql/statement.ts";
import { contractEvents, contractPayload } from "./contract-events.ts";
import type { ContractCase } from "./outbox-contract.ts";
import { readStored } from "./stored-event.ts";

export interface InboxHarness<Tx, Db> {
  via: Adapter<Tx, Db>;
  db(): Db;
  /** The inbox; it must exist. */
  layout: InboxLayoutOptions;
  /** An outbox in the same database: its rows are the effects that the cases count. */
  effects: LayoutOptions;
  outside(use: (handle: Tx) => Promise<void>): Promise<void>;
}

const TYPE = "contract.checked";

export function contractMessage(id: string = crypto.randomUUID()): ReceivedMessage {
  const payload = contractPayload(id);
  return {
    id,
    type: TYPE,
    version: 3,
    sequence: null,
    aggregateType: "contract",
    aggregateId: id,
    createdAt: null,
    payload,
    text: JSON.stringify(payload),
    headers: {},
    replay: null,
  };
}

/** Requirements of every adapter and every inbox, over a real database. */
export function inboxContract<Tx, Db>(harness: InboxHarness<Tx, Db>): ContractCase[] {
  const { via, layout, db } = harness;
  const outbox = createOutbox(contractEvents, { via, ...harness.effects });
  const open = <C extends Concurrent = "wait">(options: Partial<InboxOptions<Tx, Db, C>> = {}) =>
    createInbox<typeof contractEvents, Tx, Db, C>(contractEvents, { via, consumer: "contract", ...layout, ...options });
  const effect = async (tx: Tx, { id }: { id: string }) => {
    await outbox.add(tx, TYPE, contractPayload(id));
    return "done";
  };
  const fail = async (tx: Tx, event: { id: string }): Promise<string> => {
    await effect(tx, event);
    throw new Error("the work failed");
  };
  const effects = async ({ id }: ReceivedMessage) =>
    (await readStored(via, db(), outbox.layout)).filter(({ aggregateId }) => aggregateId === id).length;
  const counts = open().layout.failures !== null;
  const DUPLICATE = { outcome: "duplicate", duplicate: true };
  const PROCESSED = { outcome: "processed", duplicate: false, result: "done" };
  const cases: [name: string, run: () => Promise<void>, needed?: boolean][] = [
    [
      "a repeat has no effect",
      async () => {
        const message = contractMessage();
        deepStrictEqual(await open().once(db(), message, effect), PROCESSED);
        deepStrictEqual(await open().once(db(), message, effect), DUPLICATE);
        equal(await effects(message), 1);
      },
    ],
    [
      "deliveries at the same time have one effect",
      async () => {
        const message = contractMessage();
        const results = await Promise.all(Array.from({ length: 8 }, () => open().once(db(), message, effect)));
        deepStrictEqual(
          results.filter(({ duplicate }) => !duplicate),
          [PROCESSED],
        );
        equal(await effects(message), 1);
      },
    ],
    [
      "with skip, a delivery during another one is told so, does nothing and counts nothing",
      async () => {
        const message = contractMessage();
        const inbox = open<"skip">({ concurrent: "skip", maxAttempts: 1 });
        const during: unknown[] = [];
        const first = await inbox.once(db(), message, async (tx, event) => {
          during.push(await inbox.once(db(), message, effect));
          return effect(tx, event);
        });
        deepStrictEqual([first, ...during], [PROCESSED, { outcome: "in_progress", duplicate: false }]);
        deepStrictEqual(await inbox.once(db(), message, effect), DUPLICATE);
        equal(await effects(message), 1);
      },
      via.dialect === "postgres" || counts,
    ],
    [
      "work that fails leaves neither effect nor mark, and succeeds later",
      async () => {
        const message = contractMessage();
        await rejects(open().once(db(), message, fail), /the work failed/);
        equal(await effects(message), 0);
        deepStrictEqual(await open().once(db(), message, effect), PROCESSED);
        deepStrictEqual(await open().once(db(), message, effect), DUPLICATE);
        equal(await effects(message), 1);
      },
    ],
    [
      "work that goes on after a statement has failed is processed with its effect, or not at all",
      async () => {
        const message = contractMessage();
        const careless = async (tx: Tx, event: { id: string }) => {
          await effect(tx, event);
          await via.run(tx, sql`SELECT 1 FROM outbox_client_no_such_table`).catch(() => undefined);
          return "done";
        };
        // Postgres has given the transaction up by then, MySQL has not.
        const first = await open()
          .once(db(), message, careless)
          .catch(() => null);
        equal(await effects(message), first === null ? 0 : 1);
        await open().once(db(), message, effect);
        equal(await effects(message), 1);
      },
    ],
    [
      "messages at the same time in the caller's transaction are processed one after the other: a failure undoes no other",
      async () => {
        const [bad, other] = [contractMessage(), contractMessage()];
        const [failed, processed] = await via.transaction(db(), (tx) =>
          Promise.allSettled([open().onceIn(tx, bad, fail), open().onceIn(tx, other, effect)]),
        );
        equal(failed.status, "rejected");
        deepStrictEqual(processed, { status: "fulfilled", value: PROCESSED });
        deepStrictEqual([await effects(bad), await effects(other)], [0, 1]);
        deepStrictEqual(await open().once(db(), other, effect), DUPLICATE);
      },
    ],
    [
      "each consumer has its own marks",
      async () => {
        const message = contractMessage();
        await open().once(db(), message, effect);
        deepStrictEqual(await open({ consumer: "another" }).once(db(), message, effect), PROCESSED);
        equal(await effects(message), 2);
      },
      open().layout.columns.consumer !== undefined,
    ],
    [
      "a message that fails too often is parked, and released when somebody says so",
      async () => {
        const message = contractMessage();
        const inbox = open({ maxAttempts: 3 });
        for (let attempt = 1; attempt <= 2; attempt += 1)
          await rejects(inbox.once(db(), message, fail), /the work failed/);
        const PARKED = { outcome: "parked", duplicate: false };
        deepStrictEqual(await inbox.once(db(), message, fail), PARKED);
        deepStrictEqual(await inbox.once(db(), message, effect), PARKED);
        equal(await effects(message), 0);
        equal(await inbox.release(db(), message.id), true);
        deepStrictEqual(await inbox.once(db(), message, effect), PROCESSED);
        equal(await inbox.release(db(), message.id), false);
      },
      counts,
    ],
    [
      "a payload that its schema refuses is a failure of the message",
      async () => {
        const message = { ...contractMessage(), payload: { key: 7 } };
        await rejects(open().once(db(), message, effect), (error) => isClientError(error, "invalid_payload"));
        deepStrictEqual(await open().once(db(), { ...message, ...contractMessage(message.id) }, effect), PROCESSED);
      },
    ],
    [
      "in the caller's transaction, mark and effect come and go with it",
      async () => {
        const message = contractMessage();
        const rolledBack = via.transaction(db(), async (tx) => {
          await open().onceIn(tx, message, effect);
          throw new Error("the caller failed");
        });
        await rejects(rolledBack, /the caller failed/);
        equal(await effects(message), 0);
        const both = await via.transaction(db(), async (tx) => [
          await open().onceIn(tx, message, effect),
          await open().onceIn(tx, message, effect),
        ]);
        deepStrictEqual(both, [PROCESSED, DUPLICATE]);
        equal(await effects(message), 1);
      },
    ],
    [
      "in the caller's transaction, work that fails leaves no mark even if the caller goes on",
      async () => {
        const message = contractMessage();
        await via.transaction(db(), async (tx) => {
          await rejects(open().onceIn(tx, message, fail), /the work failed/);
        });
        equal(await effects(message), 0);
        deepStrictEqual(await open().once(db(), message, effect), PROCESSED);
      },
    ],
    [
      "in the caller's transaction, a statement that fails undoes this message alone if the caller goes on",
      async () => {
        const [good, bad] = [contractMessage(), contractMessage()];
        await via.transaction(db(), async (tx) => {
          await open().onceIn(tx, good, effect);
          const broken = open().onceIn(tx, bad, (inner) =>
            via.run(inner, sql`SELECT 1 FROM outbox_client_no_such_table`),
          );
          await rejects(broken);
        });
        deepStrictEqual([await effects(good), await effects(bad)], [1, 0]);
        deepStrictEqual(await open().once(db(), good, effect), DUPLICATE);
        deepStrictEqual(await open().once(db(), bad, effect), PROCESSED);
      },
    ],
    [
      "a delivery within the work of another has its own mark, and goes with it",
      async () => {
        const [outer, inner, failed] = [contractMessage(), contractMessage(), contractMessage()];
        const both = (fails: boolean) => async (tx: Tx, event: { id: string }) => {
          await effect(tx, event);
          deepStrictEqual(await open().onceIn(tx, inner, effect), PROCESSED);
          await rejects(open().onceIn(tx, failed, fail), /the work failed/);
          if (fails) throw new Error("the outer work failed");
          return "done";
        };
        const deliver = (fails: boolean) =>
          via.transaction(db(), async (tx) => {
            if (fails) await rejects(open().onceIn(tx, outer, both(true)), /the outer work failed/);
            else deepStrictEqual(await open().onceIn(tx, outer, both(false)), PROCESSED);
          });
        const counted = async () => [await effects(outer), await effects(inner), await effects(failed)];
        await deliver(true);
        deepStrictEqual(await counted(), [0, 0, 0]);
        await deliver(false);
        deepStrictEqual(await counted(), [1, 1, 0]);
        deepStrictEqual(await open().once(db(), failed, effect), PROCESSED);
      },
    ],
    [
      "once in a transaction of the caller is refused",
      async () => {
        const message = contractMessage();
        await via.transaction(db(), async (tx) => {
          const within = open().once(tx as unknown as Db, message, effect);
          await rejects(within, (error) => isClientError(error, "invalid_input"));
        });
        deepStrictEqual(await open().once(db(), message, effect), PROCESSED);
      },
      !via.isAmbient,
    ],
    [
      "once without a handle that begins a transaction is refused, and counts nothing",
      async () => {
        const message = contractMessage();
        const wrong = open({ maxAttempts: 1 }).once({} as Db, message, effect);
        await rejects(wrong, (error) => isClientError(error, "invalid_input"));
        deepStrictEqual(await open({ maxAttempts: 1 }).once(db(), message, effect), PROCESSED);
      },
      via.begins !== undefined,
    ],
    [
      "a handle that is no open transaction is refused",
      async () => {
        const message = contractMessage();
        await harness.outside(async (handle) => {
          await rejects(open().onceIn(handle, message, effect), (error) => isClientError(error, "not_in_transaction"));
        });
        deepStrictEqual(await open().once(db(), message, effect), PROCESSED);
      },
    ],
  ];
  return cases.filter(([, , needed = true]) => needed).map(([name, run]) => ({ name, run }));
}
