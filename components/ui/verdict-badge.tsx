import {
  IconAlertTriangle,
  IconCheck,
  IconPlayerPauseFilled,
  type IconProps,
  IconQuestionMark,
  IconX,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { Verdict } from "#contracts/diagnosis.ts";
import { Badge, type BadgeTone } from "./badge.tsx";

interface VerdictLook {
  word: string;
  tone: BadgeTone;
  icon: ComponentType<IconProps>;
}

export const VERDICT_LOOKS: Record<Verdict["word"], VerdictLook> = {
  delivering: { word: "delivering", tone: "ok", icon: IconCheck },
  in_part: { word: "in part", tone: "bad", icon: IconX },
  at_risk: { word: "at risk", tone: "warn", icon: IconAlertTriangle },
  late: { word: "late", tone: "warn", icon: IconAlertTriangle },
  not_delivering: { word: "not delivering", tone: "bad", icon: IconX },
  paused: { word: "paused", tone: "warn", icon: IconPlayerPauseFilled },
  unknown: { word: "not known", tone: "warn", icon: IconQuestionMark },
};

const UNDER_WARNING = { tone: "warn", icon: IconAlertTriangle } as const;

/** With `status` what is delivered under a warning (dead letters, say) is not shown as all well. */
export function VerdictBadge({ word, status = "pass" }: { word: Verdict["word"]; status?: Verdict["status"] }) {
  const plain = VERDICT_LOOKS[word];
  const look = word === "delivering" && status !== "pass" ? { ...plain, ...UNDER_WARNING } : plain;
  const Icon = look.icon;
  return (
    <Badge tone={look.tone} icon={<Icon size={12} stroke={2.2} aria-hidden />}>
      {look.word}
    </Badge>
  );
}
