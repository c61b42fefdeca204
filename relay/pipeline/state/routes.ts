import type { OrderKey, OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { RouteOutage } from "#db/stores/port/relay/route-outage.ts";
import type { Refund } from "#db/stores/port/relay/settle.ts";
import type { Failure } from "#domain/failure.ts";
import type { DatabaseClock } from "#relay/clock/database-clock.ts";
import { Breaker } from "./breaker.ts";
import { laneNameOf } from "./lanes/lane-name.ts";

/** Before a route or the sink is at fault: with fewer failing aggregates, their messages may be. */
export const LEAST_FAILING_AGGREGATES = 3;
/** Most failing aggregates remembered per route: enough to judge it and to give their attempts back. */
const MOST_FAILED = 1000;

/** Most event types whose last success is remembered. */
const MOST_TYPES = 10_000;
const RIGHT_BEFORE_MS = 10_000;
/** A failure that no other of the route followed for so long explains nothing any more. */
const OLD_MS = 30 * 60_000;
/** Most routes remembered. With a topic for each aggregate, every message that fails for good has its own. */
const MOST_ROUTES = 1000;

export type Routable = Pick<OutgoingMessage, "id" | "aggregateKey" | "eventType" | "order">;

/** A message that waits for its route. */
export interface WaitingMessage {
  id: string;
  aggregateKey: string | null;
  order: OrderKey;
}

/** State of one event type, or of one topic for messages without an event type. */
export interface Route {
  readonly kind: RouteOutage["kind"];
  readonly name: string;
  readonly breaker: Breaker;
  /** The first failure since the last success; null when the last one succeeded. */
  firstFailedMs: number | null;
  lastFailedMs: number;
  lastFailure: Failure | null;
  /** Aggregates (or messages without one) that failed since the last success. */
  readonly failed: Map<string, WaitingMessage>;
  /** By message id: attempts that were written as failed since the last success. */
  readonly written: Map<string, Refund>;
  /** The first waiting message of each aggregate, by aggregate; without one, by its id. */
  readonly waiting: Map<string, WaitingMessage>;
  /** Id of the message that probes it. */
  probeId: string | null;
}

/**
 * Distinguishes a failing route from a failing sink: all messages of one event type fail, of at least three aggregates,
 * while others get through. Pure bookkeeping; RouteKeeper acts on it.
 */
export class Routes {
  readonly #routes = new Map<string, Route>();
  /** Latest start of a successful try by route, kept while some route fails. */
  readonly #successes = new Map<string, number>();
  /** Time of each event type's last success, always kept. */
  readonly #lastSuccess = new Map<string | null, number>();
  /** The last of them: those of one call to the sink have one time, and mostly one type. */
  #noted: { eventType: string | null; atMs: number } = { eventType: null, atMs: Number.NEGATIVE_INFINITY };
  readonly #topicOf: (message: OutgoingMessage) => string | null;

  constructor(topicOf: (message: OutgoingMessage) => string | null = () => null) {
    this.#topicOf = topicOf;
  }

  get size(): number {
    return this.#routes.size;
  }
  /** True if some route fails or is held back, so that successes must be noted. */
  get troubled(): boolean {
    return this.#routes.size > 0;
  }
  open(): Route[] {
    return [...this.#routes.values()].filter(({ breaker }) => breaker.isOpen);
  }
  /** The open route of a message; null when it may go out. */
  openRouteOf(message: Routable): Route | null {
    if (this.#routes.size === 0) return null;
    const route = this.#routes.get(this.#keyOf(message));
    return route?.breaker.isOpen ? route : null;
  }
  isOf(message: Routable, route: Route): boolean {
    return this.#routes.get(this.#keyOf(message)) === route;
  }

  /** Begins a new term, which will find the held messages of its own partitions again. */
  beginTerm(): void {
    for (const route of this.#routes.values()) {
      route.waiting.clear();
      route.written.clear();
      route.probeId = null;
      if (route.breaker.probing) route.breaker.probeAborted();
    }
  }

  /** Notes a failure. Returns the route if it is to blame now, otherwise null. */
  failed(message: Routable, failure: Failure, atMs: number): Route | null {
    const key = this.#keyOf(message);
    if (key === "") return null;
    const route = this.#routes.get(key) ?? this.#create(message, key);
    if (!route.breaker.isOpen && atMs - route.lastFailedMs > OLD_MS) forgetFailures(route);
    route.firstFailedMs ??= atMs;
    route.lastFailedMs = atMs;
    route.lastFailure = failure;
    const { id, aggregateKey, order } = message;
    const name = laneNameOf(message);
    if (route.failed.size < MOST_FAILED && !route.failed.has(name)) route.failed.set(name, { id, aggregateKey, order });
    return this.#isToBlame(route, key) ? route : null;
  }

  /** A message got through at `atMs`. Called for every one, so it must be cheap. */
  noteSuccess({ eventType }: Routable, atMs: number): void {
    if (eventType === this.#noted.eventType && atMs === this.#noted.atMs) return;
    this.#noted = { eventType, atMs };
    if (this.#lastSuccess.size > MOST_TYPES) this.#lastSuccess.clear();
    this.#lastSuccess.set(eventType, atMs);
  }

  /**
   * The only failing route, if others got through just before. For a failing sink that no other event type can probe.
   */
  onlyOneFailing(): Route | null {
    const failing = [...this.#routes.values()].filter(({ failed }) => failed.size > 0);
    const [route] = failing;
    if (!route || failing.length > 1 || route.kind !== "event_type" || route.breaker.isOpen) return null;
    const { failed, firstFailedMs, name } = route;
    if (firstFailedMs === null || failed.size < LEAST_FAILING_AGGREGATES) return null;
    const others = [...this.#lastSuccess].filter(([type]) => type !== name);
    return others.some(([, atMs]) => firstFailedMs - atMs < RIGHT_BEFORE_MS) ? route : null;
  }

  /**
   * The route of a message whose failure says that its topic, queue or stream is at fault: one such failure is enough,
   * unless messages of the type got through shortly before, as where only one of its topics is missing.
   */
  atFault(message: Routable, failedMs: number): Route | null {
    const route = this.#routes.get(this.#keyOf(message));
    if (!route || route.breaker.isOpen || route.firstFailedMs === null) return null;
    const lastMs = this.#lastSuccess.get(message.eventType) ?? Number.NEGATIVE_INFINITY;
    return route.kind === "event_type" && failedMs - lastMs < RIGHT_BEFORE_MS ? null : route;
  }

  /** An attempt of the message was written as failed; `charged`: whether it used up an attempt. */
  wrote(message: Routable, charged: boolean): void {
    const route = this.#routes.get(this.#keyOf(message));
    if (!route || route.written.size >= MOST_FAILED) return;
    const { id } = message;
    const known = route.written.get(id) ?? { id, tries: 0, charged: 0 };
    route.written.set(id, { id, tries: known.tries + 1, charged: known.charged + (charged ? 1 : 0) });
  }
  /** These of its attempts were refunded, the last ones; earlier ones may still turn out to be the route's fault. */
  refunded(message: Routable, { tries, charged }: Pick<Refund, "tries" | "charged">): void {
    const written = this.#routes.get(this.#keyOf(message))?.written;
    const known = written?.get(message.id);
    if (!known) return;
    if (known.tries <= tries) written?.delete(message.id);
    else
      written?.set(message.id, { ...known, tries: known.tries - tries, charged: Math.max(0, known.charged - charged) });
  }
  /** It is dead. */
  forgetWritten(message: Routable): void {
    this.#routes.get(this.#keyOf(message))?.written.delete(message.id);
  }

  /**
   * Notes a success whose try began at `startedMs`. `closed`: the message's own route, if it was held back and the try
   * began after its first failure. `toBlame`: routes shown to be at fault, since another one works.
   */
  succeeded(message: Routable, startedMs: number): { closed: Route | null; toBlame: Route[] } {
    if (this.#routes.size === 0) return { closed: null, toBlame: [] };
    const key = this.#keyOf(message);
    this.#successes.set(key, Math.max(startedMs, this.#successes.get(key) ?? startedMs));
    const own = this.#routes.get(key);
    const closed = own?.breaker.isOpen && startedMs > (own.firstFailedMs ?? 0) ? own : null;
    if (own && !own.breaker.isOpen) this.#forget(key, own);
    const toBlame = [...this.#routes].flatMap(([name, route]) => (this.#isToBlame(route, name) ? [route] : []));
    return { closed, toBlame };
  }

  /**
   * If a message of a failing route got through as the sink recovered, the outage was the cause for all routes that are
   * not held.
   */
  sinkRecovered(message: Routable): void {
    if (!this.#routes.has(this.#keyOf(message))) return;
    for (const [key, route] of this.#routes) if (!route.breaker.isOpen) this.#forget(key, route);
  }

  close(route: Route, nowMs: number): void {
    route.breaker.close(nowMs);
    route.probeId = null;
    route.waiting.clear();
    forgetFailures(route);
  }

  outages(nowMs: number, clock: DatabaseClock): RouteOutage[] {
    const found = this.open().flatMap(({ kind, name, breaker, waiting }) => {
      const snapshot = breaker.snapshot(nowMs, clock);
      return snapshot ? [{ kind, name, ...snapshot, aggregates: waiting.size }] : [];
    });
    return found.sort((left, right) => (left.since < right.since ? -1 : 1));
  }

  /**
   * Removes routes that work again, or of which nothing was tried for long, once a relapse would no longer continue
   * their last outage.
   */
  tidy(nowMs: number): void {
    for (const [key, route] of this.#routes) {
      const isOver = route.firstFailedMs === null || nowMs - route.lastFailedMs > OLD_MS;
      if (isOver && !route.breaker.isOpen && !route.breaker.mayRelapse(nowMs)) this.#routes.delete(key);
    }
    if (this.#routes.size === 0) this.#successes.clear();
  }

  #forget(key: string, route: Route): void {
    forgetFailures(route);
    if (!route.breaker.mayRelapse(performance.now())) this.#routes.delete(key);
    if (this.#routes.size === 0) this.#successes.clear();
  }

  #create(message: Routable, key: string): Route {
    const { eventType } = message;
    const [kind, name] =
      eventType === null ? (["topic", key.slice(TOPIC.length)] as const) : (["event_type", eventType] as const);
    const route: Route = {
      kind,
      name,
      breaker: new Breaker(),
      firstFailedMs: null,
      lastFailedMs: Number.NEGATIVE_INFINITY,
      lastFailure: null,
      failed: new Map(),
      written: new Map(),
      waiting: new Map(),
      probeId: null,
    };
    if (this.#routes.size >= MOST_ROUTES) this.#dropOne();
    this.#routes.set(key, route);
    return route;
  }

  /** The first that holds nothing back. */
  #dropOne(): void {
    for (const [key, { breaker }] of this.#routes) {
      if (breaker.isOpen) continue;
      this.#routes.delete(key);
      return;
    }
  }

  #isToBlame({ breaker, failed, firstFailedMs }: Route, key: string): boolean {
    if (breaker.isOpen || firstFailedMs === null || failed.size < LEAST_FAILING_AGGREGATES) return false;
    for (const [other, startedMs] of this.#successes) if (other !== key && startedMs > firstFailedMs) return true;
    return false;
  }

  /** Empty without a route. Without an event type an aggregate is needed, because topics only hold back aggregates. */
  #keyOf(message: Routable): string {
    if (message.eventType !== null) return TYPE + message.eventType;
    // A waiting retry has no topic, because only its place is in memory.
    const topic = message.aggregateKey !== null && isWhole(message) ? this.#topicOf(message) : null;
    return topic === null ? "" : TOPIC + topic;
  }
}

function forgetFailures(route: Route): void {
  route.failed.clear();
  route.written.clear();
  route.firstFailedMs = null;
}

function isWhole(message: Routable): message is OutgoingMessage {
  return "payloadKind" in message;
}

const TYPE = "event_type ";
const TOPIC = "topic ";
