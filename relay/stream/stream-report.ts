import type { StreamState } from "#db/stores/port/relay/relay-heartbeat.ts";
import type { RelayStream, StreamStatus } from "#db/stores/port/relay/relay-stream.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { DatabaseClock, Moment } from "#relay/clock/database-clock.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import type { StreamSource } from "./stream-source.ts";

const ASK_TICKS = 5;
/** Status until the server was asked. */
const NOT_ASKED = { lag: null, state: "ok", detail: null, confirmed: null } as const;

/** The stream's state for the heartbeat. */
export class StreamReport {
  readonly #stream: RelayStream | undefined;
  #status: StreamStatus | null = null;
  /** Of the term that has just ended. */
  #last: StreamState | null = null;

  constructor(stream: RelayStream | undefined) {
    this.#stream = stream;
  }

  /** Called once a second; asks the server every ASK_TICKS. */
  async tick(tick: number, source: StreamSource | null): Promise<void> {
    if (!this.#stream || tick % ASK_TICKS !== 1) return;
    this.#status = await this.#stream.status();
    await source?.recheck();
  }

  /**
   * Null of a relay that does not read the log, as a standby does not. The last sign of one that stops says what it has
   * read: as long as none reads, that is how the slot is known to be ours.
   */
  state(pipeline: Pipeline | undefined, clock: DatabaseClock, stops = false): StreamState | null {
    const source = pipeline?.source;
    if (source && this.#stream) this.#last = this.#read(this.#stream, source, clock);
    else if (!stops) this.#last = null;
    else if (this.#last?.connected) this.#last = { ...this.#last, ...notReading(clock) };
    return this.#last;
  }

  #read(stream: RelayStream, source: StreamSource, clock: DatabaseClock): StreamState {
    const status = this.#status ?? { ...NOT_ASKED, name: stream.name };
    const since = source.since.at(clock).toISOString();
    return { ...status, connected: source.connected, since, problem: lastingProblem(source) };
  }

  /** Why the log cannot be read, and since when; null if it can. */
  error(pipeline: Pipeline | undefined): { message: string; at: Moment } | null {
    const source = pipeline?.source;
    const problem = source?.problem;
    if (!source || !problem) return null;
    if (problem.passes) return { message: problem.message, at: source.since };
    const consequence = pipeline?.cutOff ? "Nothing is published until it is fixed" : "The table is polled meanwhile";
    const message = `${problem.message} ${consequence}; \`${ourCommand("doctor")}\` shows how to fix it.`;
    return { message, at: source.since };
  }
}

function notReading(clock: DatabaseClock) {
  return { connected: false, since: clock.at(performance.now()).toISOString(), problem: null };
}

/** Another reader of the slot may be another relay of ours, and a lost connection is over in a moment. */
function lastingProblem({ problem }: StreamSource): string | null {
  return problem === null || problem.passes ? null : problem.message;
}
