import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { UploadResult } from "shared/http_api.ts";
import { CONTACTS, uploadSentence } from "../../text/contacts.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { addNumbers, uploadContacts } from "./add_contacts.ts";
import { FileDrop } from "./file_drop.tsx";
import { UploadCounts } from "./upload_counts.tsx";

interface ContactsStepProps {
  campaignId: number | null;
  numbers: string;
  onNumbers: (numbers: string) => void;
  /** Called after the server took contacts in. */
  onAdded: () => void;
}

/** Contacts by file or by hand; both may be prepared before the campaign exists. */
export function ContactsStep({ campaignId, numbers, onNumbers, onAdded }: ContactsStepProps) {
  const [file, setFile] = useState<File>();
  const [last, setLast] = useState<{ result: UploadResult; fileName?: string }>();
  const add = useMutation({
    mutationFn: (source: File | string) =>
      typeof source === "string" ? addNumbers(campaignId, source) : uploadContacts(campaignId, source),
    onSuccess: (result, source) => {
      const isFile = typeof source !== "string";
      setLast({ result, fileName: isFile ? source.name : undefined });
      showToast({ title: CONTACTS.addedTitle, description: uploadSentence(result), tone: "ok" });
      if (isFile) setFile(undefined);
      else onNumbers("");
      onAdded();
    },
    onError: (error) => showFailure(CONTACTS.failedTitle, error, CONTACTS.failedFallback),
  });
  const isAdding = (kind: "object" | "string") => add.isPending && typeof add.variables === kind;

  function upload() {
    if (!file) {
      showToast({ title: CONTACTS.missingFileTitle, description: CONTACTS.missingFile, tone: "bad" });
      return;
    }
    add.mutate(file);
  }

  return (
    <div className="flex flex-col gap-3">
      {last && <UploadCounts {...last} />}
      <FileDrop file={file} canUpload={campaignId !== null} onFile={setFile} />
      {campaignId !== null && file && (
        <BusyButton
          className="btn-primary w-full"
          busy={isAdding("object")}
          busyText={CONTACTS.uploading}
          onClick={upload}
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
          onChange={(event) => onNumbers(event.currentTarget.value)}
        />
        <p className="mt-1 text-xs text-ink-3" id="c-num-hint">{CONTACTS.manualHint}</p>
      </div>
      {campaignId !== null && numbers.trim() && (
        <BusyButton
          className="btn-secondary w-full"
          busy={isAdding("string")}
          busyText={CONTACTS.adding}
          onClick={() => add.mutate(numbers)}
        >
          {CONTACTS.addManual}
        </BusyButton>
      )}
    </div>
  );
}
