import type { Metadata } from "next";
import { EditPage } from "#components/correction/edit-page.tsx";

export const metadata: Metadata = { title: "Edit and retry" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <EditPage id={decode((await params).id)} />;
}

/** A hand-typed address may contain a stray per cent sign; the segment then is the id, undecoded. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
