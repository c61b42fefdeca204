import type { MissingTopic } from "../sink.ts";
import type { StreamLookup } from "./classify.ts";

/** No server makes a stream by itself. Null when one takes the subject. */
export function missingSubject(topic: string, lookup: StreamLookup): MissingTopic | null {
  if ("noJetStream" in lookup)
    return { topic, message: `JetStream does not work here: ${lookup.noJetStream}`, fix: null };
  if ("unknown" in lookup) {
    return {
      topic,
      message: `whether a stream takes the subject ${topic} cannot be told: ${lookup.unknown}`,
      fix: null,
    };
  }
  if (lookup.stream !== null) return null;
  const fix = `nats stream add ${streamName(topic)} --subjects "${topic}"\nor add the subject to a stream that is there: nats stream edit <stream> --subjects ...`;
  return { topic, message: `no stream takes the subject ${topic}: its messages would be dead at once`, fix };
}

function streamName(subject: string): string {
  return subject.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
}
