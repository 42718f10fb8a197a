import { CircleCheck } from "lucide-react";
import type { PhoneProblem } from "shared/phone.ts";
import { PHONE_PROBLEM_TEXT } from "shared/phone_words.ts";
import type { SuppressionsAdded } from "shared/suppressions_api.ts";
import { Num } from "../../ui/num.tsx";
import { addedSentence, SUPPRESSIONS } from "./text/admin_suppressions.ts";

/** What the last addition changed, in its own box: counts, and the first rows that were not taken. */
export function AddResult({ result }: { result: SuppressionsAdded | undefined }) {
  return (
    // Rendered before it has text: screen readers often skip a status that appears together with its text.
    <div role="status" className="text-sm empty:hidden">
      {result && (
        <div className="tone-ok mt-3 flex gap-2 rounded-field bg-base-200 p-3">
          <CircleCheck className="mt-0.5 size-4 text-tone" />
          <div className="min-w-0">
            {addedSentence(result)}
            {(result.problems ?? []).length > 0 && (
              <ul aria-label={SUPPRESSIONS.notTaken} className="mt-1.5 text-xs text-ink-2">
                {result.problems.map(({ row, text, problem }) => (
                  <li key={row} className="wrap-anywhere">
                    {SUPPRESSIONS.row} <Num>{row}</Num>: <bdi>{text || SUPPRESSIONS.nothing}</bdi> ·{" "}
                    {PHONE_PROBLEM_TEXT[problem as PhoneProblem] ?? problem}
                  </li>
                ))}
              </ul>
            )}
          </div>
        </div>
      )}
    </div>
  );
}
