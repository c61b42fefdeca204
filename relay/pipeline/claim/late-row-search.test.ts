import { pino } from "pino";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { ClaimRequest } from "#db/stores/port/relay/claim.ts";
import type { OrderKey, OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { waitFor } from "#tests/wait-for.ts";
import { RelayMemory } from "../state/relay-memory.ts";
import { Watermark } from "../state/watermark.ts";
import { LateRowSearch } from "./late-row-search.ts";

const at = (n: number): OrderKey => [String(n), String(n)];
const compareOrder = (left: OrderKey, right: OrderKey) => Number(left[0]) - Number(right[0]);
const SEARCHED = 10;

/** A table of 100 waiting rows, by default all below the watermark, searched ten at a time; `due` are those that may be published. */
function searchOver(due: Set<number>, onSearch: (from: number) => void = () => undefined, position = at(100)) {
  const watermark = new Watermark(compareOrder);
  Object.defineProperty(watermark, "position", { get: () => position });
  const findUnread = async ({ after }: Pick<ClaimRequest, "after">) => {
    const from = Number(after?.[0] ?? 0);
    const found = [...due].filter((n) => n > from && n <= from + SEARCHED).sort((one, other) => one - other)[0];
    onSearch(from);
    return { found: found === undefined ? null : at(found), next: from + SEARCHED < 100 ? at(from + SEARCHED) : null };
  };
  return new LateRowSearch({
    context: {
      table: { compareOrder, findUnread, ordering: { kind: "aggregate", reason: null } },
      log: pino({ level: "silent" }),
      memory: new RelayMemory(compareOrder),
    },
    watermark,
    request: (after) => ({ after }) as ClaimRequest,
    wake: () => undefined,
  });
}

/** Lets the search go on until it has found a row to read from. */
async function firstFound(search: LateRowSearch): Promise<OrderKey | null> {
  let found: OrderKey | null = null;
  await waitFor(
    () => {
      search.begin(Number.MAX_SAFE_INTEGER);
      found = search.take();
      return found !== null;
    },
    { intervalMs: 1, message: "a row is found" },
  );
  return found;
}

test("rows that become due together while the search is under way are read from the first of them", async () => {
  const due = new Set<number>();
  const search = searchOver(due, (from) => {
    if (from === 40) for (let n = 1; n <= 100; n += 1) due.add(n);
  });
  expect(await firstFound(search)).toEqual(at(1));
});

test("a row that is the only one is read once the rows before it were searched again", async () => {
  const froms: number[] = [];
  const search = searchOver(new Set([55]), (from) => froms.push(from));
  expect(await firstFound(search)).toEqual(at(55));
  expect(froms).toEqual([0, 10, 20, 30, 40, 50, 0, 10, 20, 30, 40, 50]);
});

describe("before scheduled messages", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const scheduled = (n: number) => [{ order: at(n), scheduled: true }] as OutgoingMessage[];

  test("a due row below the watermark is read first", async () => {
    const search = searchOver(new Set([3]));
    expect(await search.precedes(scheduled(104))).toBe(true);
    expect(search.take()).toEqual(at(3));
  });

  test("a due row above the watermark does not hold them up: no read would begin at it", async () => {
    const search = searchOver(new Set([5]), undefined, at(2));
    expect(await search.precedes(scheduled(8))).toBe(false);
    expect(search.take()).toBeNull();
  });

  test("the table is searched for at most a twentieth of the time", async () => {
    let [nowMs, searches] = [0, 0];
    vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    const search = searchOver(new Set(), () => {
      searches += 1;
      nowMs += 5;
    });
    const askAfter = async (ms: number) => {
      nowMs += ms;
      await search.precedes(scheduled(104));
      return searches;
    };
    expect([await askAfter(0), await askAfter(99), await askAfter(1)]).toEqual([1, 1, 2]);
  });
});
