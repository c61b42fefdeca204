import { IconPlayerPauseFilled } from "@tabler/icons-react";
import { Instant } from "#components/ui/values/instant.tsx";
import type { RelayList } from "#contracts/outbox/relays.ts";
import { endSentence } from "#domain/diagnosis/phrases.ts";
import css from "./relays.module.css";

export function PauseNotice({ pause }: { pause: RelayList["pauses"][number] }) {
  return (
    <p className={css.pause} role="status">
      <IconPlayerPauseFilled size={14} aria-hidden />
      <span>
        <b>{pause.outbox} is paused</b> by {pause.by} since <Instant at={pause.at} />: {endSentence(pause.reason)}{" "}
        {pause.until === null ? (
          "It stays paused until someone resumes it."
        ) : (
          <>
            The pause ends by itself at <Instant at={pause.until} />.
          </>
        )}
      </span>
    </p>
  );
}
