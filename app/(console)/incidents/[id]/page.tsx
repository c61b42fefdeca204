import type { Metadata } from "next";
import { IncidentPage } from "#components/incidents/incident-page.tsx";

export const metadata: Metadata = { title: "Incident" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <IncidentPage key={id} id={id} />;
}
