import { healthInstant, type Reading, sayingsOf } from "./reading.ts";

/** What is said of one instant of the database's clock: nobody may say another thing of it. */
interface Said {
  surface: string;
  word: string | null;
  status: string;
  cause: string | null;
}

const MOST_INSTANTS = 200;

/** Remembers what was said of which instant, and since when a cause stands. */
export class Instants {
  readonly #said = new Map<string, Said>();
  readonly #since = new Map<string, string | null>();

  /** How this reading contradicts what was said before of the same instants, or its own parts each other. */
  contradictions(reading: Reading): string[] {
    return [...this.#ofVerdicts(reading), ...this.#ofHealth(reading), ...this.#ofBeginnings(reading)];
  }

  #ofVerdicts(reading: Reading): string[] {
    return sayingsOf(reading).flatMap(({ surface, asOf, verdict }) => {
      if (asOf === null) return [];
      const now: Said = { surface, word: verdict.word, status: verdict.status, cause: verdict.cause };
      const before = this.#said.get(asOf);
      if (before === undefined) {
        this.#keep(asOf, now);
        return [];
      }
      return (["word", "status", "cause"] as const).flatMap((part) =>
        before[part] === now[part]
          ? []
          : [`as of ${asOf} ${before.surface} says ${part} "${before[part]}", and ${surface} "${now[part]}"`],
      );
    });
  }

  #keep(asOf: string, said: Said): void {
    this.#said.set(asOf, said);
    const [oldest] = this.#said.keys();
    if (this.#said.size > MOST_INSTANTS && oldest !== undefined) this.#said.delete(oldest);
  }

  #ofHealth(reading: Reading): string[] {
    const asOf = healthInstant(reading);
    const said = asOf === null ? undefined : this.#said.get(asOf);
    const { body } = reading.health;
    if (said === undefined || body === null) return [];
    const wrong: string[] = [];
    if (said.status !== body.status)
      wrong.push(
        `as of ${asOf} ${said.surface} says status "${said.status}", and health "${body.status}" (${body.output})`,
      );
    if (said.cause !== null && !contains(body.output, said.cause))
      wrong.push(`as of ${asOf} ${said.surface} says "${said.cause}", and health "${body.output}"`);
    return wrong;
  }

  /** What has begun once does not begin again while it lasts. */
  #ofBeginnings(reading: Reading): string[] {
    const wrong: string[] = [];
    const standing = new Set<string>();
    for (const { surface, verdict } of sayingsOf(reading)) {
      for (const { id, rule, since, sentence } of verdict.causes) {
        if (!STANDS_STILL.has(rule)) continue;
        standing.add(id);
        const before = this.#since.get(id);
        if (before !== undefined && before !== since)
          wrong.push(`${surface} says "${sentence}" since ${since}, and it was since ${before}`);
        else this.#since.set(id, since);
      }
    }
    for (const id of this.#since.keys()) if (!standing.has(id)) this.#since.delete(id);
    return wrong;
  }
}

/** Causes with a beginning that can be known; the others' moves with the oldest message. */
const STANDS_STILL: ReadonlySet<string> = new Set([
  "no_relay_alive",
  "sink_unavailable",
  "route_failing",
  "locked",
  "blocked_aggregate",
  "old_transaction",
  "slot_lag",
  "monitor_down",
  "paused",
]);

export function contains(text: string | undefined, sentence: string): boolean {
  return (text ?? "").toLowerCase().includes(sentence.toLowerCase());
}
