"use client";

import { IconCheck, IconPencil, IconTrash } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
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
  const [name, setName] = useState<string | undefined>(undefined);
  const [deleting, setDeleting] = useState(false);

  function rename(event: FormEvent) {
    event.preventDefault();
    const next = name?.trim() ?? "";
    if (next !== "" && next !== view.name) onRename(next);
    setName(undefined);
  }

  if (name !== undefined) {
    return (
      <form className={css.view} onSubmit={rename} ref={(form) => form?.querySelector("input")?.focus()}>
        <TextField
          aria-label={`New name of ${view.name}`}
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
            onClick={() => setName(view.name)}
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
      {deleting && (
        <button
          ref={(button) => button?.focus()}
          type="button"
          className={css.danger}
          onClick={onDelete}
          onBlur={() => setDeleting(false)}
        >
          Delete it
        </button>
      )}
    </div>
  );
}
