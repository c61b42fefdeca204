import { expect, test } from "vitest";
import type { Claim, FollowRequest } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { compareOrder } from "#relay/testing/compare-order.fixture.ts";
import { makeMessage } from "#relay/testing/make-message.fixture.ts";
import { waitFor } from "#tests/wait-for.ts";
import { Lanes } from "../state/lanes/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import { Release } from "../state/release.ts";
import { Watermark } from "../state/watermark.ts";
import { WentBack } from "../state/went-back.ts";
import { Withheld } from "../state/withheld.ts";
import { Followers } from "./followers.ts";

const at = (n: number): OrderKey => [String(n), ""];
/** Rows that one claim walks over. */
const WALKED = 10;

/** Followers over a table with the watermark at 100 and one row at each place. `during`: runs in each claim, which finds something if it returns true. */
function openFollowers(during: (request: FollowRequest) => unknown = () => undefined, newOnesCome = () => true) {
  const watermark = new Watermark(compareOrder);
  const horizon = { hasPassed: () => true, hasEnded: () => true };
  for (let read = 0; read < 2; read += 1) {
    const begun = watermark.begin();
    watermark.noteRead({ begun, reached: at(100), more: false, horizon, aged: true, nowMs: read });
  }
  const withheld = new Withheld(
    compareOrder,
    () => watermark.readFrom,
    () => watermark.position,
  );
  const state = { watermark, withheld, lanes: new Lanes(compareOrder), wentBack: new WentBack(compareOrder) };
  const asked: FollowRequest[] = [];
  const table = {
    compareOrder,
    claimFollowers: async (request: FollowRequest) => {
      asked.push(request);
      const finds = during(request) === true;
      const [from] = request.after ?? ["0"];
      return {
        claim: finds ? { token: "claim", messages: [] } : null,
        reached: at(Math.min(Number(from) + WALKED, Number(request.before[0]))),
      };
    },
  };
  const accepted: Claim[] = [];
  const followers = new Followers({ table, lease: {} } as unknown as PipelineContext, state, {
    ...{ limit: () => 100, hasRoom: () => true, newOnesCome },
    accept: (claim) => void accepted.push(claim),
  });
  const release = new Release(state, compareOrder, true);
  /** An aggregate with rows from there on goes on. */
  const free = (key: string, from: number) => {
    withheld.block(key, at(from), true);
    release.free(key, "blocked");
  };
  const step = () => followers.step().then(() => withheld.followedCount);
  const run = () => waitFor(async () => (await step()) === 0, { intervalMs: 1, message: "all have gone on" });
  return { ...state, release, followers, asked, free, run };
}

test("an aggregate that goes on is followed to the watermark, and reads leave it out until then", async () => {
  const { asked, free, run, watermark, withheld } = openFollowers();
  free("a", 75);
  expect([withheld.stops("a"), withheld.stopsFollowed("a"), watermark.position]).toEqual([true, false, at(100)]);
  await run();
  expect(asked.map(({ after, before }) => [after?.[0], before[0]])).toEqual([
    ...[
      ["75", "100"],
      ["85", "100"],
      ["95", "100"],
    ],
  ]);
  expect([withheld.has("a"), watermark.position]).toEqual([false, at(100)]);
});

test("all share one walk", async () => {
  const { asked, free, run } = openFollowers();
  free("late", 90);
  free("early", 72);
  await run();
  expect(asked.map(({ after, aggregates }) => [after?.[0], [...aggregates].sort().join()])).toEqual([
    ...[
      ["72", "early,late"],
      ["82", "early,late"],
      ["92", "early,late"],
    ],
  ]);
});

test("a message that goes back while its aggregate is claimed is where the aggregate begins", async () => {
  let isFirst = true;
  const { asked, free, run, wentBack, withheld } = openFollowers(() => {
    if (!isFirst) return;
    isFirst = false;
    wentBack.note("a", at(76));
    withheld.note("a", at(76));
  });
  free("a", 75);
  await run();
  expect(asked.map(({ after }) => after?.[0])).toEqual(["75", "75", "85", "95"]);
});

test("an aggregate that fails again waits, and is followed from where it was", async () => {
  const { asked, free, followers, release, run, withheld } = openFollowers();
  free("a", 75);
  await followers.step();
  withheld.block("a", at(80), true);
  await followers.step();
  expect(asked).toHaveLength(1);
  expect(release.free("a", "blocked")).toBe(false);
  await run();
  expect(asked.map(({ after }) => after?.[0])).toEqual(["75", "85", "95"]);
});

test("without a watermark reads find it themselves, in the next one that begins", async () => {
  const { asked, followers, free, watermark, withheld } = openFollowers();
  free("a", 75);
  watermark.reset();
  const { generation } = watermark;
  await followers.step();
  expect([withheld.has("a"), watermark.generation > generation, asked]).toEqual([false, true, []]);
});

test("what lies after the watermark is read again, and not followed", () => {
  const { free, withheld } = openFollowers();
  free("a", 120);
  expect(withheld.has("a")).toBe(false);
});

test("an aggregate with many messages in memory waits until it has caught up", async () => {
  const { asked, followers, free, lanes } = openFollowers();
  for (let n = 1; n <= 101; n += 1) lanes.add(makeMessage(n, { aggregateId: "a" }), "token", false, "followed");
  free(makeMessage(1, { aggregateId: "a" }).aggregateKey ?? "", 75);
  await followers.step();
  expect(asked).toEqual([]);
});

test("claims rest for as long as they take while new messages come or none are found, and not at all otherwise", async () => {
  let [comes, finds] = [true, true];
  // A claim that takes some time.
  const take = () => {
    const untilMs = performance.now() + 5;
    while (performance.now() < untilMs);
    return finds;
  };
  const { followers, free } = openFollowers(take, () => comes);
  free("a", 5);
  expect(await followers.step()).toBeGreaterThanOrEqual(5);
  comes = false;
  await waitFor(async () => (await followers.step()) === 0, { intervalMs: 1, message: "it rests no more" });
  finds = false;
  expect(await followers.step()).toBeGreaterThanOrEqual(5);
});
