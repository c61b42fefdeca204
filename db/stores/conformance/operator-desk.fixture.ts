import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { MESSAGE_STATES, type MessageAction, type MessageState } from "#domain/message/message-state.ts";
import type { Actor } from "#domain/operator.ts";
import type { AuditRow } from "../port/audit.ts";
import type { StoredMessage } from "../port/message-detail.ts";
import type { MessageOutcome } from "../port/relay/settle.ts";
import type { OutboxStore, Store } from "../port/store.ts";
import type { VerbRequest, VerbResult } from "../port/verb.ts";
import { DEAD, failed, openOutbox, openRelayHand, type RelayHand } from "./open-outbox.fixture.ts";
import {
  type DatabaseOptions,
  type DatabaseUnderTest,
  type Layout,
  type NativeState,
  type NewRow,
  type OutboxUnderTest,
  type StoreUnderTest,
  tellsNatively,
} from "./store-under-test.fixture.ts";

export const AN_HOUR_MS = 3_600_000;
export const ADA: Actor = { name: "ada", role: "admin" };
export const REASON = "INC-42";
/** Longer than any lock or claim of a test lasts. */
export const PATIENT_MS = 30_000;

type Act = Partial<VerbRequest> & { waitMs?: number };

/** One outbox with an operator and a relay, which a test drives step by step. */
export interface OperatorDesk {
  database: DatabaseUnderTest;
  store: Store;
  layout: Layout;
  table: OutboxUnderTest;
  outbox: OutboxStore;
  /** A relay with a lease over the whole outbox, the same at every call. */
  relay(): Promise<RelayHand>;
  /** A new message of a new aggregate in the state; archived ones were dead. */
  put(state: MessageState, row?: NewRow): Promise<string>;
  /** The relay claims this message alone and settles it; without an outcome it keeps publishing it. */
  publishAlone(id: string, outcome: MessageOutcome | null): Promise<void>;
  /** Empty for a message that is not there. */
  versionOf(id: string): Promise<string>;
  /** With the current version and no patience, unless `more` says otherwise. */
  act(action: MessageAction, id: string, more?: Act): Promise<VerbResult>;
  /** All data about a message, without values that change with time. */
  photo(id: string): Promise<Photo>;
  /** How many messages are in each state. */
  counts(): Promise<unknown>;
  /** Newest first. */
  auditOf(id: string): Promise<AuditRow[]>;
  /** These messages are in these states, by list and detail; counts agree with lists. */
  expectStates(expected: ReadonlyMap<string, MessageState>): Promise<void>;
  close(): Promise<void>;
}

export interface Photo {
  row: Record<string, string | null> | null;
  archived: Record<string, string | null> | null;
  message: StoredMessage | null;
}

/** States that a message of the layout can reach: by its row, an operator, or the relay if the engine has one. */
export function statesOf(layout: Layout, { relays = true }: Pick<StoreUnderTest, "relays">): MessageState[] {
  const byRelay = relays ? (["failed", "in_flight"] as const) : [];
  const told = new Set<MessageState>([...tellsNatively(layout), ...byRelay, "dead", "archived"]);
  return MESSAGE_STATES.filter((state) => told.has(state));
}

export async function openDesk(
  engine: StoreUnderTest,
  layout: Layout,
  options: DatabaseOptions = {},
): Promise<OperatorDesk> {
  const database = await engine.createDatabase(options);
  const store = database.openStore();
  expect(store.capabilities.relays, "the engine's capability").toBe(engine.relays ?? true);
  const table = await database.createOutbox(layout);
  const outbox = await openOutbox(store, table);
  let hand: RelayHand | null = null;
  const relay = async () => {
    if (hand) return hand;
    hand = openRelayHand(outbox);
    await hand.acquire({ leaseMs: AN_HOUR_MS });
    return hand;
  };
  const versionOf = async (id: string) => (await outbox.read.message(id))?.row.version ?? "";
  const act: OperatorDesk["act"] = async (action, id, { waitMs = 0, ...more } = {}) =>
    outbox.act.perform(
      {
        action,
        id,
        version: more.version ?? (await versionOf(id)),
        actor: ADA,
        reason: REASON,
        operationId: randomUUID(),
        dryRun: false,
        ...more,
      },
      waitMs,
    );
  return {
    database,
    store,
    layout,
    table,
    outbox,
    relay,
    versionOf,
    act,
    publishAlone: (id, outcome) => publishAlone({ outbox, relay }, id, outcome),
    put: (state, row = {}) => put({ store, table, layout, outbox, relay, act }, state, row),
    photo: async (id) => ({
      row: await table.row(id),
      archived: layout.archiveTable ? await table.row(id, "archive") : null,
      message: lasting(await outbox.read.message(id)),
    }),
    counts: async () => (await outbox.read.figures()).counts,
    auditOf: (messageId) => store.records.audit({ filter: { messageId }, before: null, limit: 100 }),
    expectStates: (expected) => expectStates(outbox, expected),
    close: async () => {
      await hand?.table.close();
      await database.drop();
    },
  };
}

type Putting = Pick<OperatorDesk, "store" | "table" | "layout" | "outbox" | "relay" | "act">;

async function put(desk: Putting, state: MessageState, row: NewRow): Promise<string> {
  const given = { aggregateId: randomUUID(), ...row };
  if (state === "archived") {
    const id = await put(desk, "dead", given);
    await desk.act("archive", id);
    return id;
  }
  const isNative = tellsNatively(desk.layout).some((one) => one === state);
  const [id = ""] = await desk.table.insert([{ ...given, state: isNative ? (state as NativeState) : "pending" }]);
  if (isNative) return id;
  if (state === "dead" && !desk.store.capabilities.relays) {
    await desk.act("dead-letter", id);
    return id;
  }
  const outcome: MessageOutcome | null = state === "failed" ? failed(AN_HOUR_MS) : state === "dead" ? DEAD : null;
  await publishAlone(desk, id, outcome);
  return id;
}

async function publishAlone(
  { outbox, relay }: Pick<OperatorDesk, "outbox" | "relay">,
  id: string,
  outcome: MessageOutcome | null,
): Promise<void> {
  const hand = await relay();
  const { rows } = await outbox.read.list({ filter: { state: "unsent" }, limit: 1000 });
  const claim = await hand.claim({ excludeIds: rows.map((row) => row.id).filter((other) => other !== id) });
  expect(claim.messages.map((message) => message.id)).toEqual([id]);
  if (outcome) await hand.settle(claim, outcome);
}

function lasting(message: StoredMessage | null): StoredMessage | null {
  const passing = new Set(["asOf", "ageSeconds"]);
  return JSON.parse(JSON.stringify(message, (key, value) => (passing.has(key) ? undefined : value)));
}

async function expectStates({ read }: OutboxStore, expected: ReadonlyMap<string, MessageState>): Promise<void> {
  const { counts } = await read.figures();
  for (const state of MESSAGE_STATES) {
    const { rows } = await read.list({ filter: { state }, limit: 1000 });
    expect(counts[state], state).toEqual({ value: rows.length, precision: "exact" });
    const listed = rows.map(({ id }) => id).filter((id) => expected.has(id));
    expect(listed.sort(), state).toEqual([...expected.keys()].filter((id) => expected.get(id) === state).sort());
  }
  for (const [id, state] of expected) expect((await read.message(id))?.row).toMatchObject({ id, state });
}

/** A message as a person sees it, without the values that every change renews. */
export function known({ message }: Photo): unknown {
  const { version: _version, archivedAt: _archivedAt, ...row } = message?.row ?? {};
  return { row, content: message?.content, attempts: message?.history.attempts, first: message?.history.firstError };
}
