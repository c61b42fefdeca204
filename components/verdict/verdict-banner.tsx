import { Button } from "@mantine/core";
import { IconArrowRight, IconCheck } from "@tabler/icons-react";
import Link from "next/link";
import { OpenIncident } from "#components/incidents/open-incident.tsx";
import { clipWords } from "#components/ui/format/clip-words.ts";
import type { Verdict } from "#contracts/watch/diagnosis.ts";
import { sentence } from "#domain/format.ts";
import css from "./verdict-banner.module.css";

type BannerVerdict = Pick<Verdict, "word" | "status" | "title" | "cause" | "since" | "evidence" | "next"> & {
  more?: string | null;
};

interface VerdictBannerProps {
  verdict: BannerVerdict | undefined;
  /** What an incident would be about; empty: every outbox. */
  outboxes: readonly string[];
}

/** Longest title that the banner proposes for an incident. */
const TITLE_CHARACTERS = 120;

/**
 * First one sentence: what is wrong, since when, and how many messages are affected; then the evidence; then one
 * primary button that only navigates. The height is the same in every state, so that a failure moves nothing on the
 * page.
 */
export function VerdictBanner({ verdict, outboxes }: VerdictBannerProps) {
  if (verdict === undefined) return <div className={css.banner} aria-busy />;
  const more = verdict.more ?? null;
  return (
    <section className={css.banner} data-tone={toneOf(verdict)} aria-label="Verdict">
      {/* Only the sentence is announced: the figures below it change with every refresh. */}
      <h1 aria-live="polite">
        {verdict.status === "pass" && <IconCheck size={16} stroke={2.4} aria-hidden />}
        <span className={css.word}>{verdict.title}</span>
        {verdict.cause !== null && `: ${verdict.cause}`}
      </h1>
      <p className={css.evidence}>
        {verdict.evidence}
        {more !== null && <span className={css.more}> {sentence(more)}</span>}
      </p>
      {verdict.next !== null && (
        <div className={css.next}>
          <Button
            component={Link}
            href={verdict.next.href}
            variant="filled"
            rightSection={<IconArrowRight size={15} aria-hidden />}
          >
            {verdict.next.label}
          </Button>
          {verdict.status !== "pass" && (
            <OpenIncident
              start={{
                title: clipWords(verdict.cause ?? verdict.title, TITLE_CHARACTERS),
                since: verdict.since,
                outboxes: [...outboxes],
                group: null,
              }}
            />
          )}
        </div>
      )}
    </section>
  );
}

/** A pause is intended and stays neutral; every other problem is red or amber. */
function toneOf({ word, status }: BannerVerdict): "bad" | "warn" | "quiet" {
  if (status === "fail") return "bad";
  return status === "pass" || word === "paused" ? "quiet" : "warn";
}
