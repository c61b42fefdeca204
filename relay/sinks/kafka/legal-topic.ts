const LEGAL_TOPIC = /^[a-zA-Z0-9._-]{1,249}$/;

/** Why there can be no topic of the name; null when there can. */
export function whyIllegal(topic: string): string | null {
  if (LEGAL_TOPIC.test(topic)) return null;
  return `Kafka has no topic of the name ${JSON.stringify(topic.slice(0, 260))}: letters, digits, ".", "_" and "-", up to 249 of them.`;
}
