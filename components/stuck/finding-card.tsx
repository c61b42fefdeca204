"use client";

import { Button } from "@mantine/core";
import { IconArrowRight } from "@tabler/icons-react";
import Link from "next/link";
import { useEffect, useRef } from "react";
import { useServerNow } from "#components/live/use-now.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { VERDICT_LOOKS, VerdictBadge } from "#components/ui/badges/verdict-badge.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import { WithStatements } from "#components/ui/values/with-statements.tsx";
import type { Finding } from "#contracts/watch/findings.ts";
import { atStart, boundOf, formatDuration, formatPlural } from "#domain/format.ts";
import css from "./stuck.module.css";

/**
 * One finding: what, since when, why, the evidence, and a link to the next step. It changes nothing. `asked`: the
 * address names it.
 */
export function FindingCard({ finding, asked }: { finding: Finding; asked: boolean }) {
  const { href } = useOutbox();
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (asked) card.current?.scrollIntoView({ block: "nearest" });
  }, [asked]);
  return (
    <article
      ref={card}
      className={css.card}
      aria-current={asked || undefined}
      data-tone={VERDICT_LOOKS[finding.word].tone}
      data-testid="finding"
      data-rule={finding.rule}
    >
      <div className={css.head}>
        <VerdictBadge word={finding.word} />
        <h2>{finding.title}</h2>
        <span className={`mono ${css.subject}`} title={finding.subject}>
          <bdi>{finding.subject}</bdi>
        </span>
        <Since at={finding.since} />
      </div>
      <p className={css.sentence}>{atStart(finding.sentence)}</p>
      <p className={css.diagnosis}>{finding.diagnosis}</p>
      <Evidence finding={finding} />
      <div className={css.next}>
        <p>
          <WithStatements text={finding.nextStep} />
        </p>
        {finding.href !== null && (
          <Button component={Link} href={href(finding.href)} rightSection={<IconArrowRight size={13} aria-hidden />}>
            Open {sectionOf(finding.href)}
          </Button>
        )}
      </div>
    </article>
  );
}

/** Labels of the count, for rules whose messages are not held up. */
const COUNTED: Partial<Record<Finding["rule"], string>> = {
  dead_letters: "Dead",
  failing: "Failing",
  unroutable_type: "Dead",
  relay_scans: "Given up on",
  not_processed: "Not processed",
  unknown_status: "Affected",
};

const SECTIONS: Record<string, string> = {
  messages: "the messages",
  blocked: "the blocked aggregates",
  relays: "the relays",
  failures: "the failures",
  inbox: "the inbox",
  settings: "the settings",
};

/** A link's destination, in words. */
function sectionOf(path: string): string {
  const [section = "", rest] = path.replace(/^\//, "").split(/[/?]/);
  if (section === "messages" && rest && !path.includes("?")) return "the message";
  return SECTIONS[section] ?? "the page";
}

function Since({ at }: { at: string }) {
  const nowMs = useServerNow();
  const seconds = (nowMs - Date.parse(at)) / 1000;
  return (
    <span className={css.since}>
      since <Instant at={at} />
      <span suppressHydrationWarning>{nowMs > 0 && seconds >= 0 ? `, ${formatDuration(seconds)}` : ""}</span>
    </span>
  );
}

function Evidence({ finding }: { finding: Finding }) {
  const counts = [
    ...(finding.messages === null
      ? []
      : [`${boundOf(finding.messagesCapped, finding.messagesEstimated)}${formatPlural(finding.messages, "message")}`]),
    ...(finding.aggregates === null ? [] : [formatPlural(finding.aggregates, "aggregate")]),
  ];
  if (counts.length === 0 && finding.evidence.length === 0) return null;
  return (
    <dl className={css.evidence}>
      {counts.length > 0 && (
        <div>
          <dt>{COUNTED[finding.rule] ?? (finding.word === "at_risk" ? "Affected" : "Held up")}</dt>
          <dd>{counts.join(" of ")}</dd>
        </div>
      )}
      {finding.evidence.map((item) => (
        <div key={item.label}>
          <dt>{item.label}</dt>
          <dd className="mono">{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
