import type { StreamPosition } from "../../port/relay/stream-transaction.ts";
import { type BinlogPlace, positionOf } from "./binlog-place.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { joinGtids } from "./gtid-set.ts";

/** Part of the log that was read and not yet confirmed. */
interface Part {
  place: BinlogPlace;
  end: StreamPosition;
  gtids: string[];
  /** It ends with a transaction of the outbox. */
  ours: boolean;
  readToMs: number;
}

/** Where a part ends. */
export interface PartEnd {
  place: BinlogPlace;
  gtid: string | null;
  ours: boolean;
  readToMs: number;
}

/** Most numbers of transactions that are kept one by one. */
const MOST_GTIDS = 1000;

/**
 * The checkpoint of a confirmed position: its place, and the transactions up to there. Foreign transactions form one
 * part with the transaction after them, because their ends are not confirmed while a message before them is open.
 */
export class ReadProgress {
  readonly #server: string;
  readonly #parts: Part[] = [];
  #checkpoint: Checkpoint;
  /** Numbers of confirmed transactions that the checkpoint's set does not have yet. */
  #gtids: string[] = [];

  constructor(checkpoint: Checkpoint) {
    this.#checkpoint = checkpoint;
    this.#server = checkpoint.server;
  }

  /** The end of a transaction, or a place that the server sent while idle. Returns its position. */
  read({ place, gtid, ours, readToMs }: PartEnd): StreamPosition {
    const end = positionOf(place);
    const last = this.#parts.at(-1);
    if (last && !last.ours) {
      Object.assign(last, { place, end, ours, readToMs });
      if (gtid !== null) last.gtids.push(gtid);
      if (last.gtids.length > MOST_GTIDS) last.gtids = joinGtids(null, last.gtids).split(",");
    } else this.#parts.push({ place, end, gtids: gtid === null ? [] : [gtid], ours, readToMs });
    return end;
  }

  /** True if a transaction of the outbox was confirmed, not only others. */
  confirm(position: StreamPosition): boolean {
    let [count, ours] = [0, false];
    for (const part of this.#parts) {
      if (part.end > position) break;
      count += 1;
      ours ||= part.ours;
      this.#gtids.push(...part.gtids);
      this.#checkpoint = { ...this.#checkpoint, server: this.#server, place: part.place, readToMs: part.readToMs };
    }
    if (this.#gtids.length > MOST_GTIDS) this.#gtids = joinGtids(null, this.#gtids).split(",");
    this.#parts.splice(0, count);
    return ours;
  }

  /** Up to where everything is confirmed. */
  get place(): BinlogPlace {
    return this.#checkpoint.place;
  }

  get checkpoint(): Checkpoint {
    const { gtids } = this.#checkpoint;
    if (gtids !== null && this.#gtids.length > 0)
      this.#checkpoint = { ...this.#checkpoint, gtids: joinGtids(gtids, this.#gtids) };
    this.#gtids = [];
    return this.#checkpoint;
  }
}
