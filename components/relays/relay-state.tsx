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
import type { RelayInstance } from "#contracts/outbox/relays.ts";

interface RelayLook {
  word: string;
  tone: BadgeTone;
  icon: ComponentType<IconProps>;
  meaning: string;
}

const LOOKS: Record<RelayInstance["state"], RelayLook> = {
  owner: {
    word: "publishing",
    tone: "ok",
    icon: IconPlayerPlayFilled,
    meaning: "Owns the outbox, or a share of it, and publishes.",
  },
  standby: {
    word: "standby",
    tone: "neutral",
    icon: IconHourglass,
    meaning: "Owns no partitions; takes over when one is free.",
  },
  paused: { word: "paused", tone: "warn", icon: IconPlayerPauseFilled, meaning: "Paused by an operator." },
  holding: {
    word: "holding",
    tone: "bad",
    icon: IconHandStop,
    meaning: "The sink cannot be used. Messages wait and use up no attempts.",
  },
  stopping: { word: "stopping", tone: "neutral", icon: IconPlayerStopFilled, meaning: "Settling its last batch." },
  stopped: {
    word: "stopped",
    tone: "quiet",
    icon: IconPlayerStopFilled,
    meaning: "Stopped cleanly and released its lease.",
  },
  lost: { word: "lost", tone: "bad", icon: IconX, meaning: "No heartbeat for 10 s, and no clean stop." },
};

export function RelayStateBadge({ state }: { state: RelayInstance["state"] }) {
  const { word, tone, icon: Icon, meaning } = LOOKS[state];
  return (
    <span title={meaning}>
      <Badge tone={tone} icon={<Icon size={12} stroke={2.2} aria-hidden />}>
        {word}
      </Badge>
    </span>
  );
}
