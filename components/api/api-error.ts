export interface ApiErrorFields {
  /** HTTP status; 0 when no answer came at all. */
  status: number;
  code: string;
  message: string;
  requestId?: string | undefined;
  details?: unknown;
}

/** The one error that the browser code sees, whatever went wrong between here and the database. */
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
