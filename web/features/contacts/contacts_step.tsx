import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { CampaignKind } from "shared/campaign.ts";
import type { UploadResult } from "shared/http_api.ts";
import { CONTACTS, uploadSentence } from "./text/contacts.ts";
import { CONSENT } from "../../text/consent.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { consentOf, dayOf, missingOf, NO_CONSENT } from "../../ui/consent_draft.ts";
import { ConsentFields } from "../../ui/consent_fields.tsx";
import { FileDrop } from "../../ui/file_drop.tsx";
import { lazyPart } from "../../ui/lazy_part.tsx";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { addNumbers, uploadContacts } from "./add_contacts.ts";

const UploadCounts = lazyPart(async () => (await import("./upload_counts.tsx")).UploadCounts);

interface ContactsStepProps {
  campaignId: number | null;
  /** "" means not chosen yet. */
  kind: CampaignKind | "";
  numbers: string;
  onNumbers: (numbers: string) => void;
  /** Called after the server added contacts. */
  onAdded: () => void;
}

/** Adds contacts by file or by hand; both can be prepared before the campaign exists. */
export function ContactsStep({ campaignId, kind, numbers, onNumbers, onAdded }: ContactsStepProps) {
  const [file, setFile] = useState<File>();
  const [consent, setConsent] = useState(NO_CONSENT);
  const [tried, setTried] = useState(false);
  const isMarketing = kind === "marketing";
  const [last, setLast] = useState<{ result: UploadResult; fileName?: string }>();
  const add = useMutation({
    mutationFn: (source: File | string) =>
      typeof source === "string"
        ? addNumbers(campaignId, source, declared)
        : uploadContacts(campaignId, source, declared),
    onSuccess: (result, source) => {
      const isFile = typeof source !== "string";
      setLast({ result, fileName: isFile ? source.name : undefined });
      const isAdded = result.total > 0;
      showToast({
        title: isAdded ? CONTACTS.addedTitle : CONTACTS.failedTitle,
        description: uploadSentence(result),
        tone: isAdded ? "ok" : "bad",
      });
      onAdded();
      // Keep the entries when all contacts were left out: the person may declare consent for the same numbers.
      if (!isAdded && result.withoutConsent > 0) return;
      if (isFile) setFile(undefined);
      else onNumbers("");
      // A declaration of consent is about one list only.
      setConsent(NO_CONSENT);
      setTried(false);
    },
    onError: (error) => showFailure(CONTACTS.failedTitle, error, CONTACTS.failedFallback),
  });
  const declared = isMarketing ? consentOf(consent) : undefined;
  const isAdding = (kind: "object" | "string") => add.isPending && typeof add.variables === kind;

  function isDeclared(): boolean {
    const missing = isMarketing ? missingOf(consent, dayOf(Date.now())) : undefined;
    if (!missing) return true;
    setTried(true);
    showToast({ title: CONSENT.missingTitle, description: missing.text, tone: "bad" });
    return false;
  }

  async function upload() {
    if (!file || !await isReadable(file)) {
      setFile(undefined);
      showToast({ title: CONTACTS.missingFileTitle, description: CONTACTS.missingFile, tone: "bad" });
      return;
    }
    if (isDeclared()) add.mutate(file);
  }

  return (
    <div className="flex flex-col gap-3">
      {last && campaignId !== null && <UploadCounts campaignId={campaignId} {...last} />}
      {isMarketing && <ConsentFields draft={consent} onChange={setConsent} tried={tried} />}
      <FileDrop
        file={file}
        prompt={campaignId === null ? CONTACTS.chooseEarly : undefined}
        onFile={setFile}
      />
      {campaignId !== null && file && (
        <BusyButton
          className="btn-primary w-full"
          busy={isAdding("object")}
          busyText={CONTACTS.uploading}
          onClick={() => void upload()}
        >
          {CONTACTS.upload}
        </BusyButton>
      )}
      <div>
        <label htmlFor="c-num" className="mb-1 block text-sm font-semibold">{CONTACTS.manual}</label>
        <textarea
          id="c-num"
          dir="ltr"
          className="textarea num-area w-full"
          rows={numbers.includes("\n") ? 4 : 2}
          placeholder={CONTACTS.manualPlaceholder}
          aria-describedby="c-num-hint"
          value={numbers}
          readOnly={isAdding("string")}
          onChange={(event) => onNumbers(event.currentTarget.value)}
        />
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
