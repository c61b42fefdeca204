import { z } from "zod";

const stateSchema = z.string().max(50);

/** `GET /connectors/NAME/status`. Only the states and traces that are used. */
export const statusAnswer = z.object({
  type: z.string().optional(),
  connector: z.object({ state: stateSchema, worker_id: z.string().optional(), trace: z.string().optional() }),
  tasks: z.array(
    z.object({
      id: z.number().int(),
      state: stateSchema,
      worker_id: z.string().optional(),
      trace: z.string().optional(),
    }),
  ),
});
export type StatusAnswer = z.output<typeof statusAnswer>;

export const MASK = "••••••";
const SECRET_NAME =
  /pass|secret|credential|token|jaas|private|access[._-]?key|api[._-]?key|basic\.auth|key\.pem|keystore\.key/i;
const PASSWORD_IN_URL = /(:\/\/[^/:@\s]*:)[^/@\s]+@/g;
const SECRET_IN_TEXT = /((?:pass(?:word|wd)?|secret|token|pwd)["']?\s*[=:]\s*["']?)[^\s"',;&)}]+/gi;

/** A text of Connect or of a driver without the passwords that it may quote. */
export function withoutSecrets(text: string): string {
  return text.replace(PASSWORD_IN_URL, `$1${MASK}@`).replace(SECRET_IN_TEXT, `$1${MASK}`);
}

/**
 * `GET /connectors/NAME/config`: Connect returns passwords in the clear, so they are masked before anyone reads them.
 */
export const configAnswer = z
  .record(z.string(), z.union([z.string(), z.null()]))
  .transform((config) =>
    Object.fromEntries(
      Object.entries(config).map(([name, value]) => [
        name,
        value !== null && SECRET_NAME.test(name) ? MASK : withoutSecrets(value ?? ""),
      ]),
    ),
  );

/**
 * `GET /connectors?expand=info&expand=status`: every connector of this Connect; null where Connect could not say one
 * part.
 */
export const connectorsAnswer = z.record(
  z.string(),
  z.object({ info: z.object({ config: configAnswer }).optional(), status: statusAnswer.optional() }),
);
export type ConnectorsAnswer = z.output<typeof connectorsAnswer>;

/** `GET /connectors/NAME/topics`: topics that the connector has written to since it was created or this was reset. */
export const topicsAnswer = z.record(z.string(), z.object({ topics: z.array(z.string()) }));

const position = z.union([z.string(), z.number()]).nullish();

/** `GET /connectors/NAME/offsets`, of a source connector; Connect 3.6 or newer. */
export const offsetsAnswer = z.object({
  offsets: z.array(
    z.object({
      partition: z.record(z.string(), z.unknown()),
      offset: z
        .looseObject({
          lsn: position,
          lsn_proc: position,
          lsn_commit: position,
          txId: position,
          ts_usec: position,
          file: position,
          pos: position,
          gtids: position,
          ts_sec: position,
          event: position,
          row: position,
        })
        .nullable(),
    }),
  ),
});
export type OffsetsAnswer = z.output<typeof offsetsAnswer>;

/** Connect's description of an error. */
export const errorAnswer = z.object({ message: z.string() });
