import type { MissingTopic } from "../sink.ts";
import type { StreamLookup } from "./classify-failure.ts";

/** No server creates a stream implicitly. Null when a stream takes the subject. */
export function missingSubject(topic: string, lookup: StreamLookup): MissingTopic | null {
  if ("noJetStream" in lookup)
    return { topic, message: `JetStream is not available: ${lookup.noJetStream}`, fix: null };
  if ("unknown" in lookup) {
    return {
      topic,
      message: `whether a stream takes the subject ${topic} is unknown: ${lookup.unknown}`,
      fix: null,
    };
  }
  if (lookup.stream !== null) return null;
  const fix = `nats stream add ${streamName(topic)} --subjects "${topic}"\nor add the subject to an existing stream: nats stream edit <stream> --subjects ...`;
  return { topic, message: `no stream takes the subject ${topic}: its messages would wait until one does`, fix };
}

function streamName(subject: string): string {
  return subject.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
}
