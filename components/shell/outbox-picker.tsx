"use client";

import { IconChevronDown } from "@tabler/icons-react";
import { MenuButton } from "#components/ui/menu-button.tsx";
import { VERDICT_LOOKS } from "#components/ui/verdict-badge.tsx";
import css from "./outbox-picker.module.css";
import { useOutbox } from "./use-outbox.ts";

/** Which outbox the pages are about; each with a dot that says how it is. */
export function OutboxPicker() {
  const { name, list, isPending, select } = useOutbox();
  const entries = (list?.outboxes ?? []).map((outbox) => {
    const look = VERDICT_LOOKS[outbox.verdict.word];
    return {
      label: outbox.name,
      current: outbox.name === name,
      right: <span className={css.dot} data-tone={look.tone} role="img" aria-label={look.word} title={look.word} />,
      onSelect: () => select(outbox.name),
    };
  });
  return (
    <div className={css.place}>
      <MenuButton className={css.pick} label={`Outbox ${name ?? ""}, change`} entries={entries}>
        <span className={css.name}>{name ?? (isPending ? " " : list === undefined ? "not known" : "no outbox")}</span>
        <IconChevronDown size={13} aria-hidden className={css.chevron} />
      </MenuButton>
    </div>
  );
}
