/** Code of a command's refusal on a page that is not left for the sign-in page; see `unsaved`. */
export const SESSION_ENDED = "session_ended";

export interface ApiErrorFields {
  /** HTTP status; 0 when there was no answer. */
  status: number;
  code: string;
  message: string;
  requestId?: string | undefined;
  details?: unknown;
}

/** The only error type in browser code, whatever failed. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly details: unknown;

  constructor(fields: ApiErrorFields) {
    super(fields.message);
    this.name = "ApiError";
    this.status = fields.status;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.details = fields.details;
  }
}
