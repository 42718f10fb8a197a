import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Consent } from "shared/consent.ts";
import type { UploadResult } from "shared/http_api.ts";
import type { Choice, Contact, ContactCard, ContactList, ContactsAdded } from "shared/lists_api.ts";
import { apiJson, apiRequest } from "../../data/api_client.ts";
import { unlessDeclined } from "../../data/proof_declined_error.ts";
import { withProof } from "../../data/with_proof.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { LISTS_KEY } from "./get_lists.ts";
import { CONTACTS, LISTS, MASKED } from "./text.ts";

/** What a list's contacts are added from. */
export type AddSource =
  | { way: "file"; file: File; consent?: Consent }
  | { way: "numbers"; numbers: string; consent?: Consent }
  | { way: "one"; phone: string; fields: Record<string, string> }
  | { way: "campaign"; campaign: number; states: string[] };

/** Returns a function that reads every list again. */
export function useRefreshLists() {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: LISTS_KEY });
}

/** Creates a list; the form itself shows a failure. */
export function useCreateList(onCreated: (list: ContactList) => void) {
  const refresh = useRefreshLists();
  return useMutation({
    mutationFn: (name: string) => apiJson<ContactList>("POST", "/api/lists", { body: { name }, once: true }),
    onSuccess: async (list) => {
      await refresh();
      onCreated(list);
    },
  });
}

/** Renames a list; the dialog itself shows a failure. */
export function useRenameList(list: number, onDone: () => void) {
  const refresh = useRefreshLists();
  return useMutation({
    mutationFn: (name: string) => apiJson<ContactList>("PATCH", `/api/lists/${list}`, { body: { name } }),
    onSuccess: async () => {
      await refresh();
      onDone();
    },
  });
}

export function useRemoveList(list: number, onRemoved: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => apiRequest("DELETE", `/api/lists/${list}`),
    onSuccess: () => {
      showToast({ title: LISTS.removedTitle, description: "", tone: "ok" });
      onRemoved();
      return cache.invalidateQueries({ queryKey: LISTS_KEY, refetchType: "none" });
    },
    onError: (error) => showFailure(LISTS.removeFailedTitle, error, LISTS.changeFailed),
  });
}

/** Adds contacts in one of the ways; the panel itself shows the result or the failure. */
export function useAddContacts(list: number, onAdded: () => void) {
  const refresh = useRefreshLists();
  return useMutation({
    mutationFn: (source: AddSource): Promise<ContactsAdded> => add(list, source),
    onSuccess: () => {
      onAdded();
      return refresh();
    },
  });
}

async function add(list: number, source: AddSource): Promise<ContactsAdded> {
  const path = `/api/lists/${list}`;
  switch (source.way) {
    case "file": {
      const body = new FormData();
      if (source.consent) body.set("consent", JSON.stringify(source.consent));
      body.set("file", source.file);
      return await apiJson("POST", `${path}/file`, { body, once: true });
    }
    case "numbers":
      return await apiJson("POST", `${path}/numbers`, {
        body: { numbers: source.numbers, consent: source.consent },
        once: true,
      });
    case "one": {
      const { phone, fields } = source;
      await apiJson<Contact>("POST", `${path}/contacts`, { body: { phone, fields }, once: true });
      return { added: 1, known: 0, duplicates: 0, invalid: 0, blocked: 0, ignoredColumns: [], problems: [] };
    }
    case "campaign":
      return await apiJson("POST", `${path}/campaign`, {
        body: { campaign: source.campaign, states: source.states },
        once: true,
      });
  }
}

export function useRemoveContacts(list: number, onDone: () => void) {
  const refresh = useRefreshLists();
  return useMutation({
    mutationFn: (ids: number[]) =>
      apiJson<{ removed: number }>("DELETE", `/api/lists/${list}/contacts`, { body: { ids } }),
    onSuccess: ({ removed }) => {
      showToast({ title: CONTACTS.removedTitle, description: CONTACTS.removed(removed), tone: "ok" });
      return refresh();
    },
    onError: (error) => showFailure(CONTACTS.removeFailedTitle, error, LISTS.changeFailed),
    onSettled: onDone,
  });
}

/** Replaces a contact's values; the card itself shows a failure. */
export function useEditContact(list: number, contact: number, onDone: () => void) {
  const refresh = useRefreshLists();
  return useMutation({
    mutationFn: (fields: Record<string, string>) =>
      apiJson<ContactCard>("PATCH", `/api/lists/${list}/contacts/${contact}`, { body: { fields } }),
    onSuccess: async () => {
      await refresh();
      onDone();
    },
  });
}

/** Shows a masked list to this administrator with a reason, or masks it again. */
export function useShowList(list: number, onDone: () => void) {
  const refresh = useRefreshLists();
  const path = `/api/admin/lists/${list}/numbers`;
  return useMutation({
    mutationFn: (reason: string | null) =>
      reason === null
        ? apiRequest("DELETE", path)
        : withProof((proof) => apiJson("POST", path, { body: { reason, ...proof } })),
    onSuccess: refresh,
    onError: (error) => showFailure(MASKED.failedTitle, error, MASKED.failed),
    onSettled: unlessDeclined(onDone),
  });
}

/** Takes people of lists into a campaign; the dialog itself shows a failure. */
export function useTakeFromLists(campaign: number, onTaken: (result: UploadResult) => void) {
  return useMutation({
    mutationFn: (choice: Choice & { consent?: Consent }) =>
      apiJson<UploadResult>("POST", `/api/campaigns/${campaign}/contacts/lists`, {
        body: { ...choice },
        once: true,
      }),
    onSuccess: onTaken,
  });
}
