import type { StreamPosition } from "../../port/relay/stream-transaction.ts";
import type { ShardPosition } from "./follow-shards.ts";

interface Told {
  count: number;
  shard: string;
  position: ShardPosition;
  writtenAtMs: number | null;
}

const DIGITS = 20;

/**
 * Positions of a stream with several shards: each record gets the next number, and a confirmed number moves the place
 * in every shard to its last record up to that number.
 */
export class TrackedPositions {
  #count: number;
  #told: Told[] = [];
  #confirmed = 0;
  #writtenAtMs: number | null = null;
  readonly #moved = new Map<string, ShardPosition>();

  /** `from`: the last number that was ever assigned or confirmed; no number is assigned twice. */
  constructor(from: number) {
    this.#count = from;
    this.#confirmed = from;
  }

  get count(): number {
    return this.#count;
  }

  /** When the oldest unconfirmed record was written, ms since 1970; null if there is none. */
  get oldestMs(): number | null {
    return this.#told.find(({ writtenAtMs }) => writtenAtMs !== null)?.writtenAtMs ?? null;
  }

  get confirmed(): { position: StreamPosition; writtenAtMs: number | null } {
    return { position: positionText(this.#confirmed), writtenAtMs: this.#writtenAtMs };
  }

  tell(shard: string, position: ShardPosition, writtenAtMs: number | null): StreamPosition {
    this.#count += 1;
    this.#told.push({ count: this.#count, shard, position, writtenAtMs });
    return positionText(this.#count);
  }

  /** False if it moved nothing. */
  confirm(position: StreamPosition): boolean {
    const upTo = Number(position);
    if (!(upTo > this.#confirmed)) return false;
    const end = this.#told.findIndex(({ count }) => count > upTo);
    const passed = this.#told.splice(0, end < 0 ? this.#told.length : end);
    for (const { shard, position: place, writtenAtMs } of passed) {
      const sequence = place.sequence ?? this.#moved.get(shard)?.sequence ?? null;
      this.#moved.set(shard, { sequence, done: place.done });
      this.#writtenAtMs = writtenAtMs ?? this.#writtenAtMs;
    }
    this.#confirmed = Math.min(upTo, this.#count);
    return true;
  }

  /** Places that were not taken before. */
  takeMoved(): Map<string, ShardPosition> {
    const moved = new Map(this.#moved);
    this.#moved.clear();
    return moved;
  }
}

export function positionText(count: number): StreamPosition {
  return String(count).padStart(DIGITS, "0");
}
