"use client";

import { useState } from "react";
import { parseFilterText } from "#components/filters/parse-filter-text.ts";
import { NoOutbox } from "#components/outbox/no-outbox.tsx";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { TextField } from "#components/ui/controls/text-field.tsx";
import { PageHeader } from "#components/ui/page/page-header.tsx";
import { useAddress } from "#components/ui/page/use-address.ts";
import css from "./tail.module.css";
import { TailPanel } from "./tail-panel.tsx";

/** Events as they are written and published, newest first. */
export function TailPage() {
  const { name, isPending } = useOutbox();
  const { params, change } = useAddress();
  const eventType = params.get("eventType") ?? undefined;
  return (
    <>
      <PageHeader
        title="Live"
        lead="Messages as they arrive and are published, newest first."
        actions={
          <TypeFilter
            key={eventType ?? ""}
            value={eventType}
            onApply={(value) => change({ eventType: value }, "replace")}
          />
        }
      />
      {name === undefined && !isPending && <NoOutbox />}
      {name !== undefined && <TailPanel key={JSON.stringify([name, eventType])} outbox={name} eventType={eventType} />}
    </>
  );
}

interface TypeFilterProps {
  value: string | undefined;
  onApply: (value: string | undefined) => void;
}

function TypeFilter({ value, onApply }: TypeFilterProps) {
  const [text, setText] = useState(value ?? "");
  /** `type:order.placed` is understood as on the Messages page. */
  function apply() {
    const { eventType, q } = parseFilterText(text);
    onApply(eventType ?? q);
  }
  return (
    <form
      className={css.filter}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TextField
        type="search"
        placeholder="All types"
        aria-label="Show one exact type"
        data-filter
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          if (event.currentTarget.value === "" && value !== undefined) onApply(undefined);
        }}
      />
    </form>
  );
}
