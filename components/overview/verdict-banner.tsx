import { Button } from "@mantine/core";
import { IconArrowRight, IconCheck } from "@tabler/icons-react";
import Link from "next/link";
import type { Verdict } from "#contracts/diagnosis.ts";
import css from "./verdict-banner.module.css";

/** One sentence first: what, since when, why; then the proof; one dark button that only goes somewhere. */
export function VerdictBanner({ verdict }: { verdict: Verdict | undefined }) {
  if (verdict === undefined) return <div className={css.bone} aria-busy />;
  if (verdict.status === "pass") return <QuietLine verdict={verdict} />;
  return (
    <section className={css.banner} data-status={verdict.status} aria-label="Verdict">
      {/* Only the sentence is announced: the figures below it change with every refresh. */}
      <h1 aria-live="polite">
        <span className={css.word}>{verdict.title}</span>
        {verdict.cause !== null && `: ${verdict.cause}`}
      </h1>
      <p className={css.evidence}>
        {verdict.evidence} {verdict.more}
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
        </div>
      )}
    </section>
  );
}

/** Nothing needs a person: one quiet line. */
function QuietLine({ verdict }: { verdict: Verdict }) {
  return (
    <section className={css.quiet} aria-label="Verdict">
      <IconCheck size={15} stroke={2.4} aria-hidden />
      <span>
        <h1>{verdict.title}.</h1> {verdict.evidence}
      </span>
    </section>
  );
}
