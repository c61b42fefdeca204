import { dataReferencesIn, messageDataAt } from "../claim-check.ts";
import { jsonItems } from "../json-slices.ts";
import { factsOf, type JsonEnvelope, stringOf } from "./json-envelope.ts";

const URN = "urn:message:";

/** MassTransit's JSON envelope. The first message type is the message's own; the others are its base types. */
export const massTransit: JsonEnvelope = (object) => {
  const message = object.get("message");
  const types = (jsonItems(object.get("messageType") ?? "", 50) ?? []).map(stringOf);
  if (message === undefined || types.length === 0 || !types.every((type) => type?.startsWith(URN))) return undefined;
  const [type, ...baseTypes] = types.map((one) => one?.slice(URN.length) ?? "");
  return {
    name: "MassTransit",
    facts: [
      { name: "type", value: type ?? "" },
      ...(baseTypes.length > 0 ? [{ name: "also", value: baseTypes.join(", ") }] : []),
      ...factsOf(object, [
        ["messageId", "id"],
        ["sentTime", "time"],
        ["correlationId", "correlation"],
        ["conversationId", "conversation"],
        ["initiatorId", "initiator"],
        ["requestId", "request"],
        ["sourceAddress", "source"],
        ["destinationAddress", "destination"],
        ["responseAddress", "response"],
        ["expirationTime", "expires"],
        "headers",
      ]),
    ],
    references: dataReferencesIn(message, messageDataAt),
    inner: { kind: "json", text: message },
  };
};
