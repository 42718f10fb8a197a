/** The one way a handler refuses: a code and its Hebrew sentence. */
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from "shared/error_code.ts";
import { errorSentence } from "../text/error_text.ts";

export interface HttpErrorOptions {
  /** A Hebrew sentence that is more exact than the code's own. */
  text?: string;
  /** For the log only. */
  detail?: string;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** Thrown by handlers and verbs; `app.ts` turns it into `{ error, code }` with the code's status. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Record<string, string>;

  constructor(readonly code: ErrorCode, readonly options: HttpErrorOptions = {}) {
    super(options.detail ?? code, { cause: options.cause });
    this.status = ERROR_STATUS[code];
    this.body = { error: options.text ?? errorSentence(code), code };
    this.headers = options.headers ?? {};
  }
}
