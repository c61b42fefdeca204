"use client";

import { IconSearch, IconX } from "@tabler/icons-react";
import Link from "next/link";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import {
  FILTER_FIELDS,
  FILTER_LABELS,
  type FilterField,
  type MessageFilters,
  withField,
  withSearch,
} from "#components/filters/message-filters.ts";
import { parseFilterText } from "#components/filters/parse-filter-text.ts";
import { groupPath } from "#components/outbox/group-address.ts";
import { useGroupName } from "#components/outbox/use-group-name.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { TextField } from "#components/ui/controls/text-field.tsx";
import { Kbd } from "#components/ui/values/kbd.tsx";
import { AddFilter } from "./add-filter.tsx";
import css from "./filter-bar.module.css";
import { RangeButton } from "./range-button.tsx";

interface FilterBarProps {
  filters: MessageFilters;
  onChange: (filters: MessageFilters) => void;
}

/** Shown by the button of the range. */
const IN_RANGE: readonly FilterField[] = ["from", "to"];

/** A field for an exact id, aggregate or type (or `type:…`), then the range of time and one chip per other filter. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const [text, setText] = useState("");
  const active = FILTER_FIELDS.flatMap((field) => {
    const value = IN_RANGE.includes(field) ? undefined : filters.fields[field];
    return value === undefined ? [] : [{ field, value }];
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (text.trim() === "") return;
    onChange(withSearch(filters, parseFilterText(text)));
    setText("");
  }

  function leave(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== "Escape") return;
    setText("");
    event.currentTarget.blur();
  }

  return (
    <search className={css.bar}>
      <form onSubmit={submit} className={css.form}>
        <TextField
          icon={<IconSearch size={13} aria-hidden />}
          right={<Kbd>/</Kbd>}
          placeholder="Id, aggregate or type"
          aria-label="Filter by an exact id, aggregate or type"
          title="Exact match. Also type:order.placed, aggregate:order-1, error:&quot;no rate&quot;, attempts:3, trace:4bf9…"
          data-filter
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={leave}
        />
      </form>
      <RangeButton filters={filters} onChange={onChange} />
      {active.map(({ field, value }) => (
        <Chip key={field} field={field} value={value} onRemove={() => onChange(withField(filters, field, undefined))} />
      ))}
      <AddFilter onAdd={(field, value) => onChange(withSearch(filters, { [field]: value }))} />
      {active.length > 1 && (
        <button type="button" className={css.quiet} onClick={() => onChange({ ...filters, fields: {} })}>
          clear all
        </button>
      )}
    </search>
  );
}

/** A failure group is shown in its words and leads to its page, with the error and what can be done. */
function Chip({ field, value, onRemove }: { field: FilterField; value: string; onRemove: () => void }) {
  const { href } = useOutbox();
  const isGroup = field === "group";
  const shown = useGroupName(isGroup ? value : undefined) ?? value;
  const words = (
    <>
      {FILTER_LABELS[field]}{" "}
      <b>
        <bdi>{shown}</bdi>
      </b>
    </>
  );
  return (
    <span className={css.chip} data-testid="filter-chip">
      {isGroup ? (
        <Link
          className={`${css.words} ${css.group}`}
          href={href(groupPath(value))}
          title={`${shown}: open the failure group`}
        >
          {words}
        </Link>
      ) : (
        <span className={css.words} title={value}>
          {words}
        </span>
      )}
      <button type="button" onClick={onRemove} aria-label={`Remove the filter ${FILTER_LABELS[field]} ${shown}`}>
        <IconX size={12} aria-hidden />
      </button>
    </span>
  );
}
