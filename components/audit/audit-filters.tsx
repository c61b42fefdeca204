"use client";

import { Button, NativeSelect } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { TextField } from "#components/ui/controls/text-field.tsx";
import { AUDIT_OUTCOMES } from "#contracts/access/audit.ts";
import css from "./audit.module.css";
import { actionGroups } from "./audit-actions.ts";
import { startOfDay } from "./audit-days.ts";
import { AUDIT_FILTERS, type AuditFilters } from "./audit-query.ts";

interface Props {
  filters: AuditFilters;
  onChange: (values: AuditFilters) => void;
}

const NONE = Object.fromEntries(AUDIT_FILTERS.map((field) => [field, undefined]));

export function AuditFilterBar({ filters, onChange }: Props) {
  const { list } = useOutbox();
  const names = [...new Set([...(list?.outboxes.map(({ name }) => name) ?? []), ...(filters.of ? [filters.of] : [])])];
  const any = Object.values(filters).some((value) => value !== undefined);
  return (
    <search className={css.filters}>
      <DayFilter label="From day, UTC" value={filters.from} onApply={(from) => onChange({ from })} />
      <DayFilter label="To day, UTC" value={filters.to} onApply={(to) => onChange({ to })} />
      <TextFilter label="Who" value={filters.actor} onApply={(actor) => onChange({ actor })} />
      <NativeSelect
        aria-label="Action"
        size="xs"
        data={[{ value: "", label: "Any action" }, ...actionGroups(filters.action)] as never}
        value={filters.action ?? ""}
        onChange={(event) => onChange({ action: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        aria-label="Outcome"
        size="xs"
        data={[{ value: "", label: "Any outcome" }, ...AUDIT_OUTCOMES]}
        value={filters.outcome ?? ""}
        onChange={(event) => onChange({ outcome: event.currentTarget.value || undefined })}
      />
      {names.length > 1 && (
        <NativeSelect
          aria-label="Outbox"
          size="xs"
          data={[{ value: "", label: "Every outbox" }, ...names]}
          value={filters.of ?? ""}
          onChange={(event) => onChange({ of: event.currentTarget.value || undefined })}
        />
      )}
      <TextFilter label="Message id" value={filters.messageId} first onApply={(messageId) => onChange({ messageId })} />
      {any && (
        <Button size="xs" onClick={() => onChange(NONE)}>
          Clear
        </Button>
      )}
    </search>
  );
}

interface TextFilterProps {
  label: string;
  value: string | undefined;
  first?: boolean;
  onApply: (value: string | undefined) => void;
}

function TextFilter({ label, value, first = false, onApply }: TextFilterProps) {
  const [text, setText] = useState(value ?? "");
  useEffect(() => setText(value ?? ""), [value]);

  function apply(event?: FormEvent) {
    event?.preventDefault();
    const next = text.trim();
    if (next !== (value ?? "")) onApply(next === "" ? undefined : next);
  }

  return (
    <form onSubmit={apply}>
      <TextField
        aria-label={label}
        placeholder={label}
        data-filter={first || undefined}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => apply()}
      />
    </form>
  );
}

/** A day that is whole or none: an unfinished one, such as the year 0002 while 2026 is typed, filters nothing yet. */
function DayFilter({ label, value, onApply }: Omit<TextFilterProps, "first">) {
  const [day, setDay] = useState(value ?? "");
  useEffect(() => setDay(value ?? ""), [value]);

  function apply(next: string) {
    const whole = next >= "1970" && startOfDay(next) !== undefined;
    if ((whole || next === "") && next !== (value ?? "")) onApply(next === "" ? undefined : next);
  }

  return (
    <span className={css.day}>
      <span aria-hidden>{label}</span>
      <TextField
        type="date"
        aria-label={label}
        value={day}
        max="9998-12-31"
        onChange={(event) => {
          setDay(event.currentTarget.value);
          apply(event.currentTarget.value);
        }}
      />
    </span>
  );
}
