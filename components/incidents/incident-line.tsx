"use client";

import { IconFlame } from "@tabler/icons-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { formatCount } from "#domain/format.ts";
import { useOpenIncidents } from "./incident-queries.ts";
import css from "./incidents.module.css";
import { OpenFor } from "./open-for.tsx";

/** A line on every page, for everybody, while an incident is open: which, for how long, who leads, and a link to it. */
export function IncidentLine() {
  const list = useOpenIncidents();
  const { href } = useOutbox();
  const pathname = usePathname();
  const [first, ...others] = (list?.incidents ?? []).filter(({ id }) => pathname !== `/incidents/${id}`);
  if (first === undefined) return null;
  return (
    <aside className={css.line} aria-label="Open incidents">
      <Link className={css.lineLink} href={href(`/incidents/${first.id}`)}>
        <IconFlame size={14} aria-hidden />
        <span>
          <b>
            Incident {first.id}, ongoing for <OpenFor incident={first} />:
          </b>{" "}
          <bdi>{first.title}</bdi>
        </span>
      </Link>
      <span className={css.lineLead}>{first.lead === null ? "nobody leads" : <bdi>{first.lead.name} leads</bdi>}</span>
      {others.length > 0 && (
        <Link className={css.lineLink} href={href("/incidents")}>
          and {formatCount(others.length)} more
        </Link>
      )}
    </aside>
  );
}
