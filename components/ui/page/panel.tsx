import { type ReactNode, useId } from "react";
import css from "./panel.module.css";

interface PanelProps {
  title?: ReactNode;
  /** Muted text at the right of the title: a unit, a count, an as-of time. */
  aside?: ReactNode;
  /** For tables, whose cells have their own padding. */
  flush?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** A hairline box with a title. */
export function Panel({ title, aside, flush = false, className, children }: PanelProps) {
  const titleId = useId();
  return (
    <section
      className={className ? `${css.panel} ${className}` : css.panel}
      data-flush={flush || undefined}
      aria-labelledby={title === undefined ? undefined : titleId}
    >
      {title !== undefined && (
        <div className={css.head}>
          <h2 id={titleId} className={css.title}>
            {title}
          </h2>
          {aside !== undefined && <span className={css.aside}>{aside}</span>}
        </div>
      )}
      {children}
    </section>
  );
}
