import { describe, expect, test } from "vitest";
import { judgeSoak, type SufferedFault } from "./judge-soak.ts";

const fault = (kind: SufferedFault["kind"], fromMs: number, toMs: number): SufferedFault => ({ kind, fromMs, toMs });

describe("the judge of a soak", () => {
  test("finds nothing wrong where everything arrived once and in order", () => {
    const verdict = judgeSoak({
      confirmedAtMs: [
        [10, 20],
        [15, 25, 35],
      ],
      received: [
        [0, 1],
        [0, 1, 2],
      ],
      faults: [],
    });
    expect(verdict).toMatchObject({ published: 5, lost: 0, duplicates: 0, inversions: 0 });
  });

  test("counts confirmed messages that are not there, also of a lane of which nothing is", () => {
    const confirmedAtMs = [
      [1, 2, 3],
      [1, 2],
    ];
    expect(judgeSoak({ confirmedAtMs, received: [[0, 2]], faults: [] })).toMatchObject({ published: 5, lost: 3 });
  });

  test("does not miss messages that were never confirmed, and counts what arrived without a confirmation", () => {
    const verdict = judgeSoak({ confirmedAtMs: [[1]], received: [[0, 1, 1]], faults: [] });
    expect(verdict).toMatchObject({ published: 1, lost: 0, duplicates: 1, inversions: 0 });
  });

  test("counts a repeat as a duplicate and not as an inversion", () => {
    const confirmedAtMs = [[1, 2, 3]];
    const received = [[0, 1, 0, 1, 1, 2]];
    expect(judgeSoak({ confirmedAtMs, received, faults: [] })).toMatchObject({ lost: 0, duplicates: 3, inversions: 0 });
  });

  test("counts each message that came after a later one of its lane, once", () => {
    const confirmedAtMs = [[1, 2, 3, 4], [1]];
    const received = [[0, 3, 1, 2, 1], [0]];
    expect(judgeSoak({ confirmedAtMs, received, faults: [] })).toMatchObject({ lost: 0, duplicates: 1, inversions: 2 });
  });

  test("measures from the end of a fault, to the first confirmation and to the last lane's first one", () => {
    const verdict = judgeSoak({
      confirmedAtMs: [
        [50, 110, 120, 320],
        [60, 160, 400],
      ],
      received: [[], []],
      faults: [fault("cut", 70, 100), fault("pause", 200, 300)],
    });
    expect(verdict.silence).toEqual({ meanMs: 15, longestMs: 20, after: "pause" });
    expect(verdict.everyLane).toEqual({ meanMs: 80, longestMs: 100, after: "pause" });
  });

  test("blames a silence that lasts into the next fault on the first one only until then", () => {
    const verdict = judgeSoak({
      confirmedAtMs: [[10, 500]],
      received: [[0, 1]],
      faults: [fault("kill", 20, 100), fault("refuse", 300, 400)],
    });
    expect(verdict.silence).toEqual({ meanMs: 150, longestMs: 200, after: "kill" });
  });

  test("measures how long the lanes that a fault spares are silent during it", () => {
    const verdict = judgeSoak({
      confirmedAtMs: [
        [90, 130, 190],
        [150, 160],
      ],
      received: [],
      faults: [fault("half", 100, 200), fault("pause", 300, 900)],
    });
    expect(verdict.spared).toEqual({ meanMs: 60, longestMs: 60, after: "half" });
  });
});
