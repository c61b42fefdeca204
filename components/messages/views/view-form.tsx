"use client";

import { Button, Checkbox, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import css from "../toolbar/filter-bar.module.css";

interface ViewFormProps {
  /** Why it can be saved in this browser only. */
  notShared: string | undefined;
  /** Why it was not saved. */
  problem: string | undefined;
  busy: boolean;
  /** `done` is called once it is saved. */
  onSave: (name: string, forAll: boolean, done: () => void) => void;
}

/** Saves filters and columns as they are now. */
export function ViewForm({ notShared, problem, busy, onSave }: ViewFormProps) {
  const [name, setName] = useState("");
  const [forAll, setForAll] = useState(false);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (name.trim() === "" || busy) return;
    const saved = name.trim();
    // The next name may be typed by then.
    onSave(saved, forAll && notShared === undefined, () => setName((now) => (now.trim() === saved ? "" : now)));
  }

  return (
    <form className={css.viewForm} onSubmit={submit}>
      <TextInput
        aria-label="Name of the view"
        placeholder="Save this view as…"
        maxLength={80}
        autoComplete="off"
        value={name}
        error={problem}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" variant="filled" aria-disabled={name.trim() === "" || busy}>
        Save
      </Button>
      <Checkbox
        className={css.share}
        label="For everybody"
        description={notShared}
        checked={forAll && notShared === undefined}
        disabled={notShared !== undefined}
        onChange={(event) => setForAll(event.currentTarget.checked)}
      />
    </form>
  );
}
