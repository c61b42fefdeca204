import { setTimeout as delay } from "node:timers/promises";
import type { ServiceContext } from "#services/context.ts";
import { getMessage } from "#services/messages/get-message.ts";
import { performOperation } from "#services/operations/perform-operation.ts";
import { pauseRelay, resumeRelay } from "#services/relays/pause-relay.ts";
import { waitFor } from "#tests/wait-for.ts";
import type { Step } from "../schedule.ts";
import type { OperatorVerb } from "../stores/chaos-store.ts";
import { OUTBOX } from "../world/relay-config.ts";
import type { World } from "../world/world.ts";
import type { Action } from "./action.ts";

const RETRIED_AT_ONCE = 30;
const RETRY_PAUSE_MS = 1000;
const RESUME_WITHIN_MS = 60_000;

function context({ runtime }: World): ServiceContext {
  return { runtime, actor: { name: "olga", role: "operator" }, requestId: "chaos" };
}

/** Uses the same services as the console's buttons. A message counts as touched as soon as an act on it begins. */
export function actOnMessages(action: OperatorVerb): Action {
  return async (world, { kind, amount }) => {
    const { store, runtime, log, touched } = world;
    const over = log.begin(kind);
    try {
      const candidates = await store.candidates(action, amount);
      if (candidates.length === 0) return false;
      const targets = await Promise.all(
        candidates.map(async ({ id, eventId }) => {
          touched.add(eventId);
          const { message } = await getMessage({ runtime, outbox: OUTBOX, id });
          return { id, version: message.version };
        }),
      );
      const done = await performOperation({
        ctx: context(world),
        outbox: OUTBOX,
        request: { action, targets, reason: "chaos" },
        idempotencyKey: null,
      });
      log.note("operation", {
        action,
        outcomes: done.outcomes.map(({ id, outcome, code }) => ({ id, outcome, code })),
      });
      return done.done > 0;
    } catch (error) {
      log.note("fault-failed", { kind, error: String(error) });
      return false;
    } finally {
      over();
    }
  };
}

/** Repeatedly retries some of the many dead messages that stay in the table. */
export async function retryDead(world: World, over: AbortSignal): Promise<void> {
  const step: Step = { kind: "operator-retry", atMs: 0, slot: 0, forMs: 0, amount: RETRIED_AT_ONCE };
  while (!over.aborted) {
    await actOnMessages("retry")(world, step);
    await delay(RETRY_PAUSE_MS, undefined, { signal: over }).catch(() => undefined);
  }
}

export async function pauseForAWhile(world: World, { forMs }: Step): Promise<boolean> {
  const { log } = world;
  const ctx = context(world);
  const over = log.begin("operator-pause");
  try {
    await pauseRelay({ ctx, outbox: OUTBOX, request: { reason: "chaos", minutes: null } });
  } catch (error) {
    log.note("fault-failed", { kind: "operator-pause", error: String(error) });
    over();
    return false;
  }
  await delay(forMs);
  await waitFor(() => resumed(world, ctx), { timeoutMs: RESUME_WITHIN_MS, intervalMs: 100, message: "it is resumed" });
  over();
  return true;
}

/** Two pauses may overlap; the first resume ends both. */
async function resumed({ store }: World, ctx: ServiceContext): Promise<boolean> {
  await resumeRelay({ ctx, outbox: OUTBOX, request: { reason: "chaos" } }).catch(() => undefined);
  return (await store.countPauses()) === 0;
}
