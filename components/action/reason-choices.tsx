"use client";

import { useState } from "react";
import css from "./operation-dialog.module.css";
import { readRecentReasons } from "./recent-reasons.ts";

/** The last reasons given in this browser, as buttons that fill the field. */
export function ReasonChoices({ onChoose }: { onChoose: (reason: string) => void }) {
  const [reasons] = useState(readRecentReasons);
  if (reasons.length === 0) return null;
  return (
    <fieldset className={css.reasons} aria-label="Recent reasons">
      {reasons.map((reason) => (
        <button key={reason} type="button" title={reason} onClick={() => onChoose(reason)}>
          {reason}
        </button>
      ))}
    </fieldset>
  );
}
