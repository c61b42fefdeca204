"use client";

import { Modal, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useLive } from "#components/live/live-provider.tsx";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import css from "./palette.module.css";
import { findPaletteEntries } from "./palette-entries.ts";

/** One field that opens any page, outbox or message by id. It only navigates. */
export function Palette({ onClose, typed = "" }: { onClose: () => void; typed?: string }) {
  const { list: outboxes, href } = useOutbox();
  const { holdRefresh } = useLive();
  const router = useRouter();
  const [text, setText] = useState(typed);
  const [index, setIndex] = useState(0);
  const entries = findPaletteEntries({ text, outboxes: outboxes?.outboxes ?? [], href });
  const current = Math.max(0, Math.min(index, entries.length - 1));
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => holdRefresh("a dialog is open"), [holdRefresh]);

  function open(target: string | undefined) {
    if (target === undefined) return;
    router.push(target);
    onClose();
  }

  function handleKey(event: KeyboardEvent) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      if (entries.length === 0) return;
      const next = (current + step + entries.length) % entries.length;
      setIndex(next);
      list.current?.children[next]?.scrollIntoView({ block: "nearest" });
    }
    if (event.key === "Enter") open(entries[current]?.href);
  }

  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      classNames={{ header: "visually-hidden", body: css.body }}
      title="Go to"
      size={560}
      yOffset="12vh"
      centered={false}
    >
      <TextInput
        variant="unstyled"
        size="md"
        classNames={{ root: css.field, input: css.input }}
        leftSection={<IconSearch size={16} aria-hidden />}
        placeholder="Page, outbox, message or aggregate id"
        aria-label="Find a page, an outbox or a message"
        role="combobox"
        aria-expanded={entries.length > 0}
        aria-controls="palette-list"
        aria-activedescendant={entries.length === 0 ? undefined : `palette-${current}`}
        data-autofocus
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setIndex(0);
        }}
        onKeyDown={handleKey}
      />
      <div ref={list} className={css.list} id="palette-list" role="listbox" aria-label="Results">
        {entries.map((entry, position) => (
          <button
            key={entry.href + entry.label}
            id={`palette-${position}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={position === current}
            className={css.entry}
            onMouseMove={() => setIndex(position)}
            onClick={() => open(entry.href)}
          >
            <span>{entry.label}</span>
            <span className="muted">{entry.kind}</span>
          </button>
        ))}
      </div>
      <p className={css.none} role="status">
        {entries.length === 0 && "No page or outbox has this name. Type two characters or more to look for a message."}
      </p>
    </Modal>
  );
}
