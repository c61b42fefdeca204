"use client";

import { useShortcuts } from "#components/shortcuts/use-shortcuts.ts";
import { Segmented } from "#components/ui/controls/segmented.tsx";
import { useAddress } from "#components/ui/page/use-address.ts";
import { Kbd } from "#components/ui/values/kbd.tsx";
import { FAILURE_GROUPINGS, type FailureGrouping } from "#domain/message/failure-grouping.ts";
import css from "./failures.module.css";

const LABELS: Record<FailureGrouping, string> = { text: "Error text", code: "Error code", type: "Type" };
const OPTIONS = FAILURE_GROUPINGS.map((value) => ({ value, label: LABELS[value] }));

/** The grouping in the address; an unknown one is the default. */
export function readGrouping(params: URLSearchParams): FailureGrouping {
  const by = params.get("by");
  return FAILURE_GROUPINGS.find((known) => known === by) ?? "text";
}

/** The default stays out of the address. */
export function groupingParam(by: FailureGrouping): { by: string | undefined } {
  return { by: by === "text" ? undefined : by };
}

/** What the failures are grouped by, kept in the address. */
export function GroupChoice() {
  const { params, change } = useAddress();
  const by = readGrouping(params);
  const choose = (next: FailureGrouping) => change(groupingParam(next), "replace");
  const turn = () =>
    choose(FAILURE_GROUPINGS[(FAILURE_GROUPINGS.indexOf(by) + 1) % FAILURE_GROUPINGS.length] ?? "text");
  useShortcuts([{ key: "b", description: "Group by the next", group: "Failures", run: turn }]);
  return (
    <div className={css.choice}>
      <span className="muted" aria-hidden>
        Group by
      </span>
      <Segmented label="Group by" options={OPTIONS} value={by} onChange={choose} />
      <Kbd>b</Kbd>
    </div>
  );
}
