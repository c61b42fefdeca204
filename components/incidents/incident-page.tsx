"use client";

import { Button } from "@mantine/core";
import { IconArrowLeft, IconArrowRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { incidentQuery, sessionQuery } from "#components/api/queries.ts";
import { roleRefusal } from "#components/api/refusal.ts";
import { useFailure } from "#components/live/use-failure.ts";
import { groupPath } from "#components/outbox/group-address.ts";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { usePageTitle } from "#components/ui/page/use-page-title.ts";
import { Instant } from "#components/ui/values/instant.tsx";
import type { IncidentDetail } from "#contracts/watch/incidents.ts";
import { IncidentExport } from "./incident-export.tsx";
import { useIncident } from "./incident-queries.ts";
import { IncidentTimeline } from "./incident-timeline.tsx";
import { IncidentWho } from "./incident-who.tsx";
import css from "./incidents.module.css";
import { OpenFor } from "./open-for.tsx";

/** One incident for everybody: what is broken, who leads, what happened in which order, what to tell others. */
export function IncidentPage({ id }: { id: string }) {
  const { href } = useOutbox();
  const { query, acting, noting } = useIncident(id);
  const failure = useFailure(incidentQuery(id).queryKey);
  const { data: session } = useQuery(sessionQuery());
  const actor = session?.actor ?? null;
  const may = actor !== null && roleRefusal(session, "operator") === undefined;
  const incident = query.data;
  usePageTitle(incident && `${incident.ended === null ? "" : "Ended: "}${incident.title} · incident ${id}`);
  return (
    <>
      <Link className={css.back} href={href("/incidents")}>
        <IconArrowLeft size={14} aria-hidden /> Incidents
      </Link>
      {failure !== null && (
        <ErrorNote
          title={incident === undefined ? "The incident could not be read." : "It is shown as last read."}
          error={failure}
          tone={incident === undefined ? "bad" : "warn"}
          onRetry={() => void query.refetch()}
        />
      )}
      {incident === undefined && (
        <>
          <h1 className="visually-hidden">Incident</h1>
          {failure === null && <div className={css.skeleton} aria-busy />}
        </>
      )}
      {incident !== undefined && (
        <>
          <Head incident={incident} />
          <div className={css.columns}>
            <IncidentTimeline
              incident={incident}
              busy={noting.isPending}
              error={noting.error}
              onNote={may ? (text, done) => noting.mutate({ act: "note", text }, { onSuccess: done }) : undefined}
            />
            <div className={css.side}>
              <IncidentWho incident={incident} actor={may ? actor.name : null} acting={acting} />
              <IncidentExport incident={incident} />
            </div>
          </div>
        </>
      )}
    </>
  );
}

function Head({ incident }: { incident: IncidentDetail }) {
  const { id, title, since, openedAt, openedBy, outboxes, ended } = incident;
  const cause = causeOf(incident);
  return (
    <section className={css.head} data-open={ended === null || undefined}>
      <div>
        <h1>
          <em>
            Incident {id}, {ended === null ? "ongoing for" : "ended after"} <OpenFor incident={incident} />:
          </em>{" "}
          <bdi>{title}</bdi>
        </h1>
        <p>
          Since <Instant at={since} />, opened by <bdi>{openedBy}</bdi> at <Instant at={openedAt} />;{" "}
          {outboxes.length === 0 ? "all outboxes" : outboxes.join(", ")}.
          {ended === null ? (
            " Everybody sees it on every page."
          ) : (
            <>
              {" "}
              <bdi>{ended.by}</bdi> ended it at <Instant at={ended.at} />: {ended.outcome}
            </>
          )}
        </p>
      </div>
      {ended === null && (
        <Button
          component={Link}
          href={cause.href}
          variant="filled"
          rightSection={<IconArrowRight size={15} aria-hidden />}
        >
          {cause.label}
        </Button>
      )}
    </section>
  );
}

/** The failure group that it began with, or what the watchdog says of its outbox. */
function causeOf({ group, outboxes }: IncidentDetail): { label: string; href: string } {
  if (group !== null)
    return { label: "See the failure group", href: outboxHref(groupPath(group.fingerprint), group.outbox) };
  const [outbox, ...others] = outboxes;
  if (outbox === undefined || others.length > 0) return { label: "See all outboxes", href: "/" };
  return { label: `See what is wrong with ${outbox}`, href: outboxHref("/stuck", outbox) };
}
