import { IconCircleCheck, IconEyeOff, IconHandStop, IconNote, IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { GroupMark } from "#contracts/message/groups.ts";
import { formatCount, formatPlural } from "#domain/format.ts";
import css from "./group-memory.module.css";

const SIZE = 13;

/** What people decided about a group, in one quiet line of a list; nothing if nobody has. */
export function GroupMarks({ mark }: { mark: GroupMark | null }) {
  if (mark === null) return null;
  const { claim, resolved, ignored, notes } = mark;
  const marks: { key: string; icon: ReactNode; text: ReactNode; warn?: boolean }[] = [];
  if (claim !== null)
    marks.push({ key: "claim", icon: <IconHandStop size={SIZE} aria-hidden />, text: <>{claim.by} is on it</> });
  if (resolved !== null)
    marks.push(
      resolved.cameBackAt === null
        ? { key: "resolved", icon: <IconCircleCheck size={SIZE} aria-hidden />, text: `resolved by ${resolved.by}` }
        : {
            key: "back",
            icon: <IconRefresh size={SIZE} aria-hidden />,
            text: `came back after ${resolved.by} resolved it`,
            warn: true,
          },
    );
  if (ignored !== null)
    marks.push({ key: "ignored", icon: <IconEyeOff size={SIZE} aria-hidden />, text: ignoredWords(ignored) });
  if (notes > 0)
    marks.push({ key: "notes", icon: <IconNote size={SIZE} aria-hidden />, text: formatPlural(notes, "note") });
  if (marks.length === 0) return null;
  return (
    <span className={css.marks}>
      {marks.map(({ key, icon, text, warn }) => (
        <span key={key} className={css.mark} data-warn={warn}>
          {icon}
          <bdi>{text}</bdi>
        </span>
      ))}
    </span>
  );
}

export function ignoredWords({ upTo, folded }: Pick<NonNullable<GroupMark["ignored"]>, "upTo" | "folded">): string {
  const rate = `ignored up to ${formatCount(upTo)} new an hour`;
  if (folded === false) return `${rate}, more came in the last hour`;
  return folded === null ? `${rate}; its rate is not known` : rate;
}
