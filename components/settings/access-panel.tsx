"use client";

import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "#components/api/queries.ts";
import { Panel } from "#components/ui/page/panel.tsx";
import { Facts } from "#components/ui/values/facts.tsx";
import type { Session } from "#contracts/access/session.ts";

const MODES: Record<Session["mode"], string> = {
  none: "No sign-in; the console answers on this machine only.",
  password: "Passwords of roles and of named users, from the configuration.",
  oidc: "An identity provider; its groups decide the role.",
  proxy: "The proxy in front says who you are; its groups decide the role.",
};

const ROLES: Record<NonNullable<Session["actor"]>["role"], string> = {
  viewer: "viewer: reads everything, changes nothing",
  operator: "operator: also retries, dead-letters, archives, restores, pauses and resumes",
  admin: "admin: also purges, re-publishes, corrects, reveals and forgets; manages mappings, sessions and tokens",
};

type SessionActor = NonNullable<Session["actor"]>;

function roleOf({ role, grants }: SessionActor): string {
  return grants?.everywhere === null ? "none; you have roles in named outboxes only" : ROLES[role];
}

function outboxRoles({ outboxes }: NonNullable<SessionActor["grants"]>): string {
  return Object.entries(outboxes)
    .map(([outbox, role]) => `${outbox}: ${role}`)
    .join(", ");
}

export function AccessPanel({ version }: { version: string | undefined }) {
  const { data } = useQuery(sessionQuery());
  const grants = data?.actor?.grants;
  return (
    <Panel title="Access and version">
      <Facts
        facts={[
          ["You are", data?.actor?.name ?? "–"],
          ["Your role", data?.actor ? roleOf(data.actor) : "–"],
          ...(grants ? [["Roles in named outboxes", outboxRoles(grants)] as const] : []),
          ["Signing in", data === undefined ? "–" : MODES[data.mode]],
          ["Version", version ?? "–"],
        ]}
      />
    </Panel>
  );
}
