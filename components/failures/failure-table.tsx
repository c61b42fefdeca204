"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import { Fragment } from "react";
import { groupPath } from "#components/outbox/group-address.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { formatLeast } from "#components/ui/format/format-figure.ts";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Breakable } from "#components/ui/values/breakable.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import { TypeName } from "#components/ui/values/type-name.tsx";
import type { FailureGroup } from "#contracts/message/messages.ts";
import type { FailureGrouping } from "#domain/message/failure-grouping.ts";
import css from "./failures.module.css";
import { GroupMarks } from "./group-marks.tsx";
import { GroupSpark } from "./group-spark.tsx";

interface FailureTableProps {
  groups: readonly FailureGroup[] | undefined;
  by: FailureGrouping;
  /** Every failure was read. */
  complete: boolean;
}

export function FailureTable({ groups, by, complete }: FailureTableProps) {
  const day: Column<FailureGroup> = {
    key: "day",
    header: "New, 24 h",
    hideOnPhone: true,
    cell: (group) => <GroupSpark group={group} complete={complete} />,
  };
  return (
    <DataTable
      caption="Failure groups"
      columns={[whatOf(by), TYPES, day, ...howMany(complete), openOf(by)]}
      rows={groups}
      rowKey={(group) => group.key}
    />
  );
}

const HEADERS: Record<FailureGrouping, string> = { text: "Error", code: "Error code", type: "Type" };

const whatOf = (by: FailureGrouping): Column<FailureGroup> => ({
  key: "error",
  header: HEADERS[by],
  cell: (group) => (
    <>
      <span className={css.error} title={group.text}>
        <b>
          <GroupLink group={group} by={by} />
        </b>{" "}
        {by !== "text" && group.text !== "" && <span className="muted">newest: </span>}
        <span className="mono muted">
          <Breakable text={group.text || group.eventTypes.join(", ")} />
        </span>
      </span>
      {by !== "type" && (
        <span className={css.typesOnPhone}>
          <Types types={group.eventTypes} />
        </span>
      )}
      {group.nextStep !== null && <span className={css.nextStep}>{group.nextStep}</span>}
      <GroupMarks mark={group.mark} />
    </>
  ),
});

const TYPES: Column<FailureGroup> = {
  key: "types",
  header: "Types",
  hideOnPhone: true,
  cell: (group) => <Types types={group.eventTypes} />,
};

const howMany = (complete: boolean): readonly Column<FailureGroup>[] => [
  {
    key: "messages",
    header: "Messages",
    align: "right",
    cell: (group) => formatLeast(group.messages, complete),
  },
  {
    key: "split",
    header: "Failed / dead",
    align: "right",
    hideOnPhone: true,
    cell: (group) => <Split group={group} complete={complete} />,
  },
  {
    key: "aggregates",
    header: "Aggregates",
    align: "right",
    hideOnPhone: true,
    className: "hide-on-narrow",
    cell: (group) => (group.aggregates === null ? "–" : formatLeast(group.aggregates, complete)),
  },
  {
    key: "first",
    header: "First",
    align: "right",
    hideOnPhone: true,
    className: "hide-on-narrow",
    cell: (group) => <Instant at={group.firstSeenAt} />,
  },
  {
    key: "last",
    header: "Last",
    align: "right",
    hideOnPhone: true,
    cell: (group) => <Instant at={group.lastSeenAt} />,
  },
];

const openOf = (by: FailureGrouping): Column<FailureGroup> => ({
  key: "open",
  header: <span className="visually-hidden">Open</span>,
  align: "right",
  cell: (group) => <Open group={group} by={by} />,
});

function Types({ types: named }: { types: readonly string[] }) {
  const types = named.map((type) => type || "no type");
  const shown = types.length > 2 ? types.slice(0, 1) : types;
  const rest = types.length - shown.length;
  return (
    <span className={css.types} title={types.join("\n")}>
      {shown.map((type, index) => (
        <Fragment key={type}>
          {index > 0 && ", "}
          <TypeName name={type} />
        </Fragment>
      ))}
      {rest > 0 && <span className="muted">{` and ${rest} more`}</span>}
    </span>
  );
}

function Split({ group, complete }: { group: FailureGroup; complete: boolean }) {
  return (
    <span>
      {formatLeast(group.failed, complete)} /{" "}
      <span className={group.dead > 0 ? "tone-dead" : undefined}>{formatLeast(group.dead, complete)}</span>
    </span>
  );
}

interface OfGroup {
  group: FailureGroup;
  by: FailureGrouping;
}

function GroupLink({ group, by }: OfGroup) {
  const { href } = useOutbox();
  return <Link href={href(groupPath(group.key, by))}>{group.title}</Link>;
}

function Open({ group, by }: OfGroup) {
  const { href } = useOutbox();
  return (
    <Button component={Link} size="xs" href={href(groupPath(group.key, by))} aria-label={`Open ${group.title}`}>
      Open
    </Button>
  );
}
