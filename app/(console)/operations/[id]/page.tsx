import type { Metadata } from "next";
import { OperationPage } from "#components/operations/operation-page.tsx";

export const metadata: Metadata = { title: "Operation" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <OperationPage key={id} id={id} />;
}
