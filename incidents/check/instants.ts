import { healthInstant, type Reading, sayingsOf } from "./reading.ts";

/** The verdict on one instant of the database's clock; no surface may contradict it. */
interface Said {
  surface: string;
  word: string | null;
  status: string;
  cause: string | null;
}

const MOST_INSTANTS = 200;

/** Remembers the verdict on each instant, and since when each cause has lasted. */
export class Instants {
  readonly #said = new Map<string, Said>();
  readonly #beginnings = new Map<string, Map<string, string | null>>();

  /** How this reading contradicts earlier statements about the same instants, or itself. */
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
    remember(this.#said, asOf, said);
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

  /**
   * A cause that lasts does not change its start: the start is compared with the instants right before and after,
   * whichever surface reported them. A cause that was absent in between has started anew.
   */
  #ofBeginnings(reading: Reading): string[] {
    return sayingsOf(reading).flatMap(({ surface, asOf, verdict }) => {
      const at = asOf ?? this.#newest();
      const standing = verdict.causes.filter(({ rule }) => STANDS_STILL.has(rule));
      const wrong = standing.flatMap(({ id, since, sentence }) => {
        const other = this.#neighbours(at).find((known) => known.has(id) && known.get(id) !== since);
        return other ? [`${surface} says "${sentence}" since ${since}, and it was since ${other.get(id)}`] : [];
      });
      if (!this.#beginnings.has(at))
        remember(this.#beginnings, at, new Map(standing.map(({ id, since }) => [id, since])));
      return wrong;
    });
  }

  #newest(): string {
    return [...this.#beginnings.keys()].reduce((newest, at) => (at > newest ? at : newest), "");
  }

  /** The statement on this instant; if none, those on the last instant before and the first one after. */
  #neighbours(at: string): Map<string, string | null>[] {
    const same = this.#beginnings.get(at);
    if (same) return [same];
    const known = [...this.#beginnings.keys()].sort();
    const [before, after] = [known.findLast((one) => one < at), known.find((one) => one > at)];
    return [before, after].flatMap((one) => (one === undefined ? [] : (this.#beginnings.get(one) ?? [])));
  }
}

/** Keeps only the newest. */
function remember<Value>(all: Map<string, Value>, at: string, value: Value): void {
  all.set(at, value);
  const [oldest] = all.keys();
  if (all.size > MOST_INSTANTS && oldest !== undefined) all.delete(oldest);
}

/** Causes whose start can be known; other causes' start moves with the oldest message. */
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
