import { TABLE_PROBLEM_TEXT, type TableProblem } from "shared/table_words.ts";
import { HttpError } from "../http/http_error.ts";

/** The file cannot be read as a table; `problem` says why, and the answer says it in Hebrew. */
export class TableRefusal extends HttpError {
  constructor(readonly problem: TableProblem, cause?: unknown) {
    const isEmpty = problem === "empty_sheet" || problem === "no_such_sheet";
    super(isEmpty ? "no_valid_contacts" : "unsupported_media", {
      text: TABLE_PROBLEM_TEXT[problem],
      detail: `table: ${problem}`,
      cause,
    });
  }
}
