import { Panel } from "#components/ui/page/panel.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { Bulk } from "#contracts/message/operations.ts";
import css from "./operation.module.css";

/** What happened to the operation, newest first. */
export function TimelinePanel({ timeline }: Pick<Bulk, "timeline">) {
  if (timeline.length === 0) return null;
  return (
    <Panel title="Timeline" aside="newest first">
      <ol className={css.timeline}>
        {timeline.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two entries may have the same instant and text
          <li key={`${entry.at}${index}`} data-kind={entry.kind}>
            <span className="muted">
              <Instant at={entry.at} />
            </span>
            <span>{entry.text}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
