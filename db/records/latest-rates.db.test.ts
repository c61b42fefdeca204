import { describe, expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { latestRates } from "./read-samples.ts";

describe("rates of the newest samples", () => {
  const database = testDatabase();
  const AGES = { newestSeconds: 12, maxAgeSeconds: 20 };
  const sampled = async (outbox: string, samples: readonly { agoSeconds: number; in: number }[]) => {
    for (const { agoSeconds, in: perSecond } of samples)
      await database().pool.query(
        `INSERT INTO outbox_console_app.sample (outbox, step_seconds, at, in_per_second, out_per_second, backlog)
         VALUES ($1, 5, clock_timestamp() - make_interval(secs => $2), $3, 1, 7)`,
        [outbox, agoSeconds, perSecond],
      );
    return latestRates(database().pool, outbox, AGES);
  };

  test("are means of the last three", async () => {
    const samples = [2, 7, 12, 17].map((agoSeconds) => ({ agoSeconds, in: agoSeconds }));
    expect(await sampled("steady", samples)).toMatchObject({ inPerSecond: 7, outPerSecond: 1, backlog: 7 });
  });

  test("leave out a burst from before a gap, which would look like growth for half a minute", async () => {
    const samples = [
      { agoSeconds: 3, in: 10 },
      { agoSeconds: 27, in: 20_000 },
    ];
    expect(await sampled("gap", samples)).toMatchObject({ inPerSecond: 10 });
  });

  test("are unknown while the newest samples are missing", async () => {
    const samples = [{ agoSeconds: 14, in: 20_000 }];
    expect(await sampled("missing", samples)).toMatchObject({ inPerSecond: null, outPerSecond: null, backlog: null });
  });
});
