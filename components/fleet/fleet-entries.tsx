import Link from "next/link";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { VERDICT_LOOKS, VerdictDot } from "#components/ui/badges/verdict-badge.tsx";
import { Age } from "#components/ui/values/age.tsx";
import type { OutboxSummary } from "#contracts/outbox/outboxes.ts";
import { causeOf } from "./cause-of.ts";
import css from "./fleet.module.css";
import { toneOfOldest } from "./row-tones.ts";

/** On a phone: name, oldest age, cause. The whole entry is a link. */
export function FleetEntries({ outboxes, className }: { outboxes: readonly OutboxSummary[]; className?: string }) {
  return (
    <ul className={`${css.entries} ${className ?? ""}`}>
      {outboxes.map((outbox) => {
        const tone = toneOfOldest(outbox);
        return (
          <li key={outbox.name}>
            <Link className={css.entry} href={outboxHref("/", outbox.name)} data-testid="fleet-entry">
              <span className={css.entryHead}>
                <VerdictDot word={outbox.verdict.word} />
                <span className={css.entryName}>
                  <b>{outbox.name}</b>{" "}
                  <span className="muted">
                    {outbox.store} · {VERDICT_LOOKS[outbox.verdict.word].word}
                  </span>
                </span>
                <span className={tone === undefined ? css.entryAge : `${css.entryAge} tone-${tone}`}>
                  <Age seconds={outbox.figures?.oldestPendingSeconds} />
                </span>
              </span>
              <span className={css.entryCause}>{causeOf(outbox)}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
