import { ClientError } from "../errors.ts";
import type { EventRegistry } from "../events/define-events.ts";
import { type ReceivedEvent, readEvent } from "../inbox/read-event.ts";
import { requireId } from "../inbox/require-id.ts";
import type { ReceivedMessage } from "../messages/received-message.ts";
import { type Duration, toMs } from "../outbox/duration.ts";
import { requireOneOf, requireOptions, requireRegistry } from "../require-options.ts";
import { BEGIN, FINISH, GIVE_BACK, type RunScript } from "./redis-scripts.ts";

export { type IoredisLike, ioredis, type NodeRedisLike, nodeRedis, type RunScript } from "./redis-scripts.ts";

export interface ExpiringDedupeOptions {
  /** `ioredis(client)`, `nodeRedis(client)`, or a function of your own. */
  via: RunScript;
  /** Name of this consumer: each remembers for itself. */
  consumer: string;
  /**
   * How long a message is remembered. A repeat that comes later is processed again: choose longer than repeats may
   * take.
   */
  keepFor: Duration;
  /**
   * How long others stay away while `work` runs; one minute by default. If work takes longer, another delivery may run
   * too; if the process dies, the message waits for the rest of this time.
   */
  holdFor?: Duration;
  /** Treatment of a type that the registry lacks; `refuse` by default. */
  unknownTypes?: "refuse" | "skip";
  /** Begins the keys; `outbox-dedupe:` by default. */
  prefix?: string;
}

const OPTIONS = [
  "via",
  "consumer",
  "keepFor",
  "holdFor",
  "unknownTypes",
  "prefix",
] satisfies (keyof ExpiringDedupeOptions)[];

/**
 * `processed`: the work is done; acknowledge. `remembered: false`: Redis did not answer afterwards, so a repeat is
 * processed again. `overtaken`: the work took longer than `holdFor`, so another delivery may have run as well.
 * `duplicate`, `skipped`: acknowledge. `in_progress`: another delivery runs and may still fail; do NOT acknowledge.
 */
export type MostlyOnceResult<T> =
  | { outcome: "processed"; duplicate: false; result: T; remembered: boolean; overtaken: boolean }
  | { outcome: "duplicate"; duplicate: true; result?: undefined }
  | { outcome: "skipped"; duplicate: false; result?: undefined }
  | { outcome: "in_progress"; duplicate: false; result?: undefined };

/**
 * Deduplication that forgets: for effects that may happen twice now and then, such as an invalidated cache or a mail.
 * It is not the inbox: mark and effect are two systems, and nothing makes them one.
 */
export interface ExpiringDedupe<R extends EventRegistry> {
  /**
   * Runs `work` at least once, and as a rule once. It runs again if the process dies between work and mark, if Redis
   * loses the mark (failover, eviction, restart), after `keepFor`, and beyond `holdFor`. If `work` or Redis fails
   * before the work has ended it rejects, and the next delivery may begin at once.
   */
  mostlyOnce<T>(message: ReceivedMessage, work: (event: ReceivedEvent<R>) => Promise<T>): Promise<MostlyOnceResult<T>>;
}

export function expiringDedupe<R extends EventRegistry>(events: R, options: ExpiringDedupeOptions): ExpiringDedupe<R> {
  requireRegistry("expiringDedupe", events);
  requireOptions("expiringDedupe", options ?? {}, OPTIONS);
  const { via, consumer, unknownTypes = "refuse", prefix = "outbox-dedupe:", ...times } = options ?? {};
  requireOneOf("The option unknownTypes of expiringDedupe", unknownTypes, ["refuse", "skip"]);
  if (typeof via !== "function")
    throw new ClientError(
      "invalid_input",
      "expiringDedupe needs the option via: ioredis(client) or nodeRedis(client).",
    );
  if (typeof consumer !== "string" || consumer === "")
    throw new ClientError("invalid_input", "The deduplication needs the consumer's name.");
  // The consumer `a:b` with the id `c` would have the key of the consumer `a` with the id `b:c`.
  const name = consumer.replaceAll(/[%:]/g, encodeURIComponent);
  const keepMs = wholeMs("keepFor", times.keepFor);
  const holdMs = wholeMs("holdFor", times.holdFor ?? "1m");
  return {
    mostlyOnce: async (message, work) => {
      requireId(message);
      const { id, type } = message;
      if (unknownTypes === "skip" && type !== null && !events.has(type))
        return { outcome: "skipped", duplicate: false };
      const key = `${prefix}${name}:${id}`;
      const token = crypto.randomUUID();
      const turn = await via(BEGIN, key, [token, holdMs]);
      if (turn === "duplicate") return { outcome: "duplicate", duplicate: true };
      if (turn !== "ours") return { outcome: "in_progress", duplicate: false };
      const result = await orGiveBack(
        async () => work(await readEvent(events, message, { known: false, why: "not_watched" })),
        () => via(GIVE_BACK, key, [token]),
      );
      // The work is done: an error after this point would only cause it to be repeated.
      const wasHeld = await via(FINISH, key, [token, keepMs]).catch(() => null);
      return {
        outcome: "processed",
        duplicate: false,
        result,
        remembered: wasHeld !== null,
        overtaken: wasHeld !== null && Number(wasHeld) !== 1,
      };
    },
  };
}

async function orGiveBack<T>(work: () => Promise<T>, giveBack: () => Promise<unknown>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // If this fails too, the next delivery waits until the hold has expired.
    await giveBack().catch(() => undefined);
    throw error;
  }
}

function wholeMs(name: string, duration: Duration): string {
  const ms = Math.floor(toMs(duration));
  if (ms < 1) throw new ClientError("invalid_input", `${name} must be at least a millisecond.`);
  return String(ms);
}
