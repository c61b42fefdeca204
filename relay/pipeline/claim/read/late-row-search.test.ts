import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { ClaimRequest, DueRow } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { compareOrder } from "#relay/testing/compare-order.fixture.ts";
import { makeMessage } from "#relay/testing/make-message.fixture.ts";
import { waitFor } from "#tests/wait-for.ts";
import { RelayMemory } from "../../state/relay-memory.ts";
import { Watermark } from "../../state/watermark.ts";
import { LateRowSearch } from "./late-row-search.ts";

const at = (n: number): OrderKey => [String(n), String(n)];
const SEARCHED = 10;

interface Searched {
  /** Called before each search, with the place from which it searches. */
  onSearch?: (from: number) => Promise<void> | undefined;
  onRewind?: (order: OrderKey | null) => void;
  onWake?: () => void;
  isMetered?: true | undefined;
  rows?: number;
  position?: OrderKey;
  /** Rows that become due in so many ms. */
  soon?: readonly DueRow[];
}

/**
 * A table of 100 or so many waiting rows, by default all below the watermark, searched ten at a time; `due` are those
 * that may be published.
 */
function searchOver(due: ReadonlySet<number>, searched: Searched = {}) {
  const { onSearch, onRewind, onWake, isMetered, rows = 100, position = at(100), soon = [] } = searched;
  const watermark = new Watermark(compareOrder);
  Object.defineProperty(watermark, "position", { get: () => position });
  if (onRewind) watermark.rewind = onRewind;
  const findUnread = async ({ after }: Pick<ClaimRequest, "after">) => {
    const from = Number(after?.[0] ?? 0);
    const found = [...due].filter((n) => n > from && n <= from + SEARCHED).sort((one, other) => one - other)[0];
    await onSearch?.(from);
    return {
      found: found === undefined ? null : at(found),
      next: from + SEARCHED < rows ? at(from + SEARCHED) : null,
      soon,
    };
  };
  const findBefore = async ({ before }: { before: OrderKey }) => {
    const found = [...due].filter((n) => n < Number(before[0])).sort((one, other) => one - other)[0];
    await onSearch?.(0);
    return found === undefined ? null : at(found);
  };
  return new LateRowSearch({
    context: {
      table: {
        compareOrder,
        findUnread,
        findBefore,
        ordering: { kind: "aggregate", reason: null },
        ...(isMetered ? { isMetered } : {}),
      },
      log: pino({ level: "silent" }),
      memory: new RelayMemory(compareOrder),
    },
    watermark,
    request: (after) => ({ after }) as ClaimRequest,
    wake: () => onWake?.(),
  });
}

/** Lets the search go on until it has found a row to read from. */
async function firstFound(search: LateRowSearch): Promise<OrderKey | null> {
  let found: OrderKey | null = null;
  await waitFor(
    () => {
      search.begin(Number.MAX_SAFE_INTEGER);
      found = search.take(performance.now());
      return found !== null;
    },
    { intervalMs: 1, message: "a row is found" },
  );
  return found;
}

test("rows that become due together while the search is under way are read from the first of them", async () => {
  const due = new Set<number>();
  const search = searchOver(due, {
    onSearch: async (from) => {
      if (from === 40) for (let n = 1; n <= 100; n += 1) due.add(n);
    },
  });
  expect(await firstFound(search)).toEqual(at(1));
});

test("a row that is the only one is read once the rows before it were searched again", async () => {
  const froms: number[] = [];
  const search = searchOver(new Set([55]), { onSearch: async (from) => void froms.push(from) });
  expect(await firstFound(search)).toEqual(at(55));
  expect(froms).toEqual([0, 10, 20, 30, 40, 50, 0, 10, 20, 30, 40, 50]);
});

test("the rows before one that was found are searched again without waiting for the next step", async () => {
  let found: OrderKey | null = null;
  const froms: number[] = [];
  const search = searchOver(new Set([55]), {
    onSearch: async (from) => void froms.push(from),
    onWake: () => {
      found ??= search.take(performance.now());
      search.begin(performance.now());
    },
  });
  for (let step = 0; step < 6; step += 1) {
    search.begin(Number.MAX_SAFE_INTEGER);
    await setImmediate();
  }
  // On a busy machine the search goes on already here.
  expect(froms.slice(0, 6)).toEqual([0, 10, 20, 30, 40, 50]);
  await waitFor(() => found !== null, { message: "it is found" });
  expect(found).toEqual(at(55));
});

test.each([
  ["replaces a peek where it searched the whole table before", 10, [false, true]],
  ["replaces none where more rows wait than one search reads", 100, [false, false]],
])("a search from the table's start %s", async (_, rows, expected) => {
  const search = searchOver(new Set(), { rows });
  const replaced: boolean[] = [];
  const froms = new Array<number>(rows / SEARCHED).fill(0);
  for (const pass of [0, 1]) {
    for (const [step] of froms.entries()) {
      const replaces = search.begin(Number.MAX_SAFE_INTEGER);
      if (step === 0) replaced[pass] = replaces;
      await setImmediate();
    }
  }
  expect(replaced).toEqual(expected);
});

test("a row above the watermark, which reads find, does not make the rows before it be searched again", async () => {
  const search = searchOver(new Set([97]), { position: at(95) });
  for (let step = 0; step < 10; step += 1) {
    search.begin(Number.MAX_SAFE_INTEGER);
    await setImmediate();
  }
  expect(search.take(performance.now())).toBeNull();
  expect(search.begin(performance.now() + 500)).toBe(false);
});

test("a scheduled row is read from as it becomes due, and before messages of a read that began earlier", async () => {
  const search = searchOver(new Set(), { rows: 10, soon: [{ order: at(7), inMs: 60_000 }] });
  search.begin(Number.MAX_SAFE_INTEGER);
  await setImmediate();
  const nowMs = performance.now();
  expect([search.take(nowMs), search.isDue(nowMs)]).toEqual([null, false]);
  const dueMs = nowMs + 60_000;
  expect([search.take(dueMs), search.take(dueMs), search.isDue(dueMs)]).toEqual([at(7), at(7), true]);
  const plain = [makeMessage(200)];
  expect(await search.precedes(plain, { after: at(100) })).toBe(false);
  vi.spyOn(performance, "now").mockReturnValue(dueMs);
  expect(await search.precedes(plain, { after: at(100) })).toBe(true);
  expect(await search.precedes(plain, { after: at(7) })).toBe(false);
  search.passed({ after: at(7) }, dueMs);
  expect([search.take(dueMs), search.isDue(dueMs)]).toEqual([null, false]);
});

describe("before scheduled messages", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const scheduled = [makeMessage(104, { scheduled: true })];
  const begunAt = (n: number | null) => ({ after: n === null ? null : at(n) });

  test("a due row below the watermark is read first", async () => {
    const search = searchOver(new Set([3]));
    expect(await search.precedes(scheduled, begunAt(100))).toBe(true);
    expect(search.take(performance.now())).toEqual(at(3));
  });

  test("a due row that the read itself would have found does not hold them up", async () => {
    const search = searchOver(new Set([5]), { position: at(2) });
    expect(await search.precedes(scheduled, begunAt(2))).toBe(false);
    expect(search.take(performance.now())).toBeNull();
  });

  test("a due row that a backlog has passed is read from the watermark", async () => {
    const rewound: (OrderKey | null)[] = [];
    const search = searchOver(new Set([55]), { position: at(50), onRewind: (order) => rewound.push(order) });
    expect(await search.precedes(scheduled, begunAt(90))).toBe(true);
    expect([search.take(performance.now()), rewound]).toEqual([null, [at(55)]]);
  });

  test("no row precedes those of a read from the table's start", async () => {
    const froms: number[] = [];
    const search = searchOver(new Set([3]), { onSearch: async (from) => void froms.push(from) });
    expect([await search.precedes(scheduled, begunAt(null)), froms]).toEqual([false, []]);
  });

  test("the row found stays, whatever a search that was under way then finds", async () => {
    const due = new Set<number>();
    let end: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => {
      end = resolve;
    });
    let searches = 0;
    const search = searchOver(due, {
      onSearch: () => {
        searches += 1;
        return searches === 1 ? waits : undefined;
      },
    });
    search.begin(Number.MAX_SAFE_INTEGER);
    due.add(3);
    expect(await search.precedes(scheduled, begunAt(100))).toBe(true);
    end();
    await setImmediate();
    expect(search.take(performance.now())).toEqual(at(3));
  });

  test("they wait a second for a search that takes longer, go back once, and then go out", async () => {
    let searches = 0;
    let end: () => void = () => undefined;
    const search = searchOver(new Set([3]), {
      onSearch: () => {
        searches += 1;
        return new Promise<void>((resolve) => {
          end = resolve;
        });
      },
    });
    const ask = () => search.precedes(scheduled, begunAt(100));
    expect([await ask(), await ask(), searches]).toEqual([true, false, 1]);
    end();
    await setImmediate();
    expect([await ask(), searches]).toEqual([false, 1]);
    // After its rest a quick one ends the doubt at once.
    let nowMs = performance.now() + 1_000_000;
    vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    for (const count of [2, 3]) {
      const asked = ask();
      nowMs += 100;
      end();
      expect([await asked, searches]).toEqual([true, count]);
    }
  });

  test.each<[string, string | null, true | undefined, number[]]>([
    [
      "the search takes a twentieth of the time where they may be messages that no one scheduled",
      null,
      undefined,
      [1, 1, 2],
    ],
    ["so it does where reads have a budget", "2026-03-01T10:00:00Z", true, [1, 1, 2]],
    ["the search is repeated before each read of scheduled ones", "2026-03-01T10:00:00Z", undefined, [1, 2, 3]],
  ])("%s", async (_, createdAt, isMetered, expected) => {
    let [nowMs, searches] = [0, 0];
    vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    const search = searchOver(new Set(), {
      isMetered,
      onSearch: async () => {
        searches += 1;
        nowMs += 5;
      },
    });
    const askAfter = async (ms: number) => {
      nowMs += ms;
      await search.precedes([makeMessage(104, { scheduled: true, createdAt })], begunAt(100));
      return searches;
    };
    expect([await askAfter(0), await askAfter(99), await askAfter(1)]).toEqual(expected);
  });
});
