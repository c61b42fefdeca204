"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { ACTION_WORDS } from "#components/action/action-words.ts";
import { useServerNow } from "#components/live/use-now.ts";
import { groupPath } from "#components/outbox/group-address.ts";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { Panel } from "#components/ui/page/panel.tsx";
import { Facts } from "#components/ui/values/facts.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import { ShortId } from "#components/ui/values/short-id.tsx";
import type { Bulk, Operation } from "#contracts/message/operations.ts";
import { formatDuration, formatPlural } from "#domain/format.ts";
import { describeSettings } from "./preview/settings-words.ts";
import { isSettled } from "./queries/use-operation-watch.ts";

/** What was asked, how fast, and which process does it; who and why stand in the page's lead. */
export function AskedPanel({ operation, bulk }: { operation: Operation; bulk: Bulk | null }) {
  const facts: (readonly [string, ReactNode])[] = [
    ["Action", `${ACTION_WORDS[operation.action].verb}${operation.dryRun ? ", dry run" : ""}`],
    [
      "Selection",
      bulk === null ? (
        `${formatPlural(operation.outcomes.length, "message")} by id`
      ) : (
        <Selection key="selection" operation={operation} bulk={bulk} />
      ),
    ],
  ];
  if (bulk !== null && bulk.sink !== null) facts.push(["Sink", <bdi key="sink">{bulk.sink}</bdi>]);
  if (bulk !== null) facts.push(["Pace", describeSettings(operation.action, bulk.settings)]);
  if (bulk !== null && !isSettled(operation)) facts.push(["Runs in", <Runner key="runner" bulk={bulk} />]);
  if (bulk?.endedAt) facts.push(["Ended", <Instant key="ended" at={bulk.endedAt} />]);
  if (bulk?.itemsKeptUntil && bulk.endedAt) facts.push(["Items", keptWords(bulk.endedAt, bulk.itemsKeptUntil)]);
  facts.push(["Id", <ShortId key="id" id={operation.id} />]);
  return (
    <Panel title="What was asked">
      <Facts facts={facts} />
    </Panel>
  );
}

/** "kept 90 days, until 12 Feb": the operation and its counts stay. */
function keptWords(endedAt: string, until: string): ReactNode {
  const days = Math.round((Date.parse(until) - Date.parse(endedAt)) / 86_400_000);
  return (
    <>
      kept {formatPlural(days, "day")}, until <Instant at={until} />
    </>
  );
}

/** Leads to the messages that match now, or to the failure group that was selected. */
function Selection({ operation, bulk }: { operation: Operation; bulk: Bulk }) {
  const { filter, selection } = bulk;
  if (filter === null) return selection;
  const { attemptsMin, group, ...rest } = filter;
  const params = { ...rest, group, attemptsMin: attemptsMin === undefined ? undefined : String(attemptsMin) };
  const href =
    group === undefined
      ? outboxHref("/messages", operation.outbox, params)
      : outboxHref(groupPath(group), operation.outbox);
  return (
    <Link className="link" prefetch={false} href={href}>
      {selection}
    </Link>
  );
}

function Runner({ bulk: { runner, state } }: { bulk: Bulk }) {
  const nowMs = useServerNow();
  if (runner === null && (state === "halted" || state === "paused")) return `nowhere while it is ${state}`;
  if (runner === null) return <span className="tone-warn">nowhere at this moment</span>;
  const seconds = Math.max(0, (nowMs - Date.parse(runner.heartbeatAt)) / 1000);
  return (
    <>
      <bdi>{runner.name}</bdi>, heartbeat {formatDuration(seconds)} ago
    </>
  );
}
