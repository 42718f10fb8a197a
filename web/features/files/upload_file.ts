import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FileItem } from "shared/admin_api.ts";
import type { Consent } from "shared/consent.ts";
import { apiJson } from "../../data/api_client.ts";
import { FILES } from "./text.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { FILES_KEY } from "./get_files.ts";

/** A campaign's id, or the list of those who asked to be left alone. */
export type FileTarget = number | "suppressions";

interface UploadedFile {
  file: File;
  target: FileTarget;
  /** What is declared of its numbers, for a marketing campaign. */
  consent: Consent | undefined;
}

/** Hands a file to the server, which takes it in by itself from then on. */
export function useUploadFile(onUploaded: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ file, target, consent }: UploadedFile) => {
      const body = new FormData();
      body.set("target", String(target));
      if (consent) body.set("consent", JSON.stringify(consent));
      body.set("file", file);
      return apiJson<FileItem>("POST", "/api/admin/files", { body });
    },
    onSuccess: ({ name }) => {
      showToast({ title: FILES.uploadedTitle, description: FILES.uploaded(name), tone: "ok" });
      onUploaded();
      return cache.invalidateQueries({ queryKey: FILES_KEY });
    },
    onError: (error) => showFailure(FILES.uploadFailedTitle, error, FILES.uploadFailed),
  });
}

/** Puts a failed file back into the queue, while the server still has its bytes. */
export function useRetryFile() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => apiJson<FileItem>("POST", `/api/admin/files/${id}/retry`),
    onSuccess: ({ name }) => {
      showToast({ title: FILES.retriedTitle, description: FILES.uploaded(name), tone: "ok" });
      return cache.invalidateQueries({ queryKey: FILES_KEY });
    },
    onError: (error) => showFailure(FILES.retryFailedTitle, error, FILES.retryFailed),
  });
}
