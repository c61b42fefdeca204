"use client";

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { failureGroupsQuery } from "#components/api/queries.ts";
import { GroupMarks } from "#components/failures/group-marks.tsx";
import { UnreadGroups } from "#components/failures/unread-groups.tsx";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { groupPath } from "#components/outbox/group-address.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { formatLeast } from "#components/ui/format/format-figure.ts";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { Breakable } from "#components/ui/values/breakable.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import { TypeName } from "#components/ui/values/type-name.tsx";
import type { FailureGroup, FailureGroupList } from "#contracts/message/messages.ts";
import { formatCount } from "#domain/format.ts";
import css from "./overview.module.css";

const PACE_MS = 10_000;
const SHOWN = 5;

/** The five largest failure groups; each links to its page. */
export function FailureGroupsPanel({ outbox }: { outbox: string | undefined }) {
  const { href } = useOutbox();
  const options = failureGroupsQuery(outbox ?? "");
  const error = useFailure(options.queryKey);
  const { data } = useQuery({
    ...options,
    enabled: outbox !== undefined,
    ...liveOptions(useLive(), { atLeastMs: PACE_MS }),
  });
  const columns = groupColumns((group) => href(groupPath(group.key)), data?.complete ?? true);
  const groups = data?.groups.slice(0, SHOWN);
  return (
    <Panel title="Failure groups" flush aside={asideOf(data)}>
      {error !== null && data === undefined ? (
        <ErrorNote title="The failure groups could not be read." error={error} tone="warn" />
      ) : data?.groups.length === 0 && !data.complete ? (
        <UnreadGroups small list={data} />
      ) : groups?.length === 0 ? (
        <EmptyState small title="No message has failed." />
      ) : (
        <DataTable
          caption="Failure groups, largest first"
          columns={columns}
          rows={groups}
          rowKey={(group) => group.key}
          skeletonRows={1}
        />
      )}
    </Panel>
  );
}

function asideOf(list: FailureGroupList | undefined): string | undefined {
  const total = list?.groups.length;
  if (!list || !total) return undefined;
  const shown = total > SHOWN ? `${SHOWN} of ${total}` : String(total);
  return list.complete ? `${shown} open` : `${shown} open, from the newest ${formatCount(list.read)} failures`;
}

function groupColumns(hrefOf: (group: FailureGroup) => string, complete: boolean): Column<FailureGroup>[] {
  return [
    {
      key: "error",
      header: "Error",
      clip: true,
      width: "99%",
      cell: (group) => (
        <>
          <b>{group.title}</b>
          <span className={css.subject} title={group.text}>
            <Breakable text={group.text} />
          </span>
          <GroupMarks mark={group.mark} />
        </>
      ),
    },
    { key: "types", header: "Types", hideOnPhone: true, cell: (group) => typesOf(group.eventTypes) },
    {
      key: "messages",
      header: "Messages",
      align: "right",
      cell: (group) => formatLeast(group.messages, complete),
    },
    { key: "dead", header: "Dead", align: "right", hideOnPhone: true, cell: (group) => deadOf(group.dead, complete) },
    {
      key: "aggregates",
      header: "Aggregates",
      align: "right",
      hideOnPhone: true,
      cell: (group) => (group.aggregates === null ? "–" : formatLeast(group.aggregates, complete)),
    },
    {
      key: "since",
      header: "Since",
      align: "right",
      hideOnPhone: true,
      cell: (group) => <Instant at={group.firstSeenAt} />,
    },
    {
      key: "open",
      header: <span className="visually-hidden">Open</span>,
      align: "right",
      width: "1%",
      cell: (group) => (
        <Button component={Link} size="xs" href={hrefOf(group)} aria-label={`Open ${group.title}: ${group.text}`}>
          Open
        </Button>
      ),
    },
  ];
}

function deadOf(dead: number, complete: boolean) {
  return <span className={dead > 0 ? "tone-dead" : "muted"}>{formatLeast(dead, complete)}</span>;
}

/** "order.placed", or "order.placed and 2 more" with all of them in the title. */
function typesOf(types: readonly string[]) {
  const [first, ...rest] = types;
  if (first === undefined) return <span className="muted">–</span>;
  return (
    <span title={types.join(", ")}>
      <TypeName name={first} />
      {rest.length > 0 && ` and ${rest.length} more`}
    </span>
  );
}
