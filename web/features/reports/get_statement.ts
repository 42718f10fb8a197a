import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Statement } from "shared/statement_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { STATEMENT } from "./statement_text.ts";

const KEY = ["/api/statement"];

export interface StatementChoice {
  /** "2026-11"; undefined = the present month. */
  month: string | undefined;
  /** For administrators. */
  client: number | undefined;
}

/** Returns the search of an address: "?month=2026-11&client=7". */
export function statementSearch({ month, client }: StatementChoice): string {
  const search = new URLSearchParams();
  if (month !== undefined) search.set("month", month);
  if (client !== undefined) search.set("client", String(client));
  return search.size === 0 ? "" : `?${search}`;
}

/** The statement of a month; the earlier answer stays while another month loads. */
export function statementQuery(choice: StatementChoice) {
  return queryOptions({
    queryKey: [...KEY, choice],
    queryFn: ({ signal }) =>
      apiJson<Statement>("GET", `/api/statement${statementSearch(choice)}`, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Saves where the statements go; null = nowhere. */
export function useStatementMail() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (email: string | null) => apiJson("PUT", "/api/statement/mail", { body: { email } }),
    onSuccess: (_, email) => {
      showToast({
        title: STATEMENT.mailSaved,
        description: email === null ? STATEMENT.mailNowhere : STATEMENT.mailTo(email),
        tone: "ok",
      });
      return cache.invalidateQueries({ queryKey: KEY });
    },
    onError: (error) => showFailure(STATEMENT.mailFailed, error, STATEMENT.mailNotSaved),
  });
}
