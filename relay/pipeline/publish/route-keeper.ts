import type { Claim } from "#db/stores/port/relay/claim.ts";
import type { OrderKey, OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { laneNameOf } from "../state/lanes/lane-name.ts";
import type { ClaimedMessage, Lanes } from "../state/lanes/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import type { Release } from "../state/release.ts";
import type { Retries } from "../state/retries.ts";
import type { Routable, Route, Routes, WaitingMessage } from "../state/routes.ts";
import type { Watermark } from "../state/watermark.ts";
import type { Withheld } from "../state/withheld.ts";

export interface RouteState {
  lanes: Lanes;
  watermark: Watermark;
  withheld: Withheld;
  release: Release;
  retries: Retries;
  routes: Routes;
}

export interface RouteEvents {
  /** Takes in a message that probes its route although the route holds. */
  accept: (claim: Claim) => void;
  /** True if something other than its route holds it back: a pause, or quarantine. */
  waits: (message: Pick<OutgoingMessage, "id" | "eventType" | "aggregateKey">) => boolean;
  /** True for a message that may only be published alone. */
  quarantined: (id: string) => boolean;
  /** Messages go back to the table, unsent. */
  giveBack: (messages: ClaimedMessage[]) => void;
  /** Messages that waited may be read again. */
  wake: () => void;
}

/**
 * A route without known waiting messages, or with none but those that wait for quarantine, is closed after this time.
 */
const NOTHING_WAITS_MS = 15_000;
/** Most messages tried for one probe, the last of which is the newest; those that are gone are skipped. */
const MOST_ASKED = 20;

/**
 * Holds back the messages of a route at fault, and later ones of their aggregates; all others flow. One message at a
 * time probes the route, each of another aggregate. Works like a paused event type, except that the relay begins and
 * ends it.
 */
export class RouteKeeper {
  readonly #context: PipelineContext;
  readonly #state: RouteState;
  readonly #events: RouteEvents;
  readonly #emptySinceMs = new Map<Route, number>();

  constructor(context: PipelineContext, state: RouteState, events: RouteEvents) {
    this.#context = context;
    this.#state = state;
    this.#events = events;
    state.routes.beginTerm();
    this.#tellTable();
  }

  /** Holds the route back from now on. `failed`: its failed messages in memory whose outcome was open. */
  begin(route: Route, failed: readonly ClaimedMessage[]): void {
    const { lastFailure, firstFailedMs, breaker } = route;
    if (!lastFailure || !breaker.open(lastFailure, performance.now(), firstFailedMs ?? undefined)) return;
    // Only these aggregates may fail, as when one tenant's receiver is down.
    breaker.noteAggregates(route.failed.keys());
    const { kind, name } = route;
    const facts = { [kind]: name, code: lastFailure.code, error: lastFailure.message };
    this.#context.log.warn(facts, "every delivery of this route fails while others get through: holding it back");
    this.#tellTable();
    for (const before of route.failed.values()) this.#hold(route, before);
    for (const claimed of failed) this.#hold(route, claimed.message);
    const { lanes, routes } = this.#state;
    for (const claimed of lanes.firstOf((message) => routes.isOf(message, route))) {
      this.#hold(route, claimed.message);
      this.#events.giveBack(lanes.cutFrom(claimed));
    }
  }

  /**
   * The route works: releases its messages. Reads excluded all its messages without an aggregate, also those that were
   * never read, so all rows are read again for them.
   */
  end(route: Route): void {
    const { release, watermark, routes } = this.#state;
    const { kind, name } = route;
    this.#context.log.info({ [kind]: name }, "the route works again");
    const others = routes.open().filter((other) => other !== route);
    const keys = [...route.waiting.values()].map(({ aggregateKey }) => aggregateKey);
    routes.close(route, performance.now());
    this.#emptySinceMs.delete(route);
    this.#tellTable();
    for (const key of keys)
      if (key !== null && !others.some(({ waiting }) => waiting.has(key))) release.free(key, "route");
    if (keys.length === 0 || keys.includes(null)) watermark.reset();
    this.#events.wake();
  }

  waits(message: Routable): boolean {
    return this.#state.routes.openRouteOf(message) !== null;
  }

  /** A message was found in the table and not claimed: if its route is held back, it waits. */
  meet(message: Routable): void {
    const route = this.#state.routes.openRouteOf(message);
    if (route) this.#hold(route, message);
  }

  /** True if the message and those after it in its aggregate must wait; earlier ones go on. */
  stops({ message, retry }: ClaimedMessage): boolean {
    const { routes, withheld } = this.#state;
    const route = routes.openRouteOf(message);
    if (route) {
      if (route.probeId === message.id) return false;
      this.#hold(route, message);
      if (retry) this.#retryLater(route, message);
      return true;
    }
    const { aggregateKey } = message;
    return !retry && aggregateKey !== null && withheld.isWithheldFor(aggregateKey, "route");
  }

  /** Postpones a retry until the route's next probe. Claims cannot exclude retries by topic. */
  #retryLater({ breaker }: Route, { id, aggregateKey, eventType, order }: OutgoingMessage): void {
    const nowMs = performance.now();
    const dueAtMs = nowMs + Math.min(Math.max(breaker.probeInMs(nowMs), 500), 10_000);
    this.#state.retries.add(id, { aggregateKey, eventType, order, dueAtMs });
  }

  /** Gives back a message that failed on a route at fault, and those after it. */
  giveBack(route: Route, claimed: ClaimedMessage): void {
    this.#hold(route, claimed.message);
    this.#events.giveBack([claimed, ...this.#state.lanes.empty(claimed.lane)]);
  }

  /** True if a failed message that is due must wait for its route. */
  stopsRetry(id: string): boolean {
    const { retries, routes } = this.#state;
    const waiting = routes.troubled ? retries.get(id) : undefined;
    if (!waiting?.order) return false;
    const { aggregateKey, eventType, order } = waiting;
    return routes.openRouteOf({ id, aggregateKey, eventType, order }) !== null;
  }

  /** Probes the routes that are due. Returns the wait until the next probe, ms; Infinity if there is none. */
  async step(nowMs: number): Promise<number> {
    const { routes } = this.#state;
    if (!routes.troubled) return Number.POSITIVE_INFINITY;
    routes.tidy(nowMs);
    let nextMs = Number.POSITIVE_INFINITY;
    for (const route of routes.open()) {
      this.#endLostProbe(route);
      if (route.breaker.probeInMs(nowMs) <= 0) await this.#probe(route, nowMs);
      nextMs = Math.min(nextMs, Math.max(0, route.breaker.probeInMs(nowMs)));
    }
    return nextMs;
  }

  /** Ends a probe that has no result: it went back, or an operator ended its claim. */
  #endLostProbe(route: Route): void {
    if (route.probeId === null || this.#state.lanes.has(route.probeId)) return;
    route.probeId = null;
    if (route.breaker.probing) route.breaker.probeAborted();
  }

  async #probe(route: Route, nowMs: number): Promise<void> {
    const startedMs = performance.now();
    const inVain = new Set<string>();
    for (let asked = 1; asked <= MOST_ASKED; asked += 1) {
      const candidate = this.#candidate(route, inVain, asked === MOST_ASKED);
      if (!candidate) {
        this.#noteEmpty(route, nowMs);
        return;
      }
      const claim = await this.#claim(candidate);
      if (claim) {
        const [message] = claim.messages;
        if (message && this.#state.routes.isOf(message, route)) {
          route.probeId = message.id;
          route.breaker.beginProbe(laneNameOf(message));
        }
        this.#events.accept(claim);
        return;
      }
      // Not due yet by the database's clock: it waits for its route as before.
      if (this.#state.retries.has(candidate.id)) inVain.add(candidate.id);
      else this.#forget(route, candidate);
    }
    // These candidates are gone or not due. The next ones probe soon: of thousands that were deleted, each costs a
    // query.
    const endedMs = performance.now();
    route.breaker.probeAt(endedMs + endedMs - startedMs);
  }

  /** The message was published, deleted or made dead by another program: later ones of its aggregate are read again. */
  #forget(route: Route, { id, aggregateKey: key }: WaitingMessage): void {
    const { release, routes } = this.#state;
    route.waiting.delete(laneNameOf({ id, aggregateKey: key }));
    if (key === null || routes.open().some(({ waiting }) => waiting.has(key))) return;
    release.free(key, "route");
  }

  #noteEmpty(route: Route, nowMs: number): void {
    const sinceMs = this.#emptySinceMs.get(route) ?? nowMs;
    this.#emptySinceMs.set(route, sinceMs);
    route.breaker.probeLater(nowMs);
    if ([...route.waiting.values()].some((one) => !this.#waitsForQuarantine(one))) this.#emptySinceMs.delete(route);
    else if (nowMs - sinceMs > NOTHING_WAITS_MS) this.end(route);
  }

  /**
   * True for a message that waits for quarantine. Quarantine waits for the route as well, so it must not keep the route
   * held.
   */
  #waitsForQuarantine({ id, aggregateKey: key }: WaitingMessage): boolean {
    return this.#events.quarantined(id) || (key !== null && this.#state.withheld.isWithheldFor(key, "suspect"));
  }

  /**
   * The first message that has not probed yet and that only its route holds back; once all have probed, the first of
   * all. `inVain`: ids to skip. `last`: begins with those that were held back last.
   */
  #candidate(route: Route, inVain: ReadonlySet<string>, last: boolean): WaitingMessage | null {
    const probed = new Set(route.breaker.probed());
    const find = (skip: ReadonlySet<string>) => {
      const mayProbe = (one: WaitingMessage) =>
        !skip.has(laneNameOf(one)) && !inVain.has(one.id) && this.#isFree(one, route);
      const held = last ? [...route.waiting.values()].reverse() : route.waiting.values();
      for (const one of held) if (mayProbe(one)) return one;
      return this.#parked(route, mayProbe);
    };
    const found = find(probed);
    if (found || probed.size === 0) return found;
    route.breaker.forgetProbed();
    return find(new Set());
  }

  /** If the log is the only source, waiting messages are parked among the retries. */
  #parked(route: Route, mayProbe: (one: WaitingMessage) => boolean): WaitingMessage | null {
    if (route.kind !== "event_type") return null;
    for (const [id, { aggregateKey, eventType, order }] of this.#state.retries.entries()) {
      if (eventType !== route.name || !order) continue;
      const one = { id, aggregateKey, order };
      if (mayProbe(one)) return one;
    }
    return null;
  }

  #isFree({ id, aggregateKey: key, order }: WaitingMessage, route: Route): boolean {
    const { lanes, retries, withheld } = this.#state;
    if (lanes.has(id) || this.#waitsForItsTime(id, route)) return false;
    const eventType = route.kind === "event_type" ? route.name : null;
    if (this.#events.waits({ id, eventType, aggregateKey: key })) return false;
    if (key === null) return true;
    if (lanes.hasAggregate(key) || OTHER_REASONS.some((reason) => withheld.isWithheldFor(key, reason))) return false;
    if (this.#waitsForAnother(key, order, route)) return false;
    return !retries.earlier(key, order, this.#context.table.compareOrder);
  }

  /** True if its retry is not due yet. False for topics: `#retryLater` postpones their retries in memory only. */
  #waitsForItsTime(id: string, { kind }: Route): boolean {
    return kind === "event_type" && (this.#state.retries.get(id)?.dueAtMs ?? 0) > performance.now();
  }

  #waitsForAnother(key: string, order: OrderKey, route: Route): boolean {
    return this.#state.routes.open().some((other) => {
      const before = other === route ? undefined : other.waiting.get(key);
      return before !== undefined && this.#context.table.compareOrder(before.order, order) < 0;
    });
  }

  #claim(candidate: WaitingMessage): Promise<Claim | null> {
    const { lease, table } = this.#context;
    const { aggregateKey: key } = candidate;
    const from = key === null ? null : this.#state.withheld.leftFrom(key);
    return table.claimHead({ lease, message: candidate, from });
  }

  #hold(route: Route, { id, aggregateKey, order }: WaitingMessage): void {
    const { withheld } = this.#state;
    const name = laneNameOf({ id, aggregateKey });
    const known = route.waiting.get(name);
    if (!known || this.#context.table.compareOrder(order, known.order) < 0) {
      route.waiting.set(name, { id, aggregateKey, order });
    }
    if (aggregateKey !== null) withheld.withhold(aggregateKey, "route", order);
  }

  /** Excludes retries of open event types, and their messages without an aggregate, from claims. */
  #tellTable(): void {
    const types = this.#state.routes.open().filter(({ kind }) => kind === "event_type");
    this.#context.table.leaveOut(types.map(({ name }) => name));
  }
}

const OTHER_REASONS = ["paused", "paused_type", "suspect"] as const;
