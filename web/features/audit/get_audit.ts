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
  /** Days as they were typed; both count, and what is no day narrows nothing. */
  from: string;
  to: string;
}

const KEY = ["/api/admin/audit"];
const PAGE_SIZE = 100;

/** What the server is asked for, without the page. */
export function searchOf({ group, actor, from, to }: AuditChoice): URLSearchParams {
  const search = new URLSearchParams();
  if (group !== "all") search.set("group", group);
  if (actor) search.set("actor", actor);
  const [first, last] = [readDay(from), readDay(to)];
  if (first) search.set("from", String(startOfDay(first)));
  if (last) search.set("to", String(startOfDay(last, 1)));
  return search;
}

/** What is wrong with the chosen days; while something is, the rows are not those that were meant. */
export function daysProblem(
  { from, to }: Pick<AuditChoice, "from" | "to">,
): "unreadable" | "backwards" | undefined {
  const days = [from, to].filter((typed) => typed.trim() !== "").map(readDay);
  if (days.includes(undefined)) return "unreadable";
  return days.length === 2 && days[0]! > days[1]! ? "backwards" : undefined;
}

/** Rows, the newest first, page by page; they stand still while one reads. The first page tells of the chain. */
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

/** Has the chain checked from its first row, and asks for all again. */
export function useCheckAudit() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => apiJson<AuditChain>("POST", `${KEY[0]}/check`),
    onSuccess: () => cache.resetQueries({ queryKey: KEY }),
    onError: (error) => showFailure(AUDIT.checkFailed, error, ""),
  });
}
