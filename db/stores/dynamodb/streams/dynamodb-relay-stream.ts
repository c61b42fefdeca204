import type { TableDescription } from "@aws-sdk/client-dynamodb";
import { ALL_PARTITIONS } from "#domain/relay/partitions.ts";
import {
  type RelayStream,
  type StreamClaim,
  StreamError,
  type StreamProblem,
  type StreamStatus,
} from "../../port/relay/relay-stream.ts";
import type { StreamOptions } from "../../port/store.ts";
import { keyNames } from "../catalog/read-catalog.ts";
import { nowText } from "../items/instant.ts";
import { serverNowMs } from "../own-table/terms.ts";
import { candidates, claimable } from "../relay/claim/claimable.ts";
import { takeMessages } from "../relay/claim/take-messages.ts";
import { candidateOf, messageOf } from "../relay/read-item.ts";
import type { RelayContext } from "../relay/relay-context.ts";
import { putReader, readCheckpoints } from "./checkpoints.ts";
import { openShardStream, type ShardStream } from "./open-stream.ts";
import type { StreamCalls } from "./stream-calls.ts";
import { problemOfReader, problemOfTable } from "./stream-problem.ts";

/** Age of the oldest unread record above which it is at risk: a stream removes records after 24 hours. */
const AT_RISK_SECONDS = 20 * 3600;

type Look = { table: TableDescription; arn: string } | { problem: StreamProblem };

/** The stream of an outbox's table: inserts in the order of their shards. */
export function createRelayStream(
  context: RelayContext,
  { reader: name, mark }: StreamOptions,
  calls: StreamCalls,
): RelayStream {
  const { room, outbox, mapping } = context;
  let open: ShardStream | null = null;
  let told = 0;

  const look = async (): Promise<Look> => {
    const table = await room.link.describe(room.family.table);
    const problem = problemOfTable(room.family.table, table, mark);
    if (problem || !table) return { problem: problem as StreamProblem };
    return { table, arn: table.LatestStreamArn ?? "" };
  };

  return {
    name,
    mark,
    schedules: mapping.columns.availableAt !== undefined,
    check: async () => {
      const found = await look();
      if ("problem" in found) return found.problem;
      const kept = await readCheckpoints(room.own, outbox, name);
      // `open` reports a replaced stream, once, and then reads the new one.
      const problem = problemOfReader(name, kept?.reader ?? null, found.arn);
      return problem?.code === "stream_replaced" ? null : problem;
    },
    status: async (): Promise<StreamStatus> => {
      const kept = await readCheckpoints(room.own, outbox, name);
      const seconds = open?.lagSeconds() ?? null;
      const late = seconds !== null && seconds > AT_RISK_SECONDS;
      const lostAt = kept?.reader.lostAt ?? null;
      return {
        name,
        lag: seconds === null ? null : { value: seconds, unit: "seconds" },
        state: lostAt !== null ? "lost" : late ? "at_risk" : "ok",
        detail: lostAt === null ? null : `trimmed, seen at ${lostAt}`,
        confirmed: kept?.reader.confirmed ?? null,
      };
    },
    open: async (events) => {
      const found = await look();
      if ("problem" in found) throw new StreamError(found.problem);
      const checkpoints = await readCheckpoints(room.own, outbox, name);
      const problem = problemOfReader(name, checkpoints?.reader ?? null, found.arn);
      if (problem?.code === "stream_replaced" && checkpoints)
        await putReader(room.own, outbox, name, { ...checkpoints.reader, arn: found.arn });
      if (problem || !checkpoints) throw new StreamError(problem as StreamProblem);
      told = Math.max(told, open?.told() ?? 0, Number(checkpoints.reader.confirmed ?? 0));
      const [tableHash = ""] = keyNames(found.table.KeySchema);
      const { arn } = found;
      const lookAgain = async () => {
        const now = await look();
        if ("problem" in now) return now.problem;
        return now.arn === arn ? null : problemOfReader(name, checkpoints.reader, now.arn);
      };
      open = openShardStream({ context, calls, name, tableHash, checkpoints, from: told, look: lookAgain }, events);
      return open;
    },
    claim: async ({ lease, notices }): Promise<StreamClaim> => {
      await context.deliveries.ready();
      const ids = notices.map(({ id }) => id);
      const claim = await takeMessages(context, {
        ...{ lease, ids },
        judge: (_, item) => {
          const now = nowText(serverNowMs(room.link));
          const mayClaim = claimable(context, { lease, excludeIds: [] }, now);
          return mayClaim(candidateOf(context, item)) ? messageOf(context, item) : null;
        },
      });
      // The table is read consistently, and a record comes after its write.
      return { claim, unseen: [] };
    },
    unsent: async ({ limit, excludeAggregates }) => {
      await context.deliveries.ready();
      const wanted = { lease: { ...NO_LEASE, outbox }, excludeIds: [], excludeAggregates };
      const mayClaim = claimable(context, wanted, nowText(serverNowMs(room.link)));
      const found: { id: string; scheduled: boolean }[] = [];
      for await (const candidate of candidates(context, { after: null, pageItems: limit })) {
        if (!mayClaim(candidate)) continue;
        found.push({ id: candidate.id, scheduled: messageOf(context, candidate.item).scheduled });
        if (found.length >= limit) break;
      }
      return found;
    },
    positionOf: ([position]) => position,
    park: () => Promise.reject(new Error("Only a stream without marks parks messages.")),
  };
}

const NO_LEASE = { owner: "", epoch: 0, partitions: ALL_PARTITIONS, leaseMs: 0 };
