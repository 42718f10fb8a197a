import { useEffect, useRef } from "react";
import type { PhoneProblem } from "shared/phone.ts";
import { PHONE_PROBLEM_TEXT } from "shared/phone_words.ts";
import type { UploadResult } from "shared/http_api.ts";
import { uploadSentence } from "./text/contacts.ts";
import { UPLOAD } from "./text/upload.ts";
import { CSV_FILE } from "../../text/csv_file.ts";
import { DownloadButton } from "../../ui/download_button.tsx";
import { Num } from "../../ui/num.tsx";

interface UploadCountsProps {
  campaignId: number;
  result: UploadResult;
}

/** Shows the last upload's result in its place: what came in, what did not and why, and the rejected rows. */
export function UploadCounts({ campaignId, result }: UploadCountsProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The pressed button was removed together with its focus; do not move the focus of a person who types elsewhere.
    if (document.activeElement === document.body) box.current?.focus();
  }, [result]);
  const left = [
    [result.duplicatesRemoved, UPLOAD.duplicates, UPLOAD.duplicatesWhy],
    [result.invalid, UPLOAD.invalid, UPLOAD.invalidWhy],
    [result.suppressed, UPLOAD.suppressed, UPLOAD.suppressedWhy],
    [result.withoutConsent, UPLOAD.withoutConsent, UPLOAD.withoutConsentWhy],
  ] as const;
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="group"
      aria-label={UPLOAD.heading}
    >
      <p className="sr-only" role="status">
        {uploadSentence(result)} {result.isDamaged && CSV_FILE.damaged}
      </p>
      <div className="mt-1 flex items-baseline gap-2">
        <b className="text-xl font-extrabold tracking-tight">
          <Num>{result.total}</Num>
        </b>
        <span>{UPLOAD.added(result.total)}</span>
      </div>
      <dl className="mt-2 grid gap-1.5 text-sm">
        {left.map(([count, name, why]) =>
          count > 0 && (
            <div key={name} className="flex flex-wrap items-baseline gap-x-2">
              <dt className="font-semibold">{name}</dt>
              <dd className="font-extrabold">
                <Num>{count}</Num>
              </dd>
              <dd className="w-full text-xs text-ink-3">{why}</dd>
            </div>
          )
        )}
      </dl>
      {result.isDamaged && <p className="mt-2 text-sm">{CSV_FILE.damaged}</p>}
      {result.problems.length > 0 && <Problems campaignId={campaignId} result={result} />}
    </div>
  );
}

function Problems({ campaignId, result }: UploadCountsProps) {
  const { problems, invalid, importId } = result;
  return (
    <>
      <table className="mt-3 w-full text-sm">
        <caption className="eyebrow mb-1 text-start">{UPLOAD.problems(problems.length, invalid)}</caption>
        <thead>
          <tr className="text-xs text-ink-3">
            <th className="pe-3 text-start font-semibold">{UPLOAD.columns.row}</th>
            <th className="pe-3 text-start font-semibold">{UPLOAD.columns.text}</th>
            <th className="text-start font-semibold">{UPLOAD.columns.why}</th>
          </tr>
        </thead>
        <tbody>
          {problems.map(({ row, text, problem }) => (
            <tr key={row} className="border-t border-base-300 align-top">
              <td className="py-1 pe-3 text-ink-2">
                <Num>{row}</Num>
              </td>
              <td className="py-1 pe-3 wrap-anywhere">
                <bdi>{text || UPLOAD.nothing}</bdi>
              </td>
              <td className="py-1 text-ink-2">{PHONE_PROBLEM_TEXT[problem as PhoneProblem] ?? problem}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <DownloadButton
        path={`/api/campaigns/${campaignId}/imports/${importId}/rejected.csv`}
        fileName={`rejected-${importId}.csv`}
        className="btn-ghost btn-sm mt-2 border-base-300"
      >
        {UPLOAD.rejected(invalid)}
      </DownloadButton>
    </>
  );
}
