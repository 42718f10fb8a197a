import {
  infiniteQueryOptions,
  queryOptions,
  skipToken,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { EDITABLE_STATUSES } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";
import type { PersonalNeighbours, PersonalPreview, PersonalRow, PersonalRows } from "shared/personal_api.ts";
import { fieldsOf, parseTemplate } from "shared/personal_text.ts";
import { apiJson } from "../../data/api_client.ts";

/** Rows of the preview that the server chooses. */
export type RowChoice = keyof PersonalPreview["rows"];

/** Returns whether the client's words ask for a value of each recipient. */
export function asksForFields(message: string): boolean {
  return fieldsOf(parseTemplate(message).parts).length > 0;
}

/** Returns whether the preview says more than the message: it asks for values, or its placeholders are not well written. */
export function isPersonalMessage(message: string): boolean {
  const { parts, faults } = parseTemplate(message);
  return faults.length > 0 || fieldsOf(parts).length > 0;
}

/** Returns the part of a campaign on which its preview depends: another state is another query. */
export function previewState({ message, kind, status, totalContacts, counts }: Campaign): string {
  // After the send words and rows stand still.
  if (!EDITABLE_STATUSES.includes(status)) return "sent";
  return JSON.stringify([message, kind, totalContacts, counts.queued]);
}

/** What the message makes of its recipients; read again whenever the words or the contacts change, or a part opens. */
export function personalQuery(campaign: Campaign) {
  const { id, notices } = campaign;
  return queryOptions({
    queryKey: ["/api/campaigns", id, "personal", previewState(campaign)],
    queryFn: ({ signal }) => apiJson<PersonalPreview>("GET", `/api/campaigns/${id}/personal`, { signal }),
    staleTime: 0,
    // While a list is read in, each poll would look at all of its rows again.
    ...(notices.some(({ code }) => code === "import_running") ? { enabled: false } : {}),
  });
}

/** Recipients found by number or value, page by page. */
export function personalRowsQuery(campaign: Campaign, q: string) {
  const { id } = campaign;
  return infiniteQueryOptions({
    queryKey: ["/api/campaigns", id, "personal", previewState(campaign), { q }],
    queryFn: ({ signal, pageParam: after }) =>
      apiJson<PersonalRows>("POST", `/api/campaigns/${id}/personal/rows`, { body: { q, after }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });
}

/** The recipients beside one, in this state of the campaign. */
export function neighboursQuery(campaign: Campaign, row: number) {
  const { id } = campaign;
  return queryOptions({
    queryKey: ["/api/campaigns", id, "personal", previewState(campaign), { beside: row }],
    queryFn: ({ signal }) =>
      apiJson<PersonalNeighbours>("GET", `/api/campaigns/${id}/personal/rows/${row}`, { signal }),
    staleTime: 0,
  });
}

/** The recipient in view: one that the server chose, or one that a person found in this state of the campaign. */
type View = { choice: RowChoice } | { found: PersonalRow; state: string };

/**
 * Returns the preview and the recipient in view, which all parts of the screen share: a test to oneself takes the values
 * that its sender looks at.
 */
export function useRowInView(campaign: Campaign) {
  const cache = useQueryClient();
  const preview = useQuery(personalQuery(campaign));
  const key = ["/api/campaigns", campaign.id, "personal", "view"];
  const view = useQuery<View>({ queryKey: key, queryFn: skipToken }).data ?? { choice: "first" };
  const state = previewState(campaign);
  // A text that was found for earlier words is not shown.
  const isFound = "found" in view && view.state === state;
  const choice = isFound ? null : "choice" in view ? view.choice : "first";
  return {
    preview,
    /** Null = the recipient was found by a search. */
    choice,
    row: isFound ? view.found : preview.data?.rows[choice!] ?? null,
    choose: (choice: RowChoice) => void cache.setQueryData(key, { choice } satisfies View),
    show: (found: PersonalRow) => void cache.setQueryData(key, { found, state } satisfies View),
  };
}
