import { z } from "zod";
import { messageListSchema } from "#contracts/message/messages.ts";
import { blockedListSchema } from "#contracts/outbox/blocked.ts";
import { relayListSchema } from "#contracts/outbox/relays.ts";
import type { Verdict } from "#contracts/watch/diagnosis.ts";
import { findingListSchema } from "#contracts/watch/findings.ts";
import type { Scene } from "../scene.ts";
import type { Answer } from "../world/console-client.ts";

/** Why the verdict's linked page does not show its first cause; empty when it does. */
export async function pageProblems(scene: Scene, verdict: Verdict): Promise<string[]> {
  const { client } = scene.stack;
  if (verdict.next === null) return ["the verdict has no link"];
  const { href } = verdict.next;
  const code = await client.page(href);
  if (code !== 200) return [`${href} was answered ${code}`];
  const url = new URL(href, client.base);
  const outbox = url.searchParams.get("outbox");
  if (outbox !== null && outbox !== scene.outbox) return [`${href} is about ${outbox}`];
  const about = await aboutTheCause(scene, verdict, url);
  return about === null ? [] : [`${href}: ${about}`];
}

async function aboutTheCause(scene: Scene, verdict: Verdict, url: URL): Promise<string | null> {
  const { outbox } = scene;
  const { client } = scene.stack;
  const path = `/api/v1/outboxes/${outbox}`;
  switch (url.pathname) {
    case "/stuck":
      return aboutFinding(await client.readPatiently(`${path}/findings`, findingListSchema), verdict, url);
    case "/messages": {
      const query = new URLSearchParams(url.searchParams);
      query.delete("outbox");
      const list = await client.readPatiently(`${path}/messages?${query}`, messageListSchema);
      return list.body && list.body.messages.length > 0
        ? null
        : `it lists no message (${list.code} ${list.error ?? ""})`;
    }
    case "/blocked": {
      const list = await client.readPatiently(`${path}/blocked`, blockedListSchema);
      return list.body && list.body.aggregates.length > 0 ? null : "it lists no aggregate";
    }
    case "/failures": {
      const groups = await client.readPatiently(
        `${path}/failure-groups`,
        z.looseObject({ groups: z.array(z.unknown()) }),
      );
      return groups.body && groups.body.groups.length > 0 ? null : "it has no group";
    }
    case "/relays": {
      const relays = await client.readPatiently("/api/v1/relays", relayListSchema);
      const known = [...(relays.body?.relays ?? []), ...(relays.body?.pauses ?? [])];
      return known.some((one) => one.outbox === outbox) ? null : "it knows no relay of the outbox";
    }
    default:
      return null;
  }
}

function aboutFinding(
  { body, error }: Answer<z.infer<typeof findingListSchema>>,
  verdict: Verdict,
  url: URL,
): string | null {
  if (body === null) return `the findings cannot be read: ${error}`;
  const id = url.searchParams.get("finding") ?? verdict.causes[0]?.id;
  const found = body.findings.find((one) => one.id === id);
  if (found === undefined)
    return `the finding ${id} is not among ${body.findings.map((one) => one.id).join(", ") || "none"}`;
  return found.rule === verdict.causes[0]?.rule
    ? null
    : `it is of ${found.rule} and the cause of ${verdict.causes[0]?.rule}`;
}
