import type { ComponentProps, ReactNode } from "react";
import css from "./text-field.module.css";

interface TextFieldProps extends Omit<ComponentProps<"input">, "className"> {
  "aria-label": string;
  icon?: ReactNode;
  /** Shown at the end of the field, e.g. its key. */
  right?: ReactNode;
  /** Marks a page's filter field, which `/` focuses. */
  "data-filter"?: boolean | undefined;
}

/** The small field of a filter bar. Forms with labels and errors use the library's fields. */
export function TextField({ icon, right, ...input }: TextFieldProps) {
  return (
    <span
      className={css.field}
      data-icon={icon !== undefined || undefined}
      data-right={right !== undefined || undefined}
    >
      {icon !== undefined && <span className={css.icon}>{icon}</span>}
      <input {...input} type={input.type ?? "text"} className={css.input} />
      {right !== undefined && <span className={css.right}>{right}</span>}
    </span>
  );
}
