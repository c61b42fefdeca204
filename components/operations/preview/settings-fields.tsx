"use client";

import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { Figure } from "#contracts/common.ts";
import { type BulkAction, canFailAgain } from "#domain/message/bulk-operation.ts";
import css from "./preview-dialog.module.css";
import { readSettings, type SettingField, type SettingsInput } from "./settings-input.ts";
import { describeSettings, describeTime } from "./settings-words.ts";

interface SettingsFieldsProps {
  action: BulkAction;
  input: SettingsInput;
  /** What the dialog begins with, and goes back to. */
  initial: SettingsInput;
  /** Number of messages, for the time it takes; undefined while unknown. */
  count: Figure | undefined;
  onChange: (input: SettingsInput) => void;
}

interface FieldWords {
  label: string;
  unit: string;
  placeholder: string;
}

const FIELDS: Record<SettingField, FieldWords> = {
  ratePerSecond: { label: "Rate", unit: "a second", placeholder: "no limit" },
  rampSeconds: { label: "Ramp up over", unit: "seconds", placeholder: "0" },
  canary: { label: "Canary first", unit: "messages", placeholder: "10" },
  haltPercent: { label: "Halt when", unit: "% of the last 50 fail", placeholder: "20" },
};

/** The settings as one sentence, and their fields once asked for. */
export function SettingsFields({ action, input, initial, count, onChange }: SettingsFieldsProps) {
  const [open, setOpen] = useState(false);
  const { settings, problems } = readSettings(input);
  const time = settings === null || count === undefined ? null : describeTime(count, settings);
  const fields: SettingField[] = canFailAgain(action)
    ? ["ratePerSecond", "rampSeconds", "canary", "haltPercent"]
    : ["ratePerSecond", "rampSeconds"];
  return (
    <section className={css.settings} aria-label="Pace">
      {open && (
        <div className={css.fields}>
          {fields.map((field, index) => (
            <TextInput
              key={field}
              label={FIELDS[field].label}
              placeholder={FIELDS[field].placeholder}
              className={index > 1 ? css.wide : undefined}
              inputMode="decimal"
              autoComplete="off"
              value={input[field]}
              error={problems[field]}
              disabled={field === "rampSeconds" && input.ratePerSecond.trim() === ""}
              rightSection={<span className={css.unit}>{FIELDS[field].unit}</span>}
              rightSectionWidth={UNIT_WIDTHS[field]}
              onChange={(event) => onChange({ ...input, [field]: event.currentTarget.value })}
            />
          ))}
        </div>
      )}
      <p className={css.pace}>
        {settings === null ? "Correct the marked fields." : describeSettings(action, settings)}
        {time !== null && ` ${time}`}{" "}
        <button type="button" className={css.change} aria-expanded={open} onClick={() => toggle()}>
          {open ? "Undo these changes" : "Change the pace"}
        </button>
      </p>
    </section>
  );

  function toggle() {
    if (open) onChange(initial);
    setOpen(!open);
  }
}

const UNIT_WIDTHS: Record<SettingField, number> = {
  ratePerSecond: 72,
  rampSeconds: 72,
  canary: 78,
  haltPercent: 190,
};
