import type { ReactNode } from "react";
import type { Bulk, Operation } from "#contracts/message/operations.ts";
import { formatCount, formatRate } from "#domain/format.ts";
import css from "../operation.module.css";
import { countOf, listItemTabs } from "../queries/item-tabs.ts";
import { outcomeLabel } from "./outcome-looks.tsx";

interface OutcomeBarProps {
  action: Operation["action"];
  bulk: Bulk;
  hrefOf: (tab: string) => string;
  onChoose: (tab: string) => void;
  children?: ReactNode;
}

/** One bar whose parts add up to the whole, and a figure for each part, which links to its messages. */
export function OutcomeBar({ action, bulk, hrefOf, onChoose, children }: OutcomeBarProps) {
  const { counts, canary, ratePerSecond } = bulk;
  const tabs = listItemTabs(action, counts, "all").filter((tab) => tab !== "all");
  const words = tabs.map((tab) => `${formatCount(countOf(counts, tab))} ${outcomeLabel(tab, action).toLowerCase()}`);
  return (
    <section className={css.outcomes} aria-label="Outcomes">
      <div className={css.bar} role="img" aria-label={words.join(", ")}>
        {tabs.map((tab) => (
          <span
            key={tab}
            data-outcome={tab}
            data-some={countOf(counts, tab) > 0 || undefined}
            style={{ flexGrow: countOf(counts, tab) }}
          />
        ))}
      </div>
      <dl className={css.figures}>
        {tabs.map((tab) => (
          <div key={tab} data-outcome={tab}>
            <dt>
              <i aria-hidden />
              {outcomeLabel(tab, action)}
            </dt>
            <dd>
              <a
                href={hrefOf(tab)}
                data-rest={countOf(counts, tab) === 0 || undefined}
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                  event.preventDefault();
                  onChoose(tab);
                }}
              >
                {formatCount(countOf(counts, tab))}
              </a>
            </dd>
          </div>
        ))}
        {ratePerSecond !== null && (
          <div>
            <dt>Rate</dt>
            <dd>
              {formatRate(ratePerSecond)} <small>/s</small>
            </dd>
          </div>
        )}
        {canary !== null && canary.size > 0 && (
          <div>
            <dt>Canary</dt>
            <dd>
              {formatCount(canary.published)} of {formatCount(canary.size)}{" "}
              <small>published{canary.failedAgain > 0 && `, ${formatCount(canary.failedAgain)} failed`}</small>
            </dd>
          </div>
        )}
        {children}
      </dl>
    </section>
  );
}
