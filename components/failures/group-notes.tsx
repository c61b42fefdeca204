"use client";

import { IconNote } from "@tabler/icons-react";
import { NoteForm } from "#components/ui/controls/note-form.tsx";
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
        <NoteForm
          className={css.add}
          placeholder="Add a note"
          group="Failure group"
          size="xs"
          busy={busy}
          onAdd={onAdd}
        />
      )}
    </>
  );
}
