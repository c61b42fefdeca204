import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { VerbRequest } from "../../port/verb.ts";
import type { Session } from "../connection/session.ts";

/** Changes one message in the caller's transaction and returns a sentence about the result. */
export type Verb = (session: Session, ref: OutboxRef, found: FoundMessage, request: VerbRequest) => Promise<string>;
