"use client";

import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
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
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current) tellWhatWasTyped(field.current);
  }, []);
  return (
    <span
      className={css.field}
      data-icon={icon !== undefined || undefined}
      data-right={right !== undefined || undefined}
    >
      {icon !== undefined && <span className={css.icon}>{icon}</span>}
      <input {...input} ref={field} type={input.type ?? "text"} className={css.input} />
      {right !== undefined && <span className={css.right}>{right}</span>}
    </span>
  );
}

/**
 * The page is there before its script. What was typed meanwhile is in the field only, and the first render would empty
 * it; so it is typed once more, for React to hear.
 */
function tellWhatWasTyped(field: HTMLInputElement): void {
  const typed = field.value;
  if (typed === "" || typed === field.defaultValue) return;
  field.value = field.defaultValue;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, typed);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
