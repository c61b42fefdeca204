"use client";

import { IconEye } from "@tabler/icons-react";
import Link from "next/link";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import css from "./observe-note.module.css";

/** States that the outbox is only observed: what the console does not do, and which setting decides it. */
export function ObserveNote() {
  const { href } = useOutbox();
  return (
    <p className={css.note}>
      <IconEye size={15} aria-hidden />
      <span>
        <b>Observe only.</b> The console reads this table and changes nothing in its database; someone else's relay
        publishes it.{" "}
        <Link className="link" href={href("/settings")}>
          What this mode allows
        </Link>
      </span>
    </p>
  );
}
