"use client";

import { PageHeader } from "#components/ui/page/page-header.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import { TypeName } from "#components/ui/values/type-name.tsx";
import type { FailureGroup, FailureGroupList } from "#contracts/message/messages.ts";
import { formatPlural } from "#domain/format.ts";
import css from "./group.module.css";
import { GroupActions } from "./group-actions.tsx";
import { GroupDeploys } from "./group-deploys.tsx";
import { GroupFigures } from "./group-figures.tsx";
import { GroupHours } from "./group-hours.tsx";
import { GroupMemoryPanel } from "./group-memory-panel.tsx";
import { GroupMessages } from "./group-messages.tsx";
import { GroupSample } from "./group-sample.tsx";
import { trendWord } from "./group-spark.tsx";
import { GroupTexts } from "./group-texts.tsx";
import { GroupWhere } from "./group-where.tsx";

interface GroupViewProps {
  outbox: string;
  group: FailureGroup;
  list: FailureGroupList;
}

export function GroupView({ outbox, group, list }: GroupViewProps) {
  const [type, ...otherTypes] = group.eventTypes;
  const trend = trendWord(group, list.complete);
  return (
    <>
      <PageHeader
        title={
          <span className={css.error}>
            {list.by !== "text" || group.text === "" ? group.title : <ErrorText text={group.text} />}
          </span>
        }
        lead={
          <>
            {list.by === "text" && group.text !== "" && `${group.title}, `}
            {list.by === "code" && group.key !== "" && `Error code ${group.key}, `}
            {list.by === "type" ? (
              "Failed and dead messages, whatever their error"
            ) : type === undefined ? (
              "no type recorded"
            ) : (
              <TypeName name={type} />
            )}
            {list.by !== "type" && otherTypes.length > 0 && ` and ${formatPlural(otherTypes.length, "more type")}`}.
            {group.firstSeenAt !== null && (
              <>
                {" First "}
                <Instant at={group.firstSeenAt} />
                {", last "}
                <Instant at={group.lastSeenAt} />
                {trend !== null && `, ${trend}`}.
              </>
            )}
            {group.nextStep !== null && <b className={css.nextStep}> {group.nextStep}</b>}
          </>
        }
        actions={<GroupActions outbox={outbox} group={group} complete={list.complete} />}
      />
      <GroupDeploys outbox={outbox} group={group} asOf={list.asOf} />
      <GroupFigures group={group} list={list} />
      <div className={css.split} data-narrow>
        <GroupHours outbox={outbox} group={group} complete={list.complete} asOf={list.asOf} />
        {group.fingerprint === null ? (
          <GroupTexts outbox={outbox} group={group} by={list.by} />
        ) : (
          <GroupMemoryPanel outbox={outbox} fingerprint={group.fingerprint} group={group} />
        )}
      </div>
      <div className={css.split}>
        <GroupSample outbox={outbox} newestId={group.sampleId} />
        <GroupWhere outbox={outbox} group={group} />
      </div>
      <GroupMessages outbox={outbox} group={group} />
    </>
  );
}

/** The placeholders of variable parts are grey. */
function ErrorText({ text }: { text: string }) {
  return text.split(/(<[a-z]+>)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never move
      <span key={index} className={css.placeholder}>
        {part}
      </span>
    ),
  );
}
