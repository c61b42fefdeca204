import {
  IconHandStop,
  IconHourglass,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerStopFilled,
  type IconProps,
  IconX,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { Badge, type BadgeTone } from "#components/ui/badges/badge.tsx";
import type { ShownState } from "./relay-words.ts";

interface RelayLook {
  word: string;
  tone: BadgeTone;
  icon: ComponentType<IconProps>;
}

const LOOKS: Record<ShownState, RelayLook> = {
  owner: {
    word: "publishing",
    tone: "ok",
    icon: IconPlayerPlayFilled,
  },
  standby: {
    word: "standby",
    tone: "neutral",
    icon: IconHourglass,
  },
  paused: { word: "paused", tone: "warn", icon: IconPlayerPauseFilled },
  holding: {
    word: "holding",
    tone: "bad",
    icon: IconHandStop,
  },
  stopping: { word: "stopping", tone: "neutral", icon: IconPlayerStopFilled },
  stopped: {
    word: "stopped",
    tone: "neutral",
    icon: IconPlayerStopFilled,
  },
  silent: { word: "silent", tone: "warn", icon: IconHourglass },
  lost: { word: "lost", tone: "bad", icon: IconX },
};

export function RelayStateBadge({ state }: { state: ShownState }) {
  const { word, tone, icon: Icon } = LOOKS[state];
  return (
    <Badge tone={tone} icon={<Icon size={12} stroke={2.2} aria-hidden />}>
      {word}
    </Badge>
  );
}
