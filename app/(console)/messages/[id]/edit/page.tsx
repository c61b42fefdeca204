import type { Metadata } from "next";
import { EditPage } from "#components/correction/edit-page.tsx";
import { decodeSegment } from "../../../address.ts";

export const metadata: Metadata = { title: "Edit and retry" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <EditPage id={decodeSegment((await params).id)} />;
}
