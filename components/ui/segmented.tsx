import css from "./segmented.module.css";

interface SegmentedProps {
  /** Read by screen readers. */
  label: string;
  options: readonly { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
}

/** A few choices side by side, one of them chosen. */
export function Segmented({ label, options, value, onChange }: SegmentedProps) {
  return (
    <fieldset className={css.group} aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={css.option}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
