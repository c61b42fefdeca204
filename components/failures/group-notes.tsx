"use client";

import { Button, Textarea } from "@mantine/core";
import { IconNote } from "@tabler/icons-react";
import { type FormEvent, useRef, useState } from "react";
import { useShortcuts } from "#components/shortcuts/use-shortcuts.ts";
import { Instant } from "#components/ui/values/instant.tsx";
import type { GroupMemory } from "#contracts/message/groups.ts";
import css from "./group-memory.module.css";

interface GroupNotesProps {
  notes: GroupMemory["notes"] | undefined;
  /** First failure of what fails now; null if not known. Earlier notes are from an earlier time. */
  since: string | null;
  busy: boolean;
  /** Undefined if nothing may be added. */
  onAdd: ((text: string, done: () => void) => void) | undefined;
}

/** Notes, newest first, and a field for another one. */
export function GroupNotes({ notes, since, busy, onAdd }: GroupNotesProps) {
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  useShortcuts(
    onAdd === undefined
      ? []
      : [{ key: "n", description: "Add a note", group: "Failure group", run: () => field.current?.focus() }],
  );

  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (text.trim() !== "" && !busy) onAdd?.(text.trim(), () => setText(""));
  }

  return (
    <>
      {notes !== undefined && notes.length > 0 && (
        <ul className={css.notes} aria-label="Notes">
          {notes.map((note) => (
            <li key={note.id}>
              <IconNote size={15} aria-hidden />
              <div>
                <p>{note.text}</p>
                <small className="muted">
                  <bdi>{note.by}</bdi>, <Instant at={note.at} />
                  {since !== null && note.at < since && " · kept from the last time"}
                </small>
              </div>
            </li>
          ))}
        </ul>
      )}
      {onAdd !== undefined && (
        <form className={css.add} onSubmit={submit}>
          <Textarea
            ref={field}
            aria-label="Note"
            placeholder="Add a note"
            autosize
            minRows={1}
            maxRows={8}
            maxLength={2000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit();
            }}
          />
          <Button type="submit" size="xs" aria-disabled={text.trim() === ""} loading={busy && text !== ""}>
            Add
          </Button>
        </form>
      )}
    </>
  );
}
