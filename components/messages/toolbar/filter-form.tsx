"use client";

import { Button, NativeSelect, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { FILTER_FIELDS, FILTER_LABELS, type FilterField } from "#components/filters/message-filters.ts";
import { normaliseValue } from "#components/filters/parse-filter-text.ts";
import css from "./filter-bar.module.css";

const CHOICES = FILTER_FIELDS.filter((field) => !["q", "from", "to"].includes(field)).map((field) => ({
  value: field,
  label: FILTER_LABELS[field],
}));

const HINTS: Partial<Record<FilterField, string>> = {
  eventType: "exact, e.g. order.placed",
  aggregateType: "exact, e.g. order",
  aggregateId: "exact, e.g. order-48213",
  error: "part of the last error",
  group: "fingerprint of a failure group",
  errorCode: "exact, e.g. timeout",
  attemptsMin: "3",
  traceId: "32 hex digits, or a traceparent",
};

interface FilterFormProps {
  /** The value at first: what was typed while the script loaded. */
  typed: string;
  onAdd: (field: FilterField, value: string) => void;
}

/** Loaded when it is first opened. */
export function FilterForm({ typed, onAdd }: FilterFormProps) {
  const [field, setField] = useState<FilterField>("eventType");
  const [value, setValue] = useState(typed);

  function submit(event: FormEvent) {
    event.preventDefault();
    const normalised = normaliseValue(field, value);
    if (normalised !== "") onAdd(field, normalised);
  }

  return (
    <form className={css.popover} onSubmit={submit}>
      <NativeSelect
        label="Filter"
        data={CHOICES}
        value={field}
        onChange={(event) => setField(fieldNamed(event.currentTarget.value))}
      />
      <TextInput
        label="Value"
        placeholder={HINTS[field]}
        inputMode={field === "attemptsMin" ? "numeric" : undefined}
        autoComplete="off"
        data-autofocus
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <Button type="submit" variant="filled" aria-disabled={value.trim() === ""}>
        Add
      </Button>
    </form>
  );
}

function fieldNamed(name: string): FilterField {
  return FILTER_FIELDS.find((known) => known === name) ?? "eventType";
}
