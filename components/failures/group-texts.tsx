"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { failureGroupsQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { groupPath } from "#components/outbox/group-address.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { formatLeast } from "#components/ui/format/format-figure.ts";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import type { FailureGroup } from "#contracts/message/messages.ts";
import { formatCount } from "#domain/format.ts";
import type { FailureGrouping } from "#domain/message/failure-grouping.ts";
import css from "./group.module.css";

const SHOWN = 6;
const PACE_MS = 5_000;

interface GroupTextsProps {
  outbox: string;
  group: FailureGroup;
  by: FailureGrouping;
}

/** The groups by error text of a code or type, to which notes, claims and decisions belong. */
export function GroupTexts({ outbox, group, by }: GroupTextsProps) {
  const { href } = useOutbox();
  const error = useFailure(failureGroupsQuery(outbox).queryKey);
  const { data } = useQuery({
    ...failureGroupsQuery(outbox),
    ...liveOptions(useLive(), { atLeastMs: PACE_MS, freshness: false }),
  });
  const texts = (data?.groups ?? []).filter((text) => isPartOf(text, group.key, by));
  const more = texts.length - SHOWN;
  return (
    <Panel title="By error text" aside="messages in all">
      <p className="muted">Claims, notes and decisions belong to a group by error text.</p>
      {error !== null && <ErrorNote tone="warn" title="The groups by error text could not be read." error={error} />}
      <ul className={css.texts}>
        {texts.slice(0, SHOWN).map(({ key, title, text, messages, mark }) => (
          <li key={key}>
            <Link className="link" prefetch={false} href={href(groupPath(key))} title={text}>
              {text === "" ? title : text}
            </Link>
            <span>
              {mark?.claim != null && <span className="muted">{mark.claim.by} is on it </span>}
              {formatLeast(messages, data?.complete ?? false)}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="muted">and {formatCount(more)} more.</p>}
    </Panel>
  );
}

/** Whether a group by error text has messages of the code or type; those without one are in groups of others too. */
function isPartOf(text: FailureGroup, key: string, by: FailureGrouping): boolean {
  if (key === "") return false;
  return by === "code" ? text.code === key : text.eventTypes.includes(key);
}
