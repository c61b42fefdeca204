"use client";

import { IconChevronDown } from "@tabler/icons-react";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { VerdictDot } from "#components/ui/badges/verdict-badge.tsx";
import { MenuButton } from "#components/ui/controls/menu-button.tsx";
import type { MenuEntry } from "#components/ui/controls/menu-dropdown.tsx";
import css from "./outbox-picker.module.css";

/** Selects the pages' outbox; worst first, each with its state, and "all outboxes" on top. */
export function OutboxPicker() {
  const { name, fleet, list, isPending, select } = useOutbox();
  const outboxes = list?.outboxes ?? [];
  const entries: MenuEntry[] = outboxes.map((outbox, index) => ({
    label: outbox.name,
    current: outbox.name === name,
    divided: index === 0 && outboxes.length > 1,
    right: <VerdictDot word={outbox.verdict.word} named />,
    onSelect: () => select(outbox.name),
  }));
  if (list !== undefined && outboxes.length > 1) {
    entries.unshift({
      label: ALL,
      key: "\0all",
      current: fleet,
      right: <VerdictDot word={list.fleet.word} named />,
      onSelect: () => select(undefined),
    });
  }
  const words = fleet ? ALL : (name ?? (isPending ? " " : list === undefined ? "not known" : "no outbox"));
  const current = fleet ? list?.fleet : outboxes.find((outbox) => outbox.name === name)?.verdict;
  return (
    <div className={css.place}>
      <MenuButton className={css.pick} label={`Outbox: ${words.trim() || "loading"}, change`} entries={entries}>
        <span className={css.words}>
          {current !== undefined && <VerdictDot word={current.word} />}
          <span className={css.name}>{words}</span>
        </span>
        <IconChevronDown size={13} aria-hidden className={css.chevron} />
      </MenuButton>
    </div>
  );
}

const ALL = "All outboxes";
