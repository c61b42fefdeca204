"use client";

import { useEffect } from "react";
import { useShortcuts } from "#components/shortcuts/use-shortcuts.ts";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { SilenceNote } from "#components/ui/notices/silence-note.tsx";
import { CodeBlock } from "#components/ui/values/code-block.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import css from "./tail.module.css";
import { TailHead } from "./tail-head.tsx";
import { TailTable } from "./tail-table.tsx";
import { type Tail, useTail } from "./use-tail.ts";

const SCROLLED_PX = 60;

interface TailPanelProps {
  outbox: string;
  eventType: string | undefined;
}

/** The tail of one outbox: it pauses when somebody scrolls or works in it, so that nothing moves under the pointer. */
export function TailPanel({ outbox, eventType }: TailPanelProps) {
  const tail = useTail(outbox, eventType);
  const { state, failure } = tail;
  const toggle = () => {
    if (state.paused === null) return tail.pause("by you");
    window.scrollTo({ top: 0 });
    tail.goOn();
  };
  usePauseOnScroll(tail);
  useShortcuts([{ key: ".", description: "Pause or resume", group: "Live", run: toggle }]);
  const empty = state.asOf !== undefined && state.shown.length === 0;
  return (
    <>
      {failure !== null && (
        <SilenceNote title="The messages could not be read." error={failure} asOf={state.asOf} onRetry={tail.retry} />
      )}
      <PartialNote tail={tail} />
      {(state.asOf !== undefined || failure === null) && (
        <section
          className={failure === null ? css.panel : `${css.panel} last-known`}
          aria-label="Messages as they arrive"
        >
          <TailHead tail={tail} onToggle={toggle} />
          {empty ? (
            <EmptyState title={eventType === undefined ? "There are no messages." : `There is no ${eventType}.`}>
              The next one appears here. As of <Instant at={state.asOf} /> UTC.
            </EmptyState>
          ) : (
            <TailTable outbox={outbox} eventType={eventType} tail={tail} />
          )}
        </section>
      )}
    </>
  );
}

/** Says what a list that was not read whole leaves out. */
function PartialNote({ tail: { partial } }: { tail: Tail }) {
  if (partial === null) return null;
  return (
    <EmptyState
      title={partial.read === 0 ? "This table is too large to read newest first." : "Not every message is here."}
    >
      {partial.read === 0
        ? "Without an index each reading would scan the whole table. This index makes the tail possible:"
        : "Messages that wait are shown, and others may be missing. This index makes the list complete:"}
      {partial.index !== "" && <CodeBlock text={partial.index} label="the SQL of the index" />}
    </EmptyState>
  );
}

function usePauseOnScroll({ state, pause }: Tail): void {
  const paused = state.paused !== null;
  useEffect(() => {
    if (paused) return;
    const onScroll = () => window.scrollY > SCROLLED_PX && pause("because you scrolled");
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
  }, [paused, pause]);
}
