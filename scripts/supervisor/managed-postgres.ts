import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "#domain/errors.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../db/embedded/start-embedded-postgres.ts";
import type { Terminal } from "./terminal.ts";

const AGAIN_AFTER_MS = 1_000;

/** The embedded Postgres, restarted on its port when it dies. */
export class ManagedPostgres {
  readonly #options: { dataDir: string; terminal: Terminal; onPid: (pid: number | null) => void };
  #starting: Promise<EmbeddedPostgres> | null = null;
  #server: EmbeddedPostgres | null = null;
  #stopping = new AbortController();

  constructor(options: { dataDir: string; terminal: Terminal; onPid: (pid: number | null) => void }) {
    this.#options = options;
  }

  async start(port?: number): Promise<EmbeddedPostgres> {
    const { dataDir, terminal, onPid } = this.#options;
    this.#starting = startEmbeddedPostgres({
      dataDir,
      ...(port === undefined ? {} : { port }),
      onProgress: (sentence) => terminal.say(`${sentence} ...`),
      signal: this.#stopping.signal,
    });
    const server = await this.#starting;
    this.#server = server;
    onPid(server.pid);
    void server.exited.then(() => this.#onExit(server.port));
    return server;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    // The signal aborts a start in progress, which then leaves no server.
    const server = await this.#starting?.catch(() => null);
    await server?.stop();
  }

  /** Immediate shutdown: the next start recovers from the WAL. */
  kill(): void {
    this.#stopping.abort();
    if (this.#server !== null) process.kill(this.#server.pid, "SIGQUIT");
  }

  async #onExit(port: number): Promise<void> {
    this.#options.onPid(null);
    if (!this.#stopping.signal.aborted) this.#options.terminal.say("  Postgres ended; starting it again");
    let said = "";
    while (!this.#stopping.signal.aborted) {
      try {
        await this.start(port);
        return;
      } catch (error) {
        const sentence = messageOf(error);
        if (sentence !== said) this.#options.terminal.say(`  ${sentence}`);
        said = sentence;
        await delay(AGAIN_AFTER_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      }
    }
  }
}
