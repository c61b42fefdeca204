"use client";

import { Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { VERDICT_LOOKS } from "#components/ui/verdict-badge.tsx";
import css from "./outbox-picker.module.css";
import { useOutbox } from "./use-outbox.ts";

/** Which outbox the pages are about; each with a dot that says how it is. */
export function OutboxPicker() {
  const { name, list, isPending, select } = useOutbox();
  return (
    <Menu position="bottom-start" width="target">
      <Menu.Target>
        <button type="button" className={css.pick} aria-label={`Outbox ${name ?? ""}, change`}>
          <span className={css.name}>{name ?? (isPending ? " " : list === undefined ? "not known" : "no outbox")}</span>
          <IconChevronDown size={13} aria-hidden className={css.chevron} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {list?.outboxes.map((outbox) => {
          const look = VERDICT_LOOKS[outbox.figures?.verdict.word ?? "unknown"];
          return (
            <Menu.Item
              key={outbox.name}
              onClick={() => select(outbox.name)}
              aria-current={outbox.name === name || undefined}
              rightSection={<span className={css.dot} data-tone={look.tone} title={look.word} />}
            >
              {outbox.name}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
