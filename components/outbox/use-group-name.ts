"use client";

import { useQuery } from "@tanstack/react-query";
import { failureGroupsQuery } from "#components/api/queries.ts";
import { nameOf } from "./group-name.ts";
import { useOutbox } from "./use-outbox.ts";

/** A group keeps its words; only its figures change. */
const FRESH_MS = 60_000;

/**
 * The words of a failure group by its fingerprint; undefined without one, until they are read, and if it has no
 * failures any more.
 */
export function useGroupName(fingerprint: string | undefined): string | undefined {
  const { name } = useOutbox();
  const { data } = useQuery({
    ...failureGroupsQuery(name ?? ""),
    enabled: name !== undefined && fingerprint !== undefined,
    staleTime: FRESH_MS,
  });
  const group = data?.groups.find(({ key }) => key === fingerprint);
  return group && nameOf(group);
}
