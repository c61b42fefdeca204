import type { ReactNode } from "react";
import css from "./empty-state.module.css";

interface EmptyStateProps {
  /** What is missing, as a sentence: "Nothing is stuck." */
  title: ReactNode;
  /** What would be shown here, and since when there is none. */
  children?: ReactNode;
  action?: ReactNode;
  /** One muted line inside a panel. */
  small?: boolean;
  /** True when the page has no other title. */
  heading?: boolean;
}

export function EmptyState({ title, children, action, small = false, heading = false }: EmptyStateProps) {
  return (
    <div className={css.empty} data-small={small || undefined}>
      {heading ? <h1 className={css.title}>{title}</h1> : <p className={css.title}>{title}</p>}
      {children !== undefined && <div className={css.text}>{children}</div>}
      {action !== undefined && <div className={css.action}>{action}</div>}
    </div>
  );
}
