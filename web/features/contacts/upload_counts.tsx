import { CircleCheck, FileSpreadsheet } from "lucide-react";
import type { UploadResult } from "shared/http_api.ts";
import { CONTACTS, uploadSentence } from "../../text/contacts.ts";
import { Mark } from "../../ui/mark.tsx";
import { Num } from "../../ui/num.tsx";

/** What the last upload came to, with the first rows that were refused. */
export function UploadCounts({ result, fileName }: { result: UploadResult; fileName?: string }) {
  return (
    <div className="rounded-field border border-base-300 p-3">
      {fileName && (
        <div className="flex items-center gap-2 text-sm font-semibold">
          <FileSpreadsheet className="size-4 text-ink-2" />
          <bdi className="min-w-0 truncate">{fileName}</bdi>
          <span className="ms-auto">
            <Mark tone="ok" icon={CircleCheck} label={CONTACTS.uploaded} />
          </span>
        </div>
      )}
      <div className="mt-2 flex items-baseline gap-2">
        <b className="text-3xl font-extrabold tracking-tight">
          <Num>{result.total}</Num>
        </b>
        <span>{CONTACTS.added}</span>
      </div>
      <p className="mt-1 text-sm text-ink-2">{uploadSentence(result)}</p>
      {result.problems.length > 0 && (
        <details className="mt-2 text-sm">
          <summary className="cursor-pointer text-primary">{CONTACTS.problems}</summary>
          <ul className="mt-1 flex flex-col gap-0.5 text-ink-2">
            {result.problems.map(({ row, text }) => (
              <li key={row} className="wrap-anywhere">{CONTACTS.problemRow(row, text)}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
