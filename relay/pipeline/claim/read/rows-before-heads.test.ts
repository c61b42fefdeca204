import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import type { LookAhead, WaitingRow } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { compareOrder } from "#relay/testing/compare-order.fixture.ts";
import { horizonOf } from "../../../testing/horizon.fixture.ts";
import type { PipelineContext } from "../../state/pipeline-context.ts";
import { Watermark } from "../../state/watermark.ts";
import { Withheld } from "../../state/withheld.ts";
import { RowsBeforeHeads } from "./rows-before-heads.ts";

const at = (n: number): OrderKey => [String(n), String(n)];
const row = (n: number, aggregateKey: string): WaitingRow => ({
  ...{ id: String(n), aggregateKey, eventType: null, order: at(n), ageMs: 60_000 },
});

describe("rows before the heads of aggregates that were blocked early", () => {
  let watermark: Watermark;
  let withheld: Withheld;
  let asked: LookAhead[];
  let pages: WaitingRow[][];
  let search: RowsBeforeHeads;
  beforeEach(() => {
    watermark = new Watermark(compareOrder);
    withheld = new Withheld(
      compareOrder,
      () => watermark.readFrom,
      () => watermark.position,
    );
    [asked, pages] = [[], []];
    const lookAhead = async (request: LookAhead) => {
      asked.push(request);
      return { rows: pages.shift() ?? [], horizon: horizonOf(9, 9) };
    };
    const context = {
      table: { compareOrder, lookAhead },
      log: pino({ level: "silent" }),
    } as unknown as PipelineContext;
    search = new RowsBeforeHeads(context, { watermark, withheld });
    withheld.block("a", at(20), true);
    withheld.block("b", at(25), true);
  });

  const passTo = (n: number) => {
    for (const [reached, xmin] of [
      [n, 1],
      [n + 1, 9],
    ] as const)
      watermark.noteRead({
        ...{ begun: watermark.begin(), reached: at(reached), more: false, horizon: horizonOf(xmin, 9) },
        ...{ aged: true, nowMs: 0 },
      });
  };
  const from = (key: string) => withheld.free(key, "blocked")?.from;

  test("are not looked for before the watermark has a position; until then aggregates are read from the start", async () => {
    await search.look();
    expect(asked).toEqual([]);
    expect(from("a")).toBeNull();
  });

  test("are found page by page, up to the last head; an aggregate is read again from its first row", async () => {
    passTo(30);
    pages = [
      [row(5, "other"), row(12, "a")],
      [row(12, "a"), row(14, "a"), row(26, "other")],
    ];
    while (withheld.hasUnproven) await search.look();
    expect(asked.map(({ after }) => after)).toEqual([null, at(12)]);
    expect([from("a"), from("b")]).toEqual([at(12), at(25)]);
  });

  test("that come behind the watermark may still be committed: from there on, the aggregate is read again", async () => {
    passTo(18);
    while (withheld.hasUnproven) await search.look();
    expect([from("a"), from("b")]).toEqual([at(18), at(18)]);
    withheld.block("late", at(40), true);
    expect([withheld.hasUnproven, from("late")]).toEqual([false, at(18)]);
  });
});
