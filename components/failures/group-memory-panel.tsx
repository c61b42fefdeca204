"use client";

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sessionQuery } from "#components/api/queries.ts";
import { roleRefusal } from "#components/api/refusal.ts";
import { useShortcuts } from "#components/shortcuts/use-shortcuts.ts";
import { NoteError } from "#components/ui/controls/note-form.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { tellRefusal } from "#components/ui/notices/toast.ts";
import { Panel } from "#components/ui/page/panel.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { Session } from "#contracts/access/session.ts";
import type { GroupMark, GroupMemory } from "#contracts/message/groups.ts";
import type { FailureGroup } from "#contracts/message/messages.ts";
import { ignoredWords } from "./group-marks.tsx";
import css from "./group-memory.module.css";
import { GroupNotes } from "./group-notes.tsx";
import { IgnoreDialog } from "./ignore-dialog.tsx";
import { useGroupMemory } from "./use-group-memory.ts";

type Memory = ReturnType<typeof useGroupMemory>;

interface GroupMemoryPanelProps {
  outbox: string;
  fingerprint: string;
  /** Undefined if nothing fails so now. */
  group: FailureGroup | undefined;
}

/** Who is on it, what was decided, and the notes, which outlive the group's messages. */
export function GroupMemoryPanel({ outbox, fingerprint, group }: GroupMemoryPanelProps) {
  const kept = useGroupMemory(outbox, fingerprint);
  const { memory, error, acting, noting } = kept;
  const { data: session } = useQuery(sessionQuery());
  const actor = session?.actor ?? null;
  const refusal = actRefusal(session, memory, outbox);
  const may = refusal === undefined;
  const claim = memory?.mark?.claim ?? null;
  const mine = claim !== null && claim.by === actor?.name;
  const claimIt = () => {
    if (!tellRefusal(refusal ?? (mine ? "You are on it already." : undefined)))
      acting.mutate({ act: "claim", from: claim?.by ?? null });
  };
  useShortcuts([{ key: "c", description: "Say that you are on it", group: "Failure group", run: claimIt }]);
  return (
    <Panel
      title={<bdi>{whoIsOnIt(memory, actor?.name)}</bdi>}
      aside={
        <span className={css.who}>
          {claim !== null && (
            <span>
              since <Instant at={claim.since} />
            </span>
          )}
          {may && !mine && (
            <Button size="xs" loading={acting.isPending} onClick={claimIt}>
              {claim === null ? "I am on it" : "Take over"}
            </Button>
          )}
          {may && claim !== null && (
            <Button size="xs" onClick={() => acting.mutate({ act: "release", from: claim.by })}>
              Release
            </Button>
          )}
        </span>
      }
    >
      {memory?.problem != null && <p className="muted">{memory.problem}</p>}
      {acting.error !== null && <ErrorNote tone="warn" error={acting.error} />}
      <NoteError error={noting.error} />
      {error !== null && (
        <ErrorNote
          tone="warn"
          title={memory === undefined ? "The notes could not be read." : "This could not be read again."}
          error={error}
        />
      )}
      <Decisions kept={kept} group={group} may={may} />
      <GroupNotes
        notes={memory?.notes}
        since={group?.firstSeenAt ?? null}
        onAdd={may ? (text, done) => noting.mutate({ act: "note", text }, { onSuccess: done }) : undefined}
        busy={noting.isPending}
      />
    </Panel>
  );
}

/** Names nobody unless that was read. */
export function whoIsOnIt(memory: Pick<GroupMemory, "mark" | "problem"> | undefined, me: string | undefined): string {
  if (memory === undefined || memory.problem !== null) return "Who is on it";
  const claim = memory.mark?.claim ?? null;
  if (claim === null) return "Nobody is on it";
  return claim.by === me ? "You are on it" : `${claim.by} is on it`;
}

/** Why this person can say and decide nothing about the group now. */
export function actRefusal(
  session: Session | undefined,
  memory: Pick<GroupMemory, "problem"> | undefined,
  outbox: string,
): string | undefined {
  if (session === undefined) return "Who you are has not been read.";
  if (session.actor === null) return "Sign in to say who is on it.";
  const refusal = roleRefusal(session, "operator", outbox);
  if (refusal !== undefined) return refusal;
  return memory === undefined ? "Whether somebody is on it has not been read." : (memory.problem ?? undefined);
}

interface DecisionsProps {
  kept: Memory;
  group: FailureGroup | undefined;
  may: boolean;
}

/** Resolved, ignored, and what changes either. */
function Decisions({ kept: { memory, acting }, group, may }: DecisionsProps) {
  const [asking, setAsking] = useState(false);
  const mark = memory?.mark ?? null;
  const resolved = mark?.resolved ?? null;
  const ignored = mark?.ignored ?? null;
  const seen = group?.lastSeenAt ?? null;
  function ignore() {
    // What was refused before was another act.
    acting.reset();
    setAsking(true);
  }
  const timed = group !== undefined && group.newByHour !== null && seen !== null;
  return (
    <>
      {resolved !== null && <Resolved resolved={resolved} />}
      {ignored !== null && <Ignored ignored={ignored} />}
      {may && (timed || resolved !== null || ignored !== null) && (
        <p className={css.decide}>
          {timed && (resolved === null || resolved.cameBackAt !== null) && (
            <Button size="xs" onClick={() => acting.mutate({ act: "resolve", seen })}>
              Resolve
            </Button>
          )}
          {resolved !== null && (
            <Button size="xs" onClick={() => acting.mutate({ act: "reopen" })}>
              Reopen
            </Button>
          )}
          {timed && ignored === null && (
            <Button size="xs" onClick={ignore}>
              Ignore up to a rate…
            </Button>
          )}
          {ignored !== null && (
            <Button size="xs" onClick={() => acting.mutate({ act: "heed" })}>
              Stop ignoring
            </Button>
          )}
        </p>
      )}
      {may && group !== undefined && !timed && (
        <p className="muted">
          The table records no failure times, so a new failure could not be told from an old one: the group cannot be
          resolved or ignored.
        </p>
      )}
      {asking && group !== undefined && (
        <IgnoreDialog
          group={group}
          pending={acting.isPending}
          error={acting.error}
          onClose={() => setAsking(false)}
          onIgnore={(upTo, reason) =>
            acting.mutate({ act: "ignore", upTo, reason }, { onSuccess: () => setAsking(false) })
          }
        />
      )}
    </>
  );
}

function Resolved({ resolved: { by, at, cameBackAt } }: { resolved: NonNullable<GroupMark["resolved"]> }) {
  if (cameBackAt === null)
    return (
      <p className={css.decision}>
        <bdi>{by}</bdi> resolved it at <Instant at={at} />; nothing has failed with this error since. Messages that
        failed before stay until somebody acts on them.
      </p>
    );
  return (
    <p className={css.decision} data-warn>
      It came back: last failure <Instant at={cameBackAt} />, after <bdi>{by}</bdi> resolved it at <Instant at={at} />.
    </p>
  );
}

function Ignored({ ignored }: { ignored: NonNullable<GroupMemory["mark"]>["ignored"] }) {
  if (ignored === null) return null;
  return (
    <p className={css.decision}>
      <bdi>{ignored.by}</bdi>, <Instant at={ignored.at} />: {ignoredWords(ignored)}. “{ignored.reason}” It is only
      folded in the list of groups; counts, verdict, health and alerts include it.
    </p>
  );
}
