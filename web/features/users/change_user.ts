import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { User } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { unlessDeclined } from "../../data/proof_declined_error.ts";
import { USER_ACTS } from "./text.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { withProof } from "../../data/with_proof.ts";
import { usersQuery } from "./get_users.ts";

/** The server's minimum, checked before the request. */
export const MIN_PASSWORD_CHARS = 8;

export interface UserChange {
  user: User;
  change: { disabled: boolean } | { password: string; firstPassword: true } | { secondFactor: false };
}

/**
 * Disables or enables a user, sets a new password, or removes a second factor. Calls `onDone` after success or
 * failure, unless the proof is declined.
 */
export function useChangeUser(onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ user, change }: UserChange) =>
      withProof((proof) =>
        apiJson<User>("PATCH", `/api/users/${user.id}`, { body: { ...change, ...proof } })
      ),
    onSuccess: ({ username }, { change }) => {
      const title = "password" in change
        ? USER_ACTS.passwordSetTitle
        : "secondFactor" in change
        ? USER_ACTS.factorRemovedTitle
        : change.disabled
        ? USER_ACTS.disabledTitle
        : USER_ACTS.enabledTitle;
      const description = "password" in change ? USER_ACTS.passwordSet(username) : undefined;
      showToast({ title, description, tone: "ok" });
      return cache.invalidateQueries({ queryKey: usersQuery.queryKey, exact: true });
    },
    // A modal dialog covers the toasts, so it closes either way.
    onSettled: unlessDeclined(onDone),
    onError: (error) => showFailure(USER_ACTS.failedTitle, error, USER_ACTS.failed),
  });
}
