"use client";

import { useId } from "react";
import css from "./segmented.module.css";

interface SegmentedProps<Value extends string> {
  /** Read by screen readers. */
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** A few choices side by side, one selected: radio buttons, so that the arrow keys move between them. */
export function Segmented<Value extends string>({ label, options, value, onChange }: SegmentedProps<Value>) {
  const name = useId();
  return (
    <div className={css.group} role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={css.option} data-chosen={option.value === value || undefined}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
