import { FileSpreadsheet, FileUp, Upload, X } from "lucide-react";
import { useState } from "react";
import { FILES } from "./text.ts";
import { CSV_FILE } from "../../text/csv_file.ts";
import { formatBytes } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { consentOf, dayOf, missingOf, NO_CONSENT } from "../../ui/consent_draft.ts";
import { ConsentFields } from "../../ui/consent_fields.tsx";
import { CsvZone } from "../../ui/csv_zone.tsx";
import { Num } from "../../ui/num.tsx";
import { ProblemLine } from "../../ui/problem_line.tsx";
import { showToast } from "../../ui/toast_store.ts";
import { type TargetDraft, TargetFields } from "./target_fields.tsx";
import { useUploadFile } from "./upload_file.ts";

/** The drop zone, the choice of the target unless there is only one, and the upload button. */
export function UploadCard({ only }: { only?: "suppressions" }) {
  const [file, setFile] = useState<File>();
  const [refused, setRefused] = useState<string>();
  const [target, setTarget] = useState<TargetDraft>({
    kind: only ?? "campaign",
    campaignId: "",
    isMarketing: false,
  });
  const [consent, setConsent] = useState(NO_CONSENT);
  const [tries, setTries] = useState(0);
  const isMarketing = target.kind === "campaign" && target.isMarketing;
  const upload = useUploadFile(() => {
    setFile(undefined);
    setConsent(NO_CONSENT);
    setTries(0);
  });

  function submit() {
    const goal = target.kind === "suppressions" ? target.kind : Number(target.campaignId);
    const missing = !file ? FILES.missingFile : goal === 0 ? FILES.missingTarget : undefined;
    if (missing) {
      showToast({
        title: file ? FILES.uploadFailedTitle : FILES.missingFileTitle,
        description: missing,
        tone: "bad",
      });
      return;
    }
    const undeclared = isMarketing ? missingOf(consent, dayOf(Date.now())) : undefined;
    if (undeclared) {
      setTries(tries + 1);
      return;
    }
    upload.mutate({ file: file!, target: goal, consent: isMarketing ? consentOf(consent) : undefined });
  }

  return (
    <section className="sheet p-5" aria-labelledby="new-file-h">
      <h2 id="new-file-h" className="mb-4 text-lg font-bold">{FILES.newFile}</h2>
      <CsvZone
        className="drop-tall"
        onFile={(chosen) => {
          setRefused(undefined);
          setFile(chosen);
        }}
        onRefused={setRefused}
      >
        <FileUp className="size-8 text-primary" />
        <span className="font-semibold">{FILES.drop}</span>
        <span className="text-xs text-ink-3">{FILES.limit} {FILES.alsoWorkbooks}</span>
      </CsvZone>
      {refused && <ProblemLine title={CSV_FILE.refusedTitle} description={refused} />}
      {file && (
        <p className="mt-3 flex items-center gap-2 text-sm">
          <FileSpreadsheet className="size-4 text-ink-2" />
          <bdi className="min-w-0 font-semibold wrap-anywhere">{file.name}</bdi>
          <span className="text-ink-3">
            <Num>{formatBytes(file.size)}</Num>
          </span>
          <button
            type="button"
            className="btn btn-ghost btn-square btn-sm ms-auto -me-2"
            aria-label={CSV_FILE.remove}
            title={CSV_FILE.remove}
            onClick={() => setFile(undefined)}
          >
            <X className="size-4" />
          </button>
        </p>
      )}
      {!only && <TargetFields target={target} onChange={setTarget} />}
      {isMarketing && (
        <div className="mt-4">
          <ConsentFields draft={consent} onChange={setConsent} tries={tries} />
        </div>
      )}
      <BusyButton
        className="btn-primary mt-5 w-full"
        busy={upload.isPending}
        busyText={FILES.uploading}
        onClick={submit}
      >
        <Upload className="size-4" />
        {FILES.upload}
      </BusyButton>
    </section>
  );
}
