import { describe, expect, it } from "vitest";
import { sampleMessage } from "../table/sample-message.fixture.ts";
import { countPresent, isSpent, mergePage } from "./merge-page.ts";

const list = (...ids: string[]) => ids.map((id) => sampleMessage({ id }));
const shown = (page: ReturnType<typeof mergePage>) =>
  page.rows.map((row) => (row.gone ? `-${row.message.id}` : row.message.id));

describe("a refresh of the list", () => {
  it("keeps order and counts newcomers", () => {
    const page = mergePage({ held: list("c", "b", "a"), fresh: list("e", "d", "c", "b", "a"), hasMore: false });
    expect(shown(page)).toEqual(["c", "b", "a"]);
    expect(page.arrivals).toBe(2);
    expect(page.arrivalsCapped).toBe(false);
  });

  it("brings new figures into the rows", () => {
    const fresh = [sampleMessage({ id: "a", state: "failed", version: "2" })];
    const page = mergePage({ held: list("a"), fresh, hasMore: false });
    expect(page.rows[0]?.message.state).toBe("failed");
  });

  it("marks a row that left, in place", () => {
    expect(shown(mergePage({ held: list("c", "b", "a"), fresh: list("c", "a"), hasMore: true }))).toEqual([
      "c",
      "-b",
      "a",
    ]);
    expect(shown(mergePage({ held: list("c", "b"), fresh: list("c"), hasMore: false }))).toEqual(["c", "-b"]);
  });

  it("does not mark a row as gone that new rows may have pushed off the page", () => {
    const page = mergePage({ held: list("c", "b", "a"), fresh: list("e", "d", "c"), hasMore: true });
    expect(shown(page)).toEqual(["c", "b", "a"]);
  });

  it("does not count a row that is gone as one of the list", () => {
    const { rows } = mergePage({ held: list("c", "b", "a"), fresh: list("c", "a"), hasMore: false });
    expect(countPresent(rows)).toBe(2);
  });

  it("counts at least a page when all of it is new", () => {
    const page = mergePage({ held: list("b", "a"), fresh: list("d", "c"), hasMore: true });
    expect(page).toMatchObject({ arrivals: 2, arrivalsCapped: true });
    expect(isSpent(page)).toBe(false);
  });

  it("ages a row that was not read again", () => {
    const held = [sampleMessage({ id: "a", ageSeconds: 2 }), sampleMessage({ id: "b", ageSeconds: null })];
    const page = mergePage({ held, fresh: list("c"), hasMore: true, elapsedSeconds: 3 });
    expect(page.rows.map((row) => row.message.ageSeconds)).toEqual([5, null]);
  });

  it("keeps nothing when every row is gone, or there was none", () => {
    expect(isSpent(mergePage({ held: list("a"), fresh: list("b"), hasMore: false }))).toBe(true);
    expect(isSpent(mergePage({ held: [], fresh: list("b"), hasMore: false }))).toBe(true);
  });
});
