"use client";

import { useOutbox } from "#components/outbox/use-outbox.ts";
import { TileRow } from "#components/tiles/tile-row.tsx";
import { formatLeast } from "#components/ui/format/format-figure.ts";
import { Instant } from "#components/ui/values/instant.tsx";
import type { FailureGroup, FailureGroupList } from "#contracts/message/messages.ts";
import { formatCount } from "#domain/format.ts";

interface GroupFiguresProps {
  group: FailureGroup;
  list: FailureGroupList;
}

/** How many, of how many aggregates, since when, and how many will not be tried again. */
export function GroupFigures({ group, list }: GroupFiguresProps) {
  const { href } = useOutbox();
  const pathOf = (state: string) => href("/messages", { ...group.filter, state });
  const all = pathOf("failing");
  const count = (value: number) => formatLeast(value, list.complete);
  return (
    <TileRow
      tiles={[
        {
          label: "Messages",
          value: count(group.messages),
          note: list.complete ? "exact" : `in the newest ${formatCount(list.read)}`,
          path: all,
        },
        {
          label: "Aggregates",
          value: group.aggregates === null ? "–" : count(group.aggregates),
          note: group.aggregates === null ? "not named in this table" : "with such a message",
          path: all,
        },
        {
          label: "Since",
          value: group.firstSeenAt === null ? "–" : <Instant at={group.firstSeenAt} />,
          note:
            group.lastSeenAt === null ? (
              "not recorded"
            ) : (
              <>
                last <Instant at={group.lastSeenAt} />
              </>
            ),
          path: all,
        },
        {
          label: "Dead",
          value: count(group.dead),
          note: "given up on",
          tone: group.dead > 0 ? "dead" : "rest",
          path: pathOf("dead"),
        },
        {
          label: "Failed",
          value: count(group.failed),
          note: "an attempt failed",
          tone: group.failed > 0 ? "normal" : "rest",
          path: pathOf("failed"),
        },
      ]}
    />
  );
}
