import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { CampaignKind } from "shared/campaign.ts";
import type { UploadResult } from "shared/http_api.ts";
import { CONTACTS } from "./text/contacts.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { consentOf, dayOf, missingOf, NO_CONSENT } from "../../ui/consent_draft.ts";
import { ConsentFields } from "../../ui/consent_fields.tsx";
import { FileDrop } from "../../ui/file_drop.tsx";
import { lazyPart } from "../../ui/lazy_part.tsx";
import { useHeldContacts } from "../../ui/not_added.ts";
import { ProblemLine } from "../../ui/problem_line.tsx";
import { failureOf } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { addNumbers, uploadContacts } from "./add_contacts.ts";
import type { LastUpload } from "./import_list.tsx";

const ImportPreview = lazyPart(async () => (await import("./import_preview.tsx")).ImportPreview);
const ImportList = lazyPart(async () => (await import("./import_list.tsx")).ImportList);

interface ContactsStepProps {
  campaignId: number | null;
  /** "" means not chosen yet. */
  kind: CampaignKind | "";
  /** Contacts in the campaign now. */
  total: number;
  numbers: string;
  onNumbers: (numbers: string) => void;
  /** Called after the server added contacts. */
  onAdded: () => void;
}

/** Adds contacts by file or by hand; both can be prepared before the campaign exists. */
export function ContactsStep({ campaignId, kind, total, numbers, onNumbers, onAdded }: ContactsStepProps) {
  const [file, setFile] = useState<File>();
  const [consent, setConsent] = useState(NO_CONSENT);
  const [tries, setTries] = useState(0);
  const isMarketing = kind === "marketing";
  const [last, setLast] = useState<LastUpload>();
  const [isPreviewing, setPreviewing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const add = useMutation({
    mutationFn: (source: File | string) =>
      typeof source === "string"
        ? addNumbers(campaignId, source, declared)
        : uploadContacts(campaignId, source, declared),
    onSuccess: noteAdded,
  });
  const declared = isMarketing ? consentOf(consent) : undefined;
  const failureFor = (kind: "object" | "string") =>
    add.isError && typeof add.variables === kind
      ? failureOf(CONTACTS.failedTitle, add.error, CONTACTS.failedFallback)
      : undefined;
  const isAdding = (kind: "object" | "string") => add.isPending && typeof add.variables === kind;

  const typedFailure = failureFor("string");
  useHeldContacts(campaignId, numbers, file);

  function noteAdded(result: UploadResult, source: File | string) {
    const isFile = typeof source !== "string";
    setLast({ result, fileName: isFile ? source.name : "", at: Date.now() });
    const isAdded = result.total > 0;
    setPreviewing(false);
    onAdded();
    // Keep the entries when all contacts were left out: the person may declare consent for the same numbers.
    if (!isAdded && result.withoutConsent > 0) return;
    if (isFile) setFile(undefined);
    else onNumbers("");
    // A declaration of consent is about one list only.
    setConsent(NO_CONSENT);
    setTries(0);
  }

  function isDeclared(): boolean {
    const missing = isMarketing ? missingOf(consent, dayOf(Date.now())) : undefined;
    if (!missing) return true;
    setTries(tries + 1);
    return false;
  }

  async function upload() {
    if (!file || !await isReadable(file)) return refuseFile();
    if (isDeclared()) add.mutate(file);
  }

  async function openPreview(chosen: File) {
    if (!await isReadable(chosen)) return refuseFile();
    add.reset();
    setPreviewing(true);
  }

  function refuseFile() {
    setFile(undefined);
    showToast({ title: CONTACTS.missingFileTitle, description: CONTACTS.missingFile, tone: "bad" });
  }

  return (
    <div className="flex flex-col gap-3">
      {campaignId !== null && <ImportList campaignId={campaignId} total={total} last={last} />}
      {isMarketing && <ConsentFields draft={consent} onChange={setConsent} tries={tries} />}
      <FileDrop
        file={file}
        prompt={campaignId === null ? CONTACTS.chooseEarly : undefined}
        failure={failureFor("object")}
        onFile={(chosen) => {
          if (failureFor("object")) add.reset();
          setPreviewing(false);
          setFile(chosen);
        }}
      />
      {campaignId !== null && file && isPreviewing && (
        <ImportPreview
          campaignId={campaignId}
          file={file}
          declares={declared !== undefined}
          declare={() => isDeclared() ? { consent: declared } : null}
          onTaken={(result) => noteAdded(result, file)}
          onClose={() => {
            setPreviewing(false);
            // The button comes back in the place of the preview.
            requestAnimationFrame(() => opener.current?.focus());
          }}
        />
      )}
      {campaignId !== null && file && !isPreviewing && (
        <>
          <BusyButton
            className="btn-primary w-full"
            busy={isAdding("object")}
            busyText={CONTACTS.uploading}
            onClick={() => void upload()}
          >
            {/\.csv$/i.test(file.name) ? CONTACTS.upload : CONTACTS.uploadWorkbook}
          </BusyButton>
          <button
            ref={opener}
            type="button"
            className="btn btn-secondary w-full"
            onClick={() => void openPreview(file)}
          >
            {CONTACTS.preview}
          </button>
        </>
      )}
      <div>
        <label htmlFor="c-num" className="mb-1 block text-sm font-semibold">{CONTACTS.manual}</label>
        <textarea
          id="c-num"
          dir="ltr"
          className="textarea num-area w-full"
          rows={numbers.includes("\n") ? 4 : 2}
          placeholder={CONTACTS.manualPlaceholder}
          aria-describedby={typedFailure ? "c-num-e c-num-hint" : "c-num-hint"}
          value={numbers}
          readOnly={isAdding("string")}
          onChange={(event) => onNumbers(event.currentTarget.value)}
        />
        {typedFailure && <ProblemLine id="c-num-e" {...typedFailure} />}
        <p className="mt-1 text-xs text-ink-3" id="c-num-hint">{CONTACTS.manualHint}</p>
      </div>
      {campaignId !== null && numbers.trim() && (
        <BusyButton
          className="btn-secondary w-full"
          busy={isAdding("string")}
          busyText={CONTACTS.adding}
          onClick={() => isDeclared() && add.mutate(numbers)}
        >
          {CONTACTS.addManual}
        </BusyButton>
      )}
    </div>
  );
}

/** Returns false when the file was moved, removed or changed after it was chosen; the browser cannot read it then. */
async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
