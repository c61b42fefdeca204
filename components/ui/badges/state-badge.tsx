import {
  IconArchive,
  IconCheck,
  IconCircleHalf2,
  IconClockOff,
  IconPlayerPlayFilled,
  type IconProps,
  IconQuestionMark,
  IconRefresh,
  IconX,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { MessageState } from "#domain/message/message-state.ts";
import { Badge, type BadgeTone } from "./badge.tsx";

interface StateLook {
  word: string;
  tone: BadgeTone;
  icon: ComponentType<IconProps>;
}

/** Each state's icon and colour, used everywhere in the console. */
export const STATE_LOOKS: Record<MessageState, StateLook> = {
  pending: { word: "pending", tone: "neutral", icon: IconCircleHalf2 },
  failed: { word: "failed", tone: "warn", icon: IconRefresh },
  in_flight: { word: "in flight", tone: "fly", icon: IconPlayerPlayFilled },
  dead: { word: "dead", tone: "dead", icon: IconX },
  published: { word: "published", tone: "ok", icon: IconCheck },
  archived: { word: "archived", tone: "neutral", icon: IconArchive },
  expired: { word: "expired", tone: "neutral", icon: IconClockOff },
  unknown: { word: "unknown", tone: "warn", icon: IconQuestionMark },
};

export function StateBadge({ state }: { state: MessageState }) {
  const look = STATE_LOOKS[state];
  const Icon = look.icon;
  return (
    <Badge tone={look.tone} icon={<Icon size={12} stroke={2.2} aria-hidden />}>
      {look.word}
    </Badge>
  );
}
