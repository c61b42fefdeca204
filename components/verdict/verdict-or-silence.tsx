import type { ComponentProps } from "react";
import { SilenceNote } from "#components/ui/notices/silence-note.tsx";
import { VerdictBanner } from "./verdict-banner.tsx";
import css from "./verdict-or-silence.module.css";

interface VerdictOrSilenceProps extends ComponentProps<typeof VerdictBanner> {
  /** Shown in place of the banner at the banner's height, so that a late answer moves nothing. */
  silence: Omit<ComponentProps<typeof SilenceNote>, "children"> | null;
}

/** The verdict; while it is unknown, a note that says so, with the last one. */
export function VerdictOrSilence({ silence, verdict, outboxes }: VerdictOrSilenceProps) {
  if (silence === null) return <VerdictBanner verdict={verdict} outboxes={outboxes} />;
  return (
    <div className={css.place}>
      <div className={css.behind}>
        <VerdictBanner verdict={verdict} outboxes={outboxes} />
      </div>
      <div className={css.note}>
        <SilenceNote {...silence}>
          {verdict !== undefined && ` Last known: ${lastWords(verdict, silence.error)}.`}
        </SilenceNote>
      </div>
    </div>
  );
}

/** Without the cause if the note's error says it already. */
function lastWords({ title, cause }: NonNullable<VerdictOrSilenceProps["verdict"]>, error: Error | null): string {
  return cause === null || error?.message.startsWith(cause) ? title : `${title}: ${cause}`;
}
