import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { VerbRequest } from "../../port/verb.ts";
import type { Session } from "../connection/session.ts";
import type { FoundMessage } from "../read/find-message.ts";

/** Changes one message in the caller's transaction and returns a sentence about the result. */
export type Verb = (session: Session, ref: OutboxRef, found: FoundMessage, request: VerbRequest) => Promise<string>;
