import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { JoinToken } from "shared/admin_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { SITES } from "../../text/admin_sites.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { withProof } from "../../data/with_proof.ts";
import { sitesQuery } from "./get_sites.ts";

/** A join token, shown once, with its site's name. */
export interface ShownToken extends JoinToken {
  site: string;
}

/** Creates a site and its first join token. */
export function useCreateSite(onToken: (token: ShownToken) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      withProof((proof) =>
        apiJson<JoinToken>("POST", "/api/admin/sites", { body: { name, ...proof }, once: true })
      ),
    onSuccess: (token, name) => {
      onToken({ ...token, site: name });
      return cache.invalidateQueries({ queryKey: sitesQuery.queryKey });
    },
    onError: (error) => showFailure(SITES.createFailedTitle, error, SITES.actionFailed),
  });
}

/** Creates a new join token for a site; the earlier one becomes invalid. */
export function useNewToken(onToken: (token: ShownToken) => void) {
  return useMutation({
    mutationFn: ({ id }: { id: number; name: string }) =>
      withProof((proof) =>
        apiJson<JoinToken>("POST", `/api/admin/sites/${id}/token`, { body: proof, once: true })
      ),
    onSuccess: (token, { name }) => onToken({ ...token, site: name }),
    onError: (error) => showFailure(SITES.tokenFailedTitle, error, SITES.actionFailed),
  });
}
