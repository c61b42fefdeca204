import { setTimeout as delay } from "node:timers/promises";
import type { OutboxHandover } from "#db/stores/port/handover.ts";
import type { PauseRow } from "#db/stores/port/pauses.ts";
import { AppError } from "#domain/errors.ts";
import type { Actor } from "#domain/operator.ts";
import { RELAY_SILENT_SECONDS } from "../../diagnosis/settings-of.ts";
import type { OpenReplaySink } from "../../operations/bulk/replay/replay-sink.ts";
import { outboxOf } from "../../outboxes/outbox-of.ts";
import type { OutboxHandle, Runtime } from "../../runtime.ts";

export interface ChangeOver {
  runtime: Runtime;
  outbox: string;
  actor: Actor;
  /** Name of the slot that is made; by default after the outbox. */
  slot?: string | undefined;
  /** False: only prints the steps. */
  act: boolean;
  /** Prints a line for the person at the terminal. */
  say(line: string): void;
  openSink: OpenReplaySink;
}

export const ACTION = "relay.change_over";
/** Why the outbox is paused. The pause stays while a connector publishes, so that no relay does. */
export const PAUSE_REASON = "Change-over: no relay publishes while a connector of Debezium does";

const WHOLE = { scope: "outbox", subject: "" } as const;
const WAIT_MS = 60_000;
const LOOK_MS = 200;

/** Throws wrong_state where the store cannot be read by a connector of Debezium from an exact place on. */
export function handoverOf(handle: OutboxHandle): OutboxHandover {
  const { handover } = outboxOf(handle);
  if (handover) return handover;
  throw new AppError(
    "wrong_state",
    `An outbox in ${handle.store.kind} cannot be changed over: Debezium has no connector that reads it.`,
  );
}

/** The pause of the whole outbox; null if there is none. */
export async function pauseOf({ name, store }: OutboxHandle): Promise<PauseRow | null> {
  const { paused } = await store.records.relays(name);
  return paused.pauses.find(({ scope }) => scope === "outbox") ?? null;
}

export function isOurs(pause: PauseRow | null): boolean {
  return pause?.reason === PAUSE_REASON;
}

/** Throws wrong_state if another person has paused the outbox, because replacing that pause would lose its reason. */
export function requireNoOther(pause: PauseRow | null): void {
  if (pause === null || isOurs(pause)) return;
  throw new AppError(
    "wrong_state",
    `${pause.by} has paused outbox ${pause.outbox}: ${pause.reason}. End that pause first.`,
  );
}

export async function pauseFor({ actor }: ChangeOver, handle: OutboxHandle, detail: string): Promise<void> {
  await outboxOf(handle).act.pause({ subject: WHOLE, actor, reason: PAUSE_REASON, minutes: null, detail });
}

export async function endPause({ actor }: ChangeOver, handle: OutboxHandle, detail: string): Promise<void> {
  await outboxOf(handle).act.resume({ subject: WHOLE, actor, reason: PAUSE_REASON, detail });
}

/**
 * Resolves once no relay has a message of the paused outbox: every live relay has obeyed the pause, and the leases of
 * the others have expired. Throws wrong_state after a minute, with the relay that still works.
 */
export async function untilRelaysRest(handle: OutboxHandle, handover: OutboxHandover): Promise<void> {
  const why = await until(() => whyRelaysWork(handle, handover));
  if (why !== null) throw new AppError("wrong_state", `${why} after ${WAIT_MS / 1000} s. The outbox stays paused.`);
}

/** Asks until the answer is null; returns the last answer after a minute. */
export async function until(ask: () => Promise<string | null>): Promise<string | null> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const answer = await ask();
    if (answer === null || performance.now() >= deadline) return answer;
    await delay(LOOK_MS);
  }
}

const AT_REST = ["paused", "standby"];

async function whyRelaysWork({ name, store }: OutboxHandle, handover: OutboxHandover): Promise<string | null> {
  const { relays, leases, paused } = await store.records.relays(name);
  const pause = paused.pauses.find(({ scope }) => scope === "outbox");
  if (!pause) return "The pause was ended; relays publish";
  const alive = relays.filter(
    ({ state, heartbeatAgeSeconds }) => state !== "stopped" && heartbeatAgeSeconds < RELAY_SILENT_SECONDS,
  );
  const busy = alive.find(
    ({ state, heartbeatAt, inFlight }) => !AT_REST.includes(state) || heartbeatAt <= pause.at || inFlight > 0,
  );
  if (busy) return `Relay ${busy.id} has not obeyed the pause yet`;
  const silent = leases.find(({ owner, expired }) => !expired && owner !== "" && !alive.some(({ id }) => id === owner));
  if (silent) return `Relay ${silent.owner} is silent and its lease has not expired`;
  // Without a live relay, the claims of dead ones are not ended.
  if (alive.length > 0 && (await handover.claimed()) > 0) return "Messages are still in claims";
  return null;
}
