import { pino } from "pino";
import { expect, test } from "vitest";
import { TermDuties, type TermParts } from "./term-duties.ts";

/** A term whose store refuses to read pauses. */
function refusing(done: string[]): TermParts {
  const refuse = async () => {
    throw new Error("permission denied for table pause");
  };
  const note = (duty: string) => async () => void done.push(duty);
  const parts = {
    table: { suspectCount: 1, endStrayClaims: note("stray claims") },
    lease: {},
    pipeline: {
      refreshPauses: refuse,
      refreshRetries: note("retries"),
      refreshSuspects: note("suspects"),
      lookBehindPauses: note("behind pauses"),
      lookBeforeHeads: note("before heads"),
    },
    heart: { view: { pauses: "1", retries: "1" } },
    share: { next: () => null },
    streamReport: { tick: note("log") },
    log: pino({ level: "silent" }),
    lost: () => undefined,
  };
  return parts as unknown as TermParts;
}

test("a duty that the store refuses keeps no other from being done", async () => {
  const done: string[] = [];
  await new TermDuties(refusing(done)).next();
  expect(done).toEqual(["retries", "behind pauses", "before heads", "log", "suspects"]);
});
