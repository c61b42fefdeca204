import type { NewIncident } from "#contracts/watch/incidents.ts";

/** What is known where an incident is opened. */
export type IncidentStart = Pick<NewIncident, "title" | "outboxes" | "group"> & { since: string | null };
