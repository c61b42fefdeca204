import type { StreamState } from "#db/stores/port/relay/relay-heartbeat.ts";
import type { RelayStream, StreamStatus } from "#db/stores/port/relay/relay-stream.ts";
import { ourCommand } from "#domain/our-command.ts";
import type { DatabaseClock, Moment } from "../instance/database-clock.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import type { StreamSource } from "./stream-source.ts";

const ASK_TICKS = 5;
/** Status until the server was asked. */
const NOT_ASKED = { lag: null, state: "ok", detail: null, confirmed: null } as const;

/** The stream's state for the heartbeat. */
export class StreamReport {
  readonly #stream: RelayStream | undefined;
  #status: StreamStatus | null = null;

  constructor(stream: RelayStream | undefined) {
    this.#stream = stream;
  }

  /** Called once a second; asks the server every ASK_TICKS. */
  async tick(tick: number, source: StreamSource | null): Promise<void> {
    if (!this.#stream || tick % ASK_TICKS !== 1) return;
    this.#status = await this.#stream.status();
    await source?.recheck();
  }

  state(pipeline: Pipeline | undefined, clock: DatabaseClock): StreamState | null {
    const source = pipeline?.source;
    if (!source || !this.#stream) return null;
    const status = this.#status ?? { ...NOT_ASKED, name: this.#stream.name };
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

/** Another reader of the slot may be another relay of ours, and a lost connection is over in a moment. */
function lastingProblem({ problem }: StreamSource): string | null {
  return problem === null || problem.passes ? null : problem.message;
}
