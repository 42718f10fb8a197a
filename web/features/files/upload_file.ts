import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FileItem } from "shared/admin_api.ts";
import type { Consent } from "shared/consent.ts";
import { apiJson } from "../../data/api_client.ts";
import { FILES } from "./text.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { FILES_KEY } from "./get_files.ts";

/** A campaign's id, or the suppression list. */
export type FileTarget = number | "suppressions";

interface UploadedFile {
  file: File;
  target: FileTarget;
  /** Declaration of consent, for a marketing campaign. */
  consent: Consent | undefined;
}

/** Uploads a file; the server imports it in the background. */
export function useUploadFile(onUploaded: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ file, target, consent }: UploadedFile) => {
      const body = new FormData();
      body.set("target", String(target));
      if (consent) body.set("consent", JSON.stringify(consent));
      body.set("file", file);
      return apiJson<FileItem>("POST", "/api/admin/files", { body, once: true });
    },
    onSuccess: ({ name }) => {
      showToast({ title: FILES.uploadedTitle, description: FILES.uploaded(name), tone: "ok" });
      onUploaded();
      return cache.invalidateQueries({ queryKey: FILES_KEY });
    },
    onError: (error) => showFailure(FILES.uploadFailedTitle, error, FILES.uploadFailed),
  });
}

/** Queues a failed file again, while the server still has its bytes. */
export function useRetryFile() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => apiJson<FileItem>("POST", `/api/admin/files/${id}/retry`, { once: true }),
    onSuccess: ({ name }) => {
      showToast({ title: FILES.retriedTitle, description: FILES.uploaded(name), tone: "ok" });
      return cache.invalidateQueries({ queryKey: FILES_KEY });
    },
    onError: (error) => showFailure(FILES.retryFailedTitle, error, FILES.retryFailed),
  });
}
