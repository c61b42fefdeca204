import {
  IconBan,
  IconCheck,
  IconCircleHalf2,
  IconMinus,
  IconPlayerPlayFilled,
  IconPlayerStop,
  IconQuestionMark,
  IconRefresh,
} from "@tabler/icons-react";
import { Badge, type BadgeTone } from "#components/ui/badges/badge.tsx";
import type { OperationAction } from "#domain/message/correction.ts";
import { failedLabel } from "../describe-bulk.ts";
import type { ItemTab } from "../queries/item-tabs.ts";

interface OutcomeLook {
  label: string;
  tone: BadgeTone;
  icon: typeof IconCheck;
  /** Where the tab is empty. */
  empty: string;
}

/**
 * Word, icon and colour of each outcome. `released`: its outcome is not known yet; `unknown`: nothing will say whether
 * it was published.
 */
export const OUTCOME_LOOKS: Record<Exclude<ItemTab, "all">, OutcomeLook> = {
  published: { label: "Published", tone: "ok", icon: IconCheck, empty: "None has been published yet." },
  done: { label: "Done", tone: "ok", icon: IconCheck, empty: "None is done yet." },
  failed_again: { label: "Failed again", tone: "warn", icon: IconRefresh, empty: "None has failed again." },
  released: { label: "Waiting", tone: "fly", icon: IconPlayerPlayFilled, empty: "None waits for its outcome." },
  skipped: { label: "Skipped", tone: "neutral", icon: IconMinus, empty: "None was skipped." },
  refused: { label: "Refused", tone: "neutral", icon: IconBan, empty: "None was refused." },
  cancelled: { label: "Cancelled", tone: "neutral", icon: IconPlayerStop, empty: "None was cancelled." },
  unknown: { label: "In doubt", tone: "warn", icon: IconQuestionMark, empty: "None is in doubt." },
  left: { label: "Left", tone: "neutral", icon: IconCircleHalf2, empty: "None is left." },
};

/** The word of an outcome, as an action has it. */
export function outcomeLabel(tab: Exclude<ItemTab, "all">, action: OperationAction): string {
  return tab === "failed_again" ? failedLabel(action) : OUTCOME_LOOKS[tab].label;
}

export function OutcomeBadge({ outcome, action }: { outcome: Exclude<ItemTab, "all">; action: OperationAction }) {
  const { tone, icon: Icon } = OUTCOME_LOOKS[outcome];
  return (
    <Badge tone={tone} icon={<Icon size={12} stroke={2.2} aria-hidden />}>
      {outcomeLabel(outcome, action).toLowerCase()}
    </Badge>
  );
}
