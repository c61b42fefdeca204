const LEGAL_TOPIC = /^[a-zA-Z0-9._-]{1,249}$/;

/** The reason why a topic name is illegal; null for a legal name. */
export function whyIllegal(topic: string): string | null {
  if (LEGAL_TOPIC.test(topic)) return null;
  return `Kafka does not allow the topic name ${JSON.stringify(topic.slice(0, 260))}: only letters, digits, ".", "_" and "-", at most 249 of them.`;
}
