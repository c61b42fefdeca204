"use client";

import { Button, Textarea } from "@mantine/core";
import { type FormEvent, useRef, useState } from "react";
import { mayBeDone } from "#components/api/outage.ts";
import { useShortcuts } from "#components/shortcuts/use-shortcuts.ts";
import { useUnsaved } from "#components/ui/page/use-unsaved.ts";
import { ErrorNote } from "../notices/error-note.tsx";

interface NoteFormProps {
  className: string | undefined;
  placeholder: string;
  /** Heading of its key in the sheet. */
  group: string;
  size?: "xs";
  busy: boolean;
  /** `done` is called once the note is kept. */
  onAdd: (text: string, done: () => void) => void;
}

/** Why the last note is not in the list. */
export function NoteError({ error }: { error: Error | null }) {
  if (error === null) return null;
  const title = mayBeDone(error) ? "The note is not confirmed." : "The note was not kept.";
  return <ErrorNote tone="warn" title={title} error={error} />;
}

/** A field that grows with its text; the key n goes to it, ⌘ or Ctrl with Enter adds the note. */
export function NoteForm({ className, placeholder, group, size, busy, onAdd }: NoteFormProps) {
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  useUnsaved(text.trim() !== "");
  useShortcuts([{ key: "n", description: "Add a note", group, run: () => field.current?.focus() }]);

  function submit(event?: FormEvent) {
    event?.preventDefault();
    const note = text.trim();
    // What was typed while it was being kept is not part of it.
    if (note !== "" && !busy) onAdd(note, () => setText((now) => (now.trim() === note ? "" : now)));
  }

  return (
    <form className={className} onSubmit={submit}>
      <Textarea
        ref={field}
        aria-label="Note"
        placeholder={placeholder}
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
      <Button type="submit" {...(size && { size })} aria-disabled={text.trim() === ""} loading={busy && text !== ""}>
        Add
      </Button>
    </form>
  );
}
