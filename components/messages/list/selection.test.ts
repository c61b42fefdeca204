import { describe, expect, it } from "vitest";
import { MOST_AT_ONCE } from "#contracts/message/operations.ts";
import { sampleMessage } from "../table/sample-message.fixture.ts";
import { changeSelection, EMPTY_SELECTION, type Selection } from "./selection.ts";

const rows = Array.from({ length: 120 }, (_, index) => sampleMessage({ id: `m-${index}` }));
const ids = (selection: Selection) => [...selection.messages.keys()];
const at = (index: number) => rows[index] ?? sampleMessage();

describe("selection", () => {
  it("adds and takes off one message", () => {
    const one = changeSelection(EMPTY_SELECTION, { type: "toggle", message: at(3) });
    expect(ids(one)).toEqual(["m-3"]);
    expect(ids(changeSelection(one, { type: "toggle", message: at(3) }))).toEqual([]);
  });

  it("takes a range from the last click, upwards too", () => {
    const one = changeSelection(EMPTY_SELECTION, { type: "toggle", message: at(5) });
    expect(ids(changeSelection(one, { type: "range", to: at(3), rows }))).toEqual(["m-5", "m-3", "m-4"]);
  });

  it("takes only the clicked row when the range started on another page", () => {
    const one = changeSelection(EMPTY_SELECTION, { type: "toggle", message: sampleMessage({ id: "elsewhere" }) });
    expect(ids(changeSelection(one, { type: "range", to: at(3), rows }))).toEqual(["elsewhere", "m-3"]);
  });

  it("stops at the limit of one request and says so", () => {
    const all = changeSelection(EMPTY_SELECTION, { type: "add", rows });
    expect(all.messages.size).toBe(MOST_AT_ONCE);
    expect(all.full).toBe(true);
  });

  it("guards with the last seen version, and keeps messages that left the page", () => {
    const two = changeSelection(EMPTY_SELECTION, { type: "add", rows: rows.slice(0, 2) });
    const seen = changeSelection(two, { type: "seen", rows: [sampleMessage({ id: "m-0", version: "2" })] });
    expect(seen.messages.get("m-0")?.version).toBe("2");
    expect(ids(seen)).toEqual(["m-0", "m-1"]);
  });

  it("is the same object when nothing changed, so that nothing is drawn again", () => {
    const two = changeSelection(EMPTY_SELECTION, { type: "add", rows: rows.slice(0, 2) });
    expect(changeSelection(two, { type: "seen", rows })).toBe(two);
  });
});
