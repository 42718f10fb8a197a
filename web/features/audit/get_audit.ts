import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { AuditChain, AuditGroup, AuditPage } from "shared/audit.ts";
import { apiJson } from "../../data/api_client.ts";
import { AUDIT } from "./text.ts";
import { readDay } from "../../text/day.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { startOfDay } from "./start_of_day.ts";

export interface AuditChoice {
  group: AuditGroup | "all";
  /** A user's id, or "". */
  actor: string;
  /** Days as typed, both inclusive; an invalid day does not filter. */
  from: string;
  to: string;
}

const KEY = ["/api/admin/audit"];
const PAGE_SIZE = 100;

/** Returns the request parameters without the page. */
export function searchOf({ group, actor, from, to }: AuditChoice): URLSearchParams {
  const search = new URLSearchParams();
  if (group !== "all") search.set("group", group);
  if (actor) search.set("actor", actor);
  const [first, last] = [readDay(from), readDay(to)];
  if (first) search.set("from", String(startOfDay(first)));
  if (last) search.set("to", String(startOfDay(last, 1)));
  return search;
}

/** Returns the problem of the chosen days; with a problem, the rows are not the intended ones. */
export function daysProblem(
  { from, to }: Pick<AuditChoice, "from" | "to">,
): "unreadable" | "backwards" | undefined {
  const days = [from, to].filter((typed) => typed.trim() !== "").map((typed) => readDay(typed));
  if (days.includes(undefined)) return "unreadable";
  return days.length === 2 && days[0]! > days[1]! ? "backwards" : undefined;
}

/**
 * Audit rows, newest first, page by page; live events do not change them. The first page includes the chain's
 * state.
 */
export function auditPagesQuery(choice: AuditChoice) {
  const chosen = searchOf(choice).toString();
  return infiniteQueryOptions({
    queryKey: [...KEY, chosen],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams(chosen);
      search.set("limit", String(PAGE_SIZE));
      if (pageParam !== null) search.set("cursor", String(pageParam));
      return apiJson<AuditPage>("GET", `${KEY[0]}?${search}`, { signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.nextCursor,
  });
}

/** Checks the chain from its first row, then fetches everything again. */
export function useCheckAudit() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => apiJson<AuditChain>("POST", `${KEY[0]}/check`),
    onSuccess: () => cache.resetQueries({ queryKey: KEY }),
    onError: (error) => showFailure(AUDIT.checkFailed, error, ""),
  });
}
