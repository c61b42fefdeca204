import { Button } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { Instant } from "#components/ui/values/instant.tsx";
import { Kbd } from "#components/ui/values/kbd.tsx";
import { formatCount } from "#domain/format.ts";
import css from "./tail.module.css";
import { countOf, rateOf } from "./tail-state.ts";
import type { Tail } from "./use-tail.ts";

/** Whether it runs, how fast messages arrive, and what waits while it is paused. */
export function TailHead({ tail, onToggle }: { tail: Tail; onToggle: () => void }) {
  const { state, refreshPaused } = tail;
  const { paused, held } = state;
  return (
    <div className={css.head}>
      <Button
        size="xs"
        leftSection={paused ? <IconPlayerPlay size={13} aria-hidden /> : <IconPlayerPause size={13} aria-hidden />}
        rightSection={<Kbd>.</Kbd>}
        onClick={onToggle}
      >
        {paused ? "Resume" : "Pause"}
      </Button>
      {paused === null ? (
        <span className={css.words}>
          <span className={css.dot} data-off={refreshPaused !== undefined || undefined} aria-hidden />
          {refreshPaused === undefined ? "Live tail" : `Not refreshed: ${refreshPaused}`}
          <Rate tail={tail} />
        </span>
      ) : (
        <span className={css.words} data-testid="tail-paused">
          <b className={css.paused}>
            Paused at <Instant at={paused.at} /> UTC
          </b>{" "}
          {paused.why}
          {held.length > 0 && <b> · {formatHeld(countOf(held))}</b>}
        </span>
      )}
    </div>
  );
}

function Rate({ tail: { state } }: { tail: Tail }) {
  const rate = rateOf(state);
  if (rate === null) return null;
  return (
    <span className="muted">
      {" "}
      · {rate >= 100 ? formatCount(Math.round(rate)) : rate.toFixed(1)} a second in the last minute
    </span>
  );
}

/** "+128 new"; "new ones, not all counted". */
export function formatHeld(count: number | null): string {
  return count === null ? "new ones, not all counted" : `+${formatCount(count)} new`;
}
