import { messageOf } from "#domain/errors.ts";
import type { ConfigFile } from "./config-file.ts";
import type { Config } from "./config-schema.ts";
import { type TakenOver, takeOver } from "./take-over.ts";

/** Shortest time between checks of the file, ms. */
const POLL_MS = 1_000;

interface Options {
  /** Changed in place. */
  config: Config;
  file: ConfigFile;
  /** Called after a change. */
  reread: () => void;
  /** Called if a changed file has other settings or mappings than this process. */
  onSettings: (taken: TakenOver) => void;
}

/** Applies changes of outbox.yaml that need no restart. */
export class ConfigFollower {
  readonly file: ConfigFile;
  readonly #config: Config;
  readonly #reread: () => void;
  readonly #onSettings: (taken: TakenOver) => void;
  /**
   * Of the text that was followed last; undefined until then, because the file may have changed since it was loaded.
   */
  #stamp: string | null | undefined;
  #polledMs = Number.NEGATIVE_INFINITY;

  constructor({ config, file, reread, onSettings }: Options) {
    this.#config = config;
    this.file = file;
    this.#reread = reread;
    this.#onSettings = onSettings;
  }

  /** Follows the file if it has changed. A file that cannot be read, or is not valid, changes nothing and is logged. */
  followIfChanged(): void {
    if (performance.now() < this.#polledMs + POLL_MS) return;
    this.#polledMs = performance.now();
    try {
      const stamp = this.file.stamp();
      if (stamp === this.#stamp) return;
      this.#stamp = stamp;
      this.#followAll();
    } catch (error) {
      const reason = messageOf(error);
      console.error(`${this.file.name} has changed and is not followed: ${reason}`);
    }
  }

  /** Follows the file now, changed or not: files that it names may have changed instead. */
  reload(): void {
    this.#stamp = undefined;
    this.#polledMs = Number.NEGATIVE_INFINITY;
    this.followIfChanged();
  }

  /** Call it after a change that the caller has made and recorded. Throws ConfigError. */
  follow(): void {
    this.#take();
  }

  #followAll(): void {
    const taken = this.#take();
    if (taken && taken.settings.length + taken.mappings.length + taken.needRestart.length > 0) this.#onSettings(taken);
  }

  #take(): TakenOver | null {
    const text = this.file.read();
    if (text === null) return null;
    const taken = takeOver(this.#config, this.file.parse(text));
    if (taken.mappings.length + taken.settings.length > 0) this.#reread();
    return taken;
  }
}
