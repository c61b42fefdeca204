import type { Metadata } from "next";
import { MappingPage } from "#components/mapping/mapping-page.tsx";

export const metadata: Metadata = { title: "Mapping" };

export default function Page() {
  return <MappingPage />;
}
