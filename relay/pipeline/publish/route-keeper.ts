import type { Claim } from "#db/stores/port/relay/claim.ts";
import type { OrderKey, OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Held, Lanes } from "../state/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import type { Retries } from "../state/retries.ts";
import { type HeldBack, nameOf, type Routable, type Route, type Routes } from "../state/routes.ts";
import type { Watermark } from "../state/watermark.ts";
import type { Withheld } from "../state/withheld.ts";

export interface RouteState {
  lanes: Lanes;
  watermark: Watermark;
  withheld: Withheld;
  retries: Retries;
  routes: Routes;
}

export interface RouteEvents {
  /** A message that may probe its route, although the route holds. */
  accept: (claim: Claim) => void;
  /** Held back by something other than its route: a pause, or a relay that died with it. */
  waits: (message: Pick<OutgoingMessage, "id" | "eventType" | "aggregateKey">) => boolean;
  /** Messages go back to the table, unsent. */
  giveBack: (messages: Held[]) => void;
  /** What waited may be read again. */
  wake: () => void;
}

/** A route of which nothing that waits is known is left alone for so long, and is then taken to be clear. */
const NOTHING_WAITS_MS = 15_000;
/** Messages that are asked for in one probe: those that an operator dealt with are passed over. */
const MOST_ASKED = 20;

/**
 * Holds back the messages of a route that is at fault, and what follows them in their aggregates; everything else flows.
 * One message at a time probes the route, each of another aggregate. Much as for an event type that is paused, but that
 * the relay itself begins and ends it.
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

  /** The route is to blame for what failed: it waits from now on. `failed`: its messages in memory whose outcome was open. */
  begin(route: Route, failed: readonly Held[]): void {
    const { lastFailure, firstFailedMs, breaker } = route;
    if (!lastFailure || !breaker.open(lastFailure, performance.now(), firstFailedMs ?? undefined)) return;
    const { kind, name } = route;
    const facts = { [kind]: name, code: lastFailure.code, error: lastFailure.message };
    this.#context.log.warn(facts, "every delivery of this route fails while others get through: holding it back");
    this.#tellTable();
    for (const before of route.failed.values()) this.#hold(route, before);
    for (const held of failed) this.#hold(route, held.message);
    const { lanes, routes } = this.#state;
    for (const held of lanes.firstOf((message) => routes.isOf(message, route))) {
      this.#hold(route, held.message);
      this.#events.giveBack(lanes.cutFrom(held));
    }
  }

  /** The route works: what waited for it is read again. */
  end(route: Route): void {
    const { watermark, withheld, routes } = this.#state;
    const { kind, name } = route;
    this.#context.log.info({ [kind]: name }, "the route works again");
    const others = routes.open().filter((other) => other !== route);
    for (const { aggregateKey: key } of route.held.values()) {
      if (key !== null && !others.some(({ held }) => held.has(key))) withheld.free(key, "route");
    }
    routes.close(route, performance.now());
    this.#emptySinceMs.delete(route);
    this.#tellTable();
    watermark.reset();
    this.#events.wake();
  }

  waits(message: Routable): boolean {
    return this.#state.routes.holding(message) !== null;
  }

  /** A message that waits for its route was met in the table, and was not claimed. */
  meet(message: Routable): void {
    const route = this.#state.routes.holding(message);
    if (route) this.#hold(route, message);
  }

  /** The message must wait, and what follows it in its aggregate: what comes before it goes on. */
  stops({ message, retry }: Held): boolean {
    const { routes, withheld } = this.#state;
    const route = routes.holding(message);
    if (route) {
      if (route.probeId === message.id) return false;
      this.#hold(route, message);
      if (retry) this.#retryLater(route, message);
      return true;
    }
    const { aggregateKey } = message;
    return !retry && aggregateKey !== null && withheld.isHeld(aggregateKey, "route");
  }

  /** Retries of a topic cannot be left out of the claims: they are not asked for before the next probe. */
  #retryLater({ breaker }: Route, { id, aggregateKey, eventType, order }: OutgoingMessage): void {
    const nowMs = performance.now();
    const dueAtMs = nowMs + Math.min(Math.max(breaker.probeInMs(nowMs), 500), 10_000);
    this.#state.retries.add(id, { aggregateKey, eventType, order, dueAtMs });
  }

  /** A message that failed while its route was found to be at fault goes back with what follows it. */
  giveBack(route: Route, held: Held): void {
    this.#hold(route, held.message);
    this.#events.giveBack([held, ...this.#state.lanes.empty(held.lane)]);
  }

  /** A failed message that is due waits for its route. */
  stopsRetry(id: string): boolean {
    const { retries, routes } = this.#state;
    const waiting = routes.troubled ? retries.get(id) : undefined;
    if (!waiting?.order) return false;
    const { aggregateKey, eventType, order } = waiting;
    return routes.holding({ id, aggregateKey, eventType, order }) !== null;
  }

  /** Probes the routes that are due. Returns how long to wait for the next, ms; Infinity without any. */
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

  /** A probe that went back, or whose claim was ended by an operator, has told nothing. */
  #endLostProbe(route: Route): void {
    if (route.probeId === null || this.#state.lanes.has(route.probeId)) return;
    route.probeId = null;
    if (route.breaker.probing) route.breaker.probeAborted();
  }

  async #probe(route: Route, nowMs: number): Promise<void> {
    const inVain = new Set<string>();
    for (let asked = 0; asked < MOST_ASKED; asked += 1) {
      const candidate = this.#candidate(route, inVain);
      if (!candidate) {
        this.#noteEmpty(route, nowMs);
        return;
      }
      const claim = await this.#claim(candidate);
      if (claim) {
        const [message] = claim.messages;
        if (message && this.#state.routes.isOf(message, route)) {
          route.probeId = message.id;
          route.breaker.beginProbe(nameOf(message));
        }
        this.#events.accept(claim);
        return;
      }
      // By the database's clock it is not due yet: it waits for its route as before.
      if (this.#state.retries.has(candidate.id)) inVain.add(candidate.id);
      else this.#forget(route, candidate);
    }
    route.breaker.probeLater(nowMs);
  }

  /** Published, dead or gone by someone else's hand: what follows it is read again. */
  #forget(route: Route, { id, aggregateKey: key }: HeldBack): void {
    const { watermark, routes, withheld } = this.#state;
    route.held.delete(nameOf({ id, aggregateKey: key }));
    if (key === null || routes.open().some(({ held }) => held.has(key))) return;
    const freed = withheld.free(key, "route");
    if (freed) watermark.rewind(freed.from);
  }

  #noteEmpty(route: Route, nowMs: number): void {
    const sinceMs = this.#emptySinceMs.get(route) ?? nowMs;
    this.#emptySinceMs.set(route, sinceMs);
    route.breaker.probeLater(nowMs);
    if (route.held.size > 0) this.#emptySinceMs.delete(route);
    else if (nowMs - sinceMs > NOTHING_WAITS_MS) this.end(route);
  }

  /**
   * The first that has not probed yet and that nothing but its route holds back; once all have probed, the first of all.
   * `inVain`: not these.
   */
  #candidate(route: Route, inVain: ReadonlySet<string>): HeldBack | null {
    const probed = new Set(route.breaker.probed());
    const find = (skip: ReadonlySet<string>) => {
      const mayProbe = (one: HeldBack) => !skip.has(nameOf(one)) && !inVain.has(one.id) && this.#isFree(one, route);
      for (const one of route.held.values()) if (mayProbe(one)) return one;
      return this.#parked(route, mayProbe);
    };
    const found = find(probed);
    if (found || probed.size === 0) return found;
    route.breaker.forgetProbed();
    return find(new Set());
  }

  /** Where the log is all there is to read, what waits is kept among the retries. */
  #parked(route: Route, mayProbe: (one: HeldBack) => boolean): HeldBack | null {
    if (route.kind !== "event_type") return null;
    for (const [id, { aggregateKey, eventType, order }] of this.#state.retries.entries()) {
      if (eventType !== route.name || !order) continue;
      const one = { id, aggregateKey, order };
      if (mayProbe(one)) return one;
    }
    return null;
  }

  #isFree({ id, aggregateKey: key, order }: HeldBack, route: Route): boolean {
    const { lanes, retries, withheld } = this.#state;
    if (lanes.has(id) || this.#waitsForItsTime(id, route)) return false;
    const eventType = route.kind === "event_type" ? route.name : null;
    if (this.#events.waits({ id, eventType, aggregateKey: key })) return false;
    if (key === null) return true;
    if (lanes.holds(key) || OTHER_REASONS.some((reason) => withheld.isHeld(key, reason))) return false;
    if (this.#waitsForAnother(key, order, route)) return false;
    return !retries.earlier(key, order, this.#context.table.compareOrder);
  }

  /** Retries of a topic are put off in memory only, by `#retryLater`: the database is asked for them. */
  #waitsForItsTime(id: string, { kind }: Route): boolean {
    return kind === "event_type" && (this.#state.retries.get(id)?.dueAtMs ?? 0) > performance.now();
  }

  #waitsForAnother(key: string, order: OrderKey, route: Route): boolean {
    return this.#state.routes.open().some((other) => {
      const before = other === route ? undefined : other.held.get(key);
      return before !== undefined && this.#context.table.compareOrder(before.order, order) < 0;
    });
  }

  #claim(candidate: HeldBack): Promise<Claim | null> {
    const { lease, table } = this.#context;
    const { aggregateKey: key } = candidate;
    const from = key === null ? null : this.#state.withheld.leftFrom(key);
    return table.claimHead({ lease, message: candidate, from });
  }

  #hold(route: Route, { id, aggregateKey, order }: HeldBack): void {
    const { withheld } = this.#state;
    const name = nameOf({ id, aggregateKey });
    const known = route.held.get(name);
    if (!known || this.#context.table.compareOrder(order, known.order) < 0) {
      route.held.set(name, { id, aggregateKey, order });
    }
    if (aggregateKey !== null) withheld.hold(aggregateKey, "route", order);
  }

  /** Retries of these types, and messages of them without an aggregate, stay where they are. */
  #tellTable(): void {
    const types = this.#state.routes.open().filter(({ kind }) => kind === "event_type");
    this.#context.table.leaveOut(types.map(({ name }) => name));
  }
}

const OTHER_REASONS = ["paused", "paused_type", "suspect"] as const;
