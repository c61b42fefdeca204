"use client";

import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useActionScope } from "#components/action/use-action-scope.ts";
import { relaysQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { pauseRefusal } from "#components/relays/pause-refusal.ts";
import { pauseOf } from "#components/relays/pause-subject.ts";
import { useShortcuts } from "#components/shortcuts/use-shortcuts.ts";
import { GuardedButton } from "#components/ui/controls/guarded-button.tsx";
import { MenuButton } from "#components/ui/controls/menu-button.tsx";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";
import { tellRefusal } from "#components/ui/notices/toast.ts";
import { Kbd } from "#components/ui/values/kbd.tsx";
import css from "./group.module.css";

const PauseDialog = lazyDialog(() =>
  import("#components/relays/pause-dialog.tsx").then((module) => module.PauseDialog),
);
const ResumeDialog = lazyDialog(() =>
  import("#components/relays/resume-dialog.tsx").then((module) => module.ResumeDialog),
);

const PACE_MS = 5_000;

/** Pauses one of the group's types, or resumes it, where our relay publishes the outbox. */
export function PauseTypes({ outbox, types }: { outbox: string; types: readonly string[] }) {
  const { outbox: summary } = useOutbox();
  const relayed = summary?.mode === "relay" && types.length > 0;
  const error = useFailure(relaysQuery().queryKey);
  const { data } = useQuery({
    ...relaysQuery(),
    ...liveOptions(useLive(), { atLeastMs: PACE_MS, freshness: false }),
    enabled: relayed,
  });
  const [asked, setAsked] = useState<{ eventType: string; paused: ReturnType<typeof pauseOf> } | undefined>(undefined);
  const scope = useActionScope(outbox);
  const unread = error === null ? "What is paused has not been read yet." : "What is paused could not be read.";
  const refusal = pauseRefusal(scope) ?? (data === undefined || error !== null ? unread : undefined);
  const [only, ...others] = types;

  /** The dialog stays the one that was asked for, whatever is read meanwhile, as after an answer that was lost. */
  function ask(eventType: string | undefined): void {
    if (eventType !== undefined) setAsked({ eventType, paused: pauseOf(data, outbox, { eventType }) });
  }

  useShortcuts(
    relayed && others.length === 0
      ? [
          {
            key: "p",
            description: "Pause or resume the group's type",
            group: "Failure group",
            run: () => !tellRefusal(refusal) && ask(only),
          },
        ]
      : [],
  );
  if (!relayed || only === undefined) return null;
  const verbOf = (eventType: string) => (pauseOf(data, outbox, { eventType }) === undefined ? "Pause" : "Resume");
  const close = () => setAsked(undefined);
  return (
    <>
      {others.length === 0 ? (
        <GuardedButton refusal={refusal} title={only} rightSection={<Kbd>p</Kbd>} onRun={() => ask(only)}>
          {verbOf(only)} type…
        </GuardedButton>
      ) : (
        <MenuButton
          className={css.menu}
          width={280}
          entries={types.map((type) => ({
            label: `${verbOf(type)} ${type}…`,
            key: type,
            onSelect: () => !tellRefusal(refusal) && ask(type),
          }))}
        >
          Pause type… <IconChevronDown size={13} aria-hidden />
        </MenuButton>
      )}
      {asked !== undefined &&
        (asked.paused === undefined ? (
          <PauseDialog outbox={outbox} subject={{ eventType: asked.eventType }} onClose={close} />
        ) : (
          <ResumeDialog
            outbox={outbox}
            subject={{ eventType: asked.eventType }}
            held={asked.paused.messageId !== null}
            onClose={close}
          />
        ))}
    </>
  );
}
