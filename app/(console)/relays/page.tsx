import type { Metadata } from "next";
import { RelaysPage } from "#components/relays/relays-page.tsx";

export const metadata: Metadata = { title: "Relays" };

export default function Page() {
  return <RelaysPage />;
}
