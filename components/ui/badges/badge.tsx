import type { ReactNode } from "react";
import css from "./state-badge.module.css";

export type BadgeTone = "neutral" | "ok" | "warn" | "bad" | "dead" | "fly";

/** Icon + word + colour; the word alone carries the meaning. */
export function Badge({
  tone = "neutral",
  icon,
  children,
}: {
  tone?: BadgeTone;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <span className={css.badge} data-tone={tone}>
      {icon}
      {children}
    </span>
  );
}
