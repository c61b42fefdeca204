import { afterEach, beforeEach } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import type { Claim, ClaimRequest } from "../../port/relay/claim.ts";
import { type AcquiredLease, LeaseLostError } from "../../port/relay/lease.ts";
import type { OutgoingMessage } from "../../port/relay/outgoing-message.ts";
import type { MessageOutcome, SettleResult } from "../../port/relay/settle.ts";
import type { OutboxStore, RelayTableSettings, Store } from "../../port/store.ts";
import { openOutbox, openRelayHand, READ_ALL, type RelayHand } from "../open-outbox.fixture.ts";
import type {
  DatabaseOptions,
  DatabaseUnderTest,
  Layout,
  OutboxUnderTest,
  StoreUnderTest,
} from "../store-under-test.fixture.ts";

export const AN_HOUR_MS = 3_600_000;

/** A database with one outbox, and relays over it that are closed after the test. */
export interface RelayStage {
  readonly database: DatabaseUnderTest;
  readonly store: Store;
  readonly table: OutboxUnderTest;
  readonly outbox: OutboxStore;
  /** A relay of the store; has no lease yet. */
  relay(owner?: string, settings?: Partial<RelayTableSettings>): RelayHand;
  /** A relay as in a new process, with its own store. */
  newProcess(owner: string): Promise<RelayProcess>;
  /** A relay that owns the whole outbox. */
  owner(owner?: string, settings?: Partial<RelayTableSettings>): Promise<RelayHand>;
}

export interface RelayProcess {
  readonly hand: RelayHand;
  readonly outbox: OutboxStore;
  /** Closes the relay. */
  end(): Promise<void>;
}

/** A stage for every test of a `describe`. */
export function stageRelays(engine: StoreUnderTest, layout: Layout, options: DatabaseOptions = {}): RelayStage {
  let database: DatabaseUnderTest;
  let store: Store;
  let table: OutboxUnderTest;
  let outbox: OutboxStore;
  let hands: RelayHand[] = [];

  beforeEach(async () => {
    database = await engine.createDatabase(options);
    store = database.openStore();
    table = await database.createOutbox(layout);
    outbox = await openOutbox(store, table);
  });
  afterEach(async () => {
    await Promise.all(hands.map((hand) => hand.table.close()));
    hands = [];
    await database.drop();
  });

  const keep = (hand: RelayHand) => {
    hands.push(hand);
    return hand;
  };
  const relay: RelayStage["relay"] = (owner, settings) => keep(openRelayHand(outbox, owner, settings));
  return {
    get database() {
      return database;
    },
    get store() {
      return store;
    },
    get table() {
      return table;
    },
    get outbox() {
      return outbox;
    },
    relay,
    newProcess: async (owner) => {
      const opened = await openOutbox(database.openStore(), table);
      const hand = keep(openRelayHand(opened, owner));
      const end = async () => {
        hands = hands.filter((one) => one !== hand);
        await hand.table.close();
      };
      return { hand, outbox: opened, end };
    },
    owner: async (owner, settings) => {
      const hand = relay(owner, settings);
      if (!(await hand.acquire())) throw new Error("The lease is not free.");
      return hand;
    },
  };
}

export const idsOf = (claim: Claim | null): string[] => claim?.messages.map(({ id }) => id) ?? [];

/** Ids of a claim of new messages; none when nothing was found. */
export async function claimIds(hand: RelayHand, fields: Partial<ClaimRequest> = {}): Promise<string[]> {
  const { claim } = await hand.table.claimNew({ ...READ_ALL, lease: hand.lease, ...fields });
  return idsOf(claim);
}

export function claimRetries(hand: RelayHand, limit = 100): Promise<Claim | null> {
  return hand.table.claimDueRetries({ lease: hand.lease, limit, excludeIds: [] });
}

/** One outcome for each message of a claim, which ends it. */
export function settleEach(
  hand: RelayHand,
  claim: Claim,
  outcomeOf: (message: OutgoingMessage) => MessageOutcome,
  more: { afterDoubt?: boolean } = {},
): Promise<SettleResult> {
  return hand.table.settle({
    lease: hand.lease,
    entries: claim.messages.map((message) => ({ token: claim.token, message, outcome: outcomeOf(message) })),
    endedTokens: [claim.token],
    afterDoubt: more.afterDoubt ?? false,
  });
}

/** Lets the term of a relay run out, as when its process has died. */
export async function runOut(hand: RelayHand): Promise<void> {
  if (!(await hand.table.renewLease({ ...hand.lease, leaseMs: 1 }))) throw new Error("The term was over before.");
}

/** Takes the lease as soon as it is free. */
export function takeOver(hand: RelayHand, more: Parameters<RelayHand["acquire"]>[0] = {}): Promise<AcquiredLease> {
  return waitFor(() => hand.acquire(more), { message: "the lease is free" });
}

/** The relay dies, and another takes its lease over. */
export async function dieFor(dead: RelayHand, next: RelayHand): Promise<AcquiredLease> {
  await runOut(dead);
  return takeOver(next);
}

export async function isLeaseLost(work: () => Promise<unknown>): Promise<boolean> {
  return work().then(
    () => false,
    (error: unknown) => {
      if (error instanceof LeaseLostError) return true;
      throw error;
    },
  );
}

/** Number of messages in flight, as the console counts them. */
export async function inFlight(outbox: OutboxStore): Promise<number> {
  return (await outbox.read.figures()).counts.in_flight.value;
}
