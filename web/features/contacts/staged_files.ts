import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Consent } from "shared/consent.ts";
import type { UploadResult } from "shared/http_api.ts";
import type { ContactsAdded } from "shared/lists_api.ts";
import type { ColumnChoice, ImportPreview, StagedFile } from "shared/staged_api.ts";
import { apiJson, apiRequest } from "../../data/api_client.ts";

/** Keeps a file at the server for an hour; `sheet` chooses a sheet of a workbook. @throws {ApiError} when it is refused */
export function stageFile(file: File, sheet?: number): Promise<StagedFile> {
  const body = new FormData();
  if (sheet !== undefined) body.set("sheet", String(sheet));
  body.set("file", file);
  return apiJson<StagedFile>("POST", "/api/staged-files", { body, once: true });
}

/** Forgets a staged file; one that stays is forgotten by itself. */
export function dropStaged(id: number): void {
  apiRequest("DELETE", `/api/staged-files/${id}`).catch(() => {});
}

interface Previewed {
  file: number;
  /** The column with the numbers; null = not chosen yet. */
  phone: number | null;
  /** Whether consent will be declared. */
  declares: boolean;
}

/** What taking in a staged file would do to each row. */
export function previewQuery(campaignId: number, { file, phone, declares }: Previewed) {
  const path = `/api/campaigns/${campaignId}/contacts/preview`;
  return queryOptions({
    queryKey: [path, file, phone, declares],
    queryFn: ({ signal }) =>
      apiJson<ImportPreview>("POST", path, {
        body: { file, choice: { phone, fields: [] }, declares },
        signal,
      }),
    enabled: phone !== null,
    placeholderData: keepPreviousData,
    // The campaign may change meanwhile: a preview is as old as its screen.
    gcTime: 0,
    retry: false,
  });
}

/** Returns the rows that get no message, as a file. */
export async function fetchLeftOut(
  campaignId: number,
  { file, phone, declares }: Previewed,
): Promise<Blob> {
  const path = `/api/campaigns/${campaignId}/contacts/left-out`;
  return await (await apiRequest("POST", path, { body: { file, choice: { phone, fields: [] }, declares } }))
    .blob();
}

interface TakenIn {
  file: number;
  choice: ColumnChoice;
  consent?: Consent | undefined;
}

/** Adds the people of a staged file to a list. @throws {ApiError} when the server refuses */
export function takeIntoList(listId: number, body: TakenIn): Promise<ContactsAdded> {
  return apiJson<ContactsAdded>("POST", `/api/lists/${listId}/staged`, { body: { ...body }, once: true });
}

/** Adds the contacts of a staged file to a campaign. @throws {ApiError} when the server refuses */
export function takeIn(campaignId: number, body: TakenIn): Promise<UploadResult> {
  return apiJson<UploadResult>("POST", `/api/campaigns/${campaignId}/contacts/staged`, {
    body: { ...body },
    once: true,
  });
}
