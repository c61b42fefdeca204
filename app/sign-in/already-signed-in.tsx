"use client";

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { sessionQuery } from "#components/api/queries.ts";
import { withBasePath } from "#contracts/base-path.ts";

interface AlreadySignedInProps {
  next: string;
  /** Why the sign-in page is shown, if not by a link; the person then decides. */
  problem: string | null;
}

/**
 * Leads whoever has a session on to the page. A link of another site, as of an alert, arrives without the session's
 * strict cookie, and so here; a step from a page of the console sends it.
 */
export function AlreadySignedIn({ next, problem }: AlreadySignedInProps) {
  const { data } = useQuery(sessionQuery());
  const actor = data?.mode === "password" || data?.mode === "oidc" ? data.actor : null;
  const leads = actor !== null && problem === null;
  useEffect(() => {
    if (leads) window.location.replace(withBasePath(next));
  }, [leads, next]);
  if (actor === null) return null;
  return (
    <Button component="a" href={withBasePath(next)} fullWidth>
      Continue as&nbsp;<bdi>{actor.name}</bdi>
    </Button>
  );
}
