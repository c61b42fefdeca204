import type { Metadata } from "next";
import { MessagePage } from "#components/message/message-page.tsx";
import { decodeSegment } from "../../address.ts";

export const metadata: Metadata = { title: "Message" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <MessagePage id={decodeSegment((await params).id)} />;
}
