"use client";

import { IconRocket } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { deploysQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { FailureGroup } from "#contracts/message/messages.ts";
import type { Deploy } from "#contracts/watch/deploys.ts";
import { relateToDeploys } from "#domain/deploys.ts";
import { formatDuration } from "#domain/format.ts";
import css from "./group-memory.module.css";

const PACE_MS = 15_000;

/** The deploys that concern the group's outbox; undefined until they are known. */
export function useDeploys(outbox: string) {
  return useQuery({ ...deploysQuery(outbox), ...liveOptions(useLive(), { atLeastMs: PACE_MS, freshness: false }) }).data
    ?.deploys;
}

/** Which deploy came before the first failure, and whether a later one ended it: by the times alone. */
export function GroupDeploys({ outbox, group, asOf }: { outbox: string; group: FailureGroup; asOf: string }) {
  const deploys = useDeploys(outbox);
  const { newSince, latest } = relateToDeploys(group, deploys ?? [], asOf);
  if (newSince === null && latest === null) return null;
  return (
    <p className={css.deploys}>
      <IconRocket size={14} aria-hidden />
      {newSince !== null && (
        <span>
          New since deploy <DeployName deploy={newSince} />, {ago(newSince.at, asOf)} ago; the first failure came{" "}
          {ago(newSince.at, group.firstSeenAt ?? newSince.at)} after it.
        </span>
      )}
      {latest !== null && (
        <span>
          {latest.stillFails ? "Still fails after deploy " : "Nothing has failed with this error since deploy "}
          <DeployName deploy={latest.deploy} />, {ago(latest.deploy.at, asOf)} ago.
        </span>
      )}
    </p>
  );
}

function DeployName({ deploy: { service, version, link, at } }: { deploy: Deploy }) {
  const name = (
    <bdi>
      {service} {version}
    </bdi>
  );
  return (
    <>
      {link === null ? (
        <b>{name}</b>
      ) : (
        <a className={css.link} href={link} target="_blank" rel="noreferrer">
          {name}
        </a>
      )}{" "}
      (<Instant at={at} />)
    </>
  );
}

function ago(at: string, until: string): string {
  return formatDuration(Math.max(0, Date.parse(until) - Date.parse(at)) / 1000);
}
