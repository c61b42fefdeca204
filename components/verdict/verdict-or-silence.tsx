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
        <SilenceNote {...silence}>{verdict !== undefined && lastKnown(verdict, silence.error)}</SilenceNote>
      </div>
    </div>
  );
}

/** Without the cause if the note's error says it already; nothing if nothing was known before it either. */
function lastKnown({ word, title, cause }: NonNullable<VerdictOrSilenceProps["verdict"]>, error: Error | null): string {
  const isSaid = cause === null || error?.message.startsWith(cause);
  if (isSaid && word === "unknown") return "";
  return ` Last known: ${isSaid ? title : `${title}: ${cause}`}.`;
}
