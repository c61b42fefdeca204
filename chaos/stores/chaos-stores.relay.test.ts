import { describe, expect, test } from "vitest";
import { DynamodbUnavailable } from "#tests/dynamodb/run-dynamodb.ts";
import { MysqlUnavailable } from "#tests/mysql-servers/server-program.ts";
import { runSmall } from "../run-in-test.ts";

/** Each with a seed whose few seconds end the server, a relay and connections; CHAOS_SEED chooses another. */
const STORES = [
  { store: "mysql", seed: 12 },
  { store: "mariadb", seed: 48 },
  { store: "dynamodb", seed: 220 },
] as const;
const TINY = { chaosMs: 6000, aggregates: 200, messagesPerSecond: 80 };

describe("chaos over other stores", { timeout: 360_000 }, () => {
  test.for(STORES)(
    "$store: nothing lost, nothing inverted, every duplicate explained, every row true",
    async ({ store, seed }, { skip }) => {
      try {
        const { seen, done } = await runSmall({ ...TINY, store, seed: Number(process.env.CHAOS_SEED ?? seed) });
        // A busy machine needs most of the time to start the server again.
        expect(seen.received).toBeGreaterThan(0);
        expect(Object.keys(done).length).toBeGreaterThan(2);
      } catch (error) {
        if (!(error instanceof MysqlUnavailable || error instanceof DynamodbUnavailable)) throw error;
        skip(error.message);
      }
    },
  );
});
