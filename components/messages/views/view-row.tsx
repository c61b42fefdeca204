"use client";

import { IconCheck, IconPencil, IconTrash } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { TextField } from "#components/ui/controls/text-field.tsx";
import css from "../toolbar/filter-bar.module.css";
import type { SavedView } from "./saved-views.ts";

interface ViewRowProps {
  view: SavedView;
  title?: string;
  /** It can only be opened. */
  fixed?: boolean;
  onOpen: () => void;
  onRename: (name: string) => void;
  onDelete: () => void;
}

/** One view: its name opens it. Deleting asks once more. */
export function ViewRow({ view, title, fixed = false, onOpen, onRename, onDelete }: ViewRowProps) {
  const [renaming, setRenaming] = useState(false);
  const [deleting, setDeleting] = useState(false);

  if (renaming) {
    return (
      <RenameForm
        old={view.name}
        onRename={(next) => {
          setRenaming(false);
          if (next !== "" && next !== view.name) onRename(next);
        }}
      />
    );
  }
  return (
    <div className={css.view}>
      <button type="button" className={css.viewName} title={title} onClick={onOpen}>
        {view.name}
      </button>
      {!fixed && !deleting && (
        <>
          <button
            type="button"
            className={css.mini}
            aria-label={`Rename ${view.name}`}
            onClick={() => setRenaming(true)}
          >
            <IconPencil size={14} aria-hidden />
          </button>
          <button
            type="button"
            className={css.mini}
            aria-label={`Delete ${view.name}`}
            onClick={() => setDeleting(true)}
          >
            <IconTrash size={14} aria-hidden />
          </button>
        </>
      )}
      {deleting && <DeleteButton onDelete={onDelete} onLeave={() => setDeleting(false)} />}
    </div>
  );
}

function RenameForm({ old, onRename }: { old: string; onRename: (name: string) => void }) {
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState(old);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  return (
    <form
      ref={form}
      className={css.view}
      onSubmit={(event) => {
        event.preventDefault();
        onRename(name.trim());
      }}
    >
      <TextField
        aria-label={`New name of ${old}`}
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <button type="submit" className={css.mini} aria-label="Rename">
        <IconCheck size={14} aria-hidden />
      </button>
    </form>
  );
}

function DeleteButton({ onDelete, onLeave }: { onDelete: () => void; onLeave: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <button ref={button} type="button" className={css.danger} onClick={onDelete} onBlur={onLeave}>
      Delete it
    </button>
  );
}
