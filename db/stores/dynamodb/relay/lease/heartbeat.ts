import { randomUUID } from "node:crypto";
import { DeleteItemCommand } from "@aws-sdk/client-dynamodb";
import type { Lease } from "../../../port/relay/lease.ts";
import type { BeatView, RelayHeartbeat } from "../../../port/relay/relay-heartbeat.ts";
import { tenAtATime } from "../../connection/ten-at-a-time.ts";
import { nowText } from "../../items/instant.ts";
import { keyItem, PARTITIONS, putRecord, queryRecords } from "../../own-table/own-table.ts";
import { activePauses } from "../../own-table/pauses.ts";
import type { InstanceDoc } from "../../own-table/relay-docs.ts";
import { readRelayState, serverNowMs } from "../../own-table/terms.ts";
import type { RelayContext } from "../relay-context.ts";
import { readShares } from "./shares.ts";

/** Longer than any claim takes to be written. */
const STRAY_MS = 30_000;

/** Last heartbeat of an instance, which alone writes its record. */
interface LastBeat {
  startedAt: string;
  atMs: number;
  published: number;
  perSecond: number;
}

/** Writes heartbeats of the instances of one process. */
export class Heartbeats {
  readonly #last = new Map<string, LastBeat>();

  /** Writes a heartbeat and reads shares, pauses and retries, once a second: some five capacity units. */
  async write(context: RelayContext, beat: RelayHeartbeat, silentMs: number): Promise<BeatView> {
    const { room, outbox, deliveries } = context;
    const { own, link } = room;
    const nowMs = serverNowMs(link);
    const doc = this.#docOf(outbox, beat, nowMs);
    await putRecord(own, { pk: PARTITIONS.instances(outbox), sk: beat.id, doc, v: randomUUID() });
    const [shares, pauses] = await Promise.all([
      readShares(context, silentMs),
      activePauses(own, outbox),
      deliveries.refresh(),
    ]);
    return {
      shares,
      pauses: JSON.stringify(
        pauses.map(({ scope, subject, at, until, messageId }) => [scope, subject, at, until, messageId]),
      ),
      retries: deliveries.summary(),
      databaseTimeMs: serverNowMs(link),
    };
  }

  #docOf(outbox: string, beat: RelayHeartbeat, nowMs: number): InstanceDoc {
    const last = this.#last.get(beat.id);
    const seconds = last ? Math.max(0.1, (nowMs - last.atMs) / 1000) : 1;
    const rate = last ? Math.max(0, beat.published - last.published) / seconds : 0;
    // Smoothed over some five seconds.
    const perSecond = last ? last.perSecond * 0.7 + rate * 0.3 : 0;
    const startedAt = last?.startedAt ?? nowText(nowMs);
    this.#last.set(beat.id, { startedAt, atMs: nowMs, published: beat.published, perSecond });
    const at = (date: Date | null) => date && nowText(date.getTime());
    return {
      ...beat,
      outbox,
      startedAt,
      heartbeatAt: nowText(nowMs),
      publishedPerSecond: perSecond,
      lastPublishedAt: at(beat.lastPublishedAt),
      lastErrorAt: at(beat.lastErrorAt),
      foreignSince: at(beat.foreignSince),
      foreignLastAt: at(beat.foreignLastAt),
      settlingSince: at(beat.settlingSince),
      stream: readingOf(beat.stream),
    };
  }
}

function readingOf(stream: RelayHeartbeat["stream"]): InstanceDoc["stream"] {
  if (!stream) return null;
  const { name, lag, detail, connected, since, problem } = stream;
  return {
    reader: "stream",
    slot: name,
    lagBytes: lag?.unit === "bytes" ? lag.value : null,
    walStatus: detail,
    connected,
    since,
    problem,
  };
}

/**
 * Ends claims of the term that its owner does not know. Race: a claim whose transaction is still in progress, which the
 * owner does not know yet; it is younger than the limit.
 */
export async function endStrayClaims(
  { room: { own, link }, outbox }: RelayContext,
  { lease, knownTokens }: { lease: Lease; knownTokens: readonly string[] },
): Promise<void> {
  const { claims, nowMs } = await readRelayState(own, outbox);
  const stray = claims.filter(
    ({ epoch, sk, startedAt }) =>
      epoch === lease.epoch &&
      Date.parse(startedAt) < nowMs - STRAY_MS &&
      !knownTokens.some((token) => sk.endsWith(`#${token}`)),
  );
  const remove = (sk: string) =>
    link.client.send(
      new DeleteItemCommand({ TableName: own.name, Key: keyItem({ pk: PARTITIONS.relay(outbox), sk }) }),
    );
  await tenAtATime(stray, ({ sk }) => remove(sk));
}

/** The given messages that were tried or acted on before. */
export async function withHistory({ room: { own }, outbox }: RelayContext, ids: readonly string[]): Promise<string[]> {
  const has = async (pk: string) => (await queryRecords(own, { pk, limit: 1 })).records.length > 0;
  const known = await tenAtATime(
    ids,
    async (id) => (await has(PARTITIONS.attemptsOf(outbox, id))) || (await has(PARTITIONS.auditOf(id))),
  );
  return ids.filter((_, place) => known[place]);
}
